import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import type { ThrottleRefusal } from "#db/throttle/throttle-attempts";
import type { Actor } from "#modules/identity";
import { lockTradeForParty, type NoPartyAccess } from "../core/party-access.ts";
import { stepsTable } from "../core/schema.ts";
import type { Party, Status } from "../machine/trade-types.ts";
import { throttleWrites } from "../notifications/throttles.ts";
import { announceInformation } from "./notify-party.ts";
import {
  findLatestDetail,
  hasConfirmed,
  infoVersion,
  isExchangeOpen,
  isSameInformation,
  mayShareInfo,
  recordProgress,
  sharedInformation,
  storeInformation,
} from "./progress.ts";

/** Most texts that a party may share in one trade; the page shows the last one. */
const MAX_SHARED = 50;

export type ShareInfoResult =
  | { ok: true; changed: boolean }
  | NoPartyAccess
  | ThrottleRefusal
  | { ok: false; code: "INFO_NOT_AVAILABLE" | "CANCELLATION_PENDING" | "INFO_TOO_OFTEN"; current: Status };

/**
 * Shares a party's free text with the other party. The same text again changes nothing; another text replaces it, and the earlier one is
 * kept for a dispute. Refuses THROTTLED, TRANSACTION_NOT_FOUND, INFO_NOT_AVAILABLE, INFO_TOO_OFTEN after 50 texts, and CANCELLATION_PENDING to
 * a seller who asks to cancel: the buyer, who would have the item, could agree and get the money back as well.
 */
export async function shareInfo(
  actor: Actor,
  tradeId: number,
  input: { info: string },
): Promise<ShareInfoResult> {
  const turn = await throttleWrites(actor);
  if (!turn.ok) return turn;
  const at = currentTime();
  return runInTransaction(async (tx) => {
    const found = await lockTradeForParty(tx, actor, tradeId);
    if (!found.ok) return found;
    const { trade, side, member } = found;
    if (!isExchangeOpen(trade.status))
      return { ok: false, code: "INFO_NOT_AVAILABLE", current: trade.status };
    const before = await findLatestDetail(tx, tradeId, "info", side);
    const given = { body: input.info };
    if (isSameInformation(before, given)) return { ok: true, changed: false };
    if (!mayShareInfo(trade, side)) return { ok: false, code: "CANCELLATION_PENDING", current: trade.status };
    if ((before?.version ?? 0) >= MAX_SHARED)
      return { ok: false, code: "INFO_TOO_OFTEN", current: trade.status };
    await storeInformation(tx, { tradeId, side, kind: "info", after: before, by: member.userId, at }, given);
    await recordProgress(tx, tradeId, side, { sharedAt: at });
    const notice = side === "buyer" ? "infoSharedByBuyer" : "infoSharedBySeller";
    await announceInformation(tx, found, { notice, action: "info_shared", data: { event: "shared" }, at });
    return { ok: true, changed: true };
  });
}

export type ConfirmInfoResult =
  | { ok: true; changed: boolean; both: boolean }
  | NoPartyAccess
  | { ok: false; code: "INFO_NOT_AVAILABLE" | "INFO_NOT_SHARED" | "INFO_CHANGED"; current: Status };

/**
 * Records that a party has read and accepted what the other one shared; once both have, the step `exchange_info` is stamped. `version` is
 * the version that was shown, so that nobody confirms what they have not read; anything shared later needs a new confirmation. A repetition
 * changes nothing. Refuses TRANSACTION_NOT_FOUND, INFO_NOT_AVAILABLE, INFO_NOT_SHARED if there is nothing to confirm, and INFO_CHANGED if
 * `version` is not the current one.
 */
export function confirmInfo(
  actor: Actor,
  tradeId: number,
  { version }: { version?: number | undefined } = {},
): Promise<ConfirmInfoResult> {
  const at = currentTime();
  return runInTransaction(async (tx) => {
    const found = await lockTradeForParty(tx, actor, tradeId);
    if (!found.ok) return found;
    const { trade, side } = found;
    if (!isExchangeOpen(trade.status))
      return { ok: false, code: "INFO_NOT_AVAILABLE", current: trade.status };
    const before = await sharedInformation(tx, tradeId);
    const both = hasConfirmed(before, otherParty(side));
    const confirmedVersion = infoVersion(before[otherParty(side)]);
    if (version !== undefined && confirmedVersion > 0 && version !== confirmedVersion) {
      return { ok: false, code: "INFO_CHANGED", current: trade.status };
    }
    if (hasConfirmed(before, side)) return { ok: true, changed: false, both };
    if (confirmedVersion === 0) return { ok: false, code: "INFO_NOT_SHARED", current: trade.status };
    await recordProgress(tx, tradeId, side, { confirmedAt: at, confirmedVersion });
    if (both) await stampExchangeStep(tx, tradeId, at);
    const alone = side === "buyer" ? "infoConfirmedByBuyer" : "infoConfirmedBySeller";
    await announceInformation(tx, found, {
      notice: both ? "infoConfirmedByBoth" : alone,
      action: "info_confirmed",
      data: { event: "confirmed", both, version: confirmedVersion },
      at,
    });
    return { ok: true, changed: true, both };
  });
}

/** The step may be stamped already, as one that `completed` skipped. */
async function stampExchangeStep(tx: Tx, tradeId: number, at: Date): Promise<void> {
  await tx
    .insert(stepsTable)
    .values({ tradeId, step: "exchange_info", completedAt: at })
    .onConflictDoNothing();
}

function otherParty(side: Party): Party {
  return side === "buyer" ? "seller" : "buyer";
}
