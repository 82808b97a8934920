import { now } from "#db/clock";
import { startHeartbeat } from "#db/heartbeat";
import { sealEarlierSoon } from "#modules/audit";
import { registerFilterPage, registerIdentityGuard } from "#modules/identity";
import { registerLedgerProof } from "#modules/payments";
import { registerRoomGuards } from "#modules/rooms";
import "./callback.ts";
import { makeGoodChecks } from "./checks.ts";
import "./checks.alarm.ts";
import { collectOwnData } from "./data-of.ts";
import { giveBackGap } from "./deadlines.run.ts";
import { deskAsked } from "./desk.address.ts";
import "./figures.ts";
import { evidencePublicKey } from "./evidence/key.ts";
import { holdNewTrades, identityGuard } from "./going.ts";
import "./holds/follow.ts";
import { roomGuards } from "./guards.ts";
import "./heads/send-heads.ts";
import { measureDeadlines } from "./metrics.ts";
import { proveTrades } from "./proof/prove-trades.ts";
import "./reconciliation.ask.ts";
import "./retention.ts";
import "./stop-invoices.ts";
import { notifySuspension } from "./suspension-notices.ts";

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
  registerFilterPage("transactions", deskAsked);
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
  await makeGoodChecks(now());
  await sealEarlierSoon();
  return startHeartbeat(giveBackGap);
}
