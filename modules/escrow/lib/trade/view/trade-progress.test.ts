import { describe, expect, test } from "bun:test";
import { tradeStatuses } from "../../machine/trade-types.ts";
import { tradeProgressOf } from "./trade-progress.ts";

const at = new Date("2026-11-21T04:00:00Z");
const row = {
  status: "initiated" as const,
  confirmedAt: null,
  handedOverAt: null,
  buyerCompletedAt: null,
  sellerCompletedAt: null,
  endReason: null,
};
const paid = { ...row, status: "payment_confirmed" as const, confirmedAt: at };
const refund = (state: "due" | "approved" | "sent" | "done" | "unknown" | "void") => ({
  kind: "refund" as const,
  source: "escrow" as const,
  state,
});

describe("the progress of a trade", () => {
  test("every status has a state of money", () => {
    const seen = Object.fromEntries(
      tradeStatuses.map((status) => [status, tradeProgressOf({ ...paid, status }, []).money]),
    );
    expect(seen).toEqual({
      initiated: "waiting",
      payment_initiated: "waiting",
      payment_pending: "waiting",
      payment_processing: "waiting",
      payment_failed: "waiting",
      payment_confirmed: "held",
      exchange_completed: "held",
      settlement_pending: "held",
      disputed: "disputed",
      completed: "released",
      cancelled: "none",
    });
  });

  test("a cancelled trade's money is held until its refund was sent, then returned", () => {
    const cancelled = { ...paid, status: "cancelled" as const };
    const money = (...states: Array<Parameters<typeof refund>[0]>) =>
      tradeProgressOf(cancelled, states.map(refund)).money;
    expect(money("due")).toBe("held");
    expect(money("approved")).toBe("held");
    expect(money("unknown")).toBe("held");
    expect(money("sent")).toBe("returned");
    expect(money("done", "due")).toBe("held");
    expect(money("void", "done")).toBe("returned");
    expect(money("void")).toBe("none");
    expect(tradeProgressOf(cancelled, [{ kind: "payout", state: "due", source: "escrow" }])).toEqual({
      ...{ money: "none", done: ["agreed", "paid", "held"], ended: true, payingOut: false },
      handOverSkipped: false,
    });
  });

  test("a completed trade's money is held again if a transfer did not arrive, and is not called paid out", () => {
    const over = { ...paid, status: "completed" as const, endReason: "paid_out" as const };
    const payout = (
      state: "void" | "due" | "approved" | "sent" | "done",
      source: "escrow" | `suspense:${number}` = "escrow",
    ) => ({
      ...{ kind: "payout" as const, state, source },
    });
    for (const state of ["due", "approved"] as const) {
      const again = tradeProgressOf(over, [payout("void"), payout(state)]);
      expect(again.money).toBe("held");
      expect(again.done).not.toContain("paidOut");
    }
    for (const state of ["sent", "done"] as const) {
      expect(tradeProgressOf(over, [payout("void"), payout(state)]).money).toBe("released");
    }
    // What was paid in excess is refunded separately.
    expect(
      tradeProgressOf(over, [payout("sent"), { ...payout("due", "suspense:4"), kind: "refund" }]).money,
    ).toBe("released");
  });

  test("a trade closed with nothing held releases nothing and is over", () => {
    expect(tradeProgressOf({ ...row, status: "completed", endReason: "closed" }, [])).toEqual({
      money: "none",
      done: ["agreed"],
      ended: true,
      payingOut: false,
      handOverSkipped: false,
    });
  });

  test("the progress marks are consecutive", () => {
    const done = (over: Partial<Parameters<typeof tradeProgressOf>[0]>) =>
      tradeProgressOf({ ...row, ...over }, []).done;
    expect(done({})).toEqual(["agreed"]);
    expect(done(paid)).toEqual(["agreed", "paid", "held"]);
    expect(done({ ...paid, handedOverAt: at })).toEqual(["agreed", "paid", "held", "handedOver"]);
    // The buyer's confirmation says nothing about a handover.
    expect(done({ ...paid, buyerCompletedAt: at })).toEqual(["agreed", "paid", "held"]);
    expect(tradeProgressOf({ ...paid, buyerCompletedAt: at }, []).handOverSkipped).toBe(true);
    expect(tradeProgressOf({ ...paid, handedOverAt: at, buyerCompletedAt: at }, []).handOverSkipped).toBe(
      false,
    );
    expect(done({ ...paid, sellerCompletedAt: at })).toEqual(["agreed", "paid", "held"]);
    const both = { ...paid, buyerCompletedAt: at, sellerCompletedAt: at };
    expect(done(both)).toEqual(["agreed", "paid", "held", "confirmed"]);
    const over = { ...both, status: "completed", endReason: "paid_out" } as const;
    expect(done(over)).toEqual(["agreed", "paid", "held", "confirmed", "paidOut"]);
    expect(done({ ...over, handedOverAt: at })).toHaveLength(6);
    // An administrator's decision to pay the seller does not count as the parties' confirmations.
    expect(tradeProgressOf({ ...paid, status: "settlement_pending" }, [])).toMatchObject({
      done: ["agreed", "paid", "held"],
      payingOut: true,
    });
  });
});
