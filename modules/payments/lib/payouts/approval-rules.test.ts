import { afterEach, describe, expect, test } from "bun:test";
import { fourEyesAbove, overrideConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { acceptAltered } from "../../../../tests/support/database/accept-altered.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { openHolds } from "../holds/open-holds.ts";
import {
  account,
  at,
  audited,
  due,
  expectProven,
  first,
  heldBy,
  holding,
  later,
  newBankReference,
  otherAccount,
  outcome,
  second,
} from "../ledger/money.fixture.ts";
import { haltMoney } from "../treasury/halt-money.ts";
import { approvePayoutRecord } from "./approve-payout.ts";
import { claimPayoutRecord } from "./claim-payout.ts";
import { createDuePayout, setDestination } from "./create-payout.ts";
import { destinationDigest } from "./destination-digest.ts";
import { markPayoutDone } from "./mark-payout-done.ts";
import { markPayoutSent } from "./mark-payout-sent.ts";
import { findPayout, type PayoutActor, payoutsOf } from "./payouts.ts";
import { reportPayoutSent } from "./report-payout-sent.ts";
import { markPayoutUnknown, resolveUnknownPayout } from "./resolve-unknown-payout.ts";

useDatabase();

const third: PayoutActor = { userId: 903, hands: [903], keepsRight: async () => true };
/** The same actor at a time when `dismissed` is no longer an administrator. */
const after = (by: PayoutActor, dismissed: number): PayoutActor => ({
  ...by,
  keepsRight: async (userId) => userId !== dismissed,
});

afterEach(async () => {
  overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined, QPAY_BASE_URL: undefined });
  await haltMoney({ on: false, reason: "test over", at, by: first });
});

const send = (id: number, by: PayoutActor, when = at, bankReference = newBankReference()) =>
  outcome((tx) => markPayoutSent(tx, { id, bankReference, at: when, by }));
const press = (id: number, by: PayoutActor, when = at) =>
  outcome((tx) => approvePayoutRecord(tx, { id, at: when, by }));
const doubt = (id: number, by: PayoutActor) =>
  outcome((tx) => markPayoutUnknown(tx, { id, reason: "the bank is silent", at, by }));
const found = (id: number, by: PayoutActor) =>
  outcome((tx) =>
    resolveUnknownPayout(tx, { id, outcome: "sent", bankReference: newBankReference(), at: later(3), by }),
  );
const unsent = (id: number, by: PayoutActor) =>
  outcome((tx) => resolveUnknownPayout(tx, { id, outcome: "not_sent", reason: "came back", at, by }));

describe("four eyes", () => {
  test("are on with a real provider unless off is written, and off in the sandbox", () => {
    expect(fourEyesAbove()).toBeNull();
    overrideConfig({ QPAY_BASE_URL: "https://merchant.qpay.mn/v2" });
    expect(fourEyesAbove()).toBe(1_000_000);
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 500 });
    expect(fourEyesAbove()).toBe(500);
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: "off" });
    expect(fourEyesAbove()).toBeNull();
  });

  test("count all records of the trade: a split into two passes no limit that is between one and both", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 500 });
    const reference = await holding(635);
    const [payoutDue, refundDue] = [
      await due(reference, "payout", 300, 35),
      await due(reference, "refund", 300),
    ];
    for (const { id } of [payoutDue, refundDue]) {
      expect(await press(id, first)).toBe("ok");
      expect(await findPayout(db(), id)).toMatchObject({ fourEyes: true, claimedBy: null });
      expect(await send(id, first)).toBe("FOUR_EYES_REQUIRED");
      expect(await send(id, second)).toBe("ok");
    }
    const whole = await holding(500);
    const { id } = await due(whole, "payout", 500);
    expect([await press(id, first), await send(id, first)]).toEqual(["ok", "ok"]);
    expect(await heldBy(reference)).toBe(0);
  });

  test("a void record counts no more, what has left does", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 500 });
    const reference = await holding(600);
    const refund = await due(reference, "refund", 200);
    const { id } = await due(reference, "payout", 400);
    expect(await press(refund.id, first)).toBe("ok");
    expect(await send(refund.id, second)).toBe("ok");
    expect(await press(id, second)).toBe("ok");
    expect(await send(id, second)).toBe("FOUR_EYES_REQUIRED");
    expect(await send(id, third)).toBe("ok");
    await doubt(id, third);
    expect(await unsent(id, second)).toBe("ok");
    const fresh = (await payoutsOf(db(), reference)).at(-1)?.id ?? 0;
    expect(await press(fresh, third)).toBe("ok");
    expect(await findPayout(db(), fresh)).toMatchObject({ fourEyes: true });
  });
});

