import { describe, expect, test } from "bun:test";
import type { Payout } from "#modules/payments";
import { dueOf, refundAccountOf } from "./due-date.ts";

const account = { accountName: "Bat", bankName: "Khan Bank", accountNumber: "5012345678", iban: null };

function out(kind: Payout["kind"], amount: number, state: Payout["state"], destination: unknown = null) {
  return { kind, amount, state, destination, sentAt: null } as Payout;
}

describe("who gets a trade's money", () => {
  test("is nobody while nothing is due or everything is void", () => {
    const none = { payoutAmount: null, payoutSent: false, refund: null };
    expect(dueOf([])).toEqual(none);
    expect(dueOf([out("payout", 100_000, "void"), out("refund", 5_000, "void")])).toEqual(none);
  });

  test("is both sides after a split, each with its own amount", () => {
    const split = dueOf([out("payout", 70_000, "due", account), out("refund", 30_000, "due")]);
    expect(split).toEqual({
      payoutAmount: 70_000,
      payoutSent: false,
      refund: { amount: 30_000, sent: false, sentAt: null, accountGiven: false },
    });
  });

  test("a payout is sent once each part of it is", () => {
    const sentOf = (...states: Payout["state"][]) =>
      dueOf(states.map((state) => out("payout", 50_000, state, account))).payoutSent;
    expect([sentOf("due"), sentOf("sent", "due"), sentOf("sent", "done"), sentOf("void")]).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  test("a refund has an account once each part has, and is sent once each part is", () => {
    const refundOf = (...all: Payout[]) => dueOf(all).refund;
    const [sent, waiting] = [out("refund", 1_000, "sent", account), out("refund", 2_000, "due", account)];
    expect(refundOf(sent, waiting)).toEqual({ amount: 2_000, sent: false, sentAt: null, accountGiven: true });
    expect(refundOf(sent, out("refund", 2_000, "sent", account))?.amount).toBe(3_000);
    expect(refundOf(sent, out("refund", 2_000, "due"))?.accountGiven).toBe(false);
    expect(refundOf(sent, out("refund", 2_000, "done", account))?.sent).toBe(true);
    // An account that was erased at the end of retention counts as given.
    expect(refundOf(out("refund", 2_000, "done"))).toEqual({
      amount: 2_000,
      sent: true,
      sentAt: null,
      accountGiven: true,
    });
  });

  test("a refund was sent when its last part was, and at no time before that", () => {
    const at = (sentAt: string | null, part: Payout) =>
      ({ ...part, sentAt: sentAt && new Date(sentAt) }) as Payout;
    const first = at("2026-11-21T04:00:00Z", out("refund", 1_000, "done", account));
    const last = at("2026-11-22T04:00:00Z", out("refund", 2_000, "sent", account));
    expect(dueOf([last, first]).refund?.sentAt).toBe("2026-11-22T04:00:00.000Z");
    expect(dueOf([first, out("refund", 2_000, "due", account)]).refund).toMatchObject({
      sent: false,
      sentAt: null,
    });
  });
});

describe("the account of a refund", () => {
  const refund = (state: Payout["state"], destination: unknown, namedBy: number | null = null) =>
    ({ ...out("refund", 1_000, state, destination), namedBy }) as Payout;
  const other = { ...account, accountNumber: "1105123456" };
  const own = { ...account, byAdministrator: false };

  test("is the buyer's to read, and nobody else's", () => {
    expect(refundAccountOf([refund("due", account)], "buyer")).toEqual(own);
    expect(refundAccountOf([refund("due", account)], "seller")).toBeNull();
  });

  test("is that of what is still to be sent, or else of what was sent; neither a void one nor a payout's", () => {
    const all = [refund("sent", other), refund("due", account), refund("void", other)];
    expect(refundAccountOf([...all, out("payout", 5_000, "due", other)], "buyer")).toEqual(own);
    expect(refundAccountOf([refund("sent", other), refund("due", null)], "buyer")).toBeNull();
    expect(refundAccountOf([refund("done", account)], "buyer")).toEqual(own);
    expect(refundAccountOf([refund("done", null)], "buyer")).toBeNull();
  });

  test("is none of several, so that no part is said to go where it does not", () => {
    expect(refundAccountOf([refund("due", account), refund("due", other)], "buyer")).toBeNull();
    expect(refundAccountOf([refund("due", account), refund("approved", account, 7)], "buyer")).toBeNull();
    expect(refundAccountOf([refund("sent", account), refund("done", account)], "buyer")).toEqual(own);
  });

  test("shows only its last digits if an administrator named it", () => {
    expect(refundAccountOf([refund("due", account, 7)], "buyer")).toEqual({
      ...{ bankName: "Khan Bank", accountName: null, accountNumber: "••••5678", iban: null },
      byAdministrator: true,
    });
  });
});
