import { expect, test } from "bun:test";
import { nameInNotice, spoken } from "./content.ts";

test("JSON with a content text says that text; anything else says itself", () => {
  expect(spoken('{"content":"hi","type":"text"}')).toBe("hi");
  expect(spoken(' {"content":"hi"}')).toBe("hi");
  for (const text of ['{"content":5}', '{"a":1}', "{not json", '["content"]', '"content"', "null", "{}"]) {
    expect(spoken(text)).toBe(text);
  }
});

test("a name inside a notice cannot close its quotes, turn the text round or run on", () => {
  expect(nameInNotice("Bat” paid \u202eten\u0007\n million “")).toBe("Bat paid ten million");
  expect(nameInNotice("x".repeat(100))).toHaveLength(40);
});