describe("an approval", () => {
  test("dies with its giver's right, for who claims and who sends; another gives it anew", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 50 });
    const { id, reference } = await due(await holding(100), "payout", 100);
    expect(await press(id, first)).toBe("ok");
    const later = after(second, first.userId);
    expect(await outcome((tx) => claimPayoutRecord(tx, { id, from: null, at, by: later }))).toBe(
      "APPROVAL_LAPSED",
    );
    expect(await send(id, later)).toBe("APPROVAL_LAPSED");
    expect(await heldBy(reference)).toBe(100);
    expect(await press(id, after(third, first.userId))).toBe("ok");
    expect(await findPayout(db(), id)).toMatchObject({ state: "approved", approvedBy: third.userId });
    expect((await audited("payout", id)).slice(-3)).toEqual([
      "payout.approved",
      "payout.approval_void",
      "payout.approved",
    ]);
    expect(await send(id, later)).toBe("ok");
  });

  test("given anew leaves the transfer to who is making it", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 50 });
    const { id } = await due(await holding(100), "payout", 100);
    expect(await press(id, first)).toBe("ok");
    expect(await outcome((tx) => claimPayoutRecord(tx, { id, from: null, at, by: second }))).toBe("ok");
    expect(await press(id, after(third, first.userId))).toBe("ok");
    expect(await findPayout(db(), id)).toMatchObject({ approvedBy: third.userId, claimedBy: second.userId });
    expect(await send(id, second)).toBe("ok");
  });

  test("that lapsed is not helped by a doubt of one person: another says that it was sent", async () => {
    const { id } = await due(await holding(100), "payout", 100);
    expect(await press(id, first)).toBe("ok");
    expect(await outcome((tx) => claimPayoutRecord(tx, { id, from: first.userId, at, by: second }))).toBe(
      "ok",
    );
    const alone = after(second, first.userId);
    expect(await doubt(id, alone)).toBe("ok");
    const found = (by: PayoutActor) =>
      outcome((tx) =>
        resolveUnknownPayout(tx, { id, outcome: "sent", bankReference: newBankReference(), at, by }),
      );
    expect(await found(alone)).toBe("FOUR_EYES_REQUIRED");
    const other = after(third, first.userId);
    expect(await outcome((tx) => claimPayoutRecord(tx, { id, from: second.userId, at, by: other }))).toBe(
      "ok",
    );
    expect(await found(other)).toBe("ok");
  });
});

describe("one administrator alone", () => {
  test("cannot send, deny that it was sent, and send again: another says what was posted was not sent", async () => {
    const { id, reference } = await due(await holding(100), "payout", 100);
    expect([await press(id, first), await send(id, first), await doubt(id, first)]).toEqual([
      "ok",
      "ok",
      "ok",
    ]);
    expect(await unsent(id, first)).toBe("FOUR_EYES_REQUIRED");
    expect(await unsent(id, { ...second, hands: [902, 901] })).toBe("FOUR_EYES_RELATED");
    expect(await payoutsOf(db(), reference)).toHaveLength(1);
    expect(await unsent(id, second)).toBe("ok");
    expect(await heldBy(reference)).toBe(100);
    await expectProven();
  });

  test("does not see their own transfer on the statement", async () => {
    const { id } = await due(await holding(100), "payout", 100);
    expect([await press(id, first), await send(id, first)]).toEqual(["ok", "ok"]);
    const done = (by: PayoutActor) => outcome((tx) => markPayoutDone(tx, { id, at, by }));
    expect(await done(first)).toBe("FOUR_EYES_REQUIRED");
    expect(await done({ ...second, hands: [902, 901] })).toBe("FOUR_EYES_RELATED");
    expect(await done(second)).toBe("ok");
    expect(await done(first)).toBe("repeated");
  });

  test("finds that a transfer which was not posted did not leave, as before", async () => {
    const { id } = await due(await holding(100), "payout", 100);
    expect([await press(id, first), await doubt(id, first), await unsent(id, first)]).toEqual([
      "ok",
      "ok",
      "ok",
    ]);
  });
});

