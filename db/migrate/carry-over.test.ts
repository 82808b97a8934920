import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Sql } from "postgres";
import { readCatalogue } from "../../tests/support/database/catalogue.ts";
import { freshDatabase } from "../../tests/support/database/test-database.ts";
import { openClient } from "../client.ts";
import { migrateDatabase } from "../migrate.ts";
import { applyEarlierUntil, carryOver, earlierMigrations, UnknownMigrations } from "./carry-over.ts";

setDefaultTimeout(120_000);

const drops: Array<() => Promise<void>> = [];
let baseline: string[] = [];

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await freshDatabase(true);
  drops.push(drop);
  return url;
}

async function query<T>(url: string, work: (client: Sql) => Promise<T>): Promise<T> {
  const client = openClient(url, { max: 1 });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A database with the first migrations before 1.0, as the Midman of then left it. */
async function earlierDatabase(count: number, fill?: (client: Sql) => Promise<unknown>): Promise<string> {
  const url = await emptyDatabase();
  await query(url, async (client) => {
    await client.unsafe(`CREATE SCHEMA drizzle;
      CREATE TABLE drizzle.__drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint)`);
    const until = earlierMigrations[count - 1]?.when ?? 0;
    await client.begin((tx) => applyEarlierUntil(tx, until));
    await fill?.(client);
  });
  return url;
}

const appliedOf = (url: string) =>
  query(url, async (client) => {
    const rows =
      await client`SELECT hash, created_at::text AS at FROM drizzle.__drizzle_migrations ORDER BY 2`;
    return rows.map(({ hash, at }) => `${at} ${hash}`);
  });

/** A room, a trade that was paid, its money, a picture, and what the provider reported of it, at migration 0038. */
const fillBooks = (client: Sql) =>
  client.begin(async (tx) => {
    await tx.unsafe(`
      INSERT INTO identity.users (username, username_key, email, display_name, avatar_initials, password_hash, language, created_at, updated_at)
        SELECT 'person' || n, 'person' || n, n || '@example.mn', 'Person', 'P', '$argon2id$x', 'mn', now(), now() FROM generate_series(1, 2) n;
      INSERT INTO rooms.rooms (name, created_by_id, created_at) VALUES ('A game account', 1, now() - interval '200 days');
      INSERT INTO rooms.counters (room_id, last_seq, active_at) VALUES (1, 2, now());
      INSERT INTO rooms.messages (room_id, seq, sender_id, client_id, type, content, created_at)
        VALUES (1, 1, 1, gen_random_uuid(), 'text', 'Hello', now() - interval '199 days');
      INSERT INTO rooms.messages (room_id, seq, sender_id, client_id, type, content, image_url, image_width, image_height, created_at)
        VALUES (1, 2, 1, gen_random_uuid(), 'image', '', '/x', 1, 1, now());
      INSERT INTO rooms.images (id, message_id, mime, bytes, sha256, sent_sha256)
        VALUES (gen_random_uuid(), 2, 'image/jpeg', 1, repeat('a', 64), repeat('a', 64));
      INSERT INTO audit.entries (at, user_id, action, data) VALUES (now() - interval '150 days', 1, 'login', '{}');
      INSERT INTO escrow.trades (code, room_id, buyer_id, seller_id, amount, fee, fee_payer, fee_policy, gross, net, status, confirmed_at,
          created_at, updated_at)
        VALUES ('MM-00000001', 1, 1, 2, 100, 10, 'buyer', 'standard', 110, 100, 'payment_confirmed', now(), now(), now());
      INSERT INTO payments.invoices (id, reference, amount, description, state, created_at, expires_at, ended_at)
        VALUES ('00000000-0000-4000-8000-000000000001', 1, 110, 'MM-00000001', 'paid', now(), now() + interval '1 hour', now());
      INSERT INTO payments.payments (reference, provider_payment_id, invoice_id, amount, to_escrow, to_suspense, paid_at, booked_at)
        VALUES (1, '0042', '00000000-0000-4000-8000-000000000001', 110, 110, 0, now(), now());
      INSERT INTO payments.journals (event, kind, reference, payment_id, at) VALUES ('payment:1', 'payment', 1, 1, now());
      INSERT INTO payments.entries (journal_id, account, amount) VALUES (1, 'provider:qpay', 110), (1, 'escrow:1', -110);
      INSERT INTO payments.provider_problems (invoice_id, code, provider_payment_id, row, seen_at)
        VALUES ('00000000-0000-4000-8000-000000000001', 'ODD_ROW', '0043', '{"odd": true}', now());
      INSERT INTO payments.payouts (reference, kind, source, amount, fee, destination, due_at, created_at)
        VALUES (1, 'payout', 'escrow', 100, 10, '{"bankName": "Khan", "accountName": "Bold", "accountNumber": "5"}', now(), now());
      UPDATE payments.payouts SET state = 'approved', approved_by = 7, approved_at = now()`);
  });

beforeAll(async () => {
  const url = await emptyDatabase();
  await migrateDatabase(url);
  baseline = await readCatalogue(url);
});

afterAll(async () => {
  for (const drop of drops) await drop();
});

test("there were 55 migrations before 1.0", () => {
  expect(earlierMigrations.map(({ tag }) => tag.slice(0, 4))).toEqual(
    Array.from({ length: 55 }, (_, n) => String(n).padStart(4, "0")),
  );
});

for (const count of [1, 39, 55]) {
  test(`a database of ${count} migrations gets the schema of a new one`, async () => {
    const url = await earlierDatabase(count);
    await migrateDatabase(url);
    expect(await readCatalogue(url)).toEqual(baseline);
  });
}

test("a database of 39 migrations keeps its rows, and all of them keep to the rules", async () => {
  const url = await earlierDatabase(39, fillBooks);
  await migrateDatabase(url);
  expect(await readCatalogue(url)).toEqual(baseline);
  const [kept] = await query(
    url,
    (client) => client`
      SELECT (SELECT count(*)::int FROM rooms.messages) AS messages,
        (SELECT count(*)::int FROM rooms.images i JOIN rooms.messages m ON (m.id, m.created_at) = (i.message_id, i.message_at)) AS images,
        (SELECT count(*)::int FROM audit.entries WHERE action = 'login') AS entries,
        (SELECT provider_payment_key FROM payments.payments) AS key,
        (SELECT balance::int FROM payments.balances WHERE account = 'escrow:1') AS held,
        (SELECT claimed_by::int FROM payments.payouts) AS claimed,
        (SELECT reason || ' ' || subject || ' ' || (facts -> 'row')::text FROM payments.holds) AS hold`,
  );
  expect(kept).toEqual({
    messages: 2,
    images: 1,
    entries: 1,
    key: "42",
    held: 110,
    claimed: 7,
    hold: 'ODD_ROW payment:43 {"odd": true}',
  });
});

test("the baseline's files are recorded as applied, and a second start changes nothing", async () => {
  const [fresh, carried] = [await emptyDatabase(), await earlierDatabase(55)];
  for (const url of [fresh, carried, carried]) await migrateDatabase(url);
  expect(await appliedOf(carried)).toEqual(await appliedOf(fresh));
});

test("several instances that start at once carry a database over once", async () => {
  const url = await earlierDatabase(39);
  await Promise.all([1, 2, 3].map(() => migrateDatabase(url)));
  expect(await readCatalogue(url)).toEqual(baseline);
});

test("a start that is killed at any file leaves the database as it was, and the next one carries it over", async () => {
  const url = await earlierDatabase(53);
  const [before, applied] = [await readCatalogue(url), await appliedOf(url)];
  for (let ending = 1; ; ending++) {
    const ended = await query(url, (client) =>
      client
        .begin((tx) => {
          let left = ending;
          const unsafe = (...args: Parameters<typeof tx.unsafe>) => {
            if (left-- === 0) throw new Error("the process ends");
            return tx.unsafe(...args);
          };
          return carryOver({ unsafe } as typeof tx);
        })
        .then(
          () => false,
          (error: Error) => error.message === "the process ends",
        ),
    );
    if (!ended) {
      // Two questions, two files with their rows, the carry-over, and the rows of the baseline.
      expect(ending).toBeGreaterThan(10);
      break;
    }
    expect(await readCatalogue(url)).toEqual(before);
    expect(await appliedOf(url)).toEqual(applied);
  }
  await migrateDatabase(url);
  expect(await readCatalogue(url)).toEqual(baseline);
});

test("unknown migrations are refused with one line, and nothing is changed", async () => {
  const url = await earlierDatabase(
    39,
    (client) => client`
    UPDATE drizzle.__drizzle_migrations SET created_at = created_at + 1 WHERE id = 20`,
  );
  const before = await readCatalogue(url);
  const refused = await migrateDatabase(url).catch((error: Error) => error);
  expect(refused).toBeInstanceOf(UnknownMigrations);
  expect((refused as Error).message).toMatch(
    /^The database was migrated by a version of Midman that this one does not know\. Nothing was changed\. [^\n]+$/,
  );
  expect(await readCatalogue(url)).toEqual(before);
});

test("any kind of difference is detected", async () => {
  const url = await emptyDatabase();
  await migrateDatabase(url);
  const changes = [
    "ALTER TABLE escrow.trades ADD extra text",
    "ALTER TABLE escrow.trades ALTER fee SET DEFAULT 1",
    "ALTER TABLE escrow.trades DROP CONSTRAINT trades_salt",
    "ALTER TABLE escrow.trades DISABLE TRIGGER keep_frozen",
    "DROP INDEX escrow.trades_newest",
    "GRANT EXECUTE ON FUNCTION audit.erase_entries(jsonb) TO PUBLIC",
    "ALTER FUNCTION escrow.keep_vault() SECURITY INVOKER",
    "COMMENT ON TABLE escrow.trades IS 'Trades'",
    "ALTER SEQUENCE audit.era INCREMENT 2",
    "ALTER TABLE rooms.members RESET (fillfactor)",
    "CREATE INDEX one_partition ON rooms.messages_rest (seq)",
  ];
  for (const change of changes) {
    const before = await readCatalogue(url);
    await query(url, (client) => client.unsafe(change));
    expect({ change, same: (await readCatalogue(url)).join() === before.join() }).toEqual({
      change,
      same: false,
    });
  }
});
