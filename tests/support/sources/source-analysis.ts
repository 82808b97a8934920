import { parseSync } from "vite";

/** One file of the tree, as the architecture rules read it. */
export interface Source {
  path: string;
  text: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** Every module a file asks for: import, export … from, and import() with a plain string. */
export function importSpecifiers({ path, text }: Source): string[] {
  const { module } = parseSync(path, text);
  const asked = [
    ...module.staticImports.map((found) => found.moduleRequest.value),
    ...module.staticExports.flatMap((found) => found.entries.map((entry) => entry.moduleRequest?.value)),
    ...module.dynamicImports.map(({ moduleRequest }) =>
      text.slice(moduleRequest.start, moduleRequest.end).replace(/^["'`]|["'`]$/g, ""),
    ),
  ];
  return asked.filter((specifier) => typeof specifier === "string");
}

/** The same without what is imported or exported as a type alone, and without import(). */
export function loadedSpecifiers({ path, text }: Source): string[] {
  const { module } = parseSync(path, text);
  const imports = module.staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value);
  const exports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) => (isType || !moduleRequest ? [] : [moduleRequest.value])),
  );
  return [...imports, ...exports];
}

/** The statements of a file that are not `export type { … } from "./lib/…"`. */
export function valuesBesideTypeExports({ path, text }: Source): string[] {
  const { body } = parseSync(path, text).program as unknown as { body: Node[] };
  return body
    .map(({ start, end }) => text.slice(start, end))
    .filter((statement) => !/^export type \{[^}]*\} from "\.\/lib\/[^"]+";$/.test(statement));
}

/** Lines of each function of a file, the longest first. */
export function functionLengths(source: Source): Array<{ name: string; lines: number }> {
  const lengths: Array<{ name: string; lines: number }> = [];
  walkNodes(parseSync(source.path, source.text).program, (node, name) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return;
    const lines = source.text.slice(node.start, node.end).split("\n").length;
    lengths.push({ name, lines });
  });
  return lengths.sort((a, b) => b.lines - a.lines);
}

/** Words standing as they are in JSX: text that no catalogue knows. */
export function literalTexts(source: Source): string[] {
  const texts: string[] = [];
  walkNodes(parseSync(source.path, source.text).program, (node) => {
    if (node.type === "JSXText" && /\p{L}{2,}/u.test(String(node.value)))
      texts.push(String(node.value).trim());
    if (node.type !== "JSXAttribute") return;
    const { name, value } = node as unknown as { name: { name: string }; value: Node | null };
    const spoken = /^(aria-label|title|alt|placeholder)$/.test(name.name);
    if (spoken && value?.type === "Literal" && /\p{L}{2,}/u.test(String(value.value)))
      texts.push(String(value.value));
  });
  return texts;
}

/** The `<form>` elements of a file that post: whose `method` is anything but the text "get". */
export function postingForms({ path, text }: Source): string[] {
  if (!text.includes("<form")) return [];
  const found: string[] = [];
  walkNodes(parseSync(path, text).program, (node) => {
    if (node.type !== "JSXOpeningElement" || (node.name as { name?: string }).name !== "form") return;
    const attributes = node.attributes as Array<{ name?: { name: string }; value?: { value?: unknown } }>;
    const method = attributes.find(({ name }) => name?.name === "method");
    if (method && method.value?.value !== "get") found.push(text.slice(node.start, node.end));
  });
  return found;
}

/** The calls of `toMatchObject` that expect a matcher (`expect.any(…)`), which Bun 1.4 writes into the object that was received. */
export function matchersInPartialMatches({ path, text }: Source): string[] {
  if (!text.includes("toMatchObject")) return [];
  const found: string[] = [];
  walkNodes(parseSync(path, text).program, (node) => {
    if (node.type !== "CallExpression") return;
    const { property } = node.callee as { property?: { name?: string } };
    if (property?.name !== "toMatchObject") return;
    const given = (node.arguments as Node[]).map(({ start, end }) => text.slice(start, end)).join();
    if (/\bexpect\./.test(given)) found.push(given);
  });
  return found;
}

/** How often a file compares by `==` or `!=`, which make two types alike first; with null alone they say what they mean. */
export function looseComparisons(source: Source): number {
  if (!/[^=!]==[^=]|!=[^=]/.test(source.text)) return 0;
  let found = 0;
  walkNodes(parseSync(source.path, source.text).program, (node) => {
    if (node.type !== "BinaryExpression" || (node.operator !== "==" && node.operator !== "!=")) return;
    const sides = [node.left, node.right] as Array<{ type: string; value?: unknown }>;
    if (!sides.some(({ type, value }) => type === "Literal" && value === null)) found += 1;
  });
  return found;
}

function walkNodes(node: unknown, visit: (node: Node, name: string) => void, name = "anonymous"): void {
  if (Array.isArray(node)) {
    for (const item of node) walkNodes(item, visit, name);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const called = nameOf(node as Node) ?? name;
  if ("type" in node) visit(node as Node, called);
  for (const value of Object.values(node)) walkNodes(value, visit, called);
}

function nameOf(node: Node): string | undefined {
  const id = (node.id ?? node.key) as { name?: string } | null | undefined;
  return id?.name;
}
