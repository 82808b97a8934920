import { expect, test } from "bun:test";
import { nameInNotice, unwrapContent } from "./message-content.ts";

test("JSON with a content text is shown as that text; anything else as itself", () => {
  expect(unwrapContent('{"content":"hi","type":"text"}')).toBe("hi");
  expect(unwrapContent(' {"content":"hi"}')).toBe("hi");
  for (const text of ['{"content":5}', '{"a":1}', "{not json", '["content"]', '"content"', "null", "{}"]) {
    expect(unwrapContent(text)).toBe(text);
  }
});

test.each([
  ["Bat” paid \u202eten\u0007\n million “", "Bat paid ten million"],
  ["Бат» чатад нэгдлээ «", "Бат чатад нэгдлээ"],
  ["Ba\u200bt\u200f \u2066B\u3164old\u2069", "Bat Bold"],
  ["✅ Midman ✔️ 🛡", "Midman"],
  ["Payment confirmed: {{total}} ₮ $t(brand)", "Payment confirmed total t(brand)"],
  [`Z${"\u0335".repeat(40)}o`, "Z\u0335\u0335o"],
  ["👍🏽🎉", ""],
  ["Ann O’Neil", "Ann O’Neil"],
  ["д.Энх-Амгалан (O'Neil)", "д.Энх-Амгалан (O'Neil)"],
])("the name %j appears in a notice as %j", (name, said) => {
  expect(nameInNotice(name)).toBe(said);
});

test("a name cannot spill over in a notice", () => {
  expect(nameInNotice("x".repeat(100))).toHaveLength(40);
});
