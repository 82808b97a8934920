import type { Block, CssNode, Declaration, parse as Parse, Rule, Selector } from "css-tree";
// @ts-expect-error: only css-tree's main entry has types. It also loads the grammars of browsers, 13 MB and 40 ms more than its parser.
import parser from "css-tree/parser";

const parseStyles: typeof Parse = parser;

/** Why a style sheet is refused, as a key of the text catalogues. */
type CssFault =
  | "validation.css.sign"
  | "validation.css.shape"
  | "validation.css.selector"
  | "validation.css.declaration";

/** The parts of a mail that may be styled, by element or by class; no other selector is allowed. */
const allowedSelector =
  /^(?:(?:a|h1|p|table|td|span|strong)|(?:(?:a|h1|p|table|td|span)?\.mail-(?:card|brand|heading|body|button|note|fact|footer)))$/;

/**
 * Properties that colour, space and shape text and boxes. None loads anything, moves a box out of its place, or hides or covers anything.
 */
const allowedProperty =
  /^(?:color|background-color|font-family|font-size|font-style|font-weight|letter-spacing|line-height|text-align|text-decoration|text-transform|padding(?:-(?:top|right|bottom|left))?|margin-(?:top|bottom)|border(?:-(?:top|right|bottom|left))?(?:-(?:color|style|width))?|border-radius)$/;

const allowedWord = /^[a-z][a-z-]*$/;
const allowedHexColour = /^(?:[0-9a-f]{3}|[0-9a-f]{6})$/;
/** Lengths are never negative, so that nothing can be moved out of its place. */
const allowedNumber = /^\d{1,3}(?:\.\d{1,2})?$/;
const allowedUnit = /^(?:px|em|rem|pt)$/;
const allowedFunction = /^(?:rgb|hsl)a?$/;
const allowedComponent = /^(?=.)\d{0,3}(?:\.\d{1,9})?$/;

class RefusedCss extends Error {
  constructor(readonly fault: CssFault) {
    super(fault);
  }
}

type CssResult = { ok: true; css: string } | { ok: false; fault: CssFault };

/**
 * Reads a style sheet that an administrator entered. Accepts only what is known to be harmless, and writes the result from the parsed
 * rules, so that nothing unparsed reaches a mail: only rules for the mail's own elements and classes, scoped to the mail.
 */
export function readCustomCss(css: string): CssResult {
  // Characters of tags, addresses, escapes, comments or at-rules occur in no harmless rule.
  if (/[<>@\\"'`&*$?=~|[\]/]|[^\P{Cc}\n\r\t]/u.test(css)) {
    return { ok: false, fault: "validation.css.sign" };
  }
  return rewriteRules(css);
}

/** The same without the first look at single characters: what the syntax tree allows is enough by itself. */
export function rewriteRules(css: string): CssResult {
  const source = css.toLowerCase();
  let flawed = false;
  const noteFlaw = () => {
    flawed = true;
  };
  // A parser forgives: it leaves out comments and what it cannot read, as a browser does.
  const tree = parseStyles(source, { positions: true, onParseError: noteFlaw, onComment: noteFlaw });
  try {
    if (tree.type !== "StyleSheet") throw new RefusedCss("validation.css.shape");
    const rules = tree.children.toArray().map((node) => rewriteRule(node, source));
    if (flawed) throw new RefusedCss("validation.css.shape");
    return { ok: true, css: rules.join("\n") };
  } catch (error) {
    if (error instanceof RefusedCss) return { ok: false, fault: error.fault };
    throw error;
  }
}

function rewriteRule(node: CssNode, source: string): string {
  if (node.type !== "Rule" || !isClosed(node.block, source)) throw new RefusedCss("validation.css.shape");
  const selectors = selectorsOf(node).map((selector) => `.mail ${selector}`);
  const declarations = node.block.children.toArray().flatMap(rewriteDeclaration);
  return `${selectors.join(", ")} { ${declarations.join("; ")} }`;
}

/** The end of a style sheet closes its open blocks, as CSS has it: such a sheet was cut off. */
const isClosed = ({ loc }: Block, source: string): boolean =>
  loc != null && source[loc.end.offset - 1] === "}";

function selectorsOf({ prelude }: Rule): string[] {
  if (prelude.type === "SelectorList")
    return prelude.children.toArray().map((node) => rewriteSelector(node as Selector));
  throw new RefusedCss(/[{}]/.test(prelude.value) ? "validation.css.shape" : "validation.css.selector");
}

function rewriteSelector({ children }: Selector): string {
  const parts = children.toArray().map((node) => {
    if (node.type === "TypeSelector") return node.name;
    if (node.type === "ClassSelector") return `.${node.name}`;
    if (node.type === "Combinator" && node.name === " ") return " ";
    throw new RefusedCss("validation.css.selector");
  });
  const selector = parts.join("");
  if (selector.split(" ").every((part) => allowedSelector.test(part))) return selector;
  throw new RefusedCss("validation.css.selector");
}

/** A mail's own attributes would win over its style sheet, so every declaration becomes important. */
function rewriteDeclaration(node: CssNode): string[] {
  if (node.type === "Declaration") return [`${node.property}: ${rewriteValue(node)} !important`];
  if (node.type !== "Raw") throw new RefusedCss("validation.css.shape");
  if (/^[\s;]*$/.test(node.value)) return []; // two semicolons
  throw new RefusedCss(/[{}]/.test(node.value) ? "validation.css.shape" : "validation.css.declaration");
}

function rewriteValue({ property, value, important }: Declaration): string {
  const nodes = value.type === "Value" ? value.children.toArray() : [];
  const isAllowed = allowedProperty.test(property) && typeof important === "boolean" && nodes.length > 0;
  if (!isAllowed) throw new RefusedCss("validation.css.declaration");
  return joinParts(nodes.map(rewriteValuePart));
}

/** Words, hexadecimal colours and non-negative lengths; the only functions allowed are those of colours. */
function rewriteValuePart(node: CssNode): string {
  if (node.type === "Identifier" && allowedWord.test(node.name)) return node.name;
  if (node.type === "Hash" && allowedHexColour.test(node.value)) return `#${node.value}`;
  if (node.type === "Number" && allowedNumber.test(node.value)) return node.value;
  if (node.type === "Percentage" && allowedNumber.test(node.value)) return `${node.value}%`;
  if (node.type === "Dimension" && allowedNumber.test(node.value) && allowedUnit.test(node.unit))
    return node.value + node.unit;
  if (node.type === "Operator" && node.value === ",") return ",";
  if (node.type === "Function" && allowedFunction.test(node.name))
    return `${node.name}(${joinParts(node.children.toArray().map(rewriteComponent))})`;
  throw new RefusedCss("validation.css.declaration");
}

function rewriteComponent(node: CssNode): string {
  if (node.type === "Number" && allowedComponent.test(node.value)) return node.value;
  if (node.type === "Percentage" && allowedComponent.test(node.value)) return `${node.value}%`;
  if (node.type === "Operator" && node.value === ",") return ",";
  throw new RefusedCss("validation.css.declaration");
}

/** Parts with spaces between them; a comma stands between two parts. */
function joinParts(parts: string[]): string {
  const isMisplaced = (part: string, at: number) => part === "," && (parts[at - 1] ?? ",") === ",";
  if (parts.at(-1) === "," || parts.some(isMisplaced)) throw new RefusedCss("validation.css.declaration");
  return parts.join(" ").replaceAll(" ,", ",");
}
