import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import { type Actor, auditAuthorOf } from "#modules/identity";
import { postNotice } from "#modules/rooms";
import type { VaultInput } from "../../forms.ts";
import { applyCommand } from "../core/apply-command.ts";
import { requireLockedParty } from "../core/authorization.ts";
import { recordChange } from "../core/carry-out-effects.ts";
import { refuseAction, runAtomically } from "../core/outcomes.ts";
import type { Trade } from "../machine/trade-types.ts";
import { mailParty, nothingMoved } from "../notifications/mail-parties.ts";
import { sealRecord, type VaultValues } from "./cipher.ts";
import { readRecord } from "./read-record.ts";
import { sealingRefused } from "./rules.ts";
import { vaultKeysTable, vaultsTable } from "./schema.ts";
import { recordsOf, shredVault, type VaultRecord } from "./vault-records.ts";

/** Records that one seller may seal per hour; each notifies the buyer again. */
const sealVaultLimit = { max: 20, seconds: 3_600 };

/**
 * The seller seals what the buyer is to get, which is the handover. Another record replaces the earlier one, whose key and text are
 * destroyed; its times stay. The same values under the same `clientId` change nothing. Refuses AUTH_REQUIRED, TRANSACTION_NOT_FOUND,
 * SELLER_ONLY, NOT_PAID_YET, VAULT_CLOSED once the buyer has confirmed a handover or a dispute is open, CANCELLATION_PENDING, TRADE_ON_HOLD
 * while the trade is checked, VAULT_CHANGED if the record of the same `clientId` was replaced since, THROTTLED.
 */
export async function sealVault(actor: Actor, id: number, input: VaultInput) {
  const at = currentTime();
  const { clientId = null, ...given } = input;
  const values = pickFilledValues(given);
  if (actor.kind === "user") {
    const turn = await takeThrottledAttempt(`escrow.vault_seal:${actor.userId}`, sealVaultLimit, at);
    if (!turn.ok) return turn;
  }
  return runAtomically(async (tx) => {
    const found = await requireLockedParty(tx, actor, id);
    if (!found.ok) return found;
    const { trade, party } = found;
    const why = sealingRefused(trade, party);
    if (why !== null) return refuseAction(why, trade);
    const records = await recordsOf(tx, trade);
    const earlier = clientId === null ? undefined : records.find((one) => one.clientId === clientId);
    const before = records.at(-1);
    // Also if the form was edited since: its answer may have been lost on the way, and the form was sent again.
    const isRepetition = earlier !== undefined && before !== undefined && before.destroyedAt === null;
    if (isRepetition && isDeepStrictEqual(await readRecord(tx, before), values)) {
      return { ok: true, changed: false, trade };
    }
    // It was replaced since: what this form holds is not in the vault, and must not replace what is.
    if (earlier !== undefined && earlier.destroyedAt !== null) return refuseAction("VAULT_CHANGED", trade);
    const changeContext = { at, by: auditAuthorOf(actor) };
    await shredVault(tx, trade, at);
    const version = (before?.version ?? 0) + 1;
    // A form that was edited and sent again under the same id is a record of its own.
    await insertVaultRecord(tx, values, {
      ...{ id: randomUUID(), tradeId: id, version, sealedBy: found.member.userId, sealedAt: at },
      clientId: earlier === undefined ? clientId : null,
    });
    await recordChange(tx, trade, changeContext, "vault_sealed", { version, replaced: before !== undefined });
    const done = await applyCommand(
      tx,
      trade,
      { kind: "hand_over", note: null, inVault: true, who: "seller" },
      changeContext,
    );
    if (!done.ok) throw new Error(`escrow: trade ${id} may be sealed, but not handed over: ${done.code}`);
    // A handover that this step recorded has a notice of its own, which names the vault.
    if (!done.changed) await announceSealing(tx, done.trade, before, at);
    return { ...done, changed: true };
  });
}

type NewVaultRecord = Pick<VaultRecord, "id" | "tradeId" | "version" | "sealedBy" | "sealedAt" | "clientId">;

async function insertVaultRecord(tx: Tx, values: VaultValues, record: NewVaultRecord): Promise<void> {
  const { key, body } = sealRecord(values, record);
  await tx.insert(vaultsTable).values({ ...record, body });
  await tx.insert(vaultKeysTable).values({ vaultId: record.id, key });
}

/** The vault was filled, or filled again, after the handover. A buyer who opened the earlier record gets an email, to open the new one. */
async function announceSealing(
  tx: Tx,
  trade: Trade,
  before: VaultRecord | undefined,
  at: Date,
): Promise<void> {
  if (before?.openedAt != null) {
    await mailParty(tx, trade, { to: "buyer", template: "handedOver" }, nothingMoved);
  }
  const params = { transactionId: trade.id, code: trade.code, by: "seller" };
  const code = before === undefined ? "vaultSealed" : "vaultSealedAnew";
  await postNotice(tx, { roomId: trade.roomId, code, params, at });
}

function pickFilledValues(given: VaultValues): VaultValues {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
