import { expect, test } from "bun:test";
import { bankOfIban } from "./bank-of-iban.ts";

test("an IBAN names its bank in the reader's language, with or without spaces", () => {
  expect(bankOfIban("MN12 0005 0050 1234 5678", "mn")).toBe("Хаан банк");
  expect(bankOfIban("mn120015001105123456", "en")).toBe("Golomt Bank");
  expect(bankOfIban("MN120099001105123456", "en")).toBeNull();
  expect(bankOfIban("5012345678", "en")).toBeNull();
});
