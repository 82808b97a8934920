import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { setClock } from "#db/clock";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { anAdmin, someone } from "../core/people.fixture.ts";
import { adminGrantsTable } from "../core/schema.ts";
import { deleteUserAsAdmin } from "./delete-user-as-admin.ts";
import { relatedAdministratorIds } from "./related-administrators.ts";
import { setAdmin } from "./set-admin.ts";

useDatabase();

const week = 7 * 24 * 3_600_000;
const handsOf = async (id: number, later = 0) =>
  (await relatedAdministratorIds(db(), id, new Date(Date.now() + later))).sort((a, b) => a - b);

test("administrators who granted the right to each other, over any number of steps, count as one reviewer for seven days", async () => {
  const [one, other] = [await anAdmin(), await anAdmin()];
  const [made, twin, further] = [await someone(), await someone(), await someone()];
  expect(await setAdmin(one.actor, made.id, true)).toEqual({ ok: true });
  expect(await setAdmin(one.actor, twin.id, true)).toEqual({ ok: true });
  const byMade = { ...made.actor, isAdmin: true };
  expect(await setAdmin(byMade, further.id, true)).toEqual({ ok: true });
  const all = [one, made, twin, further].map(({ id }) => id).sort((a, b) => a - b);
  for (const id of all) expect(await handsOf(id)).toEqual(all);
  expect(await handsOf(other.id)).toEqual([other.id]);
  for (const id of all) expect(await handsOf(id, week)).toEqual([id]);
});

test("removing the right and granting it again does not separate anyone", async () => {
  const [one, made, next] = [await anAdmin(), await someone(), await someone()];
  const byMade = { ...made.actor, isAdmin: true };
  const byNext = { ...next.actor, isAdmin: true };
  expect(await setAdmin(one.actor, made.id, true)).toEqual({ ok: true });
  expect(await setAdmin(byMade, next.id, true)).toEqual({ ok: true });
  expect(await setAdmin(byNext, made.id, false)).toEqual({ ok: true });
  expect(await setAdmin(byNext, made.id, true)).toEqual({ ok: true });
  const all = [one, made, next].map(({ id }) => id).sort((a, b) => a - b);
  for (const id of all) expect(await handsOf(id)).toEqual(all);
});

test("each grant relates people for seven days of its own, and repeating it changes nothing", async () => {
  const [one, other, made] = [await anAdmin(), await anAdmin(), await someone()];
  const hour = 3_600_000;
  const unset = setClock(() => new Date(Date.now() - week + hour));
  try {
    expect(await setAdmin(one.actor, made.id, true)).toEqual({ ok: true });
  } finally {
    unset();
  }
  expect(await setAdmin(other.actor, made.id, true)).toEqual({ ok: true });
  expect(await handsOf(other.id)).toEqual([other.id]);
  expect(await setAdmin(other.actor, made.id, false)).toEqual({ ok: true });
  expect(await setAdmin(other.actor, made.id, true)).toEqual({ ok: true });
  const all = [one, other, made].map(({ id }) => id).sort((a, b) => a - b);
  for (const id of all) expect(await handsOf(id)).toEqual(all);
  expect(await handsOf(one.id, hour)).toEqual([one.id]);
  expect(await handsOf(made.id, hour)).toEqual([other.id, made.id].sort((a, b) => a - b));
});

test("a grant is permanent: the database neither changes nor deletes it", async () => {
  const [one, made] = [await anAdmin(), await someone()];
  await setAdmin(one.actor, made.id, true);
  const ofMade = eq(adminGrantsTable.made, made.id);
  const refused = { cause: { message: expect.stringContaining("append-only") } };
  await expect(ownerDatabase().delete(adminGrantsTable).where(ofMade).execute()).rejects.toMatchObject(
    refused,
  );
  const moved = ownerDatabase()
    .update(adminGrantsTable)
    .set({ at: new Date(0) })
    .where(ofMade);
  await expect(moved.execute()).rejects.toMatchObject(refused);
  await expect(ownerDatabase().execute(sql`TRUNCATE identity.admin_grants`).execute()).rejects.toMatchObject(
    refused,
  );
});

test("a person between two administrators relates them even after their account is gone", async () => {
  const [one, between, next] = [await anAdmin(), await someone(), await someone()];
  await setAdmin(one.actor, between.id, true);
  await setAdmin({ ...between.actor, isAdmin: true }, next.id, true);
  expect(await deleteUserAsAdmin(one.actor, between.id)).toEqual({ ok: true });
  const all = [one, between, next].map(({ id }) => id).sort((a, b) => a - b);
  for (const id of all) expect(await handsOf(id)).toEqual(all);
});
