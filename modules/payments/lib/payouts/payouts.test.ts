import { describe, expect, test } from "bun:test";
import { db, runInTransaction, type Tx } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
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
  ledgerLinesOf,
  loggedOf,
  newBankReference,
  otherAccount,
  outcome,
  paid,
  second,
} from "../ledger/money.fixture.ts";
import { recordPayments } from "../received/record-payments.ts";
import type { Payout } from "../schema/money.ts";
import { approvePayoutRecord } from "./approve-payout.ts";
import { claimPayoutRecord } from "./claim-payout.ts";
import { createDuePayout, plainDestination, sameDestination, setDestination } from "./create-payout.ts";
import { markPayoutDone } from "./mark-payout-done.ts";
import { giveBankReference, markPayoutSent } from "./mark-payout-sent.ts";
import { stand, steps, ways } from "./payout-steps.fixture.ts";
import { findPayout, isMoneyStillToSend, type PayoutRecordResult, payoutsOf } from "./payouts.ts";
import { markPayoutUnknown, resolveUnknownPayout } from "./resolve-unknown-payout.ts";
import { voidLivePayouts } from "./withdraw-approval.ts";

useDatabase();

describe("what is posted", () => {
  test("a payout leaves escrow completely: net to the bank, the fee to Midman, and nothing before it is sent", async () => {
    const made = await stand("approved");
    const paidIn = ["provider:qpay 100", `escrow:${made.reference} -100`];
    expect(await ledgerLinesOf(made.reference)).toEqual(paidIn);
    await outcome((tx) => steps.send(tx, made));
    const out = [`escrow:${made.reference} 100`, "bank -95", "fees -5"];
    expect(await ledgerLinesOf(made.reference)).toEqual([...paidIn, ...out]);
    expect(await audited("payout", made.id)).toEqual(["payout.due", "payout.approved", "payout.sent"]);
  });

  test("a record stores who did each step and when, and each step is logged with its changes", async () => {
    const reference = await holding(100);
    const full = { ...otherAccount, iban: "MN140005005099115811", phone: "99112233" };
    const input = { reference, amount: 95, fee: 5, recipientId: 77, dueAt: later(180), at, by: first };
    const made = await taken((tx) => createDuePayout(tx, { ...input, kind: "payout" }));
    const { id } = made;
    const nobody = {
      approvedBy: null,
      claimedBy: null,
      takenOverFrom: null,
      sentBy: null,
      doneBy: null,
      unknownBy: null,
    };
    const never = {
      approvedAt: null,
      claimedAt: null,
      claimNote: null,
      sentAt: null,
      doneAt: null,
      unknownAt: null,
    };
    const unnamed = { namedBy: null, namedAt: null, namedReason: null, voidedBy: null, voidedAt: null };
    const dueNow: Payout = {
      ...{ id, reference, kind: "payout", source: "escrow", amount: 95, fee: 5, state: "due" },
      ...{ recipientId: 77, destination: null, dueAt: later(180), createdAt: at, ...nobody, ...never },
      ...{ ...unnamed, fourEyes: false, bankReference: null, referenceMissing: false },
      ...{ reason: null, replaces: null, erasedAt: null, correctedAt: null },
      ...{ firstApprovedBy: null, firstApprovedAt: null },
      ...{ reportedBy: null, reportedAt: null, reportedReference: null },
    };
    expect(made).toEqual(dueNow);
    const padded = { ...full, note: "not ours to keep" };
    await taken((tx) => setDestination(tx, { id, destination: padded, at: later(1), by: second }));
    await taken((tx) => approvePayoutRecord(tx, { id, at: later(2), by: first }));
    await taken((tx) => claimPayoutRecord(tx, { id, from: first.userId, at: later(3), by: second }));
    await taken((tx) => markPayoutSent(tx, { id, bankReference: null, at: later(4), by: second }));
    const sent: Payout = {
      ...{ ...dueNow, state: "sent", destination: full, approvedBy: first.userId, approvedAt: later(2) },
      ...{
        takenOverFrom: first.userId,
        claimedBy: second.userId,
        claimedAt: later(3),
        sentBy: second.userId,
        sentAt: later(4),
      },
      referenceMissing: true,
    };
    expect(await findPayout(db(), id)).toEqual(sent);
    const bankReference = newBankReference();
    await taken((tx) => giveBankReference(tx, { id, bankReference, at: later(5), by: first }));
    await taken((tx) => markPayoutDone(tx, { id, at: later(6), by: first }));
    expect(await findPayout(db(), id)).toEqual({
      ...{ ...sent, state: "done", bankReference, referenceMissing: false },
      ...{ doneBy: first.userId, doneAt: later(6) },
    });
    const money = { source: "escrow", amount: 95, fee: 5, recipientId: 77, namedBy: null };
    const log = await loggedOf("payout", id);
    const stands: object[] = [];
    for (const change of [
      { ...money, state: "due", approvedBy: null, claimedBy: null, sentBy: null, bankReference: null },
      { account: "9999" },
      { state: "approved", approvedBy: first.userId, claimedBy: first.userId },
      { claimedBy: second.userId },
      { state: "sent", sentBy: second.userId },
      { bankReference },
      { state: "done" },
    ]) {
      stands.push({ account: null, ...stands.at(-1), ...change });
    }
    const actors = [first, second, first, second, second, first, first];
    expect(log).toEqual(
      ["due", "destination", "approved", "taken_over", "sent", "reference", "done"].map((action, n) => ({
        ...{ action: `payout.${action}`, at: later(n), userId: actors[n]?.userId ?? null },
        data: {
          ...{ reference, before: stands[n - 1] ?? null, after: stands[n], digest: expect.any(String) },
          ...(n === 0 && { replaces: null }),
        },
      })),
    );
  });

  test("each part of a split is posted separately and nothing is left", async () => {
    const reference = await holding(100);
    const parts = [await due(reference, "payout", 55, 5), await due(reference, "refund", 40)];
    for (const { id } of parts) {
      const made = { id, reference, bankReference: newBankReference() };
      await outcome((tx) => steps.approve(tx, made));
      expect(await outcome((tx) => steps.send(tx, made))).toBe("ok");
    }
    expect((await ledgerLinesOf(reference)).slice(2)).toEqual([
      `escrow:${reference} 60`,
      "bank -55",
      "fees -5",
      `escrow:${reference} 40`,
      "bank -40",
    ]);
    expect(await heldBy(reference)).toBe(0);
  });

  test("money found not sent is returned by a correction, and a new due record replaces it", async () => {
    const made = await stand("unknown after sending");
    expect(await heldBy(made.reference)).toBe(0);
    expect(await outcome((tx) => steps["found not sent"](tx, made))).toBe("ok");
    expect(await outcome((tx) => steps["found not sent"](tx, made))).toBe("repeated");
    expect(await heldBy(made.reference)).toBe(100);
    expect((await ledgerLinesOf(made.reference)).slice(5)).toEqual([
      "bank 95",
      "fees 5",
      `escrow:${made.reference} -100`,
    ]);
    const [old, fresh] = await payoutsOf(db(), made.reference);
    expect(old?.state).toBe("void");
    expect(fresh).toMatchObject({
      state: "due",
      amount: 95,
      fee: 5,
      replaces: made.id,
      destination: account,
    });
    const again = { ...made, id: fresh?.id ?? 0, bankReference: newBankReference() };
    await outcome((tx) => steps.approve(tx, again));
    expect(await outcome((tx) => steps.send(tx, again))).toBe("ok");
    expect(await heldBy(made.reference)).toBe(0);
  });
});

