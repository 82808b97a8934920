import { eq } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { now } from "#db/clock";
import { listEntries, record } from "#modules/audit";
import type { NotificationChoices, Telling } from "../../forms.ts";
import { type Actor, by } from "../core/actor.ts";
import { userById } from "../core/find-users.ts";
import { type NotFresh, requireFreshLogin } from "../core/require-actor.ts";
import { consents, type ProfileFields, profileChanges, savedFilters } from "../core/schema.ts";
import { type UserView, viewOf } from "../core/user-view.ts";
import { mayTry, type Throttled } from "../login/throttles.ts";
import { choicesOf } from "../notifications/notification-kinds.ts";
import { type NotifiedDevice, notifiedDevices } from "../notifications/push-devices.ts";
import { tellingOf } from "../notifications/quiet-hours.ts";
import { type OwnPasskey, ownPasskey } from "../passkeys/manage-passkeys.ts";
import { passkeysOf } from "../passkeys/stored-passkeys.ts";
import { type OwnRestriction, ownRestrictions } from "../restrictions/own-restrictions.ts";
import { type SignedInDevice, sessionsOf } from "../sessions/signed-in-devices.ts";
import { collected } from "./data-collectors.ts";

/** One thing a person did, as the log keeps it; address and device are null once they were erased. */
type Activity = {
  at: Date;
  action: string;
  roomId: number | null;
  ip: string | null;
  device: string | null;
};

/** Everything Midman keeps about one person. Higher modules add their parts (`registerDataCollector`). */
export type PersonalData = {
  generatedAt: string;
  profile: UserView;
  consents: Array<{ document: string; version: string; consentedAt: Date }>;
  sessions: SignedInDevice[];
  notifications: NotificationChoices;
  telling: Telling;
  passkeys: OwnPasskey[];
  notifiedDevices: NotifiedDevice[];
  /** What administrators changed in the profile. */
  profileChanges: Array<{ at: Date; before: ProfileFields; after: ProfileFields }>;
  /** The filters an administrator keeps, by their names: what they look for is of other people. */
  savedFilters: Array<{ page: string; name: string; createdAt: Date }>;
  /** What administrators decided about the account. */
  restrictions: OwnRestriction[];
  activity: Activity[];
  [part: string]: unknown;
};

/** All that is kept about who asks, to take away as one document. Three a day; refuses REAUTH_REQUIRED and THROTTLED. */
export async function dataOf(actor: Actor): Promise<{ ok: true; data: PersonalData } | NotFresh | Throttled> {
  const at = now();
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
    profile: viewOf(user),
    consents: await consentsOf(userId),
    sessions: devices.sessions,
    notifications: choicesOf(user),
    telling: tellingOf(user),
    passkeys: (await passkeysOf(db(), userId)).map(ownPasskey),
    notifiedDevices: notified.devices,
    profileChanges: await changesOf(userId),
    savedFilters: await filtersOf(userId),
    restrictions: await ownRestrictions(userId),
    ...(await collected(db(), userId)),
    activity: await activityOf(userId),
  };
  const subject = { kind: "user", id: userId };
  await transaction((tx) => record(tx, { by: by(actor), action: "data_downloaded", at, subject }));
  return { ok: true, data };
}

function consentsOf(userId: number) {
  const { document, version, consentedAt } = consents;
  return db().select({ document, version, consentedAt }).from(consents).where(eq(consents.userId, userId));
}

function changesOf(userId: number) {
  const { at, before, after, userId: whose } = profileChanges;
  return db().select({ at, before, after }).from(profileChanges).where(eq(whose, userId));
}

function filtersOf(userId: number) {
  const { page, name, createdAt, userId: whose } = savedFilters;
  return db().select({ page, name, createdAt }).from(savedFilters).where(eq(whose, userId));
}

/** What the person did, newest first. An entry's other parts may tell of other people: they stay out. */
async function activityOf(userId: number): Promise<Activity[]> {
  const all: Activity[] = [];
  for (let before: number | null | undefined; before !== null; ) {
    const page = await listEntries({ userId, limit: 1000, ...(before !== undefined && { before }) });
    all.push(
      ...page.entries.map(({ at, action, roomId, ip, device }) => ({ at, action, roomId, ip, device })),
    );
    before = page.next;
  }
  return all;
}
