import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { useDatabase } from "../tests/support/database/test-database.ts";
import { withPreparedStatements } from "./client/prepared-statements.ts";
import { openClient } from "./client.ts";

/** Short queries of one turn of the event loop share a packet; queries that may be long do not. */

const database = useDatabase({ connected: false });
let client: ReturnType<typeof openClient>;
let packets = 0;

const socket = async () => {
  const { hostname, port } = new URL(database.url);
  const host = decodeURIComponent(hostname);
  const one = host.startsWith("/")
    ? connect({ path: `${host}/.s.PGSQL.5432` })
    : connect({ host, port: Number(port) });
  await new Promise((resolve) => one.once("connect", resolve));
  const write = one.write.bind(one);
  Object.assign(one, {
    write: (...given: Parameters<typeof write>) => {
      packets += 1;
      return write(...given);
    },
  });
  return one;
};

beforeAll(async () => {
  client = withPreparedStatements(openClient(database.url, { max: 3, socket } as object));
  await Promise.all([1, 2, 3].map(() => client`SELECT pg_sleep(0.1)`));
  for (let round = 0; round < 6; round++) await ask(3);
});
afterAll(() => client.end({ timeout: 1 }));

/** Sends prepared queries in one turn of the event loop. Returns the backend processes that ran them, each once. */
async function ask(count: number): Promise<Set<number>> {
  const text = "SELECT pg_backend_pid() AS pid, $1::int AS n";
  const asked = Array.from({ length: count }, (_, n) => client.unsafe(text, [n], { prepare: true }));
  const answers = await Promise.all(asked);
  expect(answers.map(([row]) => row?.n)).toEqual(asked.map((_, n) => n));
  return new Set(answers.map(([row]) => row?.pid));
}

test("named queries of one turn are sent in one packet over one connection", async () => {
  packets = 0;
  expect((await ask(8)).size).toBe(1);
  expect(packets).toBe(1);
});

test("queries beyond sixteen use the next connection", async () => {
  expect((await ask(17)).size).toBe(1);
  expect((await ask(18)).size).toBe(2);
});

test("another query of the turn uses a connection of its own while one is free", async () => {
  // The other connections were used since, so the driver picks the one it gathered on last.
  await ask(2);
  for (let other = 0; other < 2; other++) await client`SELECT 1`;
  const long = client.unsafe("SELECT pg_backend_pid() AS pid, pg_sleep(0.3)").execute();
  const pids = await ask(8);
  const [row] = await long;
  expect(pids.has(row?.pid)).toBe(false);
});
