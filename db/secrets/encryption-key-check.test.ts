import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { config, overrideConfig } from "#config";
import { whileHeld } from "../../tests/support/database/held-locks.ts";
import { ownerDatabase, useDatabase } from "../../tests/support/database/test-database.ts";
import { admitKey, lastKeyName, rememberKey } from "./encryption-key-check.ts";

useDatabase();

const fits = async () => true;
const at = new Date("2026-03-01T10:00:00Z");
const kept = () => ownerDatabase().execute(sql`SELECT fingerprint FROM base.encryption_keys`);

test("the first key is stored, and accepted again", async () => {
  await ownerDatabase().execute(sql`DELETE FROM base.encryption_keys`);
  expect(await admitKey(async () => false, at)).toStartWith("ENCRYPTION_KEY: ");
  expect(await kept()).toHaveLength(0);
  expect([await admitKey(fits, at), await admitKey(fits, at)]).toEqual([undefined, undefined]);
  expect(await kept()).toHaveLength(1);
});

test("a damaged secret is not reported as a wrong key", async () => {
  await ownerDatabase().execute(sql`DELETE FROM base.encryption_keys`);
  expect(await admitKey(fits, at)).toBeUndefined();
  const name = await lastKeyName();
  expect(await admitKey(async () => false, at)).toEndWith(
    ` is key ${name}, with which this database was last used, but no available key opens a signing key in it: add the previous key to ENCRYPTION_KEYS_BEFORE, or, if it is lost or the signing key is damaged, make a new one: bun run keys:renew --replace-lost ${name}`,
  );
});

test("when two keys reach a new database at the same time, the second is refused", async () => {
  await ownerDatabase().execute(sql`DELETE FROM base.encryption_keys`);
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

test("a key admitted while the clock was ahead is not the latest once another was admitted", async () => {
  await ownerDatabase().execute(sql`DELETE FROM base.encryption_keys`);
  const before = config();
  const [first, second] = ["11".repeat(32), "22".repeat(32)];
  const tomorrow = new Date(at.getTime() + 86_400_000);
  try {
    overrideConfig({ ENCRYPTION_KEY: first, ENCRYPTION_KEYS_BEFORE: undefined });
    expect(await admitKey(fits, tomorrow)).toBeUndefined();
    const firstName = await lastKeyName();
    overrideConfig({ ENCRYPTION_KEY: second, ENCRYPTION_KEYS_BEFORE: first });
    expect(await admitKey(fits, at)).toBeUndefined();
    const secondName = await lastKeyName();
    expect(secondName).not.toBe(firstName);
    overrideConfig({ ENCRYPTION_KEY: first, ENCRYPTION_KEYS_BEFORE: undefined });
    expect(await admitKey(fits, at)).toContain(`this database is sealed by key ${secondName}`);
    // The first key returns correctly, with the second named as an earlier one.
    overrideConfig({ ENCRYPTION_KEY: first, ENCRYPTION_KEYS_BEFORE: second });
    expect(await admitKey(fits, at)).toBeUndefined();
    expect(await lastKeyName()).toBe(firstName);
    expect(await kept()).toHaveLength(2);
  } finally {
    overrideConfig({ ENCRYPTION_KEY: undefined, ENCRYPTION_KEYS_BEFORE: undefined, ...before });
  }
});

test("storing a key waits for one that is being admitted, and is the later", async () => {
  await ownerDatabase().execute(sql`DELETE FROM base.encryption_keys`);
  const other = "cd".repeat(32);
  await whileHeld(
    [sql`SELECT pg_advisory_xact_lock(hashtext('base.encryption_keys'))`],
    () => rememberKey(at),
    (tx) =>
      tx.execute(sql`INSERT INTO base.encryption_keys (fingerprint, used_since) VALUES (${other}, now())`),
  );
  expect([(await kept()).length, (await lastKeyName()) === "cdcdcdcd"]).toEqual([2, false]);
});
