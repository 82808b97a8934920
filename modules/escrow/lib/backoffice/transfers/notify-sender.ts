import { type Tx, transaction } from "#db/client";
import { type Actor, by, findPeople } from "#modules/identity";
import { queuePush } from "#modules/mailer";
import { type Payout, payout, type Stepped } from "#modules/payments";
import { requireAdminForTrade } from "../../core/authorization.ts";
import { recordChange } from "../../core/carry-out-effects.ts";
import type { Trade } from "../../machine/trade-types.ts";
import { tellAdministrators } from "../../notifications/tell-administrators.ts";

type Event = "transferTaken" | "transferAttempted" | "transferReported";

/** Tells the devices of whoever makes a transfer what another administrator did about it. */
export async function tellSender(
  tx: Tx,
  { code }: Pick<Trade, "code">,
  { payoutId, to, from, event }: { payoutId: number; to: number; from: number; event: Event },
): Promise<void> {
  const who = await findPeople(tx, [from]);
  const params = { code, other: who.get(from)?.displayName ?? "" };
  await queuePush(tx, { userId: to, event, params, url: `/admin/payouts/${payoutId}` });
}

/** A step that may take a transfer from whoever was making it, and then tells them. */
export async function tellingSender(
  tx: Tx,
  trade: Pick<Trade, "code">,
  payoutId: number,
  userId: number,
  take: () => Promise<Stepped>,
): Promise<Stepped> {
  const before = await payout(tx, payoutId);
  const stepped = await take();
  if (stepped.ok && before?.claimedBy && before.claimedBy !== userId) {
    await tellSender(tx, trade, { payoutId, to: before.claimedBy, from: userId, event: "transferTaken" });
  }
  return stepped;
}

/**
 * Somebody entered a bank number for a transfer that another is making: they may have made it too. That one is told at once, and the
 * log keeps the attempt, since the refusal itself wrote nothing.
 */
export function tellAttempt(actor: Actor, seen: Payout, at: Date): Promise<void> {
  return transaction(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, seen.reference);
    const record = await payout(tx, seen.id);
    if (!found.ok || record === null || record.claimedBy === null) return;
    const { trade, member } = found;
    if (record.claimedBy === member.userId) return;
    const data = { payout: record.id, claimedBy: record.claimedBy };
    await recordChange(tx, trade, { at, by: by(actor) }, "refused_transfer", data);
    const to = { payoutId: record.id, to: record.claimedBy, from: member.userId };
    await tellSender(tx, trade, { ...to, event: "transferAttempted" });
  });
}

/**
 * Every administrator hears, by mail and on their devices, that a transfer which the books had as sent was not: else one of them
 * alone could deny it and pay again.
 */
export async function tellFoundUnsent(tx: Tx, { code }: Pick<Trade, "code">, fresh: Payout): Promise<void> {
  const url = `/admin/payouts/${fresh.id}`;
  const letter = {
    template: "adminTask" as const,
    data: { task: "notSent" as const, code, detail: "", url },
  };
  const occasion = { event: "transferNotSent" as const, params: { code } };
  await tellAdministrators(tx, letter, { once: `not_sent:${fresh.id}`, occasion, url });
}
