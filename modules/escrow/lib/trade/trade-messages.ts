import { db } from "#db/client";
import type { Actor } from "#modules/identity";
import { readHistory, sendMessage } from "#modules/rooms";
import { findTradeForParty } from "../core/party-access.ts";

/** The messages of a trade's room for one of its parties, also after the room was deleted. Refuses TRANSACTION_NOT_FOUND and VALIDATION. */
export async function readTradeMessages(actor: Actor, tradeId: number, page: unknown) {
  const found = await findTradeForParty(db(), actor, tradeId);
  if (!found.ok) return found;
  const history = await readHistory(actor, found.trade.roomId, page, { kept: true });
  // A party is a member of the trade's room until both are erased.
  return !history.ok && history.code === "CHAT_ROOM_NOT_FOUND"
    ? ({ ok: false, code: "TRANSACTION_NOT_FOUND" } as const)
    : history;
}

/** Sends a message to a trade's room. Refuses TRANSACTION_NOT_FOUND, and what `sendMessage` refuses. */
export async function sendTradeMessage(actor: Actor, tradeId: number, input: unknown) {
  const found = await findTradeForParty(db(), actor, tradeId);
  return found.ok ? sendMessage(actor, found.trade.roomId, input) : found;
}
