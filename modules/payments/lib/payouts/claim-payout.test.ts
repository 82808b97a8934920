import { afterEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { overrideConfig } from "#config";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import {
  at,
  audited,
  due,
  expectProven,
  first,
  heldBy,
  holding,
  later,
  newBankReference,
  outcome,
  refusedBy,
  second,
} from "../ledger/money.fixture.ts";
import { haltMoney } from "../treasury/halt-money.ts";
import { approvePayoutRecord } from "./approve-payout.ts";
import { claimPayoutRecord } from "./claim-payout.ts";
import { markPayoutSent } from "./mark-payout-sent.ts";
import { findPayout, type PayoutActor } from "./payouts.ts";
import { markPayoutUnknown, resolveUnknownPayout } from "./resolve-unknown-payout.ts";
import { voidApproval } from "./withdraw-approval.ts";

useDatabase();

const third: PayoutActor = { userId: 903, relatedAdminIds: [903], keepsRight: async () => true };

afterEach(async () => {
  overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined });
  await haltMoney({ on: false, reason: "test over", at, by: first });
});

async function approved(amount: number, kind: "payout" | "refund" = "payout"): Promise<number> {
  const { id } = await due(await holding(amount), kind, amount);
  expect(await outcome((tx) => approvePayoutRecord(tx, { id, at, by: first }))).toBe("ok");
  return id;
}

const take = (id: number, by: PayoutActor, from: number | null, when = at) =>
  outcome((tx) => claimPayoutRecord(tx, { id, from, at: when, by }));
const send = (id: number, by: PayoutActor) =>
  outcome((tx) => markPayoutSent(tx, { id, bankReference: newBankReference(), at, by }));
const sender = async (id: number) => (await findPayout(db(), id))?.claimedBy;

