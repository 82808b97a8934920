import { expect, test } from "bun:test";
import fc from "fast-check";
import { runInTransaction, type Tx } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { approvePayoutRecord } from "../payouts/approve-payout.ts";
import { createDuePayout } from "../payouts/create-payout.ts";
import { markPayoutDone } from "../payouts/mark-payout-done.ts";
import { markPayoutSent } from "../payouts/mark-payout-sent.ts";
import type { PayoutRecordResult } from "../payouts/payouts.ts";
import { markPayoutUnknown, resolveUnknownPayout } from "../payouts/resolve-unknown-payout.ts";
import { voidApproval, voidLivePayouts } from "../payouts/withdraw-approval.ts";
import type { PaidRow } from "../provider/provider-types.ts";
import { recordManualPayment } from "../received/record-manual-payment.ts";
import { recordPayments } from "../received/record-payments.ts";
import type { Payout } from "../schema/money.ts";
import {
  account,
  at,
  first,
  heldBy,
  later,
  newBankReference,
  newReference,
  paidOnInvoice,
  second,
} from "./money.fixture.ts";
import { Model, type Rec } from "./money-model.fixture.ts";
import { type LedgerSums, verifyLedger } from "./verify-ledger.ts";

useDatabase();

const sums = ["pay", "pay short", "hand", "again", "end", "due payout", "due refund"] as const;
const steps = [
  "approve",
  "send",
  "send otherwise",
  "done",
  "doubt",
  "found sent",
  "found unsent",
  "take back",
] as const;
type Act = { name: (typeof sums)[number] | (typeof steps)[number] | "void"; amount: number; which: number };

// Weighted so that money is often paid out: a uniform random walk would mostly be refused.
const often = (weight: number, name: Act["name"]) => ({ weight, arbitrary: fc.constant(name) });
const act: fc.Arbitrary<Act> = fc.record({
  name: fc.oneof(
    ...[...sums, ...steps, "void" as const].map((name) => often(1, name)),
    ...[
      often(2, "pay"),
      often(3, "due payout"),
      often(2, "due refund"),
      often(5, "approve"),
      often(6, "send"),
    ],
  ),
  amount: fc.constantFrom(100, 300, 400, 600, 1_000, 1_400),
  which: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(5) }),
});

/** One trade, and the model it is compared with. */
class World {
  readonly reference = newReference();
  readonly model = new Model();
  readonly rows: PaidRow[] = [];
  readonly numbers = new Map<number, string>();
  readonly replaced = new Map<number, number>();

  bankReference(rec: Rec): string {
    const known = rec.bankReference || this.numbers.get(rec.id) || newBankReference();
    this.numbers.set(rec.id, known);
    return known;
  }

  addRefunds(refunds: Payout[]): void {
    for (const refund of refunds) this.model.add(refund);
  }

  async pay(amount: number): Promise<void> {
    const row = await paidOnInvoice(this.reference, amount);
    this.rows.push(row);
    const expected = this.model.pay(amount);
    const { reference, rows } = this;
    const done = await runInTransaction((tx) =>
      recordPayments(tx, { reference, rows, owed: this.model.owed, at }),
    );
    if (expected === "matched") expectMatch(done, { booked: [], matched: [row], excess: 0 });
    else expectMatch(done, { booked: [row], matched: [], excess: expected });
    this.addRefunds(done.refunds);
  }

  async again(): Promise<void> {
    const { reference, rows } = this;
    const done = await runInTransaction((tx) =>
      recordPayments(tx, { reference, rows, owed: this.model.owed, at }),
    );
    expect(done).toMatchObject({ booked: [], matched: [], differing: [], excess: 0, refunds: [] });
  }

  async hand(amount: number): Promise<void> {
    const expected = this.model.hand(amount);
    const people = {
      proposedBy: first.userId,
      confirmedBy: second.userId,
      relatedAdminIds: second.relatedAdminIds,
      proposedAt: at,
    };
    const input = { reference: this.reference, amount, owed: this.model.owed, at, ...people };
    const done = await runInTransaction((tx) =>
      recordManualPayment(tx, { ...input, bankReference: newBankReference() }),
    );
    if (typeof expected === "string") expect(done).toEqual({ ok: false, code: expected });
    else expect(done).toMatchObject({ ok: true, excess: expected });
    if (done.ok) this.addRefunds(done.refunds);
  }

  async due(kind: Rec["kind"], part: number): Promise<void> {
    const free = this.model.held - this.model.promised("escrow");
    const all = Math.floor((free * part) / 1_000);
    const fee = Math.min(50, Math.floor(all / 10));
    const amount = all - fee;
    const expected = this.model.due(kind, amount, fee);
    const { reference } = this;
    const input = { reference, kind, amount, fee, recipientId: 7, destination: account, dueAt: later(180) };
    const done = await this.compare(expected, (tx) => createDuePayout(tx, { ...input, at, by: first }));
    if (expected === "ok" && done !== null)
      this.model.add({ id: done.id, kind, source: "escrow", amount, fee });
  }

