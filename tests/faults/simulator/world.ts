import type { Sql } from "postgres";
import { connectDatabase, disconnectDatabase, openClient } from "../../../db/client.ts";
import { freshDatabase } from "../../support/database/test-database.ts";
import {
  expectStatus,
  makeRoomOf,
  type Person,
  registerPerson,
} from "../../support/people/registered-people.ts";
import { type Client, createHttpClient } from "../../support/server/http-client.ts";
import { testAdministrator } from "../../support/server/midman-server.ts";
import { startRedis } from "../../support/services/redis.ts";
import { findBookFaults } from "../../support/trades/trade-books.ts";
import type { Rules } from "./model/state.ts";
import { type Steered, startSteered } from "./steering.ts";

const minute = 60_000;
/** The second instance's clock is ahead by so much. */
const SKEW_MS = 1_500;
const day = 24 * 60;

/** Somebody who is signed in, as each of the two instances knows them. */
export type Seated = { id: number; at: readonly [Client, Client] };

/** One database, one Redis, two instances, and the people there. All of it shares one clock, which only goes forward. */
export type World = {
  rules: Rules;
  sql: Sql;
  databaseUrl: string;
  instances: readonly [Steered, Steered];
  /** Minutes since the world began. */
  minute: number;
  admins: Array<{ id: number; name: string; since: number; at: readonly [Client, Client] }>;
  /** `since` is when they signed in, `used` when they last did anything. */
  pairs: Array<{ seller: Seated; buyer: Seated; since: number; used: number; people: Person[] }>;
  /** Counts up: what is unique in a world is named by it. */
  made: number;
  began: number;
  stop(): Promise<void>;
};

/** Makes a world for so many trades at once. */
export async function makeWorld(rules: Rules, pairs: number): Promise<World> {
  const [database, redis] = await Promise.all([freshDatabase(), startRedis()]);
  // Ahead of the real time, so that the jobs of deadlines run when they are told to and not by themselves.
  const began = Date.now() + day * minute;
  const environment = {
    FEE_POLICY: rules.feePolicy,
    LOG_LEVEL: "error",
    ...(rules.fourEyesAbove !== null && { PAYOUT_FOUR_EYES_ABOVE: String(rules.fourEyesAbove) }),
  };
  const options = { databaseUrl: database.url, redisUrl: redis.url, environment };
  const first = await startSteered(options, began);
  const second = await startSteered({ ...options, dataDir: first.dataDir }, began + SKEW_MS);
  const sql = openClient(database.url, { max: 4 });
  // What is due at an hour of the real day would look at the log and the books by the world's clock, which is far ahead of it.
  await sql`DELETE FROM pgboss.schedule WHERE name <> ALL(${[...moving]})`;
  // The creation of an invoice is dated by the database's clock, which is far behind the world's: a lost one would be too old to look for.
  await sql.unsafe(`
    CREATE FUNCTION payments.date_by_world() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.sent_at := (SELECT beat_at FROM base.heartbeat); RETURN NEW; END $$;
    CREATE TRIGGER date_by_world BEFORE UPDATE ON payments.provider_invoices
      FOR EACH ROW WHEN (NEW.state = 'lost') EXECUTE FUNCTION payments.date_by_world()`);
  const world: World = {
    rules,
    sql,
    databaseUrl: database.url,
    instances: [first, second],
    minute: 0,
    admins: [],
    pairs: [],
    made: 0,
    began,
    stop: async () => {
      await sql.end();
      await Promise.all([second.stop(), first.stop()]);
      await redis.stop();
      await database.drop();
    },
  };
  await settle(world, pairs);
  return world;
}

async function settle(world: World, pairs: number): Promise<void> {
  const [first] = world.instances;
  // An administrator of another's making would be one pair of eyes with them: this one came with the house too.
  const deputy = await registerPerson(first, "Deputy");
  await world.sql`UPDATE identity.users SET is_admin = true WHERE id = ${deputy.id}`;
  await world.sql`
    INSERT INTO audit.entries (at, action, subject_kind, subject_id, data) VALUES (now(), 'admin_created', 'user', ${deputy.id}, '{}')`;
  world.admins = [
    { id: 0, name: testAdministrator.username, since: 0, at: nobody },
    { id: deputy.id, name: deputy.username, since: 0, at: nobody },
  ];
  const [own] =
    await world.sql`SELECT id::int FROM identity.users WHERE username = ${testAdministrator.username}`;
  if (world.admins[0]) world.admins[0].id = own?.id;
  passwords.set(testAdministrator.username, testAdministrator.password);
  passwords.set(deputy.username, deputy.password);
  await signInAdmins(world);
  for (let i = 0; i < pairs; i++) {
    const people = await Promise.all([
      registerPerson(first, `Sarnai Seller ${i}`),
      registerPerson(first, `Bold Buyer ${i}`),
    ]);
    const [seller, buyer] = people.map((one) => ({ id: one.id, at: atBoth(world, one.cookies()) }));
    if (seller && buyer) world.pairs.push({ seller, buyer, since: 0, used: 0, people });
  }
}

const passwords = new Map<string, string>();
const nobody = [createHttpClient(""), createHttpClient("")] as const;

/** The same session at both instances. */
function atBoth({ instances: [a, b] }: World, cookie: string): readonly [Client, Client] {
  return [a.client({ Cookie: cookie }), b.client({ Cookie: cookie })];
}

