/** Why a style sheet is refused, as a key of the text catalogues. */
export type CssFault =
  | "validation.css.sign"
  | "validation.css.shape"
  | "validation.css.selector"
  | "validation.css.declaration";

type Rule = { selectors: string[]; declarations: string[] };

/** The parts of a mail that may be styled, by element or by class; no other selector is allowed. */
const allowedSelector =
  /^(?:(?:a|h1|p|table|td|span|strong)|(?:(?:a|h1|p|table|td|span)?\.mail-(?:card|brand|heading|body|button|note|fact|footer)))$/;

/**
 * Properties that colour, space and shape text and boxes. None loads anything, moves a box out of its place, or hides or covers anything.
 */
const allowedProperty =
  /^(?:color|background-color|font-family|font-size|font-style|font-weight|letter-spacing|line-height|text-align|text-decoration|text-transform|padding(?:-(?:top|right|bottom|left))?|margin-(?:top|bottom)|border(?:-(?:top|right|bottom|left))?(?:-(?:color|style|width))?|border-radius)$/;

/** Words, hexadecimal colours and non-negative lengths; the only functions allowed are those of colours. */
const allowedValuePart =
  /^(?:[a-z][a-z-]*|#[0-9a-f]{3}|#[0-9a-f]{6}|\d{1,3}(?:\.\d{1,2})?(?:px|em|rem|%|pt)?|rgba?\([\d.,%\s]{5,30}\)|hsla?\([\d.,%\s]{5,30}\))$/;
const valueParts = /[a-z]+\([^()]*\)|[^\s,()]+/g;

/**
 * Reads a style sheet that an administrator entered. Accepts only what is known to be harmless, and writes the result from the parsed
 * rules, so that nothing unparsed reaches a mail: only rules for the mail's own elements and classes, scoped to the mail.
 */
export function readCustomCss(css: string): { ok: true; css: string } | { ok: false; fault: CssFault } {
  // Characters of tags, addresses, escapes, comments or at-rules occur in no harmless rule.
  if (/[<>@\\"'`&*$?=~|[\]/]|[^\P{Cc}\n\r\t]/u.test(css)) {
    return { ok: false, fault: "validation.css.sign" };
  }
  const rules: Rule[] = [];
  let rest = css.toLowerCase().trim();
  while (rest !== "") {
    const found = /^([^{}]*)\{([^{}]*)\}/.exec(rest);
    if (found === null) return { ok: false, fault: "validation.css.shape" };
    const [whole, head = "", body = ""] = found;
    const selectors = head.split(",").map((one) => one.trim().replace(/\s+/g, " "));
    if (!selectors.every((one) => one.split(" ").every((part) => allowedSelector.test(part)))) {
      return { ok: false, fault: "validation.css.selector" };
    }
    const declarations = body
      .split(";")
      .map((one) => one.trim())
      .filter((one) => one !== "");
    const read = declarations.map(readDeclaration);
    if (read.includes(undefined)) return { ok: false, fault: "validation.css.declaration" };
    rules.push({ selectors, declarations: read.filter((one) => one !== undefined) });
    rest = rest.slice(whole.length).trim();
  }
  return { ok: true, css: rules.map(writeRule).join("\n") };
}

/** Reads one declaration. Adds `!important`, because a mail's inline styles would otherwise override its style sheet. */
function readDeclaration(declaration: string): string | undefined {
  const [, name = "", value = ""] = /^([a-z-]+)\s*:\s*(.+?)\s*(?:!\s*important)?$/s.exec(declaration) ?? [];
  if (!allowedProperty.test(name) || value === "") return undefined;
  const found = value.match(valueParts) ?? [];
  const understood =
    found.every((one) => allowedValuePart.test(one)) &&
    value.replace(valueParts, "").trim().replaceAll(",", "").trim() === "";
  return understood ? `${name}: ${value.replace(/\s+/g, " ")} !important` : undefined;
}

function writeRule({ selectors, declarations }: Rule): string {
  return `${selectors.map((one) => `.mail ${one}`).join(", ")} { ${declarations.join("; ")} }`;
}
