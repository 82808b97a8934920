import { describe, expect, test } from "bun:test";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { heldBy, outcome } from "../ledger/money.fixture.ts";
import type { PayoutState } from "../schema/money.ts";
import { type StepName, stand, steps } from "./payout-steps.fixture.ts";
import { findPayout } from "./payouts.ts";

useDatabase();

/** For each state of a payout: what each step returns (steps left out: PAYOUT_CONFLICT) and the state afterwards. */
const table: Record<string, Partial<Record<StepName, [answer: string, state: PayoutState]>>> = {
  due: {
    approve: ["ok", "approved"],
    destination: ["ok", "due"],
    "void approval": ["repeated", "due"],
    "void another's approval": ["repeated", "due"],
    void: ["ok", "void"],
  },
  approved: {
    approve: ["repeated", "approved"],
    "void approval": ["ok", "due"],
    "void another's approval": ["PAYOUT_CLAIMED", "approved"],
    "claim again": ["repeated", "approved"],
    "claim too": ["PAYOUT_CLAIMED", "approved"],
    "take over": ["ok", "approved"],
    send: ["ok", "sent"],
    "send by another": ["PAYOUT_CLAIMED", "approved"],
    "send otherwise": ["ok", "sent"],
    "send without reference": ["ok", "sent"],
    unknown: ["ok", "unknown"],
    void: ["ok", "void"],
  },
  "approved and taken over by another": {
    approve: ["repeated", "approved"],
    "void approval": ["PAYOUT_CLAIMED", "approved"],
    "void another's approval": ["ok", "due"],
    "claim again": ["PAYOUT_CLAIMED", "approved"],
    "claim too": ["repeated", "approved"],
    "take over": ["repeated", "approved"],
    send: ["PAYOUT_CLAIMED", "approved"],
    "send otherwise": ["PAYOUT_CLAIMED", "approved"],
    "send without reference": ["PAYOUT_CLAIMED", "approved"],
    "send by another": ["ok", "sent"],
    unknown: ["ok", "unknown"],
    void: ["ok", "void"],
  },
  sent: {
    approve: ["repeated", "sent"],
    send: ["repeated", "sent"],
    "send by another": ["repeated", "sent"],
    "send without reference": ["repeated", "sent"],
    "give reference": ["repeated", "sent"],
    done: ["ok", "done"],
    unknown: ["ok", "unknown"],
    "found sent": ["repeated", "sent"],
    void: ["MONEY_ALREADY_SENT", "sent"],
  },
  "sent without reference": {
    approve: ["repeated", "sent"],
    "send without reference": ["repeated", "sent"],
    "give reference": ["ok", "sent"],
    done: ["BANK_REFERENCE_REQUIRED", "sent"],
    unknown: ["ok", "unknown"],
    void: ["MONEY_ALREADY_SENT", "sent"],
  },
  done: {
    approve: ["repeated", "done"],
    send: ["repeated", "done"],
    "send by another": ["repeated", "done"],
    "send without reference": ["repeated", "done"],
    "give reference": ["repeated", "done"],
    done: ["repeated", "done"],
    "found sent": ["repeated", "done"],
    void: ["MONEY_ALREADY_SENT", "done"],
  },
  "unknown before sending": {
    "claim again": ["repeated", "unknown"],
    "claim too": ["PAYOUT_CLAIMED", "unknown"],
    "take over": ["ok", "unknown"],
    unknown: ["repeated", "unknown"],
    "found sent": ["PAYOUT_CLAIMED", "unknown"],
    "found not sent": ["PAYOUT_CLAIMED", "unknown"],
    void: ["MONEY_ALREADY_SENT", "unknown"],
  },
  "unknown before sending and taken over by another": {
    "claim again": ["PAYOUT_CLAIMED", "unknown"],
    "claim too": ["repeated", "unknown"],
    "take over": ["repeated", "unknown"],
    unknown: ["repeated", "unknown"],
    "found sent": ["ok", "sent"],
    "found not sent": ["FOUR_EYES_REQUIRED", "unknown"],
    void: ["MONEY_ALREADY_SENT", "unknown"],
  },
  "unknown after sending": {
    "give reference": ["repeated", "unknown"],
    unknown: ["repeated", "unknown"],
    "found sent": ["ok", "sent"],
    "found not sent": ["ok", "void"],
    void: ["MONEY_ALREADY_SENT", "unknown"],
  },
  void: { void: ["ok", "void"] },
};

for (const [way, answers] of Object.entries(table)) {
  describe(`a payout that is ${way}`, () => {
    for (const name of Object.keys(steps) as StepName[]) {
      const [answer, state] = answers[name] ?? ["PAYOUT_CONFLICT", undefined];
      test(`answers ${name} with ${answer}`, async () => {
        const made = await stand(way);
        const before = await findPayout(db(), made.id);
        expect(await outcome((tx) => steps[name](tx, made))).toBe(answer);
        const after = await findPayout(db(), made.id);
        if (answer === "ok" && way !== "void") expect(after?.state).toBe(state);
        else expect(after).toEqual(before);
        const gone = after !== null && after.sentAt !== null && after.state !== "void";
        expect(await heldBy(made.reference)).toBe(gone ? 0 : 100);
      });
    }
  });
}

describe("a missing record", () => {
  for (const name of Object.keys(steps) as StepName[]) {
    if (name === "void") continue;
    test(`answers ${name} with PAYOUT_NOT_FOUND`, async () => {
      const nothing = { id: 2 ** 40, reference: 1, bankReference: "X" };
      expect(await outcome((tx) => steps[name](tx, nothing))).toBe("PAYOUT_NOT_FOUND");
    });
  }
});
