import { eq } from "drizzle-orm";
import { prepareQuery } from "#db/client/prepared-query";
import { currentTime } from "#db/clock";
import { heldAmount } from "#modules/payments";
import type { RoomGuards } from "#modules/rooms";
import { broadcastTradeUpdate } from "../core/broadcast-update.ts";
import { recordChange } from "../core/carry-out-effects.ts";
import { tradeOf } from "../core/load-trade.ts";
import { holdsMoney } from "../core/money-held.ts";
import { tradesTable } from "../core/schema.ts";
import { lockTradeRow } from "../deadlines/deadlines.ts";
import type { Trade } from "../machine/trade-types.ts";

/** The guards that rooms call about their trade, under the room's lock. */
export const roomGuards: RoomGuards = {
  /**
   * A room with a trade is kept until the trade has ended and its money has gone where it belongs: in the room the buyer enters the refund
   * account, and its creator must not be able to take that away.
   */
  async mayDelete(tx, roomId) {
    const trade = await lockTradeRow(tx, matchRoom(roomId));
    if (trade === undefined) return { ok: true };
    if (trade.endedAt === null) return { ok: false, code: "TRADE_UNDER_WAY", current: trade.status };
    if (await holdsMoney(tx, trade.id)) return { ok: false, code: "MONEY_HELD", current: trade.status };
    return { ok: true };
  },
  async mayLeave(tx, roomId) {
    const trade = await lockTradeRow(tx, matchRoom(roomId));
    if (trade === undefined || (await heldAmount(tx, trade.id)) === 0) return { ok: true };
    return { ok: false, code: "MONEY_HELD", current: trade.status };
  },
  /** Roles are fixed from the first invoice on, and an ended trade is not rewritten. */
  async mayChangeRoles(tx, roomId) {
    const trade = await lockTradeRow(tx, matchRoom(roomId));
    if (trade === undefined || (trade.rolesLockedAt === null && trade.endedAt === null)) return { ok: true };
    const textKey = trade.endedAt === null ? undefined : "room.rolesEnded";
    return { ok: false, code: "ROLES_LOCKED", current: trade.status, ...(textKey && { textKey }) };
  },
  async mayErase(tx, roomId) {
    return (await lockTradeRow(tx, matchRoom(roomId))) === undefined;
  },
  async rolesChanged(tx, { roomId, buyerId, sellerId }) {
    const row = await lockTradeRow(tx, matchRoom(roomId));
    if (row === undefined || buyerId === null || sellerId === null) return;
    const at = currentTime();
    await tx.update(tradesTable).set({ buyerId, sellerId, updatedAt: at }).where(eq(tradesTable.id, row.id));
    const trade: Trade = await tradeOf(tx, { ...row, buyerId, sellerId });
    const changeContext = { at, by: { userId: null } };
    await recordChange(tx, trade, changeContext, "parties_swapped", { buyerId, sellerId });
    broadcastTradeUpdate(tx, row);
  },
  /**
   * The other party's numbers are masked until the payment is confirmed, and all of them again after a cancellation. After a completed
   * trade only their account is.
   */
  async maskContacts(exec, roomId) {
    const [trade] = await findTradeTimes(exec, { roomId });
    if (trade?.confirmedAt == null || trade.status === "cancelled") return "all";
    return trade.endedAt === null ? "none" : "account";
  },
};

const findTradeTimes = prepareQuery<{ roomId: number }>()("trade_times_in_room", (exec, value) =>
  exec
    .select({
      confirmedAt: tradesTable.confirmedAt,
      endedAt: tradesTable.endedAt,
      status: tradesTable.status,
    })
    .from(tradesTable)
    .where(eq(tradesTable.roomId, value("roomId"))),
);

const matchRoom = (roomId: number) => eq(tradesTable.roomId, roomId);
