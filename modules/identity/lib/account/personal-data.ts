import { eq } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { listEntries, recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { type NotFresh, requireFreshLogin } from "../core/require-actor.ts";
import type { PersonalData } from "../core/responses.ts";
import { consentsTable, profileChangesTable, savedFiltersTable } from "../core/schema.ts";
import { userById } from "../core/users/find-users.ts";
import { userViewOf } from "../core/users/user-view.ts";
import { mayTry, type ThrottleRefusal } from "../login/throttles.ts";
import { choicesOf } from "../notifications/notification-kinds.ts";
import { notifiedDevices } from "../notifications/push-devices.ts";
import { notificationPreferencesOf } from "../notifications/quiet-hours.ts";
import { ownPasskey } from "../passkeys/manage-passkeys.ts";
import { passkeysOf } from "../passkeys/stored-passkeys.ts";
import { ownRestrictions } from "../restrictions/own-restrictions.ts";
import { sessionsOf } from "../sessions/signed-in-devices.ts";
import { collectModuleData } from "./data-collectors.ts";

/** Everything stored about the actor, as one document. At most three a day. Refuses REAUTH_REQUIRED and THROTTLED. */
export async function downloadPersonalData(
  actor: Actor,
): Promise<{ ok: true; data: PersonalData } | NotFresh | ThrottleRefusal> {
  const at = currentTime();
  const needed = requireFreshLogin(actor, at);
  if (!needed.ok) return needed;
  const { userId } = needed.member;
  const passed = await mayTry({ "data:user": String(userId) }, at);
  if (!passed.ok) return passed;
  const [user, devices] = [await userById(db(), userId), await sessionsOf(actor)];
  const notified = await notifiedDevices(actor);
  if (user === undefined || !devices.ok || !notified.ok) return { ok: false, code: "AUTH_REQUIRED" };
  const data: PersonalData = {
    generatedAt: at.toISOString(),
    profile: userViewOf(user),
    consents: await consentsOf(userId),
    sessions: devices.sessions,
    notifications: choicesOf(user),
    telling: notificationPreferencesOf(user),
    passkeys: (await passkeysOf(db(), userId)).map(ownPasskey),
    notifiedDevices: notified.devices,
    profileChanges: await changesOf(userId),
    savedFilters: await filtersOf(userId),
    restrictions: await ownRestrictions(userId),
    ...(await collectModuleData(db(), userId)),
    activity: await activityOf(userId),
  };
  const subject = { kind: "user", id: userId };
  await runInTransaction((tx) =>
    recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "data_downloaded", at, subject }),
  );
  return { ok: true, data };
}

function consentsOf(userId: number) {
  const { document, version, consentedAt } = consentsTable;
  return db()
    .select({ document, version, consentedAt })
    .from(consentsTable)
    .where(eq(consentsTable.userId, userId));
}

function changesOf(userId: number) {
  const { at, before, after, userId: whose } = profileChangesTable;
  return db().select({ at, before, after }).from(profileChangesTable).where(eq(whose, userId));
}

function filtersOf(userId: number) {
  const { page, name, createdAt, userId: whose } = savedFiltersTable;
  return db().select({ page, name, createdAt }).from(savedFiltersTable).where(eq(whose, userId));
}

/** The person's own actions, newest first. Other fields of an entry are left out, since they may concern other people. */
async function activityOf(userId: number): Promise<PersonalData["activity"]> {
  const all: PersonalData["activity"] = [];
  for (let before: number | null | undefined; before !== null; ) {
    const page = await listEntries({ userId, limit: 1000, ...(before !== undefined && { before }) });
    all.push(
      ...page.entries.map(({ at, action, roomId, ip, device }) => ({ at, action, roomId, ip, device })),
    );
    before = page.next;
  }
  return all;
}
