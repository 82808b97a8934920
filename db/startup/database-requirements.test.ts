import { afterEach, expect, test } from "bun:test";
import { freshDatabase } from "../../tests/support/database/test-database.ts";
import { openClient } from "../client.ts";
import { findDatabaseProblems } from "./database-requirements.ts";

const over: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end();
});

/** The problems that `user` finds in an empty database after `change` was applied to it. */
async function asked(change: (name: string) => string[], user?: string): Promise<string[]> {
  const { url, drop } = await freshDatabase(true);
  over.push(drop);
  const name = new URL(url).pathname.slice(1);
  const owner = openClient(url, { max: 1 });
  for (const statement of change(name)) await owner.unsafe(statement);
  await owner.end();
  const client = openClient(url, { max: 1 });
  over.push(() => client.end());
  if (user !== undefined) await client.unsafe(`SET ROLE ${user}`);
  return findDatabaseProblems(client);
}

test("a fresh database is accepted", async () => {
  expect(await asked(() => [])).toEqual([]);
});

test("a read-only one, or one whose user may not create schemas, is reported by name", async () => {
  expect(await asked((name) => [`ALTER DATABASE ${name} SET default_transaction_read_only = on`])).toEqual([
    "DATABASE_URL: nothing can be written to it (a standby, or read-only)",
  ]);
  const user = `weak_${crypto.randomUUID().slice(0, 8)}`;
  expect(await asked(() => [`CREATE ROLE ${user}`], user)).toEqual([
    "DATABASE_URL: its user may not create schemas (GRANT CREATE ON DATABASE)",
  ]);
});

test("one that cannot store Mongolian is reported", async () => {
  const name = `latin_${crypto.randomUUID().slice(0, 8)}`;
  const { url, drop } = await freshDatabase(true);
  over.push(drop);
  const owner = openClient(url, { max: 1 });
  over.push(() => owner.end());
  await owner.unsafe(
    `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`,
  );
  over.push(async () => {
    await owner.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
  });
  const client = openClient(url.replace(/\/[^/]*$/, `/${name}`), { max: 1 });
  over.push(() => client.end());
  expect(await findDatabaseProblems(client)).toEqual([
    "DATABASE_URL: its encoding is LATIN1 and must be UTF8",
  ]);
});
