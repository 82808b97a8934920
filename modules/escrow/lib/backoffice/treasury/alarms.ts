import { db, transaction } from "#db/client";
import { now } from "#db/clock";
import { ownsBooks } from "#db/roles";
import { anchorLateSince, checkSoon, logStanding, record } from "#modules/audit";
import { type Actor, by, type NotAdmin, requireAdmin } from "#modules/identity";
import { checkLedgerSoon, type LedgerCheck, lastLedgerCheck, ledgerStanding } from "#modules/payments";

/**
 * The ledger or the log does not prove itself (`broken`), or nobody has verified it for too long (`missing`). `anchor`: no head of the
 * log could be sent off the machine for hours.
 */
export type Alarm = {
  of: "ledger" | "log" | "anchor";
  state: "broken" | "missing";
  /** ISO 8601. */
  since: string;
};

/** What the nightly verifications ask administrators to look into, the broken first. */
export async function alarms(at: Date): Promise<Alarm[]> {
  const [ledger, log, anchor] = await Promise.all([ledgerStanding(at), logStanding(at), anchorLateSince(at)]);
  const found: Array<[Alarm["of"], Alarm["state"], Date | null]> = [
    ["ledger", "broken", ledger.brokenSince],
    ["log", "broken", log.brokenSince],
    ["ledger", "missing", ledger.missingSince],
    ["log", "missing", log.missingSince],
    ["anchor", "missing", anchor],
  ];
  return found.flatMap(([of, state, since]) =>
    since === null ? [] : [{ of, state, since: since.toISOString() }],
  );
}

/** Has the nights made good that nobody was awake for. */
export async function makeGoodChecks(at: Date): Promise<void> {
  const missing = (await alarms(at)).filter(({ state }) => state === "missing").map(({ of }) => of);
  await transaction(async (tx) => {
    if (missing.includes("ledger")) await checkLedgerSoon(tx);
    if (missing.includes("log")) await checkSoon(tx);
  });
}

/**
 * What the page of the ledger says: the latest verification, null before the first, whether one is missing, and whether one role of the
 * database both owns and uses the books (`oneRole`), which then only triggers protect.
 */
export type LedgerShown = { check: LedgerCheck | null; missing: boolean; oneRole: boolean };

/** The ledger as it was last verified. Refuses AUTH_REQUIRED, ADMIN_REQUIRED. */
export async function ledgerShown(actor: Actor): Promise<{ ok: true; ledger: LedgerShown } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const [check, { missingSince }, oneRole] = await Promise.all([
    lastLedgerCheck(db()),
    ledgerStanding(now()),
    ownsBooks((text) => db().execute(text)),
  ]);
  return { ok: true, ledger: { check, missing: missingSince !== null, oneRole } };
}

/** Has the ledger verified soon, as an administrator; that it was asked for is recorded. Refuses AUTH_REQUIRED, ADMIN_REQUIRED. */
export async function verifyLedgerSoon(actor: Actor): Promise<{ ok: true } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  await transaction(async (tx) => {
    await record(tx, { by: by(actor), action: "ledger_check_asked", at: now() });
    await checkLedgerSoon(tx);
  });
  return { ok: true };
}
