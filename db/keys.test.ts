import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { owner, useDatabase } from "../tests/support/database.ts";
import { whileHeld } from "../tests/support/while-held.ts";
import { admitKey } from "./keys.ts";

useDatabase();

const fits = async () => true;
const at = new Date("2026-03-01T10:00:00Z");
const kept = () => owner().execute(sql`SELECT fingerprint FROM base.encryption_keys`);

test("the first key is stored, and accepted again", async () => {
  await owner().execute(sql`DELETE FROM base.encryption_keys`);
  expect(await admitKey(async () => false, at)).toStartWith("ENCRYPTION_KEY: ");
  expect(await kept()).toHaveLength(0);
  expect([await admitKey(fits, at), await admitKey(fits, at)]).toEqual([undefined, undefined]);
  expect(await kept()).toHaveLength(1);
});

test("when two keys reach a new database at once, the second is refused", async () => {
  await owner().execute(sql`DELETE FROM base.encryption_keys`);
  const other = "ab".repeat(32);
  const refusal = await whileHeld(
    [sql`SELECT pg_advisory_xact_lock(hashtext('base.encryption_keys'))`],
    () => admitKey(fits, at),
    (tx) =>
      tx.execute(sql`INSERT INTO base.encryption_keys (fingerprint, used_since) VALUES (${other}, now())`),
  );
  expect(refusal).toContain("this database is sealed by key abababab");
  expect(await kept()).toHaveLength(1);
});
