import { asc, eq, sql } from "drizzle-orm";
import { config } from "#config";
import { db, runInTransaction } from "#db/client";
import { setClock } from "#db/clock";
import type { Member } from "#modules/identity";
import { keepPushDevice } from "#modules/mailer";
import { workQueue } from "../backoffice/work-queue/work-queue.ts";
import { deadlinesTable } from "../core/schema.ts";
import type { DeadlineKind } from "../machine/trade-types.ts";
import { runDeadline, sweepDeadlines } from "./run-deadlines.ts";

// Shared by the tests of the deadlines.

export const minute = 60_000;

type Deal = { id: number; buyer: Member; seller: Member; admin: Member };
/** Provides browsers that can receive pushes. */
type PushService = { browser(): { endpoint: string; keys: { p256dh: string; auth: string } } };

/** Runs `work` at another time. */
async function later<T>(at: Date, work: () => Promise<T>): Promise<T> {
  const restore = setClock(() => at);
  try {
    return await work();
  } finally {
    restore();
  }
}

let sessions = 0;
/** A deal whose buyer, seller and administrator also receive pushes on a device of this push service. */
export async function withDevices<D extends Deal>(service: PushService, deal: D): Promise<D> {
  for (const { userId } of [deal.buyer, deal.seller, deal.admin]) {
    const owner = { userId, sessionId: ++sessions, device: "a test", at: new Date() };
    await runInTransaction((tx) => keepPushDevice(tx, owner, service.browser()));
  }
  return deal;
}

/** The latest row of a trade's deadline. */
export const rowOf = async ({ id }: Deal, kind: DeadlineKind) => {
  const rows = await db()
    .select()
    .from(deadlinesTable)
    .where(eq(deadlinesTable.tradeId, id))
    .orderBy(asc(deadlinesTable.id));
  const found = rows.filter((row) => row.kind === kind).at(-1);
  if (found === undefined) throw new Error(`no ${kind}`);
  return found;
};

/** All mails and pushes about a trade so far. */
export async function notificationsAbout(deal: Deal): Promise<{ mails: string[]; pushes: string[] }> {
  const who = new Map([
    [deal.buyer.userId, "buyer"],
    [deal.seller.userId, "seller"],
  ]);
  const mails = await db().execute<{
    user_id: string | null;
    recipient: string;
    template: string;
    task: string | null;
  }>(
    sql`SELECT user_id, recipient, template, data ->> 'task' AS task FROM mailer.messages
      WHERE user_id IN (${deal.buyer.userId}, ${deal.seller.userId}) OR data ->> 'url' = ${`/admin/transactions/${deal.id}`} ORDER BY id`,
  );
  const pushes = await db().execute<{ user_id: string; event: string }>(
    sql`SELECT user_id, event FROM mailer.pushes
      WHERE user_id IN (${deal.buyer.userId}, ${deal.seller.userId}, ${deal.admin.userId}) ORDER BY id`,
  );
  return {
    mails: mails.map(({ user_id, recipient, template, task }) => {
      if (template === "adminTask" && recipient === config().MAIL_ADMIN) return `desk: ${task}`;
      return `${who.get(Number(user_id)) ?? recipient}: ${template}${task === null ? "" : ` ${task}`}`;
    }),
    pushes: pushes.map(({ user_id, event }) => `${who.get(Number(user_id)) ?? "desk"}: ${event}`),
  };
}

/** Runs two sweeps and the row's own job at the same moment, as two instances would; returns what they sent. */
export async function tick(deal: Deal, id: number, at: Date): Promise<{ mails: string[]; pushes: string[] }> {
  const before = await notificationsAbout(deal);
  await later(at, () => Promise.all([sweepDeadlines(at), runDeadline(id, at), sweepDeadlines(at)]));
  const after = await notificationsAbout(deal);
  return {
    mails: after.mails.slice(before.mails.length).sort(),
    pushes: after.pushes.slice(before.pushes.length).sort(),
  };
}

/** The lists of the work queue in which a trade is overdue. */
export async function overdueWork(deal: Deal, at: Date): Promise<string[]> {
  const found = await later(at, () => workQueue(deal.admin));
  if (!found.ok) throw new Error(found.code);
  const lists = ["overdue", "payouts", "disputes"] as const;
  return lists.filter((list) =>
    found.queue[list].some((one) => one.transactionId === deal.id && one.dueAt <= at.toISOString()),
  );
}

/** Stops the other deadlines of the trade, so that this one is seen alone. */
export const alone = (deal: Deal, kind: DeadlineKind) =>
  db().execute(
    sql`UPDATE escrow.deadlines SET next_at = NULL WHERE trade_id = ${deal.id} AND kind <> ${kind}`,
  );
