import { and, desc, eq } from "drizzle-orm";
import type { Executor } from "#db/client";
import type { Destination } from "#forms/payments";
import { deviceName } from "#modules/identity";
import { type Payout, payableFrom } from "#modules/payments";
import { destinationOf } from "../../information/bank-account.ts";
import { detailsTable } from "../../information/schema.ts";
import { maskDestination } from "../payouts/recipient.ts";

/** How the holder's name of a new account compares with that of the one before. */
export type HolderMatch = "same" | "partly" | "other";

/** The correction of an account by its owner, for the administrator who approves it. */
export type CorrectionView = {
  /** The earlier account; null once it was erased. */
  before: Destination | null;
  at: string;
  /** The device it was corrected from; null if that was not recorded. */
  device: string | null;
  holder: HolderMatch | null;
  /** No money is paid to the new account before this moment. */
  payableFrom: string;
  /** Who gave the first approval; a second one is still needed while the record is due. */
  firstApproval: { by: string; own: boolean; related: boolean } | null;
};

type Reader = { id: number; relatedAdminIds: readonly number[]; name: (of: number | null) => string | null };

/** The correction of a record's account as an administrator may read it; null if there was none. */
export async function correctionOf(
  exec: Executor,
  record: Payout,
  reader: Reader,
): Promise<CorrectionView | null> {
  const { correctedAt, firstApprovedBy: first, kind, state } = record;
  const from = payableFrom(record);
  if (correctedAt === null || from === null) return null;
  const [now, before] = await exec
    .select()
    .from(detailsTable)
    .where(
      and(
        eq(detailsTable.tradeId, record.reference),
        eq(detailsTable.kind, kind === "payout" ? "bank" : "refund"),
      ),
    )
    .orderBy(desc(detailsTable.version))
    .limit(2);
  const old = before === undefined ? null : destinationOf(before);
  return {
    before: state === "due" ? old : maskDestination(old),
    at: correctedAt.toISOString(),
    device: now?.givenDevice ? describeDevice(now.givenDevice) : null,
    holder: old && record.destination && compareHolders(old.accountName, record.destination.accountName),
    payableFrom: from.toISOString(),
    firstApproval:
      first === null
        ? null
        : {
            by: reader.name(first) ?? "",
            own: first === reader.id,
            related: first !== reader.id && reader.relatedAdminIds.includes(first),
          },
  };
}

/** A device by its browser and system; the user agent itself if neither is known. */
function describeDevice(userAgent: string): string {
  const { browser, system } = deviceName(userAgent);
  return [browser, system].filter((part) => part !== null).join(", ") || userAgent;
}

/** Compares two holders' names, ignoring case, spaces and word order: banks write first and last name in either order. */
export function compareHolders(one: string, other: string): HolderMatch {
  const [a, b] = [one, other].map((name) =>
    name
      .normalize("NFKC")
      .toLowerCase()
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter((word) => word !== "")
      .sort(),
  );
  if (a === undefined || b === undefined || a.length === 0 || b.length === 0) return "other";
  if (a.join(" ") === b.join(" ") || a.join("") === b.join("")) return "same";
  return a.some((word) => word.length > 1 && b.includes(word)) ? "partly" : "other";
}
