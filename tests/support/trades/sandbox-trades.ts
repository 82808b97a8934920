import { afterAll, beforeAll } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { Elysia } from "elysia";
import type { BankInfoInput } from "#forms/escrow";
import { paymentsRoutes } from "#http/payments";
import {
  checkPayment,
  confirmCompletion,
  createTrade,
  type FeePayer,
  issueInvoice,
  onProviderCallback,
  registerEscrow,
  saveBankInfo,
  startEscrow,
} from "#modules/escrow";
import {
  heldAmount,
  liveInvoice,
  payoutsOf,
  paySandboxInvoice,
  setSandboxOrigin,
  verifyLedger,
} from "#modules/payments";
import { type Db, db } from "../../../db/client.ts";
import { setClock } from "../../../db/clock.ts";
import { drainJobs } from "../../../db/jobs.ts";
import { ownerDatabase } from "../database/test-database.ts";
import { plantRoom, plantUser } from "./planted-trades.ts";

export type PlantedUser = Awaited<ReturnType<typeof plantUser>>;
export type PlantedTrade = {
  id: number;
  roomId: number;
  seller: PlantedUser;
  buyer: PlantedUser;
  admin: PlantedUser;
};

/** What came of a verb that was to succeed. */
export async function expectAccepted<Result extends { ok: true } | { ok: false; code: string }>(
  outcome: Promise<Result>,
): Promise<Extract<Result, { ok: true }>> {
  const answer = await outcome;
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`);
  return answer as Extract<Result, { ok: true }>;
}

/** For tests: the sandbox provider on a real port, calling back into escrow, with escrow's guards in place. */
export function useSandboxProvider() {
  let origin = "";
  const ending: Array<() => unknown> = [];
  beforeAll(async () => {
    const app = new Elysia()
      .use(paymentsRoutes)
      .get("/api/qpay/callback/:invoiceId/:secret", async ({ params, query }) => {
        const heard = await onProviderCallback(
          params.invoiceId,
          params.secret,
          query.qpay_payment_id ?? null,
        );
        return heard.ok ? "SUCCESS" : new Response("NOT FOUND", { status: 404 });
      })
      .listen({ port: 0, hostname: "127.0.0.1" });
    origin = `http://127.0.0.1:${app.server?.port}`;
    setSandboxOrigin(origin);
    ending.push(() => app.stop(true), registerEscrow());
    // Without its heartbeat: one that goes on takes a test's clock that is ahead for a gap, and extends every deadline.
    const stopHeartbeat = await startEscrow();
    stopHeartbeat();
  });
  afterAll(async () => {
    setSandboxOrigin(undefined);
    for (const end of ending) await end();
  });

  /** Does to the sandbox what a payer, or a test, may do. */
  async function tell(path: string, body: object): Promise<{ paymentIds: string[]; callbacks: string[] }> {
    const reply = await fetch(origin + path, { method: "POST", body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as { paymentIds: string[]; callbacks: string[] };
  }
  /** Pays an invoice at the provider; the live one unless another is named. */
  async function pay(deal: { id: number }, body: object = {}, invoice?: string | null) {
    const live = invoice ?? (await liveInvoice(db(), deal.id))?.providerId;
    return tell(`/sandbox/qpay/pay/${live}`, { callback: false, ...body });
  }
  const behave = (body: object) => tell("/sandbox/qpay/behave", body);
  return { pay, behave, tell };
}

/** A room of two and an administrator, without a trade. */
export async function createTradeRoom(): Promise<Omit<PlantedTrade, "id">> {
  const [seller, buyer, admin] = await Promise.all([
    plantUser({ displayName: "Seller" }),
    plantUser({ displayName: "Buyer", language: "mn" }),
    plantUser({ isAdmin: true }),
  ]);
  return { roomId: await plantRoom(seller.userId, buyer.userId), seller, buyer, admin };
}

/** A requested trade: 100,000 ₮, fee 10,000, the buyer pays it. */
export async function createRequestedTrade(
  amount = 100_000,
  feePayer: FeePayer = "buyer",
): Promise<PlantedTrade> {
  const people = await createTradeRoom();
  const made = await expectAccepted(
    createTrade(people.seller, { chatRoomId: people.roomId, amount, feePayer }),
  );
  return { ...people, id: made.trade.id };
}

/** A trade with its QR shown. */
export async function createInvoicedTrade(amount?: number, feePayer?: FeePayer): Promise<PlantedTrade> {
  const deal = await createRequestedTrade(amount, feePayer);
  await expectAccepted(issueInvoice(deal.buyer, deal.id));
  return deal;
}

/** A trade whose money is in. */
export async function createPaidTrade(amount?: number, feePayer?: FeePayer): Promise<PlantedTrade> {
  const deal = await createInvoicedTrade(amount, feePayer);
  await payAtSandbox(deal.id);
  const checked = await expectAccepted(checkPayment(deal.id, "callback"));
  if (checked.trade.status !== "payment_confirmed") throw new Error(`it is ${checked.trade.status}`);
  return deal;
}

async function payAtSandbox(id: number): Promise<void> {
  const live = await liveInvoice(db(), id);
  const paid = await paySandboxInvoice(live?.providerId ?? "", { callback: false }, new Date());
  if (!paid.ok) throw new Error(paid.code);
}

export const sellerAccount: BankInfoInput = {
  infoType: "seller",
  accountName: "Bat Erdene",
  bankName: "Khan Bank",
  accountNumber: "5012345678",
  ibanNumber: undefined,
  phoneNumber: "99112233",
  email: "bat@example.mn",
};

/** The seller says where the money goes. */
export async function saveSellerAccount(deal: PlantedTrade): Promise<void> {
  const saved = await saveBankInfo(deal.seller, deal.id, sellerAccount);
  if (!saved.ok) throw new Error(saved.code);
}

/** Both confirm a paid trade. */
export async function confirmByBoth(deal: PlantedTrade): Promise<void> {
  await saveSellerAccount(deal);
  await expectAccepted(confirmCompletion(deal.buyer, deal.id));
  await expectAccepted(confirmCompletion(deal.seller, deal.id));
}

/** The state a trade is in, straight from its row. */
export async function statusOf(deal: { id: number }): Promise<string> {
  const [row] = await db().execute<{ status: string }>(
    sql`SELECT status FROM escrow.trades WHERE id = ${deal.id}`,
  );
  return row?.status ?? "none";
}

/** What the room was told, as codes. */
export async function readNoticeCodes(deal: { roomId: number }): Promise<string[]> {
  const rows = await db().execute<{ code: string }>(
    sql`SELECT code FROM rooms.messages WHERE room_id = ${deal.roomId} ORDER BY seq`,
  );
  return rows.map(({ code }) => code);
}

/** What was mailed to somebody, as templates. */
export async function readMailTemplates(to: PlantedUser): Promise<string[]> {
  const rows = await db().execute<{ template: string }>(
    sql`SELECT template FROM mailer.messages WHERE user_id = ${to.userId} ORDER BY id`,
  );
  return rows.map(({ template }) => template);
}

/** What the audit log has of a trade, as actions. */
export async function readAuditActions(deal: { id: number }): Promise<string[]> {
  const rows = await db().execute<{ action: string }>(sql`
    SELECT action FROM audit.entries WHERE subject_kind = 'transaction' AND subject_id = ${String(deal.id)} ORDER BY id`);
  return rows.map(({ action }) => action);
}

/** Where the money of a trade is: held, in suspense, and each live payout or refund. */
export async function moneyOf(deal: { id: number }) {
  const [suspense] = await db().execute<{ sum: string }>(sql`
    SELECT coalesce(sum(b.balance), 0) AS sum FROM payments.balances b
    JOIN payments.payments p ON b.account = 'suspense:' || p.id WHERE p.reference = ${deal.id}`);
  const live = (await payoutsOf(db(), deal.id)).filter(({ state }) => state !== "void");
  return {
    held: await heldAmount(db(), deal.id),
    suspense: Number(suspense?.sum ?? 0),
    records: live.map(({ kind, source, amount, fee, state }) => {
      return `${kind} ${amount}+${fee} ${source.split(":")[0]} ${state}`;
    }),
  };
}

/** Fails unless the whole ledger is sound. */
export async function assertSoundLedger(): Promise<void> {
  const verdict = await verifyLedger();
  if (!verdict.ok) throw new Error(JSON.stringify(verdict));
}

/** Runs the jobs that are due. */
export const runDueJobs = () => drainJobs();

/** Lets work be done at another time. */
export async function runAtTime<T>(at: Date, work: () => Promise<T>): Promise<T> {
  const restore = setClock(() => at);
  try {
    return await work();
  } finally {
    restore();
  }
}

/** Holds rows until what this answers is called; by the owner of the file's database, or `on` another's. */
export async function holdRows(rows: SQL, on: Db = ownerDatabase()): Promise<() => Promise<void>> {
  const [taken, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = on.transaction(async (tx) => {
    await tx.execute(rows);
    taken.resolve();
    await gate.promise;
  });
  await Promise.race([taken.promise, holding]);
  return async () => {
    gate.resolve();
    await holding;
  };
}
