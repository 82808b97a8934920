import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { tradeStatuses } from "#modules/escrow";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { expectStatus } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { runMidmanCommand } from "../support/server/run-command.ts";

setDefaultTimeout(120_000);

let server: Server;
beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
});
afterAll(async () => {
  await disconnectDatabase();
  await server.stop();
});

const states = async () => {
  const rows = await db().execute<{ status: string; count: number }>(
    sql`SELECT status, count(*)::integer AS count FROM escrow.trades GROUP BY status ORDER BY status`,
  );
  return Object.fromEntries([...rows].map(({ status, count }) => [status, count]));
};

test("beside a running instance the demonstration has a trade in every state, and people who can sign in; twice makes two", async () => {
  const settings = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.dataDir };
  const made = await runMidmanCommand("seed", [], settings);
  expect(made).toMatchObject({ code: 0, err: "" });
  const once = await states();
  expect(Object.keys(once)).toEqual([...tradeStatuses].sort());

  const [, names = "", password = ""] = /Sign in as (.+); password: (.+)/.exec(made.out) ?? [];
  expect(names.split(", ")).toHaveLength(3);
  for (const username of names.split(", ")) {
    const person = server.client();
    expectStatus(await person.post("/api/auth/login", { username, password }), 200);
    expect(expectStatus(await person.get("/api/chat/rooms"), 200).body.length).toBeGreaterThan(3);
  }
  const [, username, oneTime] = /Administrator: (\S+), one-time password (\S+) /.exec(made.out) ?? [];
  expectStatus(await server.client().post("/api/admin/login", { username, password: oneTime }), 200);

  expect((await runMidmanCommand("seed", [], settings)).code).toBe(0);
  const twice = Object.fromEntries(Object.entries(once).map(([status, count]) => [status, 2 * count]));
  expect(await states()).toEqual(twice);
  expect((await runMidmanCommand("ledger-verify", [], settings)).code).toBe(0);
});

test("alone with an empty database it prints the first administrator's password, which no later start would", async () => {
  const home = mkdtempSync(join(tmpdir(), "midman-seed-"));
  const made = await runMidmanCommand("seed", [], { DATA_DIR: join(home, "data") });
  rmSync(home, { recursive: true });
  expect(made).toMatchObject({ code: 0, err: "" });
  expect(made.out).toMatch(/^Administrator: admin, one-time password \S+ \(http:\S+\/admin\/login\)$/m);
});
