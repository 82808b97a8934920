import { expect, test } from "bun:test";
import { notices } from "../../../../locales/en.json";
import type { Message } from "../types.ts";
import { isOwnAct } from "./own-acts.ts";

const noticeOf = (code: string, params: Record<string, string | number> = {}): Message => ({
  id: 1,
  seq: 1,
  senderId: null,
  clientId: null,
  type: "system",
  content: "",
  imageUrl: null,
  createdAt: "2026-11-20T10:00:00Z",
  notice: { code, params, text: "" },
});

test("each notice of what a party did is an own act of that party alone", () => {
  const actsOf = (role: "buyer" | "seller") =>
    Object.keys(notices).filter((code) => isOwnAct(noticeOf(code), { id: 7, role }));
  expect(actsOf("buyer")).toEqual([
    "buyerConfirmed",
    "buyerReceivedOtherwise",
    "cancelAskedByBuyer",
    "cancelDeclinedByBuyer",
    "cancelLapsed",
    "cancelWithdrawnByBuyer",
    "contactCorrected",
    "contactGiven",
    "disputeExplainedByBuyer",
    "disputeOpenedByBuyer",
    "disputeReleased",
    "infoConfirmedByBuyer",
    "infoSharedByBuyer",
    "markedPaid",
    "refundDestinationGiven",
    "vaultOpened",
  ]);
  expect(actsOf("seller")).toEqual([
    "bankInfoCorrected",
    "bankInfoGiven",
    "cancelAskedBySeller",
    "cancelDeclinedBySeller",
    "cancelWithdrawnBySeller",
    "disputeExplainedBySeller",
    "disputeOpenedBySeller",
    "handedOver",
    "handedOverByVault",
    "handedOverByVaultLate",
    "handedOverLate",
    "infoConfirmedBySeller",
    "infoSharedBySeller",
    "paymentAmended",
    "paymentRequested",
    "paymentWithdrawn",
    "sellerConfirmed",
    "vaultSealed",
    "vaultSealedAnew",
  ]);
});

test("a notice that mentions the reader or their role, and their own messages, are their acts; those of others are not", () => {
  const reader = { id: 7, role: "buyer" } as const;
  expect(isOwnAct(noticeOf("joined", { userId: 7 }), reader)).toBe(true);
  expect(isOwnAct(noticeOf("joined", { userId: 8 }), reader)).toBe(false);
  expect(isOwnAct(noticeOf("cancelledByBoth", { by: "buyer" }), reader)).toBe(true);
  expect(isOwnAct(noticeOf("cancelledByBoth", { by: "seller" }), reader)).toBe(false);
  const said = { ...noticeOf(""), senderId: 7, type: "text" } as const;
  const { notice: _, ...plain } = said;
  expect(isOwnAct(plain, reader)).toBe(true);
  expect(isOwnAct({ ...plain, senderId: 8 }, reader)).toBe(false);
});
