import { eq, sql } from "drizzle-orm";
import { db, type Executor, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { log } from "#db/log";
import { anchorFailuresTable } from "../core/schema.ts";
import { type AnchorPlace, anchorPlace } from "./anchor-place.ts";
import { type KeptHead, keepHead, lastSentHead } from "./kept-heads.ts";
import { sendHead } from "./send-head.ts";
import { type SignedHead, signedHead } from "./sign-head.ts";

const HOUR_MS = 3_600_000;
/** The job looks every ten minutes, which is how soon it tries again; a little less than the time itself, or it would come too late for it. */
const SLACK_MS = 5 * 60_000;
/** After so long without a head sent away administrators are told. */
export const ANCHOR_LATE_HOURS = 3;

/** Sends heads by mail. `to` is null for the administrators' own address. A higher module gives it. */
export type HeadMailer = {
  send(tx: Tx, to: string | null, signed: SignedHead): Promise<void>;
  /** Since when mails with heads have not been delivered; null while the last one was, or is on its way. */
  failingSince(exec: Executor): Promise<Date | null>;
};

let headMailer: HeadMailer | undefined;

/** Says who mails heads; a second one replaces the first. */
export function registerHeadMailer(given: HeadMailer): void {
  headMailer = given;
}

defineJob("audit.anchor", () => anchorHead(currentTime()), { cron: "*/10 * * * *" });

/**
 * Sends the newest head away where an hour has passed since the last one (a day, to the administrators) and the log has moved. A place
 * that fails is tried again ten minutes later; what failed is kept for `readAnchorStatus`.
 */
export async function anchorHead(at: Date): Promise<void> {
  const place = anchorPlace();
  const last = await lastSentHead(db(), place.name);
  const everyMs = place.kind === "administrators" ? 24 * HOUR_MS : HOUR_MS;
  if (last !== undefined && at.getTime() - last.at.getTime() < everyMs - SLACK_MS) return;
  if (last !== undefined && !(await hasLogMovedSince(last))) return;
  const signed = await signedHead();
  if (signed === null) return;
  const kept = { at, block: signed.block, head: signed.head, sentTo: place.name };
  if (place.kind === "post" || place.kind === "s3") {
    try {
      await sendHead(place, signed, at);
    } catch (error) {
      await keepFailure(place, at, error);
      return;
    }
  }
  await runInTransaction(async (tx) => {
    if (place.kind === "mail" || place.kind === "administrators") await mailHead(tx, place, signed);
    await keepHead(tx, kept);
    await tx.delete(anchorFailuresTable).where(eq(anchorFailuresTable.place, place.name));
  });
}

async function mailHead(tx: Tx, place: AnchorPlace, signed: SignedHead): Promise<void> {
  if (headMailer === undefined) throw new Error("audit: nobody mails heads");
  await headMailer.send(tx, place.kind === "mail" ? place.to : null, signed);
}

/** Whether the log holds something since a head but the mails that carried heads: or a silent Midman would mail for ever. */
async function hasLogMovedSince({ block }: KeptHead): Promise<boolean> {
  const [row] = await db().execute<{ moved: boolean }>(sql`
    SELECT EXISTS (
      SELECT FROM audit.blocks b JOIN audit.entries e ON (e.era, e.xid) >= (b.to_era, b.to_xid)
      WHERE b.n = ${block}::bigint AND e.action <> 'mail_sent'
        AND (e.era, e.xid) < (SELECT l.to_era, l.to_xid FROM audit.blocks l ORDER BY l.n DESC LIMIT 1)
    ) AS moved`);
  return row?.moved === true;
}

async function keepFailure(place: AnchorPlace, at: Date, error: unknown): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  log().error({ place: place.kind, reason }, "audit: a head could not be sent away");
  await db()
    .insert(anchorFailuresTable)
    .values({ place: place.name, since: at, triedAt: at, reason })
    .onConflictDoUpdate({ target: anchorFailuresTable.place, set: { triedAt: at, reason } });
}

/** How the sending away stands: where heads go, the last one sent, and since when it fails. */
export type AnchorStatus = {
  kind: AnchorPlace["kind"];
  sent: { at: Date; block: number } | null;
  failing: { since: Date; reason: string | null } | null;
};

/** How the sending to the place in force stands. */
export async function readAnchorStatus(exec: Executor = db()): Promise<AnchorStatus> {
  const place = anchorPlace();
  const last = await lastSentHead(exec, place.name);
  const sent = last === undefined ? null : { at: last.at, block: last.block };
  if (place.kind === "mail" || place.kind === "administrators") {
    const since = (await headMailer?.failingSince(exec)) ?? null;
    return { kind: place.kind, sent, failing: since && { since, reason: null } };
  }
  const [failure] = await exec
    .select()
    .from(anchorFailuresTable)
    .where(eq(anchorFailuresTable.place, place.name));
  return {
    kind: place.kind,
    sent,
    failing: failure === undefined ? null : { since: failure.since, reason: failure.reason },
  };
}

/** Since when no head could be sent away, once that is long enough to tell administrators of; null before. */
export async function anchorLateSince(at: Date): Promise<Date | null> {
  const { failing } = await readAnchorStatus();
  if (failing === null || at.getTime() - failing.since.getTime() < ANCHOR_LATE_HOURS * HOUR_MS) return null;
  return failing.since;
}
