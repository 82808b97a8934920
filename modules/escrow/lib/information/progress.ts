import { and, asc, desc, eq } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { keepIdentifiersOfRestricted } from "#modules/identity";
import type { Party, Status, Trade } from "../machine/trade-types.ts";
import {
  type DetailKind,
  type DetailRow,
  detailsTable,
  type InformationRow,
  informationTable,
} from "./schema.ts";

/** The information exchange opens with the payment and stays open through `completed`. */
const exchangeStatuses: readonly Status[] = [
  "payment_confirmed",
  "exchange_completed",
  "settlement_pending",
  "disputed",
  "completed",
];

/** True while the parties of a trade in this status may share and read each other's information. */
export function isExchangeOpen(status: Status): boolean {
  return exchangeStatuses.includes(status);
}

/**
 * True if a party may share text now. A seller who asks to cancel may not: the buyer, who would have the item, could agree and get the money
 * back as well.
 */
export function mayShareInfo(trade: Pick<Trade, "status" | "sellerCancelAt">, side: Party): boolean {
  return isExchangeOpen(trade.status) && (side === "buyer" || trade.sellerCancelAt === null);
}

/** One party's progress, and the latest version of each kind of information that it gave. */
export type SharedInformation = { progress: InformationRow | null } & Partial<Record<DetailKind, DetailRow>>;

/** The information of both parties of a trade. */
export async function sharedInformation(
  exec: Executor,
  tradeId: number,
): Promise<Record<Party, SharedInformation>> {
  const rows = await exec.select().from(informationTable).where(eq(informationTable.tradeId, tradeId));
  const given = await exec
    .selectDistinctOn([detailsTable.kind, detailsTable.side])
    .from(detailsTable)
    .where(eq(detailsTable.tradeId, tradeId))
    .orderBy(asc(detailsTable.kind), asc(detailsTable.side), desc(detailsTable.version));
  const of = (side: Party): SharedInformation => {
    const kinds = given.filter((row) => row.side === side).map((row) => [row.kind, row]);
    return { progress: rows.find((row) => row.side === side) ?? null, ...Object.fromEntries(kinds) };
  };
  return { buyer: of("buyer"), seller: of("seller") };
}

/** The version of what a party has given for the other to read: it grows with every change, and is 0 if nothing was given. */
export function infoVersion({ bank, contact, info }: SharedInformation): number {
  return (bank?.version ?? 0) + (contact?.version ?? 0) + (info?.version ?? 0);
}

/**
 * True if a party has confirmed what the other one gave, in its current version. Without information there is no confirmation, and a change
 * needs a new one. Erasing the information keeps the confirmation.
 */
export function hasConfirmed(both: Record<Party, SharedInformation>, side: Party): boolean {
  const { progress: own } = both[side];
  const theirs = both[side === "buyer" ? "seller" : "buyer"];
  const given = [theirs.progress?.givenAt, theirs.progress?.correctedAt, theirs.progress?.sharedAt];
  const last = Math.max(...given.map((at) => at?.getTime() ?? 0));
  if (own?.confirmedAt == null || last === 0) return false;
  // An older version of Midman, which may still run in parallel, records no version.
  if (own.confirmedVersion === null) return last <= own.confirmedAt.getTime();
  const version = infoVersion(theirs);
  return version === 0 || version === own.confirmedVersion;
}

/** The latest version of one kind; undefined if none was given or it was erased. */
export async function findLatestDetail(exec: Executor, tradeId: number, kind: DetailKind, side: Party) {
  const [row] = await exec
    .select()
    .from(detailsTable)
    .where(and(eq(detailsTable.tradeId, tradeId), eq(detailsTable.kind, kind), eq(detailsTable.side, side)))
    .orderBy(desc(detailsTable.version))
    .limit(1);
  return row;
}

/** What a person gives, without the columns that identify the version. */
export type GivenInformation = Partial<
  Pick<DetailRow, "accountName" | "bankName" | "accountNumber" | "iban" | "phoneNumber" | "email" | "body">
>;

/** Stores the next version of a kind. The caller holds the trade's lock, so versions have no gaps. */
export async function storeInformation(
  tx: Tx,
  to: {
    tradeId: number;
    side: Party;
    kind: DetailKind;
    after: DetailRow | undefined;
    by: number;
    at: Date;
    /** The device from which an account was entered. */
    device?: string;
  },
  given: GivenInformation,
): Promise<void> {
  const { tradeId, side, kind, after, by, at, device = null } = to;
  const version = (after?.version ?? 0) + 1;
  await tx
    .insert(detailsTable)
    .values({ tradeId, side, kind, version, givenBy: by, givenAt: at, givenDevice: device, ...given });
  if (given.accountNumber !== undefined) await keepIdentifiersOfRestricted(tx, by, at);
}

/** True if a person gives what is stored already: a repetition that changes nothing. */
export function isSameInformation(row: DetailRow | undefined, given: GivenInformation): boolean {
  if (row === undefined) return false;
  const fields = [
    "accountName",
    "bankName",
    "accountNumber",
    "iban",
    "phoneNumber",
    "email",
    "body",
  ] as const;
  return fields.every((field) => (row[field] ?? null) === (given[field] ?? null));
}

/** Records a party's progress. The caller holds the trade's lock. */
export async function recordProgress(
  tx: Tx,
  tradeId: number,
  side: Party,
  done: Partial<
    Pick<InformationRow, "givenAt" | "correctedAt" | "sharedAt" | "confirmedAt" | "confirmedVersion">
  >,
): Promise<void> {
  await tx.insert(informationTable).values({ tradeId, side }).onConflictDoNothing();
  await tx
    .update(informationTable)
    .set(done)
    .where(and(eq(informationTable.tradeId, tradeId), eq(informationTable.side, side)));
}
