import { eq } from "drizzle-orm";
import { type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { defineJob } from "#db/jobs";
import { recordChange } from "../core/carry-out-effects.ts";
import { lockTrade } from "../core/load-trade.ts";
import { mailTo } from "../notifications/mail-parties.ts";
import { allChecked } from "./rules.ts";
import { vaults } from "./schema.ts";
import { recordsOf } from "./vault-records.ts";
import { checkDue } from "./view.ts";

const job = defineJob<{ id: string }>("escrow.vault_check", ({ id }) => remind(id, now()));

/** Has the buyer reminded once the hour after their opening is over, in the transaction of the opening. */
export function remindLater(tx: Tx, id: string, openedAt: Date): Promise<void> {
  return job.enqueue(tx, { id }, { startAfter: checkDue(openedAt), key: `vault:${id}` });
}

/** Reminds the buyer once, unless all is ticked, the record was replaced or the trade has ended by now. */
async function remind(id: string, at: Date): Promise<void> {
  await transaction(async (tx) => {
    const [seen] = await tx.select({ tradeId: vaults.tradeId }).from(vaults).where(eq(vaults.id, id));
    const trade = seen && (await lockTrade(tx, seen.tradeId));
    if (trade === undefined) return;
    const record = (await recordsOf(tx, trade)).find((one) => one.id === id);
    if (record === undefined || record.destroyedAt !== null || record.remindedAt !== null) return;
    if (record.openedAt === null || allChecked(record)) return;
    await tx.update(vaults).set({ remindedAt: at }).where(eq(vaults.id, id));
    const moment = record.openedAt.toISOString();
    const url = `/chat/${trade.roomId}/vault`;
    await mailTo(tx, trade, "buyer", (reader) => ({
      template: "vaultReminder",
      data: { ...reader, url, moment },
    }));
    await recordChange(tx, trade, { at, by: { userId: null } }, "vault_reminded", {
      version: record.version,
    });
  });
}
