import { runInSnapshot, type Tx } from "#db/client";
import {
  type Actor,
  auditAuthorOf,
  isAdministrator,
  isAdministratorSince,
  type Member,
  type NotAdmin,
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
/** Why `requireAdminForTrade` refuses. */
export type NoAdminGrant = NotAdmin | TradeRefusal<"TRANSACTION_NOT_FOUND" | "OWN_TRADE" | "ADMIN_REQUIRED">;

/** Loads a trade for one of its two parties, read from one snapshot. Refuses TRANSACTION_NOT_FOUND to anyone else. */
export function requireParty(actor: Actor, id: number): Promise<PartyGrant | NoPartyAccess> {
  return runInSnapshot(async (tx) => asPartyIn(tx, await findTradeForParty(tx, actor, id)));
}

/** Like `requireParty`, for a change: locks the room and the trade. */
export async function requireLockedParty(
  tx: Tx,
  actor: Actor,
  id: number,
): Promise<PartyGrant | NoPartyAccess> {
  return asPartyIn(tx, await lockTradeForParty(tx, actor, id));
}

async function asPartyIn(tx: Tx, found: PartyAccess | NoPartyAccess): Promise<PartyGrant | NoPartyAccess> {
  if (!found.ok) return found;
  return { ok: true, member: found.member, party: found.side, trade: await tradeOf(tx, found.trade) };
}

/**
 * Requires an administrator who is not a party to the trade (OWN_TRADE), and locks room and trade. Reads the administrator's right again
 * under the locks, because it may have been revoked while this waited. Refuses also AUTH_REQUIRED, ADMIN_REQUIRED and
 * TRANSACTION_NOT_FOUND.
 */
export async function requireAdminForTrade(
  tx: Tx,
  actor: Actor,
  id: number,
): Promise<AdminGrant | NoAdminGrant> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const trade = await lockTrade(tx, id);
  if (trade === undefined) return refuseAction("TRANSACTION_NOT_FOUND");
  if (sideOf(trade, admin.member.userId) !== undefined) return refuseAction("OWN_TRADE", trade);
  if (!(await isAdministrator(tx, admin.member.userId))) return refuseAction("ADMIN_REQUIRED");
  return { ok: true, member: admin.member, trade };
}

/** Why `requireFreshAdmin` refuses. */
export type NotFreshAdmin = NotAdmin | { ok: false; code: "REAUTH_REQUIRED" };

/** Requires an administrator who signed in within the last ten minutes, as every step that moves money does. */
export function requireFreshAdmin(actor: Actor, at: Date): { ok: true; member: Member } | NotFreshAdmin {
  const admin = requireAdmin(actor);
  return admin.ok ? requireFreshLogin(actor, at) : admin;
}

/** An administrator as `payments` needs them, with the administrators who count as the same reviewer under the four-eyes rule. */
export async function loadPayoutActor(tx: Tx, member: Member, at: Date): Promise<PayoutActor> {
  const { userId } = member;
  return { ...auditAuthorOf(member), ...(await loadReviewer(tx, userId, at)), userId };
}

/**
 * What the four-eyes rule needs to know of an administrator: who counts as the same reviewer (`relatedAdminIds`), and who has kept the right to
 * approve (`keepsRight`).
 */
export async function loadReviewer(tx: Tx, userId: number, at: Date): Promise<Omit<PayoutActor, "userId">> {
  return {
    relatedAdminIds: await relatedAdministratorIds(tx, userId, at),
    keepsRight: (who, since) => isAdministratorSince(tx, who, since),
  };
}
