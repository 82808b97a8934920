import { eq } from "drizzle-orm";
import { z } from "zod";
import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { recordChange } from "../core/carry-out-effects.ts";
import { lockTrade } from "../core/load-trade.ts";
import { mailTo } from "../notifications/mail-parties.ts";
import { allChecked } from "./rules.ts";
import { vaultsTable } from "./schema.ts";
import { recordsOf } from "./vault-records.ts";
import { checkDue } from "./view.ts";

const reminderJob = defineJob("escrow.vault_check", z.object({ id: z.string() }), ({ id }) =>
  remindBuyer(id, currentTime()),
);

/** Schedules the buyer's reminder for the end of the hour after the opening, in the transaction of the opening. */
export function remindLater(tx: Tx, id: string, openedAt: Date): Promise<void> {
  return reminderJob.enqueue(tx, { id }, { startAfter: checkDue(openedAt), key: `vault:${id}` });
}

/** Reminds the buyer once, unless every item is ticked, the record was replaced or the trade has ended by now. */
async function remindBuyer(id: string, at: Date): Promise<void> {
  await runInTransaction(async (tx) => {
    const [seen] = await tx
      .select({ tradeId: vaultsTable.tradeId })
      .from(vaultsTable)
      .where(eq(vaultsTable.id, id));
    const trade = seen && (await lockTrade(tx, seen.tradeId));
    if (trade === undefined) return;
    const record = (await recordsOf(tx, trade)).find((one) => one.id === id);
    if (record === undefined || record.destroyedAt !== null || record.remindedAt !== null) return;
    if (record.openedAt === null || allChecked(record)) return;
    await tx.update(vaultsTable).set({ remindedAt: at }).where(eq(vaultsTable.id, id));
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
