import { runInTransaction, type Tx } from "#db/client";
import { type Actor, auditAuthorOf, findPeople } from "#modules/identity";
import { queuePush } from "#modules/mailer";
import { findPayout, type Payout, type PayoutRecordResult, type PayoutRefusal } from "#modules/payments";
import { requireAdminForTrade } from "../../core/authorization.ts";
import { recordChange } from "../../core/carry-out-effects.ts";
import type { Trade } from "../../machine/trade-types.ts";
import { alertAdministrators } from "../../notifications/alert-administrators.ts";

type Event = "transferTaken" | "transferAttempted" | "transferReported";

/** Pushes to the administrator who makes a transfer (`to`) what another one (`from`) did about it. */
export async function notifySender(
  tx: Tx,
  { code }: Pick<Trade, "code">,
  { payoutId, to, from, event }: { payoutId: number; to: number; from: number; event: Event },
): Promise<void> {
  const who = await findPeople(tx, [from]);
  const params = { code, other: who.get(from)?.displayName ?? "" };
  await queuePush(tx, { userId: to, event, params, url: `/admin/payouts/${payoutId}` });
}

/** Runs a step that may take a transfer from the administrator who was making it, and then notifies them. */
export async function notifySenderAfter<Code extends PayoutRefusal>(
  tx: Tx,
  trade: Pick<Trade, "code">,
  payoutId: number,
  userId: number,
  take: () => Promise<PayoutRecordResult<Code>>,
): Promise<PayoutRecordResult<Code>> {
  const before = await findPayout(tx, payoutId);
  const stepped = await take();
  if (stepped.ok && before?.claimedBy && before.claimedBy !== userId) {
    await notifySender(tx, trade, { payoutId, to: before.claimedBy, from: userId, event: "transferTaken" });
  }
  return stepped;
}

/**
 * Handles an administrator's bank reference for a transfer that another one is making: both may have made it. Notifies the other one at
 * once, and records the attempt in the audit log, since the refusal itself wrote nothing.
 */
export function notifyAttempt(actor: Actor, seen: Payout, at: Date): Promise<void> {
  return runInTransaction(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, seen.reference);
    const record = await findPayout(tx, seen.id);
    if (!found.ok || record === null || record.claimedBy === null) return;
    const { trade, member } = found;
    if (record.claimedBy === member.userId) return;
    const data = { payout: record.id, claimedBy: record.claimedBy };
    await recordChange(tx, trade, { at, by: auditAuthorOf(actor) }, "refused_transfer", data);
    const to = { payoutId: record.id, to: record.claimedBy, from: member.userId };
    await notifySender(tx, trade, { ...to, event: "transferAttempted" });
  });
}

/**
 * Notifies every administrator, by mail and push, that a transfer was not sent although the ledger had it as sent: otherwise one of them
 * alone could deny it and pay again.
 */
export async function notifyFoundUnsent(tx: Tx, { code }: Pick<Trade, "code">, fresh: Payout): Promise<void> {
  const url = `/admin/payouts/${fresh.id}`;
  const letter = {
    template: "adminTask" as const,
    data: { task: "notSent" as const, code, detail: "", url },
  };
  const occasion = { event: "transferNotSent" as const, params: { code } };
  await alertAdministrators(tx, letter, { once: `not_sent:${fresh.id}`, occasion, url });
}