describe("what replaces a transfer that was not sent", () => {
  async function replacement() {
    const { id, reference } = await due(await holding(100), "payout", 100);
    expect([await press(id, first), await send(id, first), await doubt(id, first)]).toEqual([
      "ok",
      "ok",
      "ok",
    ]);
    expect(await unsent(id, second)).toBe("ok");
    const fresh = (await payoutsOf(db(), reference)).at(-1)?.id ?? 0;
    return { id: fresh, reference };
  }

  test("keeps its destination: no approval leads elsewhere", async () => {
    const { id } = await replacement();
    expect(await findPayout(db(), id)).toMatchObject({ state: "due", destination: account });
    const elsewhere = { id, destination: otherAccount, at, by: second };
    expect(await outcome((tx) => approvePayoutRecord(tx, elsewhere))).toBe("PAYOUT_CONFLICT");
    expect(await press(id, second)).toBe("ok");
    expect(await findPayout(db(), id)).toMatchObject({ state: "approved", destination: account });
  });

  test("and takes two and three hours once its owner corrects it", async () => {
    const { id } = await replacement();
    const given = { id, destination: otherAccount, at, by: { userId: 77 } };
    expect(await outcome((tx) => setDestination(tx, given))).toBe("ok");
    expectMatch(await findPayout(db(), id), { correctedAt: at });
    expect([await press(id, first, later(180)), await press(id, second, later(180))]).toEqual(["ok", "ok"]);
    expect(await findPayout(db(), id)).toMatchObject({ state: "approved", destination: otherAccount });
  });
});

describe("a corrected account", () => {
  async function corrected() {
    const record = await due(await holding(100), "payout", 100);
    const given = { id: record.id, destination: otherAccount, at, by: { userId: 77 } };
    expect(await outcome((tx) => setDestination(tx, given))).toBe("ok");
    return record;
  }

  test("is approved by two who are no one pair of eyes, and paid three hours later at the earliest", async () => {
    const { id } = await corrected();
    expect(await press(id, first)).toBe("ok");
    expect(await findPayout(db(), id)).toMatchObject({ state: "due", firstApprovedBy: first.userId });
    expect(await press(id, first)).toBe("repeated");
    expect(await press(id, { ...second, hands: [902, 901] })).toBe("FOUR_EYES_RELATED");
    expect(await press(id, second, later(179))).toBe("ACCOUNT_JUST_CORRECTED");
    expect(await send(id, second, later(179))).toBe("PAYOUT_CONFLICT");
    expect(await press(id, second, later(180))).toBe("ok");
    expect(await findPayout(db(), id)).toMatchObject({ state: "approved", approvedBy: second.userId });
    expect(await send(id, second, later(181))).toBe("ok");
    expect(await audited("payout", id)).toEqual([
      "payout.due",
      "payout.destination",
      "payout.first_approved",
      "payout.approved",
      "payout.sent",
    ]);
  });

  test("a first approval dies with its giver's right, before and after the second", async () => {
    const { id } = await corrected();
    expect(await press(id, first)).toBe("ok");
    expect(await press(id, after(second, first.userId), later(180))).toBe("ok");
    expect(await findPayout(db(), id)).toMatchObject({ state: "due", firstApprovedBy: second.userId });
    expect(await press(id, third, later(181))).toBe("ok");
    expect(await send(id, after(third, second.userId), later(182))).toBe("APPROVAL_LAPSED");
    expect(await press(id, after(third, second.userId), later(183))).toBe("ok");
    expect(await findPayout(db(), id)).toMatchObject({ state: "due", firstApprovedBy: third.userId });
  });

  test("counts from its record on where it was corrected before anything was due", async () => {
    const reference = await holding(100);
    const input = { reference, kind: "payout" as const, amount: 100, fee: 0, recipientId: 77, by: first };
    const when = { dueAt: later(180), at: later(60), correctedAt: at };
    const made = await runInTransaction((tx) =>
      createDuePayout(tx, { ...input, ...when, destination: account }),
    );
    if (!made.ok) throw new Error(made.code);
    const { id } = made.payout;
    expect(await press(id, first, later(61))).toBe("ok");
    expect(await press(id, second, later(179))).toBe("ACCOUNT_JUST_CORRECTED");
    expect(await press(id, second, later(180))).toBe("ok");
  });

  test("an approval that was given alone, around the rule, carries no payment", async () => {
    const { id } = await corrected();
    await db().execute(`UPDATE payments.payouts SET state = 'approved', approved_by = 901,
      approved_at = '2026-03-01T10:00:00Z' WHERE id = ${id}`);
    await acceptAltered("transfer", id);
    expect(await send(id, first, later(200))).toBe("APPROVAL_LAPSED");
  });

  test("is noted by the database, whatever code corrects it", async () => {
    const { id } = await due(await holding(100), "payout", 100);
    await db().execute(`UPDATE payments.payouts SET destination = destination || '{"accountNumber": "5099999999"}'
      WHERE id = ${id}`);
    expect((await findPayout(db(), id))?.correctedAt).toBeInstanceOf(Date);
  });
});

