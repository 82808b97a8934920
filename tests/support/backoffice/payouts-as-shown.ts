import type { RulingInput } from "#forms/escrow";
import * as escrow from "#modules/escrow";
import type { Actor } from "#modules/identity";
import { destinationDigest, findPayout, payoutsOf } from "#modules/payments";
import { db } from "../../../db/client.ts";

// As the pages do: who approves, sends or settles says which account they were shown, here the one on record, and who rules confirms
// what they were warned of.

async function shownDestination(payoutId: number): Promise<{ destinationDigest?: string }> {
  const destination = (await findPayout(db(), payoutId))?.destination ?? null;
  return destination === null ? {} : { destinationDigest: destinationDigest(destination) };
}

export async function approvePayout(actor: Actor, id: number, seen?: { destinationDigest?: string }) {
  return escrow.approvePayoutAsAdmin(actor, id, seen ?? (await shownDestination(id)));
}

export async function sendPayout(actor: Actor, id: number, given: { bankReference: string }) {
  return escrow.markPayoutSentAsAdmin(actor, id, { ...(await shownDestination(id)), ...given });
}

export async function settleShownTrade(
  actor: Actor,
  tradeId: number,
  given: { bankReference: string; destinationDigest?: string },
) {
  const all = await payoutsOf(db(), tradeId);
  const due = all
    .filter(({ source, state }) => source === "escrow" && state !== "void")
    .sort((a, b) => a.kind.localeCompare(b.kind));
  const next = due.find(({ state }) => state === "due" || state === "approved") ?? due.at(-1);
  const shown = next?.destination ? { destinationDigest: destinationDigest(next.destination) } : {};
  return escrow.settleTrade(actor, tradeId, { ...shown, ...given });
}

export function ruleDispute(actor: Actor, tradeId: number, input: RulingInput) {
  return escrow.ruleDispute(actor, tradeId, { warningsConfirmed: true, ...input });
}
