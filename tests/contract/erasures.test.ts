import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openClient } from "../../db/client.ts";
import { freshDatabase } from "../support/database/test-database.ts";
import { expectMatch } from "../support/expect-match.ts";
import { expectStatus, type Person, registerPerson } from "../support/people/registered-people.ts";
import { type Server, sharedSecrets, startServer } from "../support/server/midman-server.ts";
import { runMidmanCommand } from "../support/server/run-command.ts";
import { requestPayment, type ServerTrade } from "../support/trades/server-trades.ts";

/** Who was erased after a backup was made is erased again when it is restored. */

setDefaultTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), "midman-erasures-"));
const nightly = join(folder, "nightly");
const drops: Array<() => Promise<void>> = [];
let server: Server;
let gone: Person;
let trading: ServerTrade;
let archive = "";
/** The instance's log, as whoever collects it has it. */
const collected = join(folder, "collected.log");

const settings = (databaseUrl: string, dataDir: string) => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  ENCRYPTION_KEY: sharedSecrets.ENCRYPTION_KEY,
});

beforeAll(async () => {
  mkdirSync(nightly);
  server = await startServer();
  gone = await registerPerson(server, "Going Soon");
  trading = await requestPayment(server);
  const made = await runMidmanCommand("backup", [nightly], settings(server.databaseUrl, server.dataDir));
  if (made.code !== 0) throw new Error(made.err);
  archive = join(nightly, readdirSync(nightly).find((name) => name.endsWith(".zst")) ?? "");
  await erased(gone);
  expectStatus(await trading.seller.post(`/api/transactions/${trading.id}/withdraw`), 200);
  await erased(trading.seller);
  writeFileSync(collected, server.output());
}, 240_000);

afterAll(async () => {
  await server?.stop();
  for (const drop of drops) await drop();
  rmSync(folder, { recursive: true, force: true });
});

const erased = async ({ send, password, username }: Person) =>
  expectStatus(await send("DELETE", "/api/users/me", { password, confirmation: username }), 200);

/** Restores into an empty database; answers what was said and what is there of the two. */
async function restored(dataDir: string, ...args: string[]) {
  const fresh = await freshDatabase(true);
  drops.push(fresh.drop);
  const done = await runMidmanCommand("restore", [archive, ...args], settings(fresh.url, dataDir));
  const sql = openClient(fresh.url, { max: 1 });
  const rows = await sql`
    SELECT id::int AS id, username, email, password_hash AS password, deleted_at IS NOT NULL AS deleted
    FROM identity.users WHERE id IN (${gone.id}, ${trading.seller.id}) ORDER BY id`.finally(() => sql.end());
  return { ...done, url: fresh.url, rows: [...rows] };
}

/** Whom a journal names, each as often as it does. What was cut off counts for nothing. */
function erasedIn(path: string): number[] {
  const found = readFileSync(path, "utf8").matchAll(/^\{"erased":(\d+),.*\}$/gm);
  return [...found].map(([, id]) => Number(id)).sort((a, b) => a - b);
}

/** Whom a log names as erased. */
const erasuresLogged = (log: string): number[] =>
  [...log.matchAll(/"erased":(\d+),.*"msg":"an account was erased"/g)].map(([, id]) => Number(id));

const erasedAgain = () => ({
  ...{ id: gone.id, username: `deleted#${gone.id}`, email: null, password: null, deleted: true },
});

test("the journal of DATA_DIR repeats erasures, says how many, and names people whom a trade of the backup keeps", async () => {
  const { code, out, rows } = await restored(server.dataDir);
  expect(rows[0]).toEqual(erasedAgain());
  expect(rows[1]).toMatchObject({ id: trading.seller.id, deleted: false });
  expect(out).toContain("Erasures: 1 people whose accounts were erased since the backup are erased again");
  expect(out).toContain(`NOT erased again: user ${trading.seller.id} (TRADE_UNDER_WAY)`);
  expect(code).toBe(2);
});

test("people whom a trade keeps are remembered: the new DATA_DIR's journal has all erasures read, and its database is served", async () => {
  const fresh = join(folder, "moved");
  const { code, url } = await restored(fresh, "--erasures", join(server.dataDir, "erasures.jsonl"));
  expect(code).toBe(2);
  expect(new Set(erasedIn(join(fresh, "erasures.jsonl")))).toEqual(new Set([gone.id, trading.seller.id]));
  expect((await runMidmanCommand("ledger-verify", [], settings(url, fresh))).code).toBe(0);
});

test("a file of --erasures without any is named, and the exit code is 2; erasures inside other JSON are found", async () => {
  const silent = join(folder, "silent.log");
  writeFileSync(silent, readFileSync(collected, "utf8").replaceAll('"erased"', '"gone"'));
  const none = await restored(join(folder, "told-nothing"), "--erasures", silent);
  expect([none.code, none.rows[0]?.deleted]).toEqual([2, false]);
  expect(none.out).toContain(`${silent}: 0`);
  expect(none.out).toContain(`NO erasure was found in ${silent}.`);
  const wrapped = join(folder, "docker-json.log");
  const lines = readFileSync(collected, "utf8").split("\n");
  writeFileSync(
    wrapped,
    lines.map((log) => JSON.stringify({ log: `${log}\n`, stream: "stderr" })).join("\n"),
  );
  const { out, rows } = await restored(join(folder, "told-in-json"), "--erasures", wrapped);
  expect(rows[0]).toEqual(erasedAgain());
  expect(out).toContain(`${wrapped}: 2`);
});

