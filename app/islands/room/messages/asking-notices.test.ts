import { expect, test } from "bun:test";
import type { Message } from "../types.ts";
import { findAskingSeqs } from "./asking-notices.ts";

const talk = (...codes: Array<string | null>) =>
  codes.map((code, at) => ({ seq: at + 1, ...(code !== null && { notice: { code } }) })) as Message[];

test("of a kind of notice only the latest carries its instruction", () => {
  const asked = talk("cancelAskedByBuyer", null, "cancelWithdrawnByBuyer", "cancelAskedByBuyer", null);
  expect(findAskingSeqs(asked, "cancelAskedByBuyer markedPaid")).toBe("4");
  const sealed = talk("handedOver", "handedOverByVault", "vaultOpened", "vaultSealedAnew");
  expect(findAskingSeqs(sealed, "handedOver handedOverByVault vaultSealedAnew")).toBe("4");
});

test("none does once the trade has moved on", () => {
  const messages = talk("markedPaid", "paymentConfirmed", "handedOver", "buyerConfirmed");
  expect(findAskingSeqs(messages, "buyerConfirmed")).toBe("4");
  expect(findAskingSeqs(messages, "")).toBe("");
});
