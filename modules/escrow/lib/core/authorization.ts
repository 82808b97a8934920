import { runInSnapshot, type Tx } from "#db/client";
import {
  type Actor,
  auditAuthorOf,
  isAdministrator,
  isAdministratorSince,
  type Member,
  relatedAdministratorIds,
  requireAdmin,
  requireFreshLogin,
} from "#modules/identity";
import type { PayoutActor } from "#modules/payments";
import type { Party, Trade } from "../machine/trade-types.ts";
import { lockTrade, tradeOf } from "./load-trade.ts";
import { refuseAction, type TradeRefusal } from "./outcomes.ts";
import {
  findTradeForParty,
  lockTradeForParty,
  type NoPartyAccess,
  type PartyAccess,
  sideOf,
} from "./party-access.ts";

export type PartyGrant = { ok: true; member: Member; party: Party; trade: Trade };
export type AdminGrant = { ok: true; member: Member; trade: Trade };

/** The actor as a party of a trade, for a look at it as it stood at one moment; to anybody else it does not exist. */
export function requireParty(actor: Actor, id: number): Promise<PartyGrant | TradeRefusal> {
  return runInSnapshot(async (tx) => asPartyIn(tx, await findTradeForParty(tx, actor, id)));
}

/** The same for a change: the room and the trade are locked. */
export async function requireLockedParty(
  tx: Tx,
  actor: Actor,
  id: number,
): Promise<PartyGrant | TradeRefusal> {
  return asPartyIn(tx, await lockTradeForParty(tx, actor, id));
}

async function asPartyIn(tx: Tx, found: PartyAccess | NoPartyAccess): Promise<PartyGrant | TradeRefusal> {
  if (!found.ok) return found;
  return { ok: true, member: found.member, party: found.side, trade: await tradeOf(tx, found.trade) };
}

/**
 * The actor as an administrator, who never acts on a trade of their own (OWN_TRADE); room and trade are locked. Their right is
 * read again once they are: it may have been taken while this waited.
 */
export async function requireAdminForTrade(
  tx: Tx,
  actor: Actor,
  id: number,
): Promise<AdminGrant | TradeRefusal> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const trade = await lockTrade(tx, id);
  if (trade === undefined) return refuseAction("TRANSACTION_NOT_FOUND");
  if (sideOf(trade, admin.member.userId) !== undefined) return refuseAction("OWN_TRADE", trade);
  if (!(await isAdministrator(tx, admin.member.userId))) return refuseAction("ADMIN_REQUIRED");
  return { ok: true, member: admin.member, trade };
}

/** Before money moves: an administrator whose password was given within ten minutes (design §4). */
export function requireFreshAdmin(actor: Actor, at: Date): { ok: true; member: Member } | TradeRefusal {
  const admin = requireAdmin(actor);
  return admin.ok ? requireFreshLogin(actor, at) : admin;
}

/** An administrator as payments needs who acts: with everybody they are one pair of eyes with. */
export async function loadPayoutActor(tx: Tx, member: Member, at: Date): Promise<PayoutActor> {
  const { userId } = member;
  return { ...auditAuthorOf(member), ...(await loadReviewer(tx, userId, at)), userId };
}

/** What payments knows of an administrator beside who they are: whose eyes are theirs, and who keeps the right to approve. */
export async function loadReviewer(tx: Tx, userId: number, at: Date): Promise<Omit<PayoutActor, "userId">> {
  return {
    hands: await relatedAdministratorIds(tx, userId, at),
    keepsRight: (who, since) => isAdministratorSince(tx, who, since),
  };
}
