import { eq } from "drizzle-orm";
import { now } from "#db/clock";
import { type Actor, by } from "#modules/identity";
import { broadcastFrame } from "#modules/rooms";
import type { VaultCheckInput } from "../../forms.ts";
import { requireLockedParty } from "../core/authorization.ts";
import { recordChange } from "../core/carry-out-effects.ts";
import { atomically, type Done, type Refused, refused } from "../core/outcomes.ts";
import { checkingRefused } from "./rules.ts";
import { vaults } from "./schema.ts";
import { recordsOf } from "./vault-records.ts";

const columns = { password: "passwordAt", secondFactor: "secondFactorAt", recovery: "recoveryAt" } as const;
const items = ["password", "secondFactor", "recovery"] as const;

/**
 * The buyer says what they have done to make the account their own: each can be ticked alone, and stays. Refuses AUTH_REQUIRED,
 * TRANSACTION_NOT_FOUND, BUYER_ONLY, NOT_PAID_YET, VAULT_EMPTY, VAULT_NOT_OPENED, VAULT_CLOSED.
 */
export function checkVault(actor: Actor, id: number, input: VaultCheckInput): Promise<Done | Refused> {
  const at = now();
  return atomically(async (tx) => {
    const found = await requireLockedParty(tx, actor, id);
    if (!found.ok) return found;
    const { trade, party } = found;
    const record = (await recordsOf(tx, trade)).at(-1);
    const why = checkingRefused(trade, party, record);
    if (why !== null || record === undefined) return refused(why ?? "VAULT_EMPTY", trade);
    const fresh = items.filter((item) => input[item] && record[columns[item]] === null);
    if (fresh.length === 0) return { ok: true, changed: false, trade };
    const done = Object.fromEntries(fresh.map((item) => [columns[item], at]));
    await tx.update(vaults).set(done).where(eq(vaults.id, record.id));
    const data = { version: record.version, done: fresh };
    await recordChange(tx, trade, { at, by: by(actor) }, "vault_checked", data);
    const changed = { transactionId: id, status: trade.status };
    broadcastFrame(tx, trade.roomId, { type: "transaction_update", data: changed });
    return { ok: true, changed: true, trade };
  });
}
