import { expect, test } from "bun:test";
import { goodsKinds } from "../../forms.ts";
import { invoiceDescription } from "./invoice-description.ts";

test("the payer reads at the bank that it is Midman's escrow, the code, and the purpose, in both languages", () => {
  const said = invoiceDescription({ code: "MM-7K2Q9XAB", goods: "account" });
  expect(said).toStartWith("Midman эскроу/escrow MM-7K2Q9XAB: ");
  expect(said).toContain("тоглоомын бүртгэл / game account");
});

test("each kind of goods has its own words, within what banks show", () => {
  const all = goodsKinds.map((goods) => invoiceDescription({ code: "MM-7K2Q9XAB", goods }));
  expect(new Set(all).size).toBe(goodsKinds.length);
  for (const said of all) expect([...said].length).toBeLessThanOrEqual(120);
});
