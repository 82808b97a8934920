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

const third: PayoutActor = { userId: 903, relatedAdminIds: [903], keepsRight: async () => true };
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

describe("four-eyes approval", () => {
  test("is on with a real provider unless off is written, and off in the sandbox", () => {
    expect(fourEyesAbove()).toBeNull();
    overrideConfig({ QPAY_BASE_URL: "https://merchant.qpay.mn/v2" });
    expect(fourEyesAbove()).toBe(1_000_000);
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 500 });
    expect(fourEyesAbove()).toBe(500);
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: "off" });
    expect(fourEyesAbove()).toBeNull();
  });

  test("counts all records of the trade: a split cannot stay below the limit", async () => {
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

  test("does not count a void record, and counts what was sent", async () => {
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
  test("ends with its author's right, for claiming and sending; another approves again", async () => {
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

  test("given again leaves the transfer with its maker", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 50 });
    const { id } = await due(await holding(100), "payout", 100);
    expect(await press(id, first)).toBe("ok");
    expect(await outcome((tx) => claimPayoutRecord(tx, { id, from: null, at, by: second }))).toBe("ok");
    expect(await press(id, after(third, first.userId))).toBe("ok");
    expect(await findPayout(db(), id)).toMatchObject({ approvedBy: third.userId, claimedBy: second.userId });
    expect(await send(id, second)).toBe("ok");
  });

  test("that lapsed cannot be bypassed by one person's doubt: another must report that it was sent", async () => {
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
  test("cannot send, deny sending, and send again: another must report a posted transfer as not sent", async () => {
    const { id, reference } = await due(await holding(100), "payout", 100);
    expect([await press(id, first), await send(id, first), await doubt(id, first)]).toEqual([
      "ok",
      "ok",
      "ok",
    ]);
    expect(await unsent(id, first)).toBe("FOUR_EYES_REQUIRED");
    expect(await unsent(id, { ...second, relatedAdminIds: [902, 901] })).toBe("FOUR_EYES_RELATED");
    expect(await payoutsOf(db(), reference)).toHaveLength(1);
    expect(await unsent(id, second)).toBe("ok");
    expect(await heldBy(reference)).toBe(100);
    await expectProven();
  });

  test("cannot confirm their own transfer on the statement", async () => {
    const { id } = await due(await holding(100), "payout", 100);
    expect([await press(id, first), await send(id, first)]).toEqual(["ok", "ok"]);
    const done = (by: PayoutActor) => outcome((tx) => markPayoutDone(tx, { id, at, by }));
    expect(await done(first)).toBe("FOUR_EYES_REQUIRED");
    expect(await done({ ...second, relatedAdminIds: [902, 901] })).toBe("FOUR_EYES_RELATED");
    expect(await done(second)).toBe("ok");
    expect(await done(first)).toBe("repeated");
  });

  test("can still report an unposted transfer as not sent", async () => {
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

  test("needs two people and three hours once its owner corrects it", async () => {
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

  test("is approved by two unrelated people, and paid three hours later at the earliest", async () => {
    const { id } = await corrected();
    expect(await press(id, first)).toBe("ok");
    expect(await findPayout(db(), id)).toMatchObject({ state: "due", firstApprovedBy: first.userId });
    expect(await press(id, first)).toBe("repeated");
    expect(await press(id, { ...second, relatedAdminIds: [902, 901] })).toBe("FOUR_EYES_RELATED");
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

  test("loses a first approval with its author's right, before and after the second", async () => {
    const { id } = await corrected();
    expect(await press(id, first)).toBe("ok");
    expect(await press(id, after(second, first.userId), later(180))).toBe("ok");
    expect(await findPayout(db(), id)).toMatchObject({ state: "due", firstApprovedBy: second.userId });
    expect(await press(id, third, later(181))).toBe("ok");
    expect(await send(id, after(third, second.userId), later(182))).toBe("APPROVAL_LAPSED");
    expect(await press(id, after(third, second.userId), later(183))).toBe("ok");
    expect(await findPayout(db(), id)).toMatchObject({ state: "due", firstApprovedBy: third.userId });
  });

  test("counts from its record on if it was corrected before anything was due", async () => {
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

  test("is not paid with a single approval given around the rule", async () => {
    const { id } = await corrected();
    await db().execute(`UPDATE payments.payouts SET state = 'approved', approved_by = 901,
      approved_at = '2026-03-01T10:00:00Z' WHERE id = ${id}`);
    await acceptAltered("transfer", id);
    expect(await send(id, first, later(200))).toBe("APPROVAL_LAPSED");
  });

  test("is recorded by the database, whatever code corrects it", async () => {
    const { id } = await due(await holding(100), "payout", 100);
    await db().execute(`UPDATE payments.payouts SET destination = destination || '{"accountNumber": "5099999999"}'
      WHERE id = ${id}`);
    expect((await findPayout(db(), id))?.correctedAt).toBeInstanceOf(Date);
  });
});

describe("while money is halted", () => {
  const halt = (minutes: number) =>
    haltMoney({ on: true, reason: "bank breach", at: later(minutes), by: second });

  test("a transfer claimed before the halt is recorded as sent with its reference, and nothing else is sent", async () => {
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

  test("an unclaimed one is reported as sent by someone other than who put it in doubt, and never by its maker alone", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 50 });
    const { id } = await due(await holding(100), "payout", 100);
    expect(await press(id, first)).toBe("ok");
    await halt(1);
    expect(await send(id, second, later(2))).toBe("MONEY_HALTED");
    expect(await doubt(id, second)).toBe("ok");
    expect(await found(id, second)).toBe("FOUR_EYES_REQUIRED");
    expect(await found(id, { ...third, relatedAdminIds: [903, 902] })).toBe("FOUR_EYES_RELATED");
    expect(await found(id, third)).toBe("ok");
  });

  test("a claim from an earlier halt does not allow recording it", async () => {
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
  test("a transfer that its maker put in doubt is reported as sent by another; after the hold, by its maker", async () => {
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

  test("is in doubt once the first reports having sent it, and is not sent again until both have checked", async () => {
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

  test("is in doubt even if the second had recorded theirs: two may have been sent", async () => {
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

  test("is not reported as sent by the maker of the second one, but by the other's reference", async () => {
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

test("a sender pays only the account they were shown", async () => {
  const { id } = await due(await holding(100), "payout", 100);
  expect(await press(id, first)).toBe("ok");
  const input = { id, bankReference: newBankReference(), at, by: first };
  const shown = destinationDigest(otherAccount);
  expect(await outcome((tx) => markPayoutSent(tx, { ...input, shown }))).toBe("PAYOUT_CONFLICT");
  expect(await outcome((tx) => markPayoutSent(tx, { ...input, shown: destinationDigest(account) }))).toBe(
    "ok",
  );
});