describe("while money is halted", () => {
  const halt = (minutes: number) =>
    haltMoney({ on: true, reason: "bank breach", at: later(minutes), by: second });

  test("a transfer claimed before the halt is recorded as sent with its number, and nothing else leaves", async () => {
    const { id } = await due(await holding(100), "payout", 100);
    expect(await press(id, first)).toBe("ok");
    const waiting = await due(await holding(100), "payout", 100);
    await halt(1);
    expect(await press(waiting.id, first, later(2))).toBe("MONEY_HALTED");
    const bare = { id, bankReference: null, at: later(2), by: first };
    expect(await outcome((tx) => markPayoutSent(tx, bare))).toBe("MONEY_HALTED");
    expect(await send(id, second, later(2))).toBe("MONEY_HALTED");
    expect(await outcome((tx) => claimPayoutRecord(tx, { id, from: 901, at: later(2), by: second }))).toBe(
      "MONEY_HALTED",
    );
    expect(await send(id, first, later(2))).toBe("ok");
  });

  test("what was not claimed before is found sent by another than who put it in doubt, and by no maker alone", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 50 });
    const { id } = await due(await holding(100), "payout", 100);
    expect(await press(id, first)).toBe("ok");
    await halt(1);
    expect(await send(id, second, later(2))).toBe("MONEY_HALTED");
    expect(await doubt(id, second)).toBe("ok");
    expect(await found(id, second)).toBe("FOUR_EYES_REQUIRED");
    expect(await found(id, { ...third, hands: [903, 902] })).toBe("FOUR_EYES_RELATED");
    expect(await found(id, third)).toBe("ok");
  });

  test("what was claimed in an earlier halt's time is not recorded by it", async () => {
    await halt(-10);
    await haltMoney({ on: false, reason: "over", at: later(-5), by: first });
    const { id } = await due(await holding(100), "payout", 100);
    await halt(-8);
    await haltMoney({ on: false, reason: "over", at: later(-7), by: first });
    expect(await press(id, first)).toBe("ok");
    await halt(-1);
    expect(await send(id, first)).toBe("MONEY_HALTED");
  });
});

describe("while its trade is on hold", () => {
  test("a transfer that its maker put in doubt is found sent by another; once nothing holds it, by its maker", async () => {
    const reference = await holding(100);
    const { id } = await due(reference, "payout", 100);
    expect(await press(id, first)).toBe("ok");
    const hold = { reference, reason: "FRAUD_REPORT", subject: "report:1", facts: {} } as const;
    await runInTransaction((tx) => openHolds(tx, [hold], at));
    expect(await send(id, first)).toBe("TRADE_ON_HOLD");
    expect(await doubt(id, first)).toBe("ok");
    expect(await found(id, first)).toBe("FOUR_EYES_REQUIRED");
    expect(await found(id, second)).toBe("ok");

    const free = await due(await holding(100), "payout", 100);
    expect([await press(free.id, first), await doubt(free.id, first), await found(free.id, first)]).toEqual([
      "ok",
      "ok",
      "ok",
    ]);
  });
});