  /** Runs a function that must return `expected`; the payout it returned, or null. */
  async compare(expected: string, verb: (tx: Tx) => Promise<PayoutRecordResult>): Promise<Payout | null> {
    const done = await runInTransaction(verb);
    expect(done.ok ? (done.repeated ? "repeated" : "ok") : done.code).toBe(expected);
    return done.ok ? done.payout : null;
  }

  async step(name: (typeof steps)[number], rec: Rec): Promise<void> {
    const { model } = this;
    const { id } = rec;
    const bankReference = name === "send otherwise" ? newBankReference() : this.bankReference(rec);
    const verbs: Record<(typeof steps)[number], () => Promise<unknown>> = {
      approve: () =>
        this.compare(model.approve(rec), (tx) =>
          approvePayoutRecord(tx, { id, destination: account, at, by: first }),
        ),
      send: () =>
        this.compare(model.send(rec, bankReference), (tx) =>
          markPayoutSent(tx, { id, bankReference, at, by: first }),
        ),
      "send otherwise": () =>
        this.compare(model.send(rec, bankReference), (tx) =>
          markPayoutSent(tx, { id, bankReference, at, by: first }),
        ),
      done: () => this.compare(model.done(rec), (tx) => markPayoutDone(tx, { id, at, by: second })),
      doubt: () =>
        this.compare(model.doubt(rec), (tx) =>
          markPayoutUnknown(tx, { id, reason: "silent", at, by: first }),
        ),
      "found sent": () =>
        this.compare(model.foundSent(rec, bankReference), (tx) =>
          resolveUnknownPayout(tx, { id, outcome: "sent", bankReference, at, by: first }),
        ),
      "found unsent": () => this.foundUnsent(rec),
      "take back": () =>
        this.compare(model.takeBack(rec), (tx) => voidApproval(tx, { id, reason: "typo", at, by: first })),
    };
    await verbs[name]();
  }

  async foundUnsent(rec: Rec): Promise<void> {
    // A posted transfer must be reported as not sent by another administrator than its sender; an unposted one by its claimer.
    const by = rec.posted ? second : first;
    const expected = this.model.foundUnsent(rec, this.replaced.has(rec.id));
    const fresh = await this.compare(expected, (tx) =>
      resolveUnknownPayout(tx, { id: rec.id, outcome: "not_sent", reason: "came back", at, by }),
    );
    if (expected !== "ok" || fresh === null) return;
    this.replaced.set(rec.id, fresh.id);
    this.model.add(fresh);
  }

  async run({ name, amount, which }: Act): Promise<void> {
    if (name === "pay") return this.pay(amount);
    if (name === "pay short") return this.pay(amount / 2);
    if (name === "hand") return this.hand(amount);
    if (name === "again") return this.again();
    if (name === "due payout") return this.due("payout", which < 3 ? 1_000 : amount / 2);
    if (name === "due refund") return this.due("refund", which < 3 ? 1_000 : amount / 2);
    if (name === "end") {
      this.model.owed = which === 0 ? 0 : this.model.owed;
      return;
    }
    if (name === "void") {
      const done = await runInTransaction((tx) =>
        voidLivePayouts(tx, { reference: this.reference, reason: "dispute", at, by: first }),
      );
      expect(done.ok ? "ok" : done.code).toBe(this.model.voidLive());
      return;
    }
    const records = this.model.records.filter((one) => one.source === "escrow" || which > 2);
    const rec = records.at(-1 - (which % Math.max(1, records.length)));
    if (rec !== undefined) return this.step(name, rec);
  }
}

const total = { received: 0, held: 0, paidOut: 0, refunded: 0, fees: 0 };

test("after any sequence of booking, approving, sending, doubting and correcting, the money is where the model says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 70, size: "max" }), async (acts) => {
      const world = new World();
      try {
        for (const one of acts) {
          await world.run(one);
          expect(await heldBy(world.reference)).toBe(world.model.held);
        }
      } finally {
        total.held += world.model.held;
        for (const key of ["received", "paidOut", "refunded", "fees"] as const) {
          total[key] += world.model.sums[key];
        }
      }
      const verdict = await verifyLedger();
      expect(verdict).toMatchObject({ ok: true, sums: total satisfies Partial<LedgerSums> });
    }),
    { numRuns: 60 },
  );
  expect(total.paidOut).toBeGreaterThan(0);
  expect(total.refunded).toBeGreaterThan(0);
  expect(total.fees).toBeGreaterThan(0);
}, 120_000);
