import { db } from "#db/client";
import { isAdministratorSince } from "#modules/identity";
import { isApprovalLost, type Payout } from "#modules/payments";

/** Why a step is another administrator's than the reader's: they did the one before it, or are one pair of eyes with who did. */
export type Bar = "own" | "related" | null;

type Reader = { id: number; hands: readonly number[]; name: (of: number | null) => string | null };

/** True where the transfer was claimed before a moment. */
export function claimedBefore({ claimedAt }: Payout, moment: Date | null): boolean {
  return claimedAt !== null && moment !== null && claimedAt < moment;
}

/** Whether an approval no longer counts, since who gave it, or the first of two, has lost the right they gave it by. */
export async function hasLapsed(record: Payout): Promise<boolean> {
  if (record.state !== "approved") return false;
  return isApprovalLost(record, (who, since) => isAdministratorSince(db(), who, since));
}

/** Who says that they had already sent it when another took it over. */
export function reportOf({ reportedBy: by, reportedAt, reportedReference }: Payout, reader: Reader) {
  if (by === null || reportedAt === null || reportedReference === null) return null;
  return {
    by: reader.name(by) ?? "",
    own: by === reader.id,
    at: reportedAt.toISOString(),
    reference: reportedReference,
  };
}

/** Of what was sent: who sent it, or says they had, neither sees it on the statement nor denies it. */
export function barOf({ state, sentBy, reportedBy: reported }: Payout, { id, hands }: Reader): Bar {
  if (state !== "sent" && state !== "unknown") return null;
  const others = [sentBy, reported].filter((one) => one !== null);
  if (others.includes(id)) return "own";
  return others.some((one) => hands.includes(one)) ? "related" : null;
}
