import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { whileHeld } from "../../../../tests/support/database/held-locks.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { updateProfile } from "../account/profile.ts";
import { editUser } from "../administrators/edit-user.ts";
import { removeSecondFactorOf, signOutEverywhere } from "../administrators/unlock-user.ts";
import { removePasskeysOf } from "../passkeys/remove-passkeys-as-admin.ts";
import { withFactor } from "../second-factor/factor.fixture.ts";
import { removeSecondFactor, renewRecoveryCodes } from "../second-factor/manage-second-factor.ts";
import { beginSecondFactor, confirmSecondFactor } from "../second-factor/set-up-second-factor.ts";
import { revokeOtherSessions } from "../sessions/signed-in-devices.ts";
import type { Actor } from "./actor.ts";
import { anAdmin, someone } from "./people.fixture.ts";
import { secondFactorsTable, sessionsTable, usersTable } from "./schema.ts";
import { useStillClock } from "./still-clock.fixture.ts";

/** Rights are read again once the row is locked: a call that started before they were lost does nothing. */

useDatabase();
// A code is valid for 30 seconds, which must not end between creating and sending it.
const clock = useStillClock();

const rowOf = (id: number) => sql`SELECT FROM identity.users WHERE id = ${id} FOR UPDATE`;
const stateOf = async (id: number) => [
  await db().select().from(usersTable).where(eq(usersTable.id, id)),
  await db().select().from(secondFactorsTable).where(eq(secondFactorsTable.userId, id)),
];

describe("a session that ends while its call is waiting", () => {
  const withoutFactor: Array<[string, (actor: Actor) => Promise<unknown>]> = [
    ["begins no second factor", beginSecondFactor],
    ["turns none on", (actor) => confirmSecondFactor(actor, { code: "123456" })],
    ["signs no other device out", revokeOtherSessions],
    ["changes no account that is paid", (actor) => updateProfile(actor, { bankAccount: "5001002003" })],
  ];
  const cases = [
    ...withoutFactor.map(([name, move]) => ({ name, move, make: someone })),
    { name: "takes the second factor not off", move: removeSecondFactor, make: () => withFactor(clock.at) },
    { name: "makes no recovery codes", move: renewRecoveryCodes, make: () => withFactor(clock.at) },
  ];

  test.each(cases)("$name", async ({ move, make }) => {
    const person = await make();
    const before = await stateOf(person.id);
    const answer = await whileHeld(
      [rowOf(person.id)],
      () => move(person.actor),
      (tx) => tx.execute(sql`DELETE FROM identity.sessions WHERE user_id = ${person.id}`),
    );
    expect(answer).toEqual({ ok: false, code: "AUTH_REQUIRED" });
    expect(await stateOf(person.id)).toEqual(before);
  });
});

test.each([
  ["takes no passkeys off", removePasskeysOf],
  ["takes no second factor off", removeSecondFactorOf],
  ["signs nobody out", signOutEverywhere],
  ["edits no profile", (actor: Actor, id: number) => editUser(actor, id, { bankAccount: "5001002003" })],
] as const)("an administrator who loses the right while waiting %s", async (_, move) => {
  // A second administrator, since the last one cannot lose the right.
  const [admin, person] = [await anAdmin(), await withFactor(clock.at)];
  await anAdmin();
  const before = await stateOf(person.id);
  const answer = await whileHeld<unknown>(
    [sql`SELECT pg_advisory_xact_lock(hashtext('identity.administrators'))`, rowOf(person.id)],
    () => move(admin.actor, person.id),
    (tx) => tx.update(usersTable).set({ isAdmin: false }).where(eq(usersTable.id, admin.id)),
  );
  expect(answer).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  expect(await stateOf(person.id)).toEqual(before);
  expect(await db().$count(sessionsTable, eq(sessionsTable.userId, person.id))).toBe(1);
});
