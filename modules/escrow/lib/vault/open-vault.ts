import { eq } from "drizzle-orm";
import { currentTime } from "#db/clock";
import { takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import { formatTime } from "#format";
import { type Actor, auditAuthorOf } from "#modules/identity";
import { postNotice } from "#modules/rooms";
import { applyCommand } from "../core/apply-command.ts";
import { requireLockedParty } from "../core/authorization.ts";
import { broadcastTradeUpdate } from "../core/broadcast-update.ts";
import { recordChange } from "../core/carry-out-effects.ts";
import { refuseAction, runAtomically } from "../core/outcomes.ts";
import { readRecord } from "./read-record.ts";
import { remindLater } from "./remind-buyer.ts";
import { openingRefused } from "./rules.ts";
import { vaultsTable } from "./schema.ts";
import { recordsOf } from "./vault-records.ts";

const openVaultLimit = { max: 30, seconds: 3_600 };

/**
 * The buyer opens the vault. The first opening is recorded and announced to both parties in the room, starts the hour of the checklist, and
 * ends an earlier request of the seller to cancel, all in the same transaction; each later one is counted in the log. An opening that
 * returned nothing is not recorded. Refuses AUTH_REQUIRED, TRANSACTION_NOT_FOUND (also to administrators: only the buyer ever reads it),
 * BUYER_ONLY (also to the seller, so that a stolen session of theirs reveals nothing), NOT_PAID_YET, VAULT_EMPTY, VAULT_CLOSED after the
 * end, VAULT_UNREADABLE, THROTTLED, and for the first opening DISPUTE_OPEN, CANCELLATION_PENDING (the buyer's own request) and TRADE_ON_HOLD
 * while the payment is checked.
 */
export async function openVault(actor: Actor, id: number) {
  const at = currentTime();
  if (actor.kind === "user") {
    const turn = await takeThrottledAttempt(`escrow.vault_open:${actor.userId}`, openVaultLimit, at);
    if (!turn.ok) return turn;
  }
  return runAtomically(async (tx) => {
    const found = await requireLockedParty(tx, actor, id);
    if (!found.ok) return found;
    const { trade, party } = found;
    const record = (await recordsOf(tx, trade)).at(-1);
    const why = openingRefused(trade, party, record);
    if (why !== null || record === undefined) return refuseAction(why ?? "VAULT_EMPTY", trade);
    const values = await readRecord(tx, record);
    if (values === undefined) return refuseAction("VAULT_UNREADABLE", trade);
    const count = record.openedCount + 1;
    const openedAt = record.openedAt ?? at;
    const first = record.openedAt === null;
    await tx.update(vaultsTable).set({ openedAt, openedCount: count }).where(eq(vaultsTable.id, record.id));
    await recordChange(tx, trade, { at, by: auditAuthorOf(actor) }, "vault_opened", {
      version: record.version,
      count,
    });
    if (first) {
      await applyCommand(tx, trade, { kind: "take_goods", who: "buyer" }, { at, by: auditAuthorOf(actor) });
      await remindLater(tx, record.id, openedAt);
      const params = { transactionId: id, code: trade.code, time: formatTime(openedAt), by: party };
      await postNotice(tx, { roomId: trade.roomId, code: "vaultOpened", params, at });
      broadcastTradeUpdate(tx, trade);
    }
    return { ok: true, values, openedAt, first } as const;
  });
}
