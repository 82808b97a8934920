import { describe, expect, test } from "bun:test";
import type { Payout } from "#modules/payments";
import { dueOf } from "./due-date.ts";

const account = { accountName: "Bat", bankName: "Khan Bank", accountNumber: "5012345678", iban: null };

function out(kind: Payout["kind"], amount: number, state: Payout["state"], destination: unknown = null) {
  return { kind, amount, state, destination, sentAt: null } as Payout;
}

describe("who gets a trade's money", () => {
  test("is nobody while nothing is due or everything is void", () => {
    const none = { payoutAmount: null, refund: null };
    expect(dueOf([])).toEqual(none);
    expect(dueOf([out("payout", 100_000, "void"), out("refund", 5_000, "void")])).toEqual(none);
  });

  test("is both sides after a split, each with its own amount", () => {
    const split = dueOf([out("payout", 70_000, "due", account), out("refund", 30_000, "due")]);
    expect(split).toEqual({
      payoutAmount: 70_000,
      refund: { amount: 30_000, sent: false, sentAt: null, accountGiven: false },
    });
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
