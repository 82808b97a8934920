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
 * Registers escrow's guards of rooms and accounts, its part of a person's data export, and its proof of the ledger. Must run before jobs
 * start, because a job may end a room only while the guards are registered. Returns a function that removes them.
 */
export function registerEscrow(): () => void {
  const withdrawn = [
    registerRoomGuards(roomGuards),
    registerIdentityGuard(identityGuard),
    registerIdentityGuard({ holdNewTrades, notifySuspension }),
    collectOwnData(),
    registerTradeProof(),
    registerFilterPage("transactions", readSavedFilter),
  ];
  return () => {
    for (const withdraw of withdrawn) withdraw();
  };
}

/**
 * Makes the ledger's verification prove every trade's status against its escrow. Commands that only verify call this without
 * `registerEscrow`. Returns a function that removes it.
 */
export function registerTradeProof(): () => void {
  return registerLedgerProof("trades", proveTrades);
}

/** Watches for gaps in which Midman was not running, and extends deadlines by them. Returns a function that stops it. */
export async function startEscrow(): Promise<() => void> {
  measureDeadlines();
  await evidencePublicKey(); // from the first start on, an encrypted value shows which ENCRYPTION_KEY is this database's
  await runMissedChecks(currentTime());
  await enqueueSealEarlier();
  return startHeartbeat(extendAfterGap);
}
