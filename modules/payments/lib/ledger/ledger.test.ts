import { beforeEach, describe, expect, test } from "bun:test";
import { db, runInTransaction } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { approvePayoutRecord } from "../payouts/approve-payout.ts";
import { markPayoutSent } from "../payouts/mark-payout-sent.ts";
import { markPayoutUnknown, resolveUnknownPayout } from "../payouts/resolve-unknown-payout.ts";
import { balanceOf, readReceivedAmount, readReceivedAmounts } from "./balances.ts";
import { journalsOf } from "./journals.ts";
import { type JournalLine, postJournal } from "./ledger.ts";
import {
  at,
  due,
  first,
  holding,
  later,
  ledgerLinesOf,
  newBankReference,
  outcome,
  second,
} from "./money.fixture.ts";
import { reverseJournal } from "./reverse-journal.ts";

useDatabase();

let round = 0;
beforeEach(() => {
  round++;
});

/** Posts under an event that no other test uses, even if the test is repeated. */
const settlement = (name: string, lines: JournalLine[]) =>
  runInTransaction((tx) =>
    postJournal(tx, { event: `${name} ${round}`, kind: "settlement", reference: null, at, lines }),
  );
const plain: JournalLine[] = [
  { account: "bank", debit: 90 },
  { account: "expense:qpay", debit: 10 },
  { account: "provider:qpay", credit: 100 },
];

describe("a journal", () => {
  test("is posted once per event: the same again returns the first and writes nothing", async () => {
    const once = await settlement("settlement:A", plain);
    const again = await settlement("settlement:A", [...plain].reverse());
    expect(once.posted).toBe(true);
    expect(again).toEqual({ journalId: once.journalId, posted: false });
  });

  test("omits lines of zero", async () => {
    await settlement("settlement:B", [
      { account: "bank", debit: 5 },
      { account: "fees", credit: 0 },
      { account: "provider:qpay", credit: 5 },
    ]);
    const again: JournalLine[] = [
      { account: "bank", debit: 5 },
      { account: "provider:qpay", credit: 5 },
    ];
    expect((await settlement("settlement:B", again)).posted).toBe(false);
  });

  const others: Array<[string, JournalLine[]]> = [
    ["fewer", [plain[0], { account: "provider:qpay", credit: 90 }] as JournalLine[]],
    [
      "the same and more",
      [...plain, { account: "suspense:1", debit: 3 }, { account: "suspense:2", credit: 3 }],
    ],
    [
      "other sums in the same",
      [
        { account: "bank", debit: 80 },
        { account: "expense:qpay", debit: 20 },
        { account: "provider:qpay", credit: 100 },
      ],
    ],
    [
      "other accounts for the same",
      [
        { account: "bank", debit: 90 },
        { account: "fees", debit: 10 },
        { account: "provider:qpay", credit: 100 },
      ],
    ],
  ];
  test.each(others)(
    "with the event of another journal and %s lines is a bug and throws",
    async (what, lines) => {
      await settlement(`settlement:${what}`, plain);
      await expect(settlement(`settlement:${what}`, lines)).rejects.toThrow("posted before with other lines");
    },
  );

  const wrong: Array<[string, JournalLine[]]> = [
    [
      "does not balance",
      [
        { account: "bank", debit: 2 },
        { account: "fees", credit: 1 },
      ],
    ],
    [
      "has one line",
      [
        { account: "bank", debit: 0 },
        { account: "fees", credit: 0 },
      ],
    ],
    [
      "names an account twice",
      [
        { account: "bank", debit: 1 },
        { account: "bank", credit: 1 },
      ],
    ],
    [
      "has a fraction",
      [
        { account: "bank", debit: 0.5 },
        { account: "fees", credit: 0.5 },
      ],
    ],
    [
      "has fractions that add up to one",
      [
        { account: "bank", debit: 1 },
        { account: "expense:qpay", debit: 0.5 },
        { account: "fees", credit: 1.5 },
      ],
    ],
    [
      "has a negative side",
      [
        { account: "bank", debit: -1 },
        { account: "fees", credit: -1 },
      ],
    ],
  ];
  for (const [what, lines] of wrong) {
    test(`that ${what} throws before it reaches the database`, async () => {
      await expect(settlement(`settlement:${what}`, lines)).rejects.toThrow("not balanced");
    });
  }
});

