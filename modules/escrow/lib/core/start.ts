import { currentTime } from "#db/clock";
import { startHeartbeat } from "#db/startup/heartbeat";
import { enqueueSealEarlier } from "#modules/audit";
import { registerFilterPage, registerIdentityGuard } from "#modules/identity";
import { registerLedgerProof } from "#modules/payments";
import { registerRoomGuards } from "#modules/rooms";
import "../payment/provider-callback.ts";
import { runMissedChecks } from "../backoffice/treasury/alarms.ts";
import "../backoffice/treasury/alarm-mails.ts";
import { readSavedFilter } from "../backoffice/transactions/list-query.ts";
import { extendAfterGap } from "../deadlines/run-deadlines.ts";
import { collectOwnData } from "../privacy/collect-own-data.ts";
import "../backoffice/figures/figures.ts";
import { evidencePublicKey } from "../evidence/signing-key.ts";
import { holdNewTrades, identityGuard } from "../privacy/account-deletion-guard.ts";
import "../holds/follow-hold.ts";
import { roomGuards } from "../trade/room-guards.ts";
import "../heads/send-heads.ts";
import { measureDeadlines } from "../deadlines/metrics.ts";
import { proveTrades } from "../proof/prove-trades.ts";
import "../backoffice/reconciliation/ask-provider.ts";
import "../privacy/apply-retention.ts";
import "../payment/stop-invoices.ts";
import { notifySuspension } from "../notifications/suspension-notices.ts";

/**
 * Registers what escrow has to say about rooms and people, and what it keeps about them. Called before jobs start: a job may
 * end a room only where escrow can be asked. Answers what withdraws it.
 */
export function registerEscrow(): () => void {
  const withdrawn = [
    registerRoomGuards(roomGuards),
    registerIdentityGuard(identityGuard),
    registerIdentityGuard({ holdNewTrades, notifySuspension }),
    collectOwnData(),
    registerTradeProof(),
  ];
  registerFilterPage("transactions", readSavedFilter);
  return () => {
    for (const withdraw of withdrawn) withdraw();
  };
}

/** Has the ledger's verification prove every trade's status against its escrow. Commands that verify alone call it by itself. */
export function registerTradeProof(): () => void {
  return registerLedgerProof("trades", proveTrades);
}

/** Watches for gaps in our own running, by which deadlines are extended. Answers what stops it. */
export async function startEscrow(): Promise<() => void> {
  measureDeadlines();
  await evidencePublicKey(); // from the first start on something sealed shows which key is this database's
  await runMissedChecks(currentTime());
  await enqueueSealEarlier();
  return startHeartbeat(extendAfterGap);
}