test("a backup beside an instance that could not append adds the missing erasures, and loses none that the folder had", async () => {
  const journal = join(server.dataDir, "erasures.jsonl");
  const whole = readFileSync(journal);
  const place = join(folder, "fuller");
  mkdirSync(place);
  const other = { erased: 99_999, registeredAt: "2026-01-01T00:00:00.000Z", at: "2026-02-01T00:00:00.000Z" };
  writeFileSync(join(place, "erasures.jsonl"), `${JSON.stringify(other)}\n{"erased":`);
  writeFileSync(journal, whole.subarray(0, whole.lastIndexOf("\n") + 20)); // the last was cut off by a full disk
  const made = await runMidmanCommand("backup", [place], settings(server.databaseUrl, server.dataDir));
  expect(made.code).toBe(0);
  const all = [gone.id, trading.seller.id];
  const completed = erasedIn(journal);
  writeFileSync(journal, whole);
  expect(completed).toEqual(all);
  expect(erasedIn(join(place, "erasures.jsonl"))).toEqual([...all, other.erased]);
  expect(readdirSync(place).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("an unwritable journal is reported although the archive was made, and the previous one stays", async () => {
  const place = join(folder, "unwritable");
  mkdirSync(join(place, "erasures.jsonl"), { recursive: true });
  const { code, err } = await runMidmanCommand(
    "backup",
    [place],
    settings(server.databaseUrl, server.dataDir),
  );
  expect([code, err]).toEqual([
    2,
    expect.stringContaining("The archive is complete, but the journal of erasures"),
  ]);
  expect(err).not.toContain("No backup was made");
  const [name = "", ...more] = readdirSync(place).filter((one) => one !== "erasures.jsonl");
  expect(more).toEqual([]);
  expect((await runMidmanCommand("backup", ["--verify", join(place, name)], {})).code).toBe(0);
});

test("without that folder no erasure is known, and the instance's collected log has them", async () => {
  const forgotten = await restored(join(folder, "fresh"));
  expect([forgotten.code, forgotten.rows[0]?.deleted]).toEqual([0, false]);
  expect(forgotten.out).toContain("Erasures: 0 people");
  const { out, rows } = await restored(join(folder, "fresh"), "--erasures", collected);
  expect(rows[0]).toEqual(erasedAgain());
  expect(out).toContain("Erasures: 1 people");
  const fresh = await freshDatabase(true);
  drops.push(fresh.drop);
  const nowhere = ["--erasures", join(folder, "nothing")];
  const refused = await runMidmanCommand(
    "restore",
    [archive, ...nowhere],
    settings(fresh.url, join(folder, "fresh")),
  );
  expectMatch(refused, { code: 1, err: expect.stringContaining(`there is no ${nowhere[1]}`) });
  const sql = openClient(fresh.url, { max: 1 });
  const [table] = await sql`SELECT to_regclass('identity.users') AS users`.finally(() => sql.end());
  expect(table).toEqual({ users: null }); // nothing was restored
});

test("a restore that is killed before it repeated erasures leaves a database on which nothing starts", async () => {
  const { url, drop } = await freshDatabase(true);
  drops.push(drop);
  const within = settings(url, join(folder, "killed"));
  const journal = join(folder, "never-read");
  expect(await Bun.spawn(["mkfifo", journal]).exited).toBe(0);
  const child = Bun.spawn([process.execPath, "scripts/restore.ts", archive, "--erasures", journal], {
    env: { ...process.env, ...within },
    stdout: "ignore",
    stderr: "ignore",
  });
  const sql = openClient(url, { max: 1 });
  const isFilled = async () =>
    (await sql`SELECT to_regclass('identity.users') IS NOT NULL AS there`)[0]?.there === true;
  while (child.exitCode === null && !(await isFilled())) await Bun.sleep(20);
  child.kill("SIGKILL"); // it waits for the journal's writer
  await child.exited;
  await sql.end();
  const says = /is not restored: a restore into it has not finished, .* empty it and restore again/;
  const started = startServer({ databaseUrl: url, dataDir: join(folder, "killed") });
  expect(await started.then(String, (error: Error) => error.message)).toMatch(says);
  for (const [name, args] of [
    ["backup", [nightly]],
    ["admin", ["list"]],
    ["ledger-verify", []],
  ] as const) {
    const ran = await runMidmanCommand(name, args, within);
    expect([name, ran]).toEqual([
      name,
      expect.objectContaining({ code: 1, err: expect.stringMatching(says) }),
    ]);
  }
  const again = await runMidmanCommand("restore", [archive], within);
  expectMatch(again, {
    code: 1,
    err: expect.stringMatching(
      /the database is not empty: a restore into it has not finished.*\n.*an empty database/,
    ),
  });
});

test("a later backup of the folder includes the journal, and a start completes it", async () => {
  await server.kill();
  const journal = join(server.dataDir, "erasures.jsonl");
  const lines = readFileSync(journal, "utf8").trim().split(/\n+/);
  expect(new Set(lines.map((line) => JSON.parse(line).erased))).toEqual(
    new Set([gone.id, trading.seller.id]),
  );
  expect(lines.join()).not.toContain(gone.username);
  writeFileSync(journal, `${lines[0]}\n{"erased":`); // cut off
  const { databaseUrl, dataDir } = server;
  const again = await startServer({ databaseUrl, dataDir });
  await again.kill();
  // Who collects the log has them too, and only those that the journal lacked.
  const logged = erasuresLogged(again.output());
  expect(logged).toEqual([trading.seller.id]);
  const made = await runMidmanCommand("backup", [nightly], settings(databaseUrl, dataDir));
  expect(made.code).toBe(0);
  const beside = readFileSync(join(nightly, "erasures.jsonl"), "utf8");
  expect(beside).toContain(`{"erased":${trading.seller.id},`);
  const { rows } = await restored(join(folder, "another"));
  expect(rows[0]).toEqual(erasedAgain());
});
