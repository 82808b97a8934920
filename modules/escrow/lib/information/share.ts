import { type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import type { Throttled } from "#db/throttle";
import type { Actor } from "#modules/identity";
import { lockTradeForParty, type NoPartyAccess } from "../core/party-access.ts";
import { steps } from "../core/schema.ts";
import type { Party, Status } from "../machine/trade-types.ts";
import { paced } from "../notifications/throttles.ts";
import { tell } from "./notify-party.ts";
import {
  exchangeOpen,
  hasConfirmed,
  infoVersion,
  latest,
  progress,
  same,
  sharedInformation,
  storeInformation,
} from "./progress.ts";

/** So many texts a side may share in one trade; the page shows the last one. */
const MAX_SHARED = 50;

export type Shared =
  | { ok: true; changed: boolean }
  | NoPartyAccess
  | Throttled
  | { ok: false; code: "INFO_NOT_AVAILABLE" | "INFO_TOO_OFTEN"; current: Status };

/**
 * Shares a side's free text with the other. The same text again changes nothing; another one takes its place, the former
 * being kept for a dispute. Refuses: THROTTLED, TRANSACTION_NOT_FOUND, INFO_NOT_AVAILABLE, INFO_TOO_OFTEN after 50 texts.
 */
export async function shareInfo(actor: Actor, tradeId: number, input: { info: string }): Promise<Shared> {
  const turn = await paced(actor);
  if (!turn.ok) return turn;
  const at = now();
  return transaction(async (tx) => {
    const found = await lockTradeForParty(tx, actor, tradeId);
    if (!found.ok) return found;
    const { trade, side, member } = found;
    if (!exchangeOpen(trade.status)) return { ok: false, code: "INFO_NOT_AVAILABLE", current: trade.status };
    const before = await latest(tx, tradeId, "info", side);
    const given = { body: input.info };
    if (same(before, given)) return { ok: true, changed: false };
    if ((before?.version ?? 0) >= MAX_SHARED)
      return { ok: false, code: "INFO_TOO_OFTEN", current: trade.status };
    await storeInformation(tx, { tradeId, side, kind: "info", after: before, by: member.userId, at }, given);
    await progress(tx, tradeId, side, { sharedAt: at });
    const notice = side === "buyer" ? "infoSharedByBuyer" : "infoSharedBySeller";
    await tell(tx, found, { notice, action: "info_shared", data: { event: "shared" }, at });
    return { ok: true, changed: true };
  });
}

export type ConfirmedInfo =
  | { ok: true; changed: boolean; both: boolean }
  | NoPartyAccess
  | { ok: false; code: "INFO_NOT_AVAILABLE" | "INFO_NOT_SHARED" | "INFO_CHANGED"; current: Status };

/**
 * Records that a side has seen and accepted what the other one shared; once both have, the step `exchange_info` is stamped. `version`
 * is that of the information that was shown, so that nobody confirms what they have not read; whatever is shared afterwards is to be
 * confirmed again. Repeating it changes nothing. Refuses: TRANSACTION_NOT_FOUND, INFO_NOT_AVAILABLE, INFO_NOT_SHARED while there is
 * nothing to confirm, INFO_CHANGED.
 */
export function confirmInfo(
  actor: Actor,
  tradeId: number,
  { version }: { version?: number | undefined } = {},
): Promise<ConfirmedInfo> {
  const at = now();
  return transaction(async (tx) => {
    const found = await lockTradeForParty(tx, actor, tradeId);
    if (!found.ok) return found;
    const { trade, side } = found;
    if (!exchangeOpen(trade.status)) return { ok: false, code: "INFO_NOT_AVAILABLE", current: trade.status };
    const before = await sharedInformation(tx, tradeId);
    const both = hasConfirmed(before, other(side));
    if (hasConfirmed(before, side)) return { ok: true, changed: false, both };
    const confirmedVersion = infoVersion(before[other(side)]);
    if (confirmedVersion === 0) return { ok: false, code: "INFO_NOT_SHARED", current: trade.status };
    if (version !== undefined && version !== confirmedVersion) {
      return { ok: false, code: "INFO_CHANGED", current: trade.status };
    }
    await progress(tx, tradeId, side, { confirmedAt: at, confirmedVersion });
    if (both) await stamp(tx, tradeId, at);
    const alone = side === "buyer" ? "infoConfirmedByBuyer" : "infoConfirmedBySeller";
    await tell(tx, found, {
      notice: both ? "infoConfirmedByBoth" : alone,
      action: "info_confirmed",
      data: { event: "confirmed", both, version: confirmedVersion },
      at,
    });
    return { ok: true, changed: true, both };
  });
}

/** The step may have been stamped before, as one that `completed` skipped. */
async function stamp(tx: Tx, tradeId: number, at: Date): Promise<void> {
  await tx.insert(steps).values({ tradeId, step: "exchange_info", completedAt: at }).onConflictDoNothing();
}

function other(side: Party): Party {
  return side === "buyer" ? "seller" : "buyer";
}
