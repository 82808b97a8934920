import { describe, expect, test } from "bun:test";
import { transaction } from "#db/client";
import { useDatabase } from "../../../tests/support/database.ts";
import { balanceOf } from "./ledger.balances.ts";
import { reverse } from "./ledger.correct.ts";
import { type Line, post } from "./ledger.ts";
import { at, linesOf } from "./money.fixture.ts";

useDatabase();

const settlement = (event: string, lines: Line[]) =>
  transaction((tx) => post(tx, { event, kind: "settlement", reference: null, at, lines }));
const plain: Line[] = [
  { account: "bank", debit: 90 },
  { account: "expense:qpay", debit: 10 },
  { account: "provider:qpay", credit: 100 },
];

describe("a journal", () => {
  test("is posted once an event: the same again answers the first and writes nothing", async () => {
    const once = await settlement("settlement:A", plain);
    const again = await settlement("settlement:A", [...plain].reverse());
    expect(once.posted).toBe(true);
    expect(again).toEqual({ journalId: once.journalId, posted: false });
  });

  test("leaves out lines of nothing", async () => {
    await settlement("settlement:B", [
      { account: "bank", debit: 5 },
      { account: "fees", credit: 0 },
      { account: "provider:qpay", credit: 5 },
    ]);
    const again: Line[] = [
      { account: "bank", debit: 5 },
      { account: "provider:qpay", credit: 5 },
    ];
    expect((await settlement("settlement:B", again)).posted).toBe(false);
  });

  test("with the event of another journal and other lines is a bug and throws", async () => {
    await settlement("settlement:C", plain);
    const other: Line[] = [
      { account: "bank", debit: 100 },
      { account: "provider:qpay", credit: 100 },
    ];
    expect(settlement("settlement:C", other)).rejects.toThrow("posted before with other lines");
  });

  const wrong: Array<[string, Line[]]> = [
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
      "has a negative side",
      [
        { account: "bank", debit: -1 },
        { account: "fees", credit: -1 },
      ],
    ],
  ];
  for (const [what, lines] of wrong) {
    test(`that ${what} throws before it reaches the database`, () => {
      expect(settlement(`settlement:${what}`, lines)).rejects.toThrow("not balanced");
    });
  }
});

describe("a correction", () => {
  test("mirrors every line, points back, and is posted once", async () => {
    const { journalId } = await settlement("settlement:D", plain);
    const undone = await transaction((tx) => reverse(tx, journalId, at));
    const again = await transaction((tx) => reverse(tx, journalId, at));
    expect(undone.posted).toBe(true);
    expect(again).toEqual({ journalId: undone.journalId, posted: false });
  });

  test("of nothing throws", () => {
    expect(transaction((tx) => reverse(tx, 999_999, at))).rejects.toThrow("no journal");
  });
});

test("an account nothing was posted to holds nothing", async () => {
  expect(await transaction((tx) => balanceOf(tx, "escrow:1"))).toBe(0);
  expect(await linesOf(1)).toEqual([]);
});
