import { type CssNode, type Declaration, generate, parse } from "css-tree";

/** Calls that a browser of the floor (config/browser-floor.ts) may lack, as they stand in a built script. */
const newerCalls: Record<string, RegExp> = {
  "a pattern that looks behind": /\(\?<[=!]/,
  "the v flag of a pattern": /\/[dgimsuy]*v[dgimsuy]*\.(?:test|exec)\(/,
  "copying array methods": /\.(?:toSorted|toReversed|toSpliced)\(/,
  "Object.groupBy or Map.groupBy": /\b(?:Object|Map)\.groupBy\b/,
  "Promise.withResolvers or Promise.try": /\bPromise\.(?:withResolvers|try)\b/,
  "Array.fromAsync": /\bArray\.fromAsync\b/,
  "AbortSignal.timeout or AbortSignal.any": /\bAbortSignal\.(?:timeout|any)\b/,
  "URL.canParse or URL.parse": /\bURL\.(?:canParse|parse)\(/,
  "well-formed strings": /\.(?:isWellFormed|toWellFormed)\(/,
  "Intl.Segmenter or Intl.DurationFormat": /\bIntl\.(?:Segmenter|DurationFormat)\b/,
  "methods of iterators and sets":
    /\.values\(\)\.(?:map|filter|toArray)\(|\.(?:isSubsetOf|symmetricDifference)\(/,
  popovers: /\.(?:showPopover|togglePopover)\(/,
  checkVisibility: /\.checkVisibility\(/,
  "a static block": /\bstatic\s*\{/,
};

/** What a built script calls that is newer than the floor. */
export function newerCallsIn(script: string): string[] {
  return Object.entries(newerCalls)
    .filter(([, pattern]) => pattern.test(script))
    .map(([name]) => `${name}: ${newerCalls[name]?.exec(script)?.[0]}`);
}

const newerValues: Record<string, RegExp> = {
  "a dynamic unit without the plain one": /\d(?:dvh|svh|lvh|dvw)\b/,
  "mixed colours without a plain one": /color-mix\(/,
  "a relative colour": /\b(?:rgb|hsl|oklch|lab)\(from /,
  "a colour space": /\b(?:oklch|oklab|lch|lab)\(/,
};

/** What may depend on `:has()`: a look, or that something appears a moment later. */
const harmlessWithHas =
  /^(?:border|background|outline|color|width|font-weight|visibility|animation|box-shadow|--tw-)/;

type Place = { isGuarded: boolean; selector: string };

/** What a built stylesheet relies on that is newer than the floor: without `@supports` around it, or an older value before it. */
export function newerStylesIn(sheet: string): string[] {
  const tree = parse(sheet, { onParseError: () => {} });
  const asksForHas = /@supports not selector\(:has/.test(sheet);
  return newerStylesOf(tree, { isGuarded: false, selector: "" }).filter(
    (found) => !(asksForHas && found.startsWith(":has() decides") && found.endsWith("{ display }")),
  );
}

function newerStylesOf(node: CssNode, place: Place): string[] {
  if (node.type === "StyleSheet" || node.type === "Block")
    return [...node.children].flatMap((child, at, all) =>
      child.type === "Declaration" ? newerValuesOf(child, all[at - 1], place) : newerStylesOf(child, place),
    );
  if (node.type === "Atrule") {
    const prelude = node.prelude === null ? "" : generate(node.prelude);
    const isGuarded = place.isGuarded || node.name === "supports";
    return [
      ...(node.name === "media" && /[<>]/.test(prelude) ? [`@media ${prelude}`] : []),
      ...(node.block === null ? [] : newerStylesOf(node.block, { ...place, isGuarded })),
    ];
  }
  if (node.type !== "Rule") return [];
  const selector = generate(node.prelude);
  return [
    ...(place.selector === "" ? [] : [`nested: ${place.selector} { ${selector} }`]),
    ...newerStylesOf(node.block, { ...place, selector }),
  ];
}

function newerValuesOf(
  { property, value }: Declaration,
  before: CssNode | undefined,
  { isGuarded, selector }: Place,
): string[] {
  const text = generate(value);
  const hasOlder = before?.type === "Declaration" && before.property === property;
  return [
    ...(!isGuarded && /^(?:translate|rotate|scale)$/.test(property) ? [`${selector} { ${property} }`] : []),
    ...Object.entries(newerValues)
      .filter(([, pattern]) => !isGuarded && !hasOlder && pattern.test(text))
      .map(([name]) => `${name}: ${selector} { ${property}: ${text} }`),
    ...(selector.includes(":has(") && !harmlessWithHas.test(property)
      ? [`:has() decides: ${selector} { ${property} }`]
      : []),
  ];
}
