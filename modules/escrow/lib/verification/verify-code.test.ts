import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { config, overrideConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { setClock } from "#db/clock";
import type { Actor } from "#modules/identity";
import { approvePayoutRecord, createDuePayout, markPayoutSent, recordPayments } from "#modules/payments";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantTrade, plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import { type PublicTrade, verifyCode } from "./verify-code.ts";

useDatabase();
const before = config();
const at = new Date("2026-11-21T10:00:00Z");
let back = () => {};
beforeEach(() => {
  back = setClock(() => at);
  overrideConfig({ THROTTLE_FACTOR: 1 });
});
afterEach(() => {
  back();
  overrideConfig(before);
});

const destination = { accountName: "Dorj", bankName: "Golomt Bank", accountNumber: "1105123456" };

let people = 0;
const visitor = (): Actor => ({
  kind: "visitor",
  ip: `192.0.2.${++people}`,
  device: "test",
  language: "en",
  requestId: "",
});

async function said(code: string, actor = visitor()): Promise<PublicTrade> {
  const found = await verifyCode(actor, code);
  if (!found.ok) throw new Error(found.code);
  return found.trade;
}

describe("what Midman says about a code", () => {
  test.each([
    ["initiated", "waiting", "waiting"],
    ["payment_processing", "waiting", "waiting"],
    ["payment_confirmed", "confirmed", "held"],
    ["exchange_completed", "buyerConfirmed", "held"],
    ["settlement_pending", "paying", "held"],
    ["disputed", "disputed", "disputed"],
    ["completed", "paidOut", "released"],
    ["cancelled", "cancelled", "none"],
  ] as const)("of a trade that is %s: %s", async (status, state, money) => {
    const { code } = await plantTrade(status);
    expect(await said(code)).toMatchObject({ code, state, money, own: null });
  });

  test("after a part payment: what has arrived is held, and the rest is missing", async () => {
    const { id, code } = await plantTrade("payment_processing");
    expect(await said(code)).toMatchObject({ state: "waiting", money: "waiting" });
    await runInTransaction(async (tx) => {
      const ids = { providerPaymentId: crypto.randomUUID(), invoiceId: crypto.randomUUID() };
      await recordPayments(tx, {
        reference: id,
        rows: [{ ...ids, amount: 100_000, paidAt: at }],
        owed: 110_000,
        at,
      });
    });
    expect(await said(code)).toMatchObject({ state: "waiting", money: "part" });
  });

  test("while its payment is checked: nothing else, whatever the status; an ended trade shows how it ended", async () => {
    for (const [status, state, money] of [
      ["payment_confirmed", "checking", "checking"],
      ["payment_processing", "checking", "checking"],
      ["settlement_pending", "checking", "checking"],
      ["completed", "paidOut", "released"],
    ] as const) {
      const { id, code } = await plantTrade(status);
      await db().execute(sql`
        INSERT INTO payments.holds (reference, reason, subject, facts, opened_at)
        VALUES (${id}, 'PAYMENT_REVERSED', 'payment:1', '{}', now())`);
      expect({ status, ...(await said(code)) }).toMatchObject({ status, state, money });
    }
  });

  test("after the handover, and for a trade closed without money", async () => {
    const handed = await plantTrade("payment_confirmed");
    await db().execute(sql`UPDATE escrow.trades SET handed_over_at = now() WHERE id = ${handed.id}`);
    expect((await said(handed.code)).state).toBe("handedOver");
    const closed = await plantTrade("completed");
    await db().execute(sql`UPDATE escrow.trades SET end_reason = 'closed' WHERE id = ${closed.id}`);
    expect(await said(closed.code)).toMatchObject({ state: "closed", money: "none" });
  });

  test("for a cancelled trade: held until the refund was sent, and when that was", async () => {
    const { id, code, buyer } = await plantTrade("cancelled");
    await db().execute(sql`UPDATE escrow.trades SET updated_at = '2026-11-20T08:00:00Z' WHERE id = ${id}`);
    const by = { userId: buyer.userId, relatedAdminIds: [buyer.userId], keepsRight: async () => true };
    const refund = await runInTransaction(async (tx) => {
      const ids = { providerPaymentId: crypto.randomUUID(), invoiceId: crypto.randomUUID() };
      await recordPayments(tx, {
        reference: id,
        rows: [{ ...ids, amount: 110_000, paidAt: at }],
        owed: 110_000,
        at,
      });
      const due = { reference: id, kind: "refund", amount: 110_000, fee: 0, destination } as const;
      const made = await createDuePayout(tx, { ...due, recipientId: buyer.userId, dueAt: at, at, by });
      return made.ok ? made.payout.id : 0;
    });
    expect(await said(code)).toMatchObject({ state: "refunding", money: "refunding" });
    const left = new Date("2026-11-21T09:30:00Z");
    await runInTransaction(async (tx) => {
      await approvePayoutRecord(tx, { id: refund, at: left, by });
      await markPayoutSent(tx, { id: refund, bankReference: code, at: left, by });
    });
    expect(await said(code)).toMatchObject({
      state: "refunded",
      money: "returned",
      changedAt: left.toISOString(),
      askedAt: at.toISOString(),
    });
  });

  test("however it is typed", async () => {
    const { code } = await plantTrade();
    const plain = code.slice(3);
    for (const typed of [
      code.toLowerCase(),
      `  ${plain} `,
      `мм ${plain.slice(0, 4)}-${plain.slice(4)}`,
      `MM–${plain}`,
    ]) {
      expect([typed, (await said(typed)).code]).toEqual([typed, code]);
    }
  });

  test("to its signed-in parties: that it is theirs; to others nothing about people, room, amounts or texts", async () => {
    const { code, roomId, seller, buyer } = await plantTrade();
    for (const party of [seller, buyer]) {
      expect((await said(code, party)).own).toEqual({ roomId, gross: 110_000 });
    }
    for (const actor of [visitor(), await plantUser()]) {
      const keys = ["askedAt", "changedAt", "code", "goods", "money", "own", "state"];
      const told = await said(code, actor);
      expect(Object.keys(told).sort()).toEqual(keys);
      expect(told.own).toBeNull();
    }
  });
});

test("codes that do not exist are limited per hour and address, whatever else is asked after them", async () => {
  const unknown = { ok: false, code: "TRANSACTION_NOT_FOUND" } as const;
  const guesser = visitor();
  for (const typed of ["MM-00000000", "nonsense", "", "MM-0000000O", "x".repeat(500)]) {
    expect(await verifyCode(guesser, typed)).toEqual(unknown);
  }
  let refused = 0;
  for (let n = 5; n < 62; n++) if ((await verifyCode(guesser, "MM-00000000")).ok === false) refused += 1;
  expect(refused).toBe(57);
  expect(await verifyCode(guesser, "MM-00000000")).toMatchObject({ ok: false, code: "THROTTLED" });
  expect(await verifyCode(visitor(), "MM-00000000")).toEqual(unknown);
});

test("someone with a whole network of addresses has no more guesses than someone with one", async () => {
  const from = (ip: string) => ({ ...visitor(), ip });
  for (let n = 0; n < 60; n++) await verifyCode(from(`2001:db8:5:1::${n}`), "MM-00000000");
  expect(await verifyCode(from("2001:db8:5:1::ffff"), "MM-00000000")).toMatchObject({ code: "THROTTLED" });
  expect(await verifyCode(from("2001:db8:5:2::1"), "MM-00000000")).toMatchObject({
    code: "TRANSACTION_NOT_FOUND",
  });
});