describe("the maker of a transfer", () => {
  test("is its approver; another takes it over by name, and both steps are logged", async () => {
    for (const kind of ["payout", "refund"] as const) {
      const id = await approved(100, kind);
      expectMatch(await findPayout(db(), id), { claimedBy: first.userId, claimedAt: at });
      expect(await take(id, second, third.userId)).toBe("PAYOUT_CLAIMED");
      expect(await send(id, second)).toBe("PAYOUT_CLAIMED");
      expect(await take(id, second, first.userId, later(5))).toBe("ok");
      expectMatch(await findPayout(db(), id), { claimedBy: second.userId, claimedAt: later(5) });
      expect(await take(id, second, first.userId, later(6))).toBe("repeated");
      expect(await send(id, first)).toBe("PAYOUT_CLAIMED");
      expect(await send(id, second)).toBe("ok");
      expect(await audited(kind, id)).toEqual(
        ["due", "approved", "taken_over", "sent"].map((step) => `${kind}.${step}`),
      );
    }
  });

  test("above the limit is nobody until an allowed person claims it, and never the approver", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 1_000 });
    const id = await approved(1_001);
    expect(await sender(id)).toBeNull();
    expect(await take(id, first, null)).toBe("FOUR_EYES_REQUIRED");
    expect(
      await take(
        id,
        { userId: 904, relatedAdminIds: [904, first.userId], keepsRight: async () => true },
        null,
      ),
    ).toBe("FOUR_EYES_RELATED");
    expect(await take(id, second, null)).toBe("ok");
    expect(await take(id, third, null)).toBe("PAYOUT_CLAIMED");
    expect(await take(id, first, second.userId)).toBe("FOUR_EYES_REQUIRED");
    expect(await send(id, third)).toBe("PAYOUT_CLAIMED");
    expect(await send(id, second)).toBe("ok");
    expect(await audited("payout", id)).toEqual(
      ["due", "approved", "claimed", "sent"].map((step) => `payout.${step}`),
    );
  });

  test("is also a person who claims an abandoned one, having seen who made it before", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 1_000 });
    const id = await approved(1_001);
    expect(await take(id, second, third.userId)).toBe("ok");
    expect(await audited("payout", id)).toEqual(["payout.due", "payout.approved", "payout.claimed"]);
  });

  test("may note why; the note is of their claim alone, and the log has no word of it", async () => {
    const note = "My bank is open";
    const noteOf = async (id: number) => (await findPayout(db(), id))?.claimNote;
    const noted = (id: number, by: PayoutActor, from: number | null, words?: string) =>
      outcome((tx) => claimPayoutRecord(tx, { id, from, at, by, note: words }));
    const id = await approved(100);
    expect(await noteOf(id)).toBeNull();
    expect(await noted(id, second, first.userId, note)).toBe("ok");
    expect(await noteOf(id)).toBe(note);
    expect(await noted(id, second, null, "Another")).toBe("repeated");
    expect(await noteOf(id)).toBe(note);
    expect(await noted(id, third, second.userId)).toBe("ok");
    expect(await noteOf(id)).toBeNull();
    expect(await noted(id, second, third.userId, note)).toBe("ok");
    expect(await outcome((tx) => voidApproval(tx, { id, reason: "typo", at, by: second }))).toBe("ok");
    expect(await noteOf(id)).toBeNull();
    const [log] = await db().execute<{ words: boolean }>(
      sql`SELECT bool_or(data::text LIKE ${`%${note}%`}) AS words FROM audit.entries WHERE subject_id = ${String(id)}`,
    );
    expect(log?.words).toBe(false);
    await expectProven();
  });

  test("keeps the claim and its note when an approval that lapsed is given again", async () => {
    const id = await approved(100);
    const note = "My bank is open";
    expect(
      await outcome((tx) => claimPayoutRecord(tx, { id, from: first.userId, note, at, by: second })),
    ).toBe("ok");
    const by = { ...third, keepsRight: async () => false };
    expect(await outcome((tx) => approvePayoutRecord(tx, { id, at, by }))).toBe("ok");
    expectMatch(await findPayout(db(), id), {
      approvedBy: third.userId,
      claimedBy: second.userId,
      claimNote: note,
    });
  });

  test("never leaves their note to another, also if an older Midman writes the claim", async () => {
    const id = await approved(100);
    expect(
      await outcome((tx) => claimPayoutRecord(tx, { id, from: first.userId, note: "x", at, by: second })),
    ).toBe("ok");
    for (const too of ["", "y".repeat(501)]) {
      const { cause } = (await db()
        .execute(sql`UPDATE payments.payouts SET claim_note = ${too} WHERE id = ${id}`)
        .catch((error: unknown) => error)) as { cause?: { constraint_name?: string } };
      expect(cause?.constraint_name).toBe("payouts_claim_note_check");
    }
    await db().execute(sql`UPDATE payments.payouts SET claimed_by = ${third.userId} WHERE id = ${id}`);
    expect(await findPayout(db(), id)).toMatchObject({ claimedBy: third.userId, claimNote: null });
  });

  test("is cleared with the approval, which others can withdraw only by the maker's name", async () => {
    const id = await approved(100);
    const back = (by: PayoutActor, from: number | null = null) =>
      outcome((tx) => voidApproval(tx, { id, from, reason: "typo", at, by }));
    for (const from of [null, third.userId]) expect(await back(second, from)).toBe("PAYOUT_CLAIMED");
    expect(await back(second, first.userId)).toBe("ok");
    expect(await outcome((tx) => approvePayoutRecord(tx, { id, at, by: first }))).toBe("ok");
    expect(await back(first)).toBe("ok");
    expect(await findPayout(db(), id)).toMatchObject({ state: "due", claimedBy: null, claimedAt: null });
    expect(await outcome((tx) => approvePayoutRecord(tx, { id, at, by: second }))).toBe("ok");
    expect(await sender(id)).toBe(second.userId);
  });

  test("reports its result if it is in doubt, unless another takes it over", async () => {
    for (const outcomeOf of ["sent", "not_sent"] as const) {
      const id = await approved(100);
      const found = (by: PayoutActor) =>
        outcome((tx) =>
          resolveUnknownPayout(tx, {
            ...{ id, at, by },
            ...(outcomeOf === "sent"
              ? { outcome: outcomeOf, bankReference: newBankReference() }
              : { outcome: outcomeOf, reason: "not on the statement" }),
          }),
        );
      expect(await outcome((tx) => markPayoutUnknown(tx, { id, reason: "no answer", at, by: second }))).toBe(
        "ok",
      );
      expect(await sender(id)).toBe(first.userId);
      expect(await found(second)).toBe("PAYOUT_CLAIMED");
      expect(await take(id, second, null)).toBe("PAYOUT_CLAIMED");
      expect(await take(id, second, first.userId)).toBe("ok");
      if (outcomeOf === "sent") {
        expect(await found(first)).toBe("PAYOUT_CLAIMED");
        expect(await found(second)).toBe("ok");
        continue;
      }
      // The administrator who took the claim over cannot alone report it as not sent; the earlier claimer can.
      expect(await found(second)).toBe("FOUR_EYES_REQUIRED");
      expect(await found(first)).toBe("ok");
    }
  });

  test("no longer matters once it was posted", async () => {
    const id = await approved(100);
    expect(await send(id, first)).toBe("ok");
    expect(await outcome((tx) => markPayoutUnknown(tx, { id, reason: "came back", at, by: second }))).toBe(
      "ok",
    );
    expect(await take(id, second, first.userId)).toBe("PAYOUT_CONFLICT");
    const found = { id, outcome: "not_sent", reason: "came back", at, by: second } as const;
    expect(await outcome((tx) => resolveUnknownPayout(tx, found))).toBe("ok");
  });

  test("cannot be changed while money is halted", async () => {
    const id = await approved(100);
    await haltMoney({ on: true, reason: "bank breach", at, by: first });
    expect(await take(id, second, first.userId)).toBe("MONEY_HALTED");
    expect(await take(id, first, null)).toBe("repeated");
  });

  test("is stored completely, and does not exist for a due record", async () => {
    const id = await approved(100);
    const broken = sql`UPDATE payments.payouts SET claimed_at = NULL WHERE id = ${id}`;
    expect(await refusedBy(broken)).toBe("payouts_claim");
    const { id: fresh } = await due(await holding(100), "payout", 100);
    const early = sql`UPDATE payments.payouts SET claimed_by = 1, claimed_at = now() WHERE id = ${fresh}`;
    expect(await refusedBy(early)).toBe("payouts_claim");
  });
});