/** The payout after a step that must succeed. */
async function taken(work: (tx: Tx) => Promise<PayoutRecordResult>): Promise<Payout> {
  const done = await runInTransaction(work);
  if (!done.ok) throw new Error(done.code);
  return done.payout;
}

describe("the result of money in doubt", () => {
  test("stores who doubted it and why, and who found that it was not sent", async () => {
    const made = await stand("unknown after sending");
    const { id } = made;
    const doubted = await findPayout(db(), id);
    expectMatch(doubted, {
      ...{ unknownBy: second.userId, unknownAt: at, reason: "bank is silent" },
    });
    const input = { id, outcome: "not_sent", reason: "bank gave it back", at: later(9), by: second } as const;
    const fresh = await taken((tx) => resolveUnknownPayout(tx, input));
    expect(await findPayout(db(), id)).toEqual({
      ...(doubted as Payout),
      ...{ state: "void", voidedBy: second.userId, voidedAt: later(9), reason: "bank gave it back" },
    });
    expectMatch(await loggedOf("payout", fresh.id), [
      { action: "payout.due", at: later(9), userId: second.userId, data: { before: null, replaces: id } },
    ]);
    expect(await outcome((tx) => steps["found sent"](tx, made))).toBe("PAYOUT_CONFLICT");
  });

  test("cannot be that it was sent with another reference, or with that of another transfer", async () => {
    const [one, other] = [await stand("unknown after sending"), await stand("sent without reference")];
    const otherwise = { ...one, bankReference: newBankReference() };
    expect(await outcome((tx) => steps["found sent"](tx, otherwise))).toBe("PAYOUT_CONFLICT");
    expect(await outcome((tx) => steps.unknown(tx, other))).toBe("ok");
    const used = { ...other, bankReference: one.bankReference };
    expect(await outcome((tx) => steps["found sent"](tx, used))).toBe("BANK_REFERENCE_USED");
    expect(await outcome((tx) => steps["found sent"](tx, other))).toBe("ok");
    expect(await findPayout(db(), other.id)).toMatchObject({
      ...{ state: "sent", bankReference: other.bankReference, referenceMissing: false },
    });
  });

  test("keeps the new record's account as it was entered, and by whom", async () => {
    const reference = await holding(100);
    const { id } = await due(reference, "refund", 100, 0, null);
    const named = { id, destination: account, reason: "his bank says so", at: later(1), by: first };
    await taken((tx) => setDestination(tx, named));
    await taken((tx) => approvePayoutRecord(tx, { id, at, by: second }));
    await taken((tx) => markPayoutUnknown(tx, { id, reason: "bank is silent", at, by: second }));
    const lost = { id, outcome: "not_sent", reason: "never left", at, by: second } as const;
    const fresh = await taken((tx) => resolveUnknownPayout(tx, lost));
    expectMatch(fresh, {
      ...{ state: "due", destination: account, replaces: id },
      ...{ namedBy: first.userId, namedAt: later(1), namedReason: "his bank says so" },
    });
    const own = { id: fresh.id, destination: account, at, by: { userId: 77 } };
    expect(await outcome((tx) => setDestination(tx, own))).toBe("ok");
    expect(await findPayout(db(), fresh.id)).toMatchObject({
      namedBy: null,
      namedAt: null,
      namedReason: null,
    });
  });
});

