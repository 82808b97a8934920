import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  inputLimits,
  isFormTooComplex,
  isJsonTooComplex,
  isMultipartTooComplex,
  parseJson,
} from "./input-limits.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

describe("JSON", () => {
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

  test("may be nested up to the limit, in lists and objects", () => {
    expect(isJsonTooComplex(bytes(nested(inputLimits.depth)))).toBe(false);
    expect(isJsonTooComplex(bytes(nested(inputLimits.depth + 1)))).toBe(true);
    const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    expect(isJsonTooComplex(bytes(objects(inputLimits.depth)))).toBe(false);
    expect(isJsonTooComplex(bytes(objects(inputLimits.depth + 1)))).toBe(true);
  });

  test("may have a limited number of values, side by side or nested", () => {
    const list = (count: number) => `[${Array(count).fill(1).join(",")}]`;
    expect(isJsonTooComplex(bytes(list(inputLimits.values - 1)))).toBe(false);
    expect(isJsonTooComplex(bytes(list(inputLimits.values)))).toBe(true);
    const empty = (count: number) => `[${Array(count).fill("{}").join(",")}]`;
    expect(isJsonTooComplex(bytes(empty(inputLimits.values)))).toBe(true);
  });

  test("is measured outside its strings, whatever they contain", () => {
    expect(isJsonTooComplex(bytes(JSON.stringify({ a: '\\"[{,'.repeat(5_000), '"': "\\" })))).toBe(false);
    expect(isJsonTooComplex(bytes(`["\\\\",${nested(inputLimits.depth)}]`))).toBe(true);
    expect(isJsonTooComplex(bytes(`["\\"",${nested(inputLimits.depth)}]`))).toBe(true);
  });

  test("from ordinary programs is accepted", () => {
    const small = fc.json({ maxDepth: 6 });
    fc.assert(
      fc.property(small, (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test("that is too complex is rejected", () => {
    expect(() => parseJson(nested(inputLimits.depth + 1))).toThrow(SyntaxError);
    expect(() => parseJson("{")).toThrow(SyntaxError);
  });
});

describe("a form", () => {
  test("may have a limited number of fields", () => {
    const form = (count: number) => Array.from({ length: count }, (_, n) => `k${n}=1`).join("&");
    expect(isFormTooComplex(bytes(form(inputLimits.fields)))).toBe(false);
    expect(isFormTooComplex(bytes(form(inputLimits.fields + 1)))).toBe(true);
  });

  test("may have names of limited length, and values of any length", () => {
    expect(isFormTooComplex(bytes(`${"x".repeat(inputLimits.fieldName)}=${"y".repeat(100_000)}`))).toBe(
      false,
    );
    expect(isFormTooComplex(bytes(`${"x".repeat(inputLimits.fieldName + 1)}=1`))).toBe(true);
    expect(isFormTooComplex(bytes(`a=1&${"x".repeat(inputLimits.fieldName + 1)}`))).toBe(true);
  });
});

describe("a multipart form", () => {
  const type = "multipart/form-data; boundary=b";
  const form = (count: number, head = "") =>
    bytes(
      `${Array.from({ length: count }, (_, n) => `--b\r\nContent-Disposition: form-data; name="k${n}"${head}\r\n\r\n1\r\n`).join("")}--b--\r\n`,
    );

  test("may have a limited number of parts", () => {
    expect(isMultipartTooComplex(form(inputLimits.fields), type)).toBe(false);
    expect(isMultipartTooComplex(form(inputLimits.fields + 1), type)).toBe(true);
  });

  test("may have a limited header in each part", () => {
    const named = (letters: number) => form(1, `; filename="${"x".repeat(letters)}"`);
    expect(isMultipartTooComplex(named(inputLimits.partHead - 100), type)).toBe(false);
    expect(isMultipartTooComplex(named(inputLimits.partHead), type)).toBe(true);
  });

  test("must declare its boundary plainly, as browsers do", async () => {
    const made = new FormData();
    made.append("image", new File(["x".repeat(10_000)], `${"зураг".repeat(50)}.png`));
    for (let n = 1; n < inputLimits.fields; n++) made.append(`field${n}`, "value");
    const sent = new Request("http://localhost", { method: "POST", body: made });
    const said = sent.headers.get("content-type") ?? "";
    expect(isMultipartTooComplex(await sent.bytes(), said)).toBe(false);
    for (const odd of [
      "multipart/form-data",
      "multipart/form-data; boundary=",
      'multipart/form-data; boundary=b; boundary="c"',
      'multipart/form-data; boundary="b;c"',
    ])
      expect([odd, isMultipartTooComplex(form(1), odd)]).toEqual([odd, true]);
    expect(isMultipartTooComplex(form(1), 'multipart/form-data; boundary="b"')).toBe(false);
  });
});
