import { describe, expect, test } from "bun:test";
import type { Reply } from "../../support/server/http-client.ts";
import { agreement } from "./answers.ts";
import { linearize, type Operation } from "./linearize.ts";
import type { Command } from "./model/commands.ts";
import { born, type State } from "./model/state.ts";

const rules = { feePolicy: "standard", fourEyesAbove: null } as const;
const fresh = born(100_000, "buyer", 0, rules);
const confirmed: State = {
  ...fresh,
  ...{ status: "payment_confirmed", confirmed: true, windowDue: null, invoice: "one", bank: ["A"] },
  ...{ held: 110_000, received: 110_000 },
};

type Asked = { command: Command; from: number; to: number; refused?: string; agrees?: Operation["agrees"] };
const asked = ({ refused, agrees, ...rest }: Asked): Operation => ({
  ...rest,
  how: {
    ...{ fresh: true, halted: [false], sum: 0, part: 0, told: [], reversed: [], invoice: null, paid: [] },
    ...{ paidFor: null, shown: null, disputes: 1, proposed: null, hold: null, row: null, requestedAt: null },
  },
  refused: refused ?? null,
  agrees: agrees ?? (() => true),
});
const explained = (before: State, operations: Operation[], is: (state: State) => boolean): boolean =>
  "state" in linearize(before, operations, rules, { is, mayFollow: () => true });

const buyerConfirms = { do: "complete", by: "buyer" } as const;
const sellerConfirms = { do: "complete", by: "seller" } as const;
const settling = ({ status }: State) => status === "settlement_pending";

describe("a serial order", () => {
  test("explains two who confirm at once, whichever was sent first", () => {
    const both = [
      asked({ command: sellerConfirms, from: 0, to: 10 }),
      asked({ command: buyerConfirms, from: 5, to: 9 }),
    ];
    expect(explained(confirmed, both, settling)).toBe(true);
  });

  test("is not found if the seller got a reply before the buyer sent", () => {
    const both = [
      asked({ command: sellerConfirms, from: 0, to: 4 }),
      asked({ command: buyerConfirms, from: 5, to: 9 }),
    ];
    expect(explained(confirmed, both, settling)).toBe(false);
    const refused = [
      asked({ command: sellerConfirms, from: 0, to: 4, refused: "BUYER_FIRST" }),
      asked({ command: buyerConfirms, from: 5, to: 9 }),
    ];
    expect(explained(confirmed, refused, ({ status }) => status === "exchange_completed")).toBe(true);
  });

  test("is not found for two rulings that both took effect, nor for a payout that is due twice", () => {
    const disputed = { by: "buyer", from: "payment_confirmed", outcome: null, part: null } as const;
    const before: State = {
      ...confirmed,
      status: "disputed",
      disputes: [{ ...disputed, earlierSplit: null, mediator: null }],
    };
    const withdrawn = asked({ command: { do: "withdraw-dispute", by: "buyer" }, from: 0, to: 9 });
    const released = asked({ command: buyerConfirms, from: 0, to: 9, agrees: settling });
    const twice = ({ payouts }: State) => payouts.length === 2;
    expect(explained(before, [withdrawn, released], twice)).toBe(false);
    expect(explained(before, [withdrawn, released], settling)).toBe(false);
  });

  test("includes a payment that is booked automatically, but none that nobody made", () => {
    const row = {
      id: "1",
      amount: 110_000,
      invoice: "one",
      failed: false,
      booked: false,
      ...{ listed: true, announced: false, callbacks: false, foreign: null, reported: "no" as const },
      place: 0,
      paidIn: 0,
      reversed: "no" as const,
      undone: false,
    };
    const invoiced: State = {
      ...fresh,
      status: "payment_initiated",
      invoice: "one",
      locked: true,
      windowDue: 120,
    };
    const paid = ({ status, held }: State) => status === "payment_confirmed" && held === 110_000;
    expect(explained({ ...invoiced, rows: [row] }, [], paid)).toBe(true);
    expect(explained(invoiced, [], paid)).toBe(false);
  });

  test("ends a trade by its deadline only once its payment window has passed", () => {
    const expired = ({ end }: State) => end === "expired";
    expect(explained({ ...fresh, minute: 24 * 60 - 1 }, [], expired)).toBe(false);
    expect(explained({ ...fresh, minute: 24 * 60 + 1 }, [], expired)).toBe(true);
  });

  test("accepts a repeated manual confirmation although the same administrator has another proposal open", () => {
    const repeated = { do: "by-hand", admin: 0, part: false, reference: "H1" } as const;
    const hands = [{ amount: 110_000, reference: "H1", matched: null, met: false, proposedIn: 0 }];
    const before: State = {
      ...confirmed,
      hands,
      proposal: { by: 0, amount: 110_000, reference: "H0", proposedIn: 0, lapsed: false },
    };
    const told = (state: string) => {
      const reply = { status: 200, body: { state } } as unknown as Reply;
      const operation = asked({ command: repeated, from: 0, to: 9, agrees: agreement(repeated, reply) });
      const how = { ...operation.how, sum: 110_000 };
      return explained(before, [{ ...operation, how }], () => true);
    };
    expect([told("confirmed"), told("proposed")]).toEqual([true, false]);
  });

  test("is not found if a reply shows a state that never existed", () => {
    const seen = asked({ command: { do: "look", by: "buyer" }, from: 0, to: 9, agrees: settling });
    expect(explained(confirmed, [seen], () => true)).toBe(false);
  });
});