describe("a correction", () => {
  test("mirrors every line, refers back, and is posted once", async () => {
    const reference = await holding(100);
    const { id } = await due(reference, "payout", 100);
    const told = { id, reason: "came back", at, by: first };
    for (const step of [approvePayoutRecord, markPayoutSent, markPayoutUnknown] as const) {
      expect(await outcome((tx) => step(tx, { ...told, bankReference: `CORRECTION-${id}` }))).toBe("ok");
    }
    expect(
      await outcome((tx) => resolveUnknownPayout(tx, { ...told, outcome: "not_sent", by: second })),
    ).toBe("ok");
    const [, payout, undone] = await journalsOf(db(), reference);
    const again = await runInTransaction((tx) => reverseJournal(tx, payout?.id ?? 0, at));
    expect(again).toEqual({ journalId: undone?.id ?? 0, posted: false });
  });

  test("of anything but a transfer found not sent is refused by the database", async () => {
    const { journalId } = await settlement("settlement:D", plain);
    const [payment] = await journalsOf(db(), await holding(100));
    for (const id of [journalId, payment?.id ?? 0]) {
      await expect(runInTransaction((tx) => reverseJournal(tx, id, at))).rejects.toMatchObject({
        constraint_name: "correction_known",
      });
    }
  });

  test("of nothing throws", async () => {
    await expect(runInTransaction((tx) => reverseJournal(tx, 999_999, at))).rejects.toThrow("no journal");
  });
});

describe("for a reference", () => {
  const step = async (work: Parameters<typeof outcome>[0]) => expect(await outcome(work)).toBe("ok");

  test("every journal is listed as posted, oldest first, debits before credits, with what it corrects", async () => {
    const reference = await holding(100);
    const { id } = await due(reference, "payout", 90, 10);
    const told = { id, reason: "came back", at: later(1), by: first };
    await step((tx) => approvePayoutRecord(tx, told));
    await step((tx) => markPayoutSent(tx, { ...told, bankReference: newBankReference() }));
    await step((tx) => markPayoutUnknown(tx, told));
    await step((tx) => resolveUnknownPayout(tx, { ...told, outcome: "not_sent", at: later(2), by: second }));
    const journals = await journalsOf(db(), reference);
    const [payment = 0, payout = 0, correction = 0] = journals.map((journal) => journal.id);
    expect(payment < payout && payout < correction).toBe(true);
    const line = (account: string, debit: number, credit: number) => ({ account, debit, credit });
    const escrow = `escrow:${reference}`;
    expect(journals).toEqual([
      {
        ...{ id: payment, kind: "payment", at, corrects: null, sum: 100 },
        lines: [line("provider:qpay", 100, 0), line(escrow, 0, 100)],
      },
      {
        ...{ id: payout, kind: "payout", at: later(1), corrects: null, sum: 100 },
        lines: [line(escrow, 100, 0), line("bank", 0, 90), line("fees", 0, 10)],
      },
      {
        ...{ id: correction, kind: "correction", at: later(2), corrects: payout, sum: 100 },
        lines: [line("bank", 90, 0), line("fees", 10, 0), line(escrow, 0, 100)],
      },
    ]);
  });

  test("the amount received is read for one and for many at once, where there is any", async () => {
    const [one, other] = [await holding(100), await holding(50)];
    expect([await readReceivedAmount(db(), one), await readReceivedAmount(db(), 1)]).toEqual([100, 0]);
    expect(await readReceivedAmounts(db(), [other, 1, one])).toEqual(
      new Map([
        [one, 100],
        [other, 50],
      ]),
    );
    expect(await readReceivedAmounts(db(), [1])).toEqual(new Map());
    expect(await readReceivedAmounts(db(), [])).toEqual(new Map());
  });

  test("without journals there is nothing", async () => {
    expect(await runInTransaction((tx) => balanceOf(tx, "escrow:1"))).toBe(0);
    expect(await ledgerLinesOf(1)).toEqual([]);
    expect(await journalsOf(db(), 1)).toEqual([]);
  });
});