describe("a transfer that was taken over", () => {
  const report = (id: number, by: PayoutActor, bankReference: string) =>
    outcome((tx) => reportPayoutSent(tx, { id, bankReference, reason: "sent before", at, by }));

  test("is in doubt once the first says that they had sent it, and is not sent again until both have looked", async () => {
    const { id } = await due(await holding(100), "payout", 100);
    expect(await press(id, first)).toBe("ok");
    expect(await report(id, first, "OWN-1")).toBe("PAYOUT_CONFLICT");
    expect(await outcome((tx) => claimPayoutRecord(tx, { id, from: first.userId, at, by: second }))).toBe(
      "ok",
    );
    expect(await send(id, first)).toBe("PAYOUT_CLAIMED");
    expect(await report(id, first, "own-1 ")).toBe("ok");
    expect(await report(id, first, "OWN-1")).toBe("repeated");
    expect(await findPayout(db(), id)).toMatchObject({
      ...{ state: "unknown", reportedBy: first.userId, reportedReference: "OWN-1", unknownBy: first.userId },
    });
    expect(await send(id, second)).toBe("PAYOUT_CONFLICT");
    expect(await outcome((tx) => claimPayoutRecord(tx, { id, from: second.userId, at, by: first }))).toBe(
      "ok",
    );
    expect(await unsent(id, first)).toBe("FOUR_EYES_REQUIRED");
    const sent = { id, outcome: "sent" as const, bankReference: "OWN-1", at, by: first };
    expect(await outcome((tx) => resolveUnknownPayout(tx, sent))).toBe("ok");
    await expectProven();
  });

  test("is in doubt also where the second had recorded theirs: two may have left", async () => {
    const { id } = await due(await holding(100), "payout", 100);
    expect(await press(id, first)).toBe("ok");
    expect(await outcome((tx) => claimPayoutRecord(tx, { id, from: first.userId, at, by: second }))).toBe(
      "ok",
    );
    expect(await send(id, second)).toBe("ok");
    expect(await report(id, second, "OWN-2")).toBe("PAYOUT_CONFLICT");
    expect(await report(id, first, "OWN-2")).toBe("ok");
    expect(await findPayout(db(), id)).toMatchObject({ state: "unknown", sentBy: second.userId });
    expect(await unsent(id, second)).toBe("FOUR_EYES_REQUIRED");
    expect(await unsent(id, first)).toBe("FOUR_EYES_REQUIRED");
    expect(await unsent(id, third)).toBe("ok");
  });

  test("is not found sent by whoever made the one beside which another was reported, but by that other's number", async () => {
    const { id } = await due(await holding(100), "payout", 100);
    expect(await press(id, first)).toBe("ok");
    expect(await outcome((tx) => claimPayoutRecord(tx, { id, from: first.userId, at, by: second }))).toBe(
      "ok",
    );
    const bankReference = newBankReference();
    expect(await send(id, second, at, bankReference)).toBe("ok");
    expect(await report(id, first, newBankReference())).toBe("ok");
    const sent = { id, outcome: "sent" as const, bankReference, at };
    const found = (by: PayoutActor) => outcome((tx) => resolveUnknownPayout(tx, { ...sent, by }));
    expect(await found(second)).toBe("FOUR_EYES_REQUIRED");
    expect(await found(third)).toBe("ok");
    await expectProven();
  });
});

test("a sender sends to the account they were shown and no other", async () => {
  const { id } = await due(await holding(100), "payout", 100);
  expect(await press(id, first)).toBe("ok");
  const input = { id, bankReference: newBankReference(), at, by: first };
  const shown = destinationDigest(otherAccount);
  expect(await outcome((tx) => markPayoutSent(tx, { ...input, shown }))).toBe("PAYOUT_CONFLICT");
  expect(await outcome((tx) => markPayoutSent(tx, { ...input, shown: destinationDigest(account) }))).toBe(
    "ok",
  );
});
