import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { someone } from "./people.fixture.ts";
import { profileChangesTable } from "./schema.ts";
import { sweepExpiredRows } from "./sweep-expired.ts";

useDatabase();

test("previous versions of a profile are erased after two years", async () => {
  const { id } = await someone();
  const at = new Date("2026-03-01T10:00:00Z");
  const change = { before: { phoneNumber: "99112233" }, after: { phoneNumber: null } };
  await db()
    .insert(profileChangesTable)
    .values({ userId: id, changedBy: id, at, ...change });
  const left = async () =>
    (await db().select().from(profileChangesTable).where(eq(profileChangesTable.userId, id))).length;
  await sweepExpiredRows(new Date("2028-03-01T09:00:00Z"));
  expect(await left()).toBe(1);
  await sweepExpiredRows(new Date("2028-03-01T11:00:00Z"));
  expect(await left()).toBe(0);
});
