import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import { countPeople } from "./count-people.ts";

useDatabase();

const livingNow = async () => {
  const [row] = await db().execute<{ total: number }>(
    sql`SELECT count(*)::int AS total FROM identity.users WHERE deleted_at IS NULL`,
  );
  return row?.total ?? 0;
};
const countedUpTo = async () => {
  const [row] = await db().execute<{ upTo: number; total: number }>(
    sql`SELECT up_to::int AS "upTo", total::int AS total FROM identity.people_counted`,
  );
  return row;
};

/** Inserts `many` people who registered `hours` ago; every fifth has since been deleted. */
const plant = (many: number, hours: number) =>
  db().execute(sql`
    INSERT INTO identity.users (username, username_key, email, display_name, avatar_initials, password_hash, language, created_at,
      updated_at, deleted_at)
    SELECT 'p' || ${hours}::int || 'n' || n, CASE WHEN n % 5 > 0 THEN 'p' || ${hours}::int || 'n' || n END,
      CASE WHEN n % 5 > 0 THEN 'p' || ${hours}::int || 'n' || n || '@example.mn' END, 'P', 'P', CASE WHEN n % 5 > 0 THEN '$argon2id$x' END, 'mn',
      now() - ${hours}::int * interval '1 hour', now(), CASE WHEN n % 5 = 0 THEN now() END
    FROM generate_series(1, ${many}::int) AS n`);

test("every existing person is counted, earlier ones once, whoever is deleted afterwards", async () => {
  await plantUser();
  expect(await countPeople(db())).toBe(await livingNow());
  expect(await countedUpTo()).toEqual({ upTo: 0, total: 0 });

  await plant(1_500, 3);
  await plant(7, 0);
  const all = await livingNow();
  const both = await Promise.all([countPeople(db()), countPeople(db()), countPeople(db())]);
  expect(both).toEqual([all, all, all]);
  const [row] = await db().execute<{ id: number }>(
    sql`SELECT max(id)::int AS id FROM identity.users WHERE created_at < now() - interval '1 hour'`,
  );
  // The person of plantUser registered just now, but has a smaller id than those of three hours ago: only ids decide.
  expect(await countedUpTo()).toEqual({ upTo: Number(row?.id), total: 1_501 });
  expect(await countPeople(db())).toBe(all);

  await plantUser();
  await db().execute(sql`
    UPDATE identity.users SET deleted_at = now(), username_key = NULL, email = NULL, password_hash = NULL,
      email_verified_at = NULL, phone_number = NULL, bank_account = NULL WHERE username = 'p3n1'`);
  expect(await countPeople(db())).toBe(all);
  expect(await countPeople(db())).toBe(await livingNow());
});
