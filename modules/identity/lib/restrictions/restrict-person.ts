import { eq } from "drizzle-orm";
import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { daySpan } from "#format";
import { recordAuditEntry } from "#modules/audit";
import type { RestrictInput } from "../../forms.ts";
import { holdAdministrators, isAdministrator } from "../administrators/administrator-grants.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { holdNewTradesInModules, notifySuspensionInModules } from "../core/identity-guards.ts";
import { type NotFreshAdmin, requireFreshAdmin } from "../core/require-actor.ts";
import { usersTable } from "../core/schema.ts";
import { holdUser, type UserRow } from "../core/users/find-users.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { storeIdentifierHashes } from "./linked-accounts.ts";
import { mailRestriction } from "./mail-restriction.ts";
import { latestUnendedRestriction } from "./restriction-in-force.ts";
import { type RestrictionRow, restrictionsTable } from "./schema.ts";
import { rememberSuspendedSessions } from "./suspensions/suspended-sessions.ts";

/** The longest restriction that one administrator alone can place, in days. */
const maxRestrictionDays = 366;

export type RestrictRefusal =
  | NotFreshAdmin
  | { ok: false; code: "USER_NOT_FOUND" | "OWN_ACCOUNT" | "ADMIN_ACCOUNT" }
  | { ok: false; code: "VALIDATION"; fields: Record<string, string[]> };

/**
 * Limits a person (no new rooms or trades) or suspends them (no sign-in; all sessions end in the same transaction, their sockets after it),
 * until the end of a day in Ulaanbaatar at most 366 days ahead; the actor needs a fresh login. `forGood` also proposes to make it
 * permanent, which a second administrator confirms (`confirmRestriction`). Open trades continue, and no money moves. A restriction in force
 * is replaced; repeating the same one changes nothing. The person is notified by mail, in fixed texts only. Refuses USER_NOT_FOUND,
 * OWN_ACCOUNT, ADMIN_ACCOUNT (revoke the administrator's right first) and VALIDATION for an invalid day.
 */
export async function restrictPerson(
  actor: Actor,
  userId: number,
  input: RestrictInput,
): Promise<{ ok: true; changed: boolean } | RestrictRefusal> {
  const at = currentTime();
  const needed = requireFreshAdmin(actor, at);
  if (!needed.ok) return needed;
  const { member } = needed;
  if (member.userId === userId) return { ok: false, code: "OWN_ACCOUNT" };
  const until = daySpan(input.until).until;
  return runInTransaction(async (tx) => {
    if (input.kind === "suspend") await holdNewTradesInModules(tx, userId);
    await holdAdministrators(tx);
    if (!(await isAdministrator(tx, member.userId))) return { ok: false, code: "ADMIN_REQUIRED" };
    const user = await holdUser(tx, userId);
    if (user === undefined) return { ok: false, code: "USER_NOT_FOUND" };
    if (user.isAdmin) return { ok: false, code: "ADMIN_ACCOUNT" };
    const days = (until.getTime() - at.getTime()) / 86_400_000;
    if (days <= 0 || days > maxRestrictionDays) {
      return { ok: false, code: "VALIDATION", fields: { until: ["validation.restrictedUntil"] } };
    }
    const before = await latestUnendedRestriction(tx, userId, at);
    if (before !== undefined && isSameRestriction(before, input, until)) return { ok: true, changed: false };
    if (before !== undefined) await endRestriction(tx, before, { by: member.userId, how: "replaced", at });
    const id = await insertRestriction(tx, user, { ...input, until, by: member.userId }, at);
    if (input.kind === "suspend") await rememberSuspendedSessions(tx, userId);
    const sessionsEnded = input.kind === "suspend" ? await endSessionsOf(tx, userId) : 0;
    const { kind, cause, forGood } = input;
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: kind === "suspend" ? "user_suspended" : "user_limited",
      at,
      subject: { kind: "user", id: userId },
      data: {
        restriction: id,
        cause,
        until: until.toISOString(),
        forGood,
        replaced: before?.id,
        sessionsEnded,
      },
    });
    await mailRestriction(tx, user, { event: kind, cause, until }, at);
    const [was, is] = [before?.kind === "suspend", kind === "suspend"];
    if (was !== is) await notifySuspensionInModules(tx, userId, is, at);
    return { ok: true, changed: true };
  });
}

async function insertRestriction(
  tx: Tx,
  user: UserRow,
  { by, ...input }: Omit<RestrictInput, "until"> & { until: Date; by: number },
  at: Date,
): Promise<number> {
  const [row] = await tx
    .insert(restrictionsTable)
    .values({ ...input, userId: user.id, placedBy: by, placedAt: at })
    .returning({ id: restrictionsTable.id });
  if (row === undefined) throw new Error("identity: a restriction was not stored");
  await tx
    .update(usersTable)
    .set({ restriction: input.kind, restrictedUntil: input.until, updatedAt: at })
    .where(eq(usersTable.id, user.id));
  await storeIdentifierHashes(tx, user, at);
  return row.id;
}

/** Ends one restriction. The caller has locked the user's row and updates the restriction in force there. */
export async function endRestriction(
  tx: Tx,
  { id }: Pick<RestrictionRow, "id">,
  {
    by,
    how,
    note = null,
    at,
  }: {
    by: number;
    how: NonNullable<RestrictionRow["endedHow"]>;
    note?: string | null;
    at: Date;
  },
): Promise<void> {
  await tx
    .update(restrictionsTable)
    .set({ endedAt: at, endedBy: by, endedHow: how, endNote: note })
    .where(eq(restrictionsTable.id, id));
}

function isSameRestriction(before: RestrictionRow, input: RestrictInput, until: Date): boolean {
  const same =
    before.kind === input.kind &&
    before.cause === input.cause &&
    before.note === input.note &&
    before.forGood === input.forGood;
  return same && before.until.getTime() === until.getTime();
}
