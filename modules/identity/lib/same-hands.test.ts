import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../tests/support/database.ts";
import { sameHands } from "./same-hands.ts";
import { users } from "./schema.ts";
import { setAdmin } from "./set-admin.ts";
import { anAdmin, someone } from "./test-people.ts";

useDatabase();

const week = 7 * 24 * 3_600_000;
const handsOf = async (id: number, later = 0) =>
  (await sameHands(db(), id, new Date(Date.now() + later))).sort((a, b) => a - b);

test("whoever made whom an administrator, over any number of steps, is one pair of eyes for seven days", async () => {
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

test("taking the right away and giving it again begins anew, and ties to whoever gave it last", async () => {
  const [one, other, made] = [await anAdmin(), await anAdmin(), await someone()];
  await setAdmin(one.actor, made.id, true);
  await db()
    .update(users)
    .set({ adminGrantedAt: new Date(Date.now() - week) })
    .where(eq(users.id, made.id));
  expect(await handsOf(made.id)).toEqual([made.id]);
  await setAdmin(one.actor, made.id, true);
  expect(await handsOf(made.id)).toEqual([made.id]);
  await setAdmin(one.actor, made.id, false);
  await setAdmin(other.actor, made.id, true);
  expect(await handsOf(made.id)).toEqual([other.id, made.id].sort((a, b) => a - b));
  expect(await handsOf(one.id)).toEqual([one.id]);
});
