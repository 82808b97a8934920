import { eq } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { type Actor, type Member, type NotSignedIn, requireUser } from "#modules/identity";
import { lockRoom } from "#modules/rooms";
import { lockTradeRow } from "../deadlines/deadlines.ts";
import type { Party } from "../machine/trade-types.ts";
import { type TradeRow, tradesTable } from "./schema.ts";

/** A trade and the side of the person who asks for it. */
export type PartyAccess = { ok: true; trade: TradeRow; side: Party; member: Member };
export type NoPartyAccess = NotSignedIn | { ok: false; code: "TRANSACTION_NOT_FOUND" };

/** Finds a trade for one of its two parties. Refuses TRANSACTION_NOT_FOUND to anyone else, and to everyone once the trade was erased. */
export async function findTradeForParty(
  exec: Executor,
  actor: Actor,
  tradeId: number,
): Promise<PartyAccess | NoPartyAccess> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const [trade] = isId(tradeId)
    ? await exec.select().from(tradesTable).where(eq(tradesTable.id, tradeId))
    : [];
  const side = trade && sideOf(trade, user.member.userId);
  if (trade === undefined || side === undefined || trade.erasedAt !== null)
    return { ok: false, code: "TRANSACTION_NOT_FOUND" };
  return { ok: true, trade, side, member: user.member };
}

/** Like `findTradeForParty`, for a change: locks the room, then the trade with its deadlines. An outsider takes no lock. */
export async function lockTradeForParty(
  tx: Tx,
  actor: Actor,
  tradeId: number,
): Promise<PartyAccess | NoPartyAccess> {
  const found = await findTradeForParty(tx, actor, tradeId);
  if (!found.ok) return found;
  await lockRoom(tx, found.trade.roomId);
  const trade = await lockTradeRow(tx, eq(tradesTable.id, tradeId));
  // The roles may have been swapped while this waited.
  const side = trade && sideOf(trade, found.member.userId);
  const gone = trade === undefined || side === undefined || trade.erasedAt !== null;
  if (gone) return { ok: false, code: "TRANSACTION_NOT_FOUND" };
  return { ...found, trade, side };
}

/** True for a number that can be the id of a row; a number from a URL or a form may not be one. */
export function isId(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** The side of a person in a trade; undefined for anyone else. */
export function sideOf(trade: Pick<TradeRow, "buyerId" | "sellerId">, userId: number): Party | undefined {
  if (trade.buyerId === userId) return "buyer";
  return trade.sellerId === userId ? "seller" : undefined;
}
