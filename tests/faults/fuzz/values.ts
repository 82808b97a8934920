import fc from "fast-check";
import type { OpenApiDocument } from "../../../app/server/openapi/document.ts";
import type { JsonSchema } from "../../../app/server/openapi/schemas.ts";
import { sampleOf } from "../../support/api/schema-samples.ts";
import { hostileJson, oddJson } from "../../support/hostile/hostile-bodies.ts";

/** Values by the API's own schemas: what fits them, what almost does, and what nobody should take. */

/** Lists, and objects, one in another. */
export const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
export const deepObject = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

/** Bodies that are no JSON object at all, and such as other programs stumble over. */
export const rawBodies: readonly string[] = [
  ...['{"amount":', "}", "{}{}", "1", '"text"', "null", "[]", "[{}]", "NaN", "<a/>", "a=1&b=2", "--x", ""],
  ...[
    "\u0000",
    '{"a":"\\ud800"}',
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{"isAdmin":true}}}',
  ],
  ...[
    ...Object.values({ ...hostileJson, ...oddJson }).map(({ body }) => body),
    `{"a":"${"x".repeat(200_000)}"}`,
    '{"a":1e999}',
    '{"a":1,"a":2}',
    "\ufeff{}",
  ],
];

const nasty: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, -1e308, 2 ** 53, 2 ** 31, 1e21, Number.MIN_VALUE],
  ...["", " ", "0", "-1", "1e9", "null", "undefined", "true", "__proto__", "constructor", "toString"],
  ...["a\u0000b", "a\u001bb", "a\ud800b", "a\u202eb", "\ufeff", "Ⅷ", "🏳️‍🌈".repeat(40), "e\u0301".repeat(200)],
  ...["'; DROP TABLE escrow.trades; --", "' OR '1'='1", "{{constructor}}", "<script>alert(1)</script>"],
  ...[
    "../../../etc/passwd",
    "file:///etc/passwd",
    "http://127.0.0.1:1/x",
    "javascript:alert(1)",
    "=1+1",
    "@SUM(1)",
  ],
  ...["x".repeat(5_000), "x".repeat(100_000), "\n".repeat(2_000), "9".repeat(400)],
  ...[
    [],
    [[]],
    ["x"],
    [1, "x", null],
    {},
    { toString: "x" },
    { $ne: null },
    { length: 1e9 },
    JSON.parse(deepObject(300)),
  ],
];

/** Anything at all. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...nasty) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 2, arbitrary: fc.double({ noNaN: true }) },
  { weight: 1, arbitrary: fc.anything({ maxDepth: 2, withObjectString: false, withBigInt: false }) },
);

/** What a schema says that it takes; a named field is mostly what its verb takes as well. */
export function createFittingValues(
  schema: JsonSchema,
  document: OpenApiDocument,
  name = "",
): fc.Arbitrary<unknown> {
  const id = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref ?? ""))?.[1];
  if (id !== undefined) return createFittingValues(document.components.schemas[id] ?? {}, document, name);
  const right = fc.constant(sampleOf(schema, document, true, name));
  return fc.oneof({ weight: 2, arbitrary: right }, { weight: 1, arbitrary: generated(schema, document) });
}

function generated(schema: JsonSchema, document: OpenApiDocument): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  const choices = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined;
  if (choices !== undefined)
    return fc.oneof(...choices.map((choice) => createFittingValues(choice, document)));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object") return objects(schema, document);
  if (type === "array")
    return fc.array(createFittingValues((schema.items ?? {}) as JsonSchema, document), { maxLength: 3 });
  if (type === "boolean") return fc.boolean();
  if (type === "integer")
    return fc.integer({ min: Number(schema.minimum ?? 0), max: Number(schema.maximum ?? 1e9) });
  if (type === "number") return fc.double({ min: Number(schema.minimum ?? -1e9), max: 1e9, noNaN: true });
  if (type === "string") return texts(schema);
  return hostile;
}

function texts({ minLength = 0, maxLength = 60, pattern }: JsonSchema): fc.Arbitrary<string> {
  const least = Number(minLength);
  const most = Math.max(least, Math.min(Number(maxLength), 300));
  const plain = fc.string({ unit: "grapheme", minLength: least, maxLength: most });
  // A look-ahead is no pattern to make texts from.
  if (typeof pattern !== "string" || pattern.includes("(?")) return plain;
  return fc.oneof(fc.stringMatching(new RegExp(pattern)), plain);
}

function objects(schema: JsonSchema, document: OpenApiDocument): fc.Arbitrary<Record<string, unknown>> {
  const parts = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const model = Object.fromEntries(
    parts.map(([name, part]) => [name, createFittingValues(part, document, name)]),
  );
  return fc.record(model, { requiredKeys: (schema.required ?? []) as string[] });
}

/** Fields that no call takes from outside, and that would matter if one did. */
const smuggled = {
  ...{ isAdmin: true, is_admin: true, role: "admin", status: "completed", senderId: 1, userId: 1, id: 1 },
  ...{ held: 1e6, fee: 0, serviceFee: 1, netAmount: 1e9, buyerId: 1, sellerId: 1, type: "system", seq: 1 },
};

/** A JSON body near what a schema takes: right, with one field wrong, missing or too much, or nothing of the kind. */
export function createNearlyFittingValues(
  schema: JsonSchema,
  document: OpenApiDocument,
): fc.Arbitrary<unknown> {
  const right = createFittingValues(schema, document) as fc.Arbitrary<unknown>;
  const whole = fc.constant(sampleOf(schema, document, true));
  const oneWrong = fc.tuple(whole, fc.nat(), hostile).map(([body, at, value]) => {
    return withField(body, at, (rest, name) => ({ ...rest, [name]: value }));
  });
  const oneMissing = fc.tuple(whole, fc.nat()).map(([body, at]) => {
    return withField(body, at, (rest, name) =>
      Object.fromEntries(Object.entries(rest).filter(([one]) => one !== name)),
    );
  });
  const tooMuch = fc
    .tuple(whole, fc.subarray(Object.keys(smuggled), { minLength: 1 }))
    .map(([body, names]) => {
      const more = Object.fromEntries(names.map((name) => [name, smuggled[name as keyof typeof smuggled]]));
      return withField(body, 0, (rest) => ({ ...more, ...rest }));
    });
  return fc.oneof(
    { weight: 3, arbitrary: right },
    { weight: 6, arbitrary: oneWrong },
    { weight: 2, arbitrary: oneMissing },
    { weight: 2, arbitrary: tooMuch },
    { weight: 1, arbitrary: hostile },
  );
}

type Fields = Record<string, unknown>;

function withField(body: unknown, at: number, change: (rest: Fields, name: string) => Fields): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const names = Object.keys(body);
  return change(body as Fields, names[at % Math.max(1, names.length)] ?? "x");
}
