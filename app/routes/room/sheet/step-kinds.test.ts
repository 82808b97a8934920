import { expect, test } from "bun:test";
import type { TradeShown } from "../../../ui/trade/types.ts";
import { stripStepOf } from "../bar/strip-step.ts";
import { findNextStep, showsVault } from "./step-kinds.ts";

const heldTrade = (changed: { status?: string; turn: string; agreeCancellation: boolean }) =>
  ({
    status: "payment_confirmed",
    standing: { money: "held", done: [], ended: false, payingOut: false, handOverSkipped: false },
    over: false,
    refund: null,
    booked: 110_000,
    gross: 110_000,
    heldForChecking: false,
    tradeChecked: false,
    confirmed: { buyer: null, seller: null },
    vault: { state: "none" },
    ...changed,
    can: { agreeCancellation: changed.agreeCancellation, seal: true },
  }) as unknown as TradeShown;

test("the answer to a request to cancel is the next step, on the sheet and in the strip", () => {
  for (const role of ["buyer", "seller"] as const) {
    const asked = heldTrade({ turn: `${role}_answer_cancel`, agreeCancellation: true });
    expect(findNextStep({ trade: asked, role })).toBe("answer");
    expect(showsVault({ trade: asked, role })).toBe(false);
    expect(stripStepOf({ trade: asked, role, canCreate: false })).toEqual({
      label: "answer",
      anchor: "next",
    });
  }
});

test("who asked to cancel goes on with the trade, and a dispute comes before the answer", () => {
  const waiting = heldTrade({ turn: "buyer_answer_cancel", agreeCancellation: false });
  expect(findNextStep({ trade: waiting, role: "seller" })).toBe("complete");
  const disputed = heldTrade({ status: "disputed", turn: "buyer_explain", agreeCancellation: true });
  expect(findNextStep({ trade: disputed, role: "buyer" })).toBe("explain");
});

test("while Midman checks the trade, its warning comes before a request that can only be declined", () => {
  const asked = heldTrade({ turn: "seller_answer_cancel", agreeCancellation: false });
  const trade = { ...asked, can: { ...asked.can, declineCancellation: true } } as TradeShown;
  expect(findNextStep({ trade, role: "seller" })).toBe("complete");
});

test("another trade is offered once no money of the ended one is on its way", () => {
  const ended = (turn: string) =>
    ({
      ...heldTrade({ status: "cancelled", turn, agreeCancellation: false }),
      over: true,
      refund: { amount: 110_000, sent: turn === "none", accountGiven: true },
    }) as TradeShown;
  for (const role of ["buyer", "seller"] as const) {
    expect(findNextStep({ trade: ended("admin"), role })).toBeNull();
    expect(findNextStep({ trade: ended("buyer_refund_account"), role })).toBeNull();
    expect(findNextStep({ trade: ended("none"), role })).toBe("again");
  }
});

test("a buyer who has confirmed has no step of their own: its card would be empty", () => {
  const trade = {
    ...heldTrade({ status: "exchange_completed", turn: "seller_confirm", agreeCancellation: false }),
    confirmed: { buyer: "2026-11-21T04:00:00Z", seller: null },
    handOverNote: null,
    receivedOtherwiseAt: null,
  } as TradeShown;
  expect(findNextStep({ trade, role: "buyer" })).toBeNull();
});

test("the vault comes first for what is signed in to, and second for an item of a game", () => {
  const seller = (goods: string) => {
    const held = heldTrade({ turn: "seller_hand_over", agreeCancellation: false });
    const trade = { ...held, goods, can: { ...held.can, handOver: true } } as TradeShown;
    return showsVault({ trade, role: "seller" });
  };
  expect(["account", "licence", "key", "other"].map(seller)).toEqual([true, true, true, true]);
  expect(seller("item")).toBe(false);
});