test("the database refuses to withdraw an approval and keep its claim", async () => {
  const id = await approved(100);
  const withdrawn = db().execute(sql`
    UPDATE payments.payouts SET state = 'due', approved_by = NULL, approved_at = NULL, reason = 'typo' WHERE id = ${id}`);
  await expect(withdrawn.catch(({ cause }) => cause.constraint_name)).resolves.toBe("payouts_claim");
});

describe("in parallel", () => {
  const many = Array.from(
    { length: 20 },
    (_, n): PayoutActor => ({ userId: 950 + n, relatedAdminIds: [950 + n], keepsRight: async () => true }),
  );

  test("of twenty who claim an abandoned transfer, or take it over from one, one gets it", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 1_000 });
    const free = await approved(1_001);
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined });
    const taken = await approved(100);
    for (const [id, from] of [
      [free, null],
      [taken, first.userId],
    ] as const) {
      const answers = await Promise.all(many.map((by) => take(id, by, from)));
      expect(answers.filter((answer) => answer === "ok")).toHaveLength(1);
      expect(answers.filter((answer) => answer === "PAYOUT_CLAIMED")).toHaveLength(19);
      expect(await sender(id)).toBe(many[answers.indexOf("ok")]?.userId);
    }
  });

  test("either a sending or a taking over happens", async () => {
    for (let round = 0; round < 10; round++) {
      const id = await approved(100);
      const both = [() => send(id, first), () => take(id, second, first.userId)];
      const [a, b] = round % 2 === 0 ? both : both.toReversed();
      const answers = (await Promise.all([a?.(), b?.()])).sort();
      const sent = (await findPayout(db(), id))?.state === "sent";
      expect(answers).toEqual([sent ? "PAYOUT_CONFLICT" : "PAYOUT_CLAIMED", "ok"]);
      const reference = (await findPayout(db(), id))?.reference ?? 0;
      expect(await heldBy(reference)).toBe(sent ? 0 : 100);
    }
  });
});

test("finally the ledger balances", expectProven);
