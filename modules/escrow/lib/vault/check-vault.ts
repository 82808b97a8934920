import { eq } from "drizzle-orm";
import { currentTime } from "#db/clock";
import { type Actor, auditAuthorOf } from "#modules/identity";
import type { VaultCheckInput } from "../../forms.ts";
import { requireLockedParty } from "../core/authorization.ts";
import { broadcastTradeUpdate } from "../core/broadcast-update.ts";
import { recordChange } from "../core/carry-out-effects.ts";
import { refuseAction, runAtomically } from "../core/outcomes.ts";
import { checkingRefused } from "./rules.ts";
import { vaultsTable } from "./schema.ts";
import { recordsOf } from "./vault-records.ts";

const checklistColumns = {
  password: "passwordAt",
  secondFactor: "secondFactorAt",
  recovery: "recoveryAt",
} as const;
const checklistItems = ["password", "secondFactor", "recovery"] as const;

/**
 * The buyer ticks what they have done to secure the account. Each item can be ticked alone, and stays ticked. Refuses AUTH_REQUIRED,
 * TRANSACTION_NOT_FOUND, BUYER_ONLY, NOT_PAID_YET, VAULT_EMPTY, VAULT_NOT_OPENED, VAULT_CLOSED.
 */
export function checkVault(actor: Actor, id: number, input: VaultCheckInput) {
  const at = currentTime();
  return runAtomically(async (tx) => {
    const found = await requireLockedParty(tx, actor, id);
    if (!found.ok) return found;
    const { trade, party } = found;
    const record = (await recordsOf(tx, trade)).at(-1);
    const why = checkingRefused(trade, party, record);
    if (why !== null || record === undefined) return refuseAction(why ?? "VAULT_EMPTY", trade);
    const fresh = checklistItems.filter((item) => input[item] && record[checklistColumns[item]] === null);
    if (fresh.length === 0) return { ok: true, changed: false, trade };
    const done = Object.fromEntries(fresh.map((item) => [checklistColumns[item], at]));
    await tx.update(vaultsTable).set(done).where(eq(vaultsTable.id, record.id));
    const data = { version: record.version, done: fresh };
    await recordChange(tx, trade, { at, by: auditAuthorOf(actor) }, "vault_checked", data);
    broadcastTradeUpdate(tx, trade);
    return { ok: true, changed: true, trade };
  });
}