describe("a destination", () => {
  test("equals another only if every part does, and two missing ones are equal", () => {
    const { bankName, accountName, accountNumber } = account;
    expect(plainDestination({ ...account, iban: "", phone: "" })).toEqual(account);
    expect(sameDestination({ ...account, iban: "" }, { bankName, accountName, accountNumber })).toBe(true);
    for (const part of ["bankName", "accountName", "accountNumber", "iban", "phone"]) {
      expect(sameDestination(account, { ...account, [part]: "another" })).toBe(false);
    }
    expect(sameDestination(null, null)).toBe(true);
    expect(sameDestination(null, account)).toBe(false);
    expect(sameDestination(account, null)).toBe(false);
  });

  test("changes with another holder's name, and not any more when it is void", async () => {
    const reference = await holding(100);
    const { id } = await due(reference, "payout", 100);
    const naming = { id, destination: account, at, by: first };
    expect(await outcome((tx) => setDestination(tx, naming))).toBe("repeated");
    expect(await outcome((tx) => setDestination(tx, { ...naming, recipientId: 78 }))).toBe("ok");
    expect((await findPayout(db(), id))?.recipientId).toBe(78);
    await outcome((tx) => voidLivePayouts(tx, { reference, reason: "dispute", at, by: first }));
    expect(await outcome((tx) => setDestination(tx, naming))).toBe("PAYOUT_CONFLICT");
  });
});

