import type { Tx } from "#db/client";
import type { AuditActionOf } from "#locales";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import { digestOfHold } from "../proof/sealed-holds.ts";
import type { Hold } from "./schema.ts";

/**
 * Writes the audit entry of a hold that was opened or changed, with its digest. The caller has written the change before. Notes stay out of
 * the log.
 */
export async function recordHold(
  tx: Tx,
  { id, reference, reason, subject }: Pick<Hold, "id" | "reference" | "reason" | "subject">,
  action: AuditActionOf<"hold">,
  { by, at }: { by: AuditActor; at: Date },
  more: Record<string, unknown> = {},
): Promise<void> {
  const trade = { kind: "transaction", id: reference };
  const data = { hold: id, reason, subject, ...more };
  await recordAuditEntry(tx, { by, action: `hold.${action}`, at, subject: trade, data }, digestOfHold(id));
}
