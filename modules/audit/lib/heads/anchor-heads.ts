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
/** The job runs every ten minutes, so an anchoring is due a little before its full interval; otherwise it would run ten minutes late. */
const SLACK_MS = 5 * 60_000;
/** After how many hours without an anchored head administrators are alerted. */
export const ANCHOR_LATE_HOURS = 3;

/** Sends heads by mail; a higher module registers it. `to` is null for the administrators' own address. */
export type HeadMailer = {
  send(tx: Tx, to: string | null, signed: SignedHead): Promise<void>;
  /** Since when mails with heads have not been delivered; null if the last one was delivered or is being sent. */
  failingSince(exec: Executor): Promise<Date | null>;
};

let headMailer: HeadMailer | undefined;

/** Registers the mailer of heads; another call replaces it. */
export function registerHeadMailer(given: HeadMailer): void {
  headMailer = given;
}

defineJob("audit.anchor", () => anchorHead(currentTime()), { cron: "*/10 * * * *" });

/**
 * Sends the newest head to the anchor if an hour has passed since the last one (a day for the administrators) and the log has new entries.
 * A failed attempt is repeated ten minutes later, and is recorded for `readAnchorStatus`.
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

/**
 * True if the log has new entries since a head, other than those of mails: otherwise the mails with heads would cause new mails forever.
 */
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
  log().error({ place: place.kind, reason }, "audit: a head could not be sent to AUDIT_ANCHOR");
  await db()
    .insert(anchorFailuresTable)
    .values({ place: place.name, since: at, triedAt: at, reason })
    .onConflictDoUpdate({ target: anchorFailuresTable.place, set: { triedAt: at, reason } });
}

/** The state of anchoring: where heads are sent, the last one sent, and since when sending fails. */
export type AnchorStatus = {
  kind: AnchorPlace["kind"];
  sent: { at: Date; block: number } | null;
  failing: { since: Date; reason: string | null } | null;
};

/** The state of anchoring for the configured place. */
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

/** Since when no head could be sent, once that exceeds ANCHOR_LATE_HOURS; null before. */
export async function anchorLateSince(at: Date): Promise<Date | null> {
  const { failing } = await readAnchorStatus();
  if (failing === null || at.getTime() - failing.since.getTime() < ANCHOR_LATE_HOURS * HOUR_MS) return null;
  return failing.since;
}
