import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { drainJobs } from "#db/jobs";
import { verify } from "#modules/audit";
import { dataOf } from "#modules/identity";
import { verifyLedger } from "#modules/payments";
import { history, sendMessage } from "#modules/rooms";
import { useDatabase } from "../../../tests/support/database.ts";
import { tablesWith } from "../../../tests/support/everything.ts";
import { bothConfirm, type Deal, later, paid, requested, useMarket } from "../../../tests/support/market.ts";
import * as escrow from "../index.ts";
import { keepRetention } from "./retention.ts";
import { supportRequests } from "./support.schema.ts";

useDatabase();
useMarket();

const said = "meet me at the third entrance";
const note = "the code is under the mat";
const complaint = "the second password was wrong";
const wanted = "my old account of level sixty";
const refund = { accountName: "Dorjsuren Refund", bankName: "Golomt Bank", accountNumber: "1105998877" };
const contact = {
  infoType: "buyer",
  accountName: "Dorjsuren Buyer",
  phoneNumber: "88776655",
  email: "dorjsuren@example.mn",
} as const;
/** What two people said and gave in their trades. */
const personal = [
  ...[said, note, complaint, wanted],
  ...["5012345678", "99112233", "bat@example.mn"],
  ...[refund.accountName, refund.accountNumber, contact.accountName, contact.phoneNumber, contact.email],
];

type Succeeded<T> = Extract<T, { ok: true }>;

/** What came of a verb that was to succeed. */
async function done<T extends { ok: boolean }>(outcome: Promise<T>): Promise<Succeeded<T>> {
  const answer = await outcome;
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`);
  return answer as Succeeded<T>;
}

/** A trade in which everything is said and given, with a dispute that was taken back. */
async function told(): Promise<Deal> {
  const deal = await paid();
  for (const who of [deal.buyer, deal.seller]) {
    await done(sendMessage(who, deal.roomId, { content: said }));
  }
  await db().execute(sql`UPDATE escrow.trades SET description = ${wanted} WHERE id = ${deal.id}`);
  await done(escrow.handOver(deal.seller, deal.id, { note }));
  await done(escrow.saveBankInfo(deal.buyer, deal.id, contact));
  await done(escrow.shareInfo(deal.seller, deal.id, { info: said }));
  await done(escrow.openDispute(deal.buyer, deal.id, { reason: complaint }));
  await done(escrow.withdrawDispute(deal.buyer, deal.id));
  return deal;
}

async function completed(): Promise<Deal> {
  const deal = await told();
  await bothConfirm(deal);
  await done(escrow.settle(deal.admin, deal.id, { bankReference: `RT-${deal.id}` }));
  await drainJobs();
  return deal;
}

/** Cancelled by both; the buyer says where the money goes, and it is sent when `sent`. */
async function cancelled(sent: boolean): Promise<Deal> {
  const deal = await told();
  await done(escrow.requestCancellation(deal.buyer, deal.id));
  await done(escrow.requestCancellation(deal.seller, deal.id));
  await done(escrow.saveRefundDestination(deal.buyer, deal.id, refund));
  if (sent) await done(escrow.settle(deal.admin, deal.id, { bankReference: `RT-${deal.id}` }));
  await drainJobs();
  return deal;
}

const years = (count: number, days = 0) => {
  const at = new Date();
  at.setFullYear(at.getFullYear() + count);
  return new Date(at.getTime() + days * 86_400_000);
};
const sweep = (at: Date) => later(at, () => keepRetention(at));

describe("two years after their end", () => {
  test("a trade's talk, accounts and statements are nowhere; its code, sums and moments stay, books and log whole", async () => {
    const deals = [await completed(), await cancelled(true)];
    const before = await verifyLedger();
    expect((await tablesWith(personal)).length).toBeGreaterThan(4);
    await sweep(years(2, -1));
    expect((await tablesWith(personal)).length).toBeGreaterThan(4);
    await sweep(years(2, 1));
    await drainJobs(years(2, 1));
    expect(await tablesWith(personal)).toEqual([]);
    const after = await verifyLedger();
    expect(after).toEqual(before);
    expect(after.ok).toBe(true);
    expect(await verify()).toMatchObject({ ok: true });
    for (const { id, roomId, buyer, seller, admin } of deals) {
      for (const party of [buyer, seller]) {
        expect(await escrow.trade(party, id)).toMatchObject({ ok: false, code: "TRANSACTION_NOT_FOUND" });
        expect(await history(party, roomId, {})).toMatchObject({ ok: false });
        expect(await escrow.historyOf(party, { limit: 50, before: undefined })).toMatchObject({
          transactions: [],
        });
        const own = await dataOf(party);
        expect(own.ok && own.data.transactions).toEqual([]);
      }
      const seen = await done(escrow.adminTrade(admin, id));
      expect(seen).toMatchObject({ detail: { transaction: { id, amount: 100_000 }, heldAmount: 0 } });
      expect(seen.detail.erasedAt).not.toBeNull();
    }
    await sweep(years(2, 2));
    expect(await verifyLedger()).toEqual(before);
  });

  test("a trade that cannot be erased keeps no other, nor old questions to support, and is named by its number at the end", async () => {
    const [first, stuck, last] = [await completed(), await completed(), await completed()];
    await db()
      .insert(supportRequests)
      .values({
        ...{ number: "SR-01D01D01", fingerprint: "o".repeat(43), topic: "other", suspect: false },
        ...{ name: "Old", email: "old@example.mn", message: "an old question", createdAt: new Date() },
      });
    await db().execute(
      sql.raw(
        `ALTER TABLE escrow.trades ADD CONSTRAINT stuck CHECK (id <> ${stuck.id} OR erased_at IS NULL) NOT VALID`,
      ),
    );
    for (let again = 0; again < 2; again++) {
      await expect(sweep(years(2, 1))).rejects.toThrow(new Error(`trades not erased (1): ${stuck.id}`));
    }
    const erased = await db().execute<{ id: string; erased: boolean }>(sql`
      SELECT id, erased_at IS NOT NULL AS erased FROM escrow.trades WHERE id >= ${first.id} ORDER BY id`);
    expect(erased.map(({ id, erased }) => [Number(id), erased])).toEqual([
      ...[
        [first.id, true],
        [stuck.id, false],
        [last.id, true],
      ],
    ]);
    expect(await tablesWith(["old@example.mn"])).toEqual([]);
    await db().execute(sql`ALTER TABLE escrow.trades DROP CONSTRAINT stuck`);
    await sweep(years(2, 1));
    await drainJobs(years(2, 1));
    expect(await tablesWith(personal)).toEqual([]);
  });

  test("what still waits to be sent back, or has not ended, is kept with its room", async () => {
    const [waiting, running] = [await cancelled(false), await requested()];
    await sweep(years(3));
    for (const { id, buyer } of [waiting, running]) {
      expect(await escrow.trade(buyer, id)).toMatchObject({ ok: true });
    }
    await done(escrow.settle(waiting.admin, waiting.id, { bankReference: `RT-${waiting.id}` }));
    await sweep(years(3));
    expect(await escrow.trade(waiting.buyer, waiting.id)).toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
  });
});