describe("making money due", () => {
  const make = (reference: number, over: Partial<Payout> = {}) =>
    outcome((tx) =>
      createDuePayout(tx, {
        reference,
        kind: over.kind ?? "payout",
        amount: over.amount ?? 90,
        fee: over.fee ?? 10,
        recipientId: over.recipientId ?? 77,
        dueAt: later(180),
        at,
        by: first,
      }),
    );

  test("again is repeated; other amounts conflict; a second kind must fit into what is left", async () => {
    const reference = await holding(100);
    expect(await make(reference, { amount: 60, fee: 0 })).toBe("ok");
    expect(await make(reference, { amount: 60, fee: 0 })).toBe("repeated");
    expect(await make(reference, { amount: 61, fee: 0 })).toBe("PAYOUT_CONFLICT");
    expect(await make(reference, { amount: 60, fee: 1 })).toBe("PAYOUT_CONFLICT");
    expect(await make(reference, { amount: 60, fee: 0, recipientId: 78 })).toBe("PAYOUT_CONFLICT");
    expect(await make(reference, { kind: "refund", amount: 41, fee: 0 })).toBe("PAYOUT_EXCEEDS_HELD");
    expect(await make(reference, { kind: "refund", amount: 40, fee: 0 })).toBe("ok");
  });

  test("more than is held, fractions and zero are refused", async () => {
    const reference = await holding(99);
    expect(await make(reference)).toBe("PAYOUT_EXCEEDS_HELD");
    expect(await make(reference, { amount: 0 })).toBe("AMOUNT_INVALID");
    expect(await make(reference, { amount: 1.5 })).toBe("AMOUNT_INVALID");
    expect(await make(reference, { fee: 0.5 })).toBe("AMOUNT_INVALID");
    expect(await make(reference, { fee: -1 })).toBe("AMOUNT_INVALID");
    expect(await make(reference, { amount: 1, fee: 0 })).toBe("ok");
  });

  test("a part alone is not approved, because something would remain", async () => {
    const reference = await holding(100);
    const { id } = await due(reference, "payout", 60);
    const made = { id, reference, bankReference: newBankReference() };
    expect(await outcome((tx) => steps.approve(tx, made))).toBe("PAYOUT_NOT_WHOLE");
    await due(reference, "refund", 40);
    expect(await outcome((tx) => steps.approve(tx, made))).toBe("ok");
  });

  test("an approved record is not sent after more money arrived, because something would remain", async () => {
    const made = await stand("approved");
    const { reference } = made;
    await runInTransaction((tx) => recordPayments(tx, { reference, rows: [paid(50)], owed: 150, at }));
    expect(await outcome((tx) => steps.send(tx, made))).toBe("PAYOUT_NOT_WHOLE");
    expect(await heldBy(reference)).toBe(150);
  });

  test("without a destination it is not approved", async () => {
    const reference = await holding(100);
    const { id } = await due(reference, "refund", 100, 0, null);
    const made = { id, reference, bankReference: newBankReference() };
    expect(await outcome((tx) => steps.approve(tx, made))).toBe("DESTINATION_REQUIRED");
    expect(await outcome((tx) => steps.destination(tx, made))).toBe("ok");
    expect(await outcome((tx) => steps.destination(tx, made))).toBe("repeated");
    expect(await outcome((tx) => steps.approve(tx, made))).toBe("ok");
    expect((await findPayout(db(), id))?.destination).toEqual(otherAccount);
  });

  test("money in doubt holds everything else of its reference", async () => {
    const reference = await holding(100);
    const one = await due(reference, "payout", 60);
    const other = await due(reference, "refund", 40);
    const made = [one, other].map(({ id }) => ({ id, reference, bankReference: newBankReference() }));
    const [a, b] = made;
    if (a === undefined || b === undefined) throw new Error("two were made");
    await outcome((tx) => steps.approve(tx, a));
    await outcome((tx) => steps.approve(tx, b));
    await outcome((tx) => steps.unknown(tx, a));
    expect(await outcome((tx) => steps.send(tx, b))).toBe("PAYOUT_UNKNOWN_OPEN");
    await outcome((tx) => steps["take over"](tx, a));
    await outcome((tx) => steps["found sent"](tx, a));
    expect(await outcome((tx) => steps.send(tx, b))).toBe("ok");
  });

  test("one bank reference belongs to one transfer", async () => {
    const [a, b] = [await stand("sent"), await stand("approved")];
    const same = { ...b, bankReference: ` ${a.bankReference.toLowerCase()}` };
    expect(await outcome((tx) => steps.send(tx, same))).toBe("BANK_REFERENCE_USED");
    const c = await stand("sent without reference");
    expect(await outcome((tx) => steps["give reference"](tx, { ...c, bankReference: a.bankReference }))).toBe(
      "BANK_REFERENCE_USED",
    );
  });
});

test("money is still to be sent until it is sent or its record is void", async () => {
  const standing = await Promise.all(
    Object.keys(ways).map(async (way) => [
      way,
      isMoneyStillToSend(await payoutsOf(db(), (await stand(way)).reference)),
    ]),
  );
  expect(standing.flatMap(([way, still]) => (still === true ? [way] : []))).toEqual([
    ...["due", "approved", "approved and taken over by another"],
    ...[
      "unknown before sending",
      "unknown before sending and taken over by another",
      "unknown after sending",
    ],
  ]);
  const [one, other] = [await stand("void"), await stand("due")];
  const both = await payoutsOf(db(), [one.reference, other.reference]);
  expect(both.map(({ id }) => id)).toEqual([one.id, other.id]);
  expect([isMoneyStillToSend(both), isMoneyStillToSend(both.slice(0, 1)), isMoneyStillToSend([])]).toEqual([
    true,
    false,
    false,
  ]);
});

test("finally the ledger balances", expectProven);