/** Both administrators give their passwords now. */
export async function signInAdmins(world: World): Promise<void> {
  const signIn = async (admin: World["admins"][number], i: number) => {
    const browser = (world.instances[i] ?? world.instances[0]).client();
    const given = { username: admin.name, password: passwords.get(admin.name) };
    expectStatus(await browser.post("/api/admin/login", given), 200);
    admin.at = atBoth(world, browser.cookies());
    admin.since = world.minute;
  };
  await Promise.all(world.admins.map(signIn));
}

/**
 * The second administrator loses their right and gets it again, from somebody who is no administrator: two of whom one made the other
 * would be one pair of eyes.
 */
export async function renewSecondAdmin({ sql, admins, pairs, began, minute: now }: World): Promise<void> {
  const [, deputy] = admins;
  const giver = pairs[0]?.seller.id;
  if (deputy === undefined || giver === undefined)
    throw new Error("there is nobody to dismiss, or to make them one again");
  const at = new Date(began + now * minute);
  await sql`UPDATE identity.users SET is_admin = false WHERE id = ${deputy.id}`;
  await sql`UPDATE identity.users SET is_admin = true WHERE id = ${deputy.id}`;
  await sql`INSERT INTO identity.admin_grants (made, by, at) VALUES (${deputy.id}, ${giver}, ${at})`;
  await sql`
    INSERT INTO audit.entries (at, action, user_id, subject_kind, subject_id, data)
    VALUES (${at}, 'admin_granted', ${giver}, 'user', ${deputy.id}, '{}')`;
}

/** People whose sessions would run out within days sign in anew. */
export async function keepSignedIn(world: World): Promise<void> {
  const old = world.pairs.filter(
    ({ since, used }) => world.minute - Math.min(since + 14 * day, used) > 6 * day,
  );
  for (const pair of old) {
    for (const [i, person] of pair.people.entries()) {
      const browser = world.instances[0].client();
      const { username, password } = person;
      expectStatus(await browser.post("/api/auth/login", { username, password }), 200);
      const seated = i === 0 ? pair.seller : pair.buyer;
      seated.at = atBoth(world, browser.cookies());
    }
    pair.since = world.minute;
    pair.used = world.minute;
  }
}

/** A new room for a pair. */
export async function makeRoom(world: World, at: number): Promise<number> {
  const pair = world.pairs[at];
  if (pair === undefined) throw new Error(`there is no pair ${at}`);
  pair.used = world.minute;
  return (await makeRoomOf({ seller: pair.seller.at[0], buyer: pair.buyer.at[1] })).roomId;
}

/**
 * Time passes for everything in the world, which was there meanwhile: the heartbeat, which would take the jump for an absence
 * and put every deadline off, goes first.
 */
export async function passTime(world: World, minutes: number): Promise<void> {
  world.minute += minutes;
  const now = world.began + world.minute * minute;
  await world.sql`UPDATE base.heartbeat SET beat_at = ${new Date(now)}`;
  await Promise.all(world.instances.map((one, i) => one.tell({ clock: now + i * SKEW_MS })));
  // The queue goes by the database's clock: what has come due by the world's is due by that one too.
  await world.sql`
    UPDATE pgboss.job SET start_after = now()
    WHERE name = ANY(${[...moving]}) AND state = 'created' AND start_after > now() AND start_after <= ${new Date(now)}`;
}

/** The jobs that move trades. */
const moving = ["escrow.check", "escrow.stop-invoices", "escrow.deadline", "escrow.deadlines"] as const;

/** Waits until the jobs that move trades, and may run now, have run. */
export async function quiet({ sql }: World): Promise<void> {
  for (let wait = 0; wait < 3_000; wait++) {
    const [row] = await sql`
      SELECT count(*)::int AS count FROM pgboss.job
      WHERE name = ANY(${[...moving]})
        AND state < 'completed' AND (state = 'active' OR start_after <= now())`;
    if (row?.count === 0) return;
    await Bun.sleep(10);
  }
  throw new Error("the jobs that move trades did not end within half a minute");
}

/** The world whose books are being proved: this process is connected to one database at a time. */
let proving: Promise<unknown> = Promise.resolve();

function proved(databaseUrl: string): Promise<unknown[]> {
  const found = proving.then(async () => {
    connectDatabase(databaseUrl);
    return findBookFaults().finally(disconnectDatabase);
  });
  proving = found.catch(() => undefined);
  return found;
}

type Ended = Pick<World, "sql" | "databaseUrl"> & { instances: readonly Pick<Steered, "output">[] };

/** What is wrong with a whole world at its end: its books, its log, its locks, its jobs, and what its instances complained of. */
export async function faultsOf(world: Ended): Promise<string[]> {
  const { sql, instances, databaseUrl } = world;
  const wrong = (await proved(databaseUrl)).map((one) => `the books or the log: ${JSON.stringify(one)}`);
  const [locks] = await sql`SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()`;
  if (locks?.deadlocks !== 0) wrong.push(`${locks?.deadlocks} deadlocks`);
  const dead = await sql`SELECT source_name, source_output FROM pgboss.job WHERE name = 'dead-letters'`;
  for (const one of dead) wrong.push(`a job failed for good: ${JSON.stringify(one)}`);
  for (const one of instances) {
    const complaints = one
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"));
    wrong.push(...complaints.map((line) => `an instance complained: ${line.slice(0, 1_000)}`));
  }
  return wrong;
}
