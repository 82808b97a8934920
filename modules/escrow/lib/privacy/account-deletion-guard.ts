import { and, asc, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { recordAuditEntry } from "#modules/audit";
import { findPeople, type IdentityGuard } from "#modules/identity";
import { forgetRecipient } from "#modules/payments";
import { lockRooms } from "#modules/rooms";
import { holdsMoney } from "../core/money-held.ts";
import { tradesTable } from "../core/schema.ts";
import { detailsTable } from "../information/schema.ts";
import { digestOfTrade } from "../proof/sealed-trades.ts";

/** Most bank accounts of one person that are returned. */
const MOST_ACCOUNTS = 50;

/** The guard that identity calls in the transaction that deletes a person, and when it compares bank accounts. */
export const identityGuard: IdentityGuard = {
  /**
   * Refuses to delete a person who is party to money that is held or still to be sent (MONEY_HELD), or to an open trade (TRADE_UNDER_WAY):
   * either party may have its QR code created and paid at any time, and a refund needs someone to say where it goes.
   */
  async mayDeleteUser(tx, userId) {
    const own = await lockTradesOfPerson(tx, userId);
    for (const { id } of own) {
      if (await holdsMoney(tx, id)) return { ok: false, code: "MONEY_HELD" };
    }
    const open = own.some(({ endedAt }) => endedAt === null);
    return open ? { ok: false, code: "TRADE_UNDER_WAY" } : { ok: true };
  },
  /** Erases everything that the person gave, in every version. The account that money was sent to stays with the payout, as its proof. */
  async forgetUser(tx, userId, at) {
    const own = await tx.select({ id: tradesTable.id }).from(tradesTable).where(matchParty(userId));
    const ids = own.map(({ id }) => id);
    const gone = await tx
      .delete(detailsTable)
      .where(and(inArray(detailsTable.tradeId, ids), eq(detailsTable.givenBy, userId)))
      .returning({ tradeId: detailsTable.tradeId });
    for (const id of new Set(gone.map(({ tradeId }) => tradeId))) {
      const subject = { kind: "transaction", id };
      const entry = { by: { userId: null }, action: "transaction.details_erased" as const, at, subject };
      await recordAuditEntry(tx, entry, digestOfTrade(id));
    }
    await forgetRecipient(tx, userId, ids, at);
  },
  /** The accounts to which the person's money was to go: what someone who returns under another name is least able to change. */
  async bankAccountsOf(exec, userId) {
    const given = and(eq(detailsTable.givenBy, userId), isNotNull(detailsTable.accountNumber));
    const rows = await exec
      .selectDistinct({ account: detailsTable.accountNumber })
      .from(detailsTable)
      .where(given)
      .limit(MOST_ACCOUNTS);
    return rows.flatMap(({ account }) => account ?? []);
  },
};

/**
 * True if both people of a trade that begins still have their accounts. Neither can be deleted or suspended until `tx` ends. The caller
 * holds the room's lock: rooms are locked before people everywhere.
 */
export async function lockBothAccounts(tx: Tx, ids: readonly [number, number]): Promise<boolean> {
  for (const id of ids) await tx.execute(sql`SELECT pg_advisory_xact_lock_shared(${personLock(id)})`);
  const known = await findPeople(tx, ids);
  return ids.every((id) => known.get(id)?.deleted === false);
}

/**
 * Locks every trade of a person, in the order that commands use: the rooms, then the trades. In between it locks the person, so that no
 * trade of theirs begins unseen in a room that was not among them.
 */
async function lockTradesOfPerson(tx: Tx, userId: number) {
  const seen = await tx.select({ roomId: tradesTable.roomId }).from(tradesTable).where(matchParty(userId));
  await lockRooms(
    tx,
    seen.map(({ roomId }) => roomId),
  );
  await holdNewTrades(tx, userId);
  return tx
    .select({ id: tradesTable.id, endedAt: tradesTable.endedAt })
    .from(tradesTable)
    .where(matchParty(userId))
    .orderBy(asc(tradesTable.id))
    .for("update");
}

/**
 * Waits until every trade that this person is beginning is committed, and lets none begin until `tx` ends. `lockBothAccounts` takes the
 * same lock in shared mode; the caller reads the restriction after it. Take it before the administrators and the person's row, as a
 * deletion does.
 */
export async function holdNewTrades(tx: Tx, userId: number): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${personLock(userId)})`);
}

/** SQL condition for the trades that a person is a party to. */
export function matchParty(userId: number) {
  return or(eq(tradesTable.buyerId, userId), eq(tradesTable.sellerId, userId));
}

function personLock(userId: number) {
  return sql`hashtextextended(${`escrow.person:${userId}`}, 0)`;
}
