import { db } from "#db/client";
import { isAdministratorSince } from "#modules/identity";
import { isApprovalLost, type Payout } from "#modules/payments";

/**
 * Why another administrator than the reader must take a step: the reader took the step before it (`own`), or counts as the same reviewer as
 * who did (`related`).
 */
export type Bar = "own" | "related" | null;

type Reader = { id: number; relatedAdminIds: readonly number[]; name: (of: number | null) => string | null };

/** True if the transfer was claimed before a moment. */
export function claimedBefore({ claimedAt }: Payout, moment: Date | null): boolean {
  return claimedAt !== null && moment !== null && claimedAt < moment;
}

/** True if an approval no longer counts, because its approver, or the first of two, has lost the right they approved by. */
export async function hasLapsed(record: Payout): Promise<boolean> {
  if (record.state !== "approved") return false;
  return isApprovalLost(record, (who, since) => isAdministratorSince(db(), who, since));
}

/** The report of an administrator who had already sent the transfer when another took it over; null if there is none. */
export function reportOf({ reportedBy: by, reportedAt, reportedReference }: Payout, reader: Reader) {
  if (by === null || reportedAt === null || reportedReference === null) return null;
  return {
    by: reader.name(by) ?? "",
    own: by === reader.id,
    at: reportedAt.toISOString(),
    reference: reportedReference,
  };
}

/** Who sent a transfer, or reported it as already sent, may record neither that it was seen on the statement nor that it was not sent. */
export function barOf({ state, sentBy, reportedBy: reported }: Payout, { id, relatedAdminIds }: Reader): Bar {
  if (state !== "sent" && state !== "unknown") return null;
  const others = [sentBy, reported].filter((one) => one !== null);
  if (others.includes(id)) return "own";
  return others.some((one) => relatedAdminIds.includes(one)) ? "related" : null;
}
