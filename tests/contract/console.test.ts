import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { overrideConfig } from "#config";
import { evidencePublicKey } from "#modules/escrow";
import { connectDatabase, disconnectDatabase, openClient } from "../../db/client.ts";
import { sealRowSecret } from "../../db/secrets/sealed-secrets.ts";
import { freshDatabase } from "../support/database/test-database.ts";
import { expectMatch } from "../support/expect-match.ts";
import { startServer } from "../support/server/midman-server.ts";
import { runMidmanCommand } from "../support/server/run-command.ts";
import { plantTrade } from "../support/trades/planted-trades.ts";

/** What the commands at the console say of a place or a setting that is not right. */

setDefaultTimeout(120_000);

const [older, newer] = ["ab".repeat(32), "cd".repeat(32)];
const over: Array<() => unknown> = [];
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "midman-console-"));
  over.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function database(empty = false): Promise<string> {
  const { url, drop } = await freshDatabase(empty);
  over.push(drop);
  return url;
}

/** A database as an instance's first start with that key leaves it. */
async function sealedBy(key: string): Promise<string> {
  const url = await database();
  overrideConfig({ ENCRYPTION_KEY: key });
  connectDatabase(url);
  over.push(disconnectDatabase, () => overrideConfig({ ENCRYPTION_KEY: undefined }));
  await evidencePublicKey();
  return url;
}

const commands: Array<[name: string, ...args: string[]]> = [
  ["admin", "list"],
  ["admin", "create", "second", "second@example.mn"],
  ["ledger-verify"],
  ["audit-verify"],
  ["keys-renew"],
  ["backup"],
];

test("no command creates a missing database, and each says so", async () => {
  const place = join(folder(), "wrong");
  const url = await database(true);
  for (const [name, ...args] of commands) {
    const said = { name, code: 1, out: "", err: expect.stringContaining("holds no database of Midman") };
    expect({ name, ...(await runMidmanCommand(name, args, { DATA_DIR: place })) }).toMatchObject(said);
    const settings = { DATABASE_URL: url, DATA_DIR: folder() };
    expect({ name, ...(await runMidmanCommand(name, args, settings)) }).toMatchObject(said);
  }
  expect(existsSync(place)).toBe(false);
  const client = openClient(url, { max: 1 });
  const [made] = await client`SELECT to_regnamespace('drizzle') IS NULL AS untouched`;
  await client.end();
  expect(made).toEqual({ untouched: true });
});

test("money can be halted with other settings wrong, and each wrong setting is reported", async () => {
  const settings = { DATABASE_URL: await database(), DATA_DIR: folder() };
  const wrong = { QPAY_USERNAME: "x", SMTP_URL: "foo", LOG_LEVEL: "loud", PORT: "99999", FEE_POLICY: "none" };
  const done = await runMidmanCommand("admin", ["halt", "the bank called"], { ...settings, ...wrong });
  expect(done).toMatchObject({ code: 0, out: "All outgoing money is halted.\n" });
  for (const name of ["QPAY_BASE_URL", "SMTP_URL", "LOG_LEVEL", "PORT", "FEE_POLICY"])
    expect(done.err.match(new RegExp(`^Ignored here: ${name}: `, "gm"))).toHaveLength(1);
  const again = await runMidmanCommand("admin", ["halt", "another reason"], settings);
  expectMatch(again, { code: 0, out: expect.stringContaining("the bank called") });
  expect(again.err).not.toContain("Left aside");
  const misspelt = await runMidmanCommand("admin", ["halt", "x"], {
    ...settings,
    DATABSE_URL: "postgres://db/midman",
  });
  expectMatch(misspelt, {
    code: 1,
    out: "",
    err: expect.stringContaining("did you mean DATABASE_URL?"),
  });
  const nowhere = await runMidmanCommand("admin", ["halt", "x"], { ...settings, DATABASE_URL: "foo" });
  expectMatch(nowhere, { code: 1, err: expect.stringContaining("DATABASE_URL: ") });
});

test("a halt without a reason, with an unquoted one, or with a far too long one explains the usage", async () => {
  const settings = { DATABASE_URL: await database(), DATA_DIR: folder() };
  for (const words of [[], [" "], ["the", "bank"], ["x".repeat(2_001)]]) {
    const refused = await runMidmanCommand("admin", ["halt", ...words], settings);
    expectMatch(refused, {
      code: 2,
      out: "",
      err: expect.stringContaining('halt "the bank called"'),
    });
  }
});

test("keys are renewed with the previous one, and without it the needed setting is named", async () => {
  const url = await sealedBy(older);
  const settings = (key: string, before = "") => ({
    DATABASE_URL: url,
    DATA_DIR: folder(),
    ENCRYPTION_KEY: key,
    ENCRYPTION_KEYS_BEFORE: before,
  });
  expectMatch(await runMidmanCommand("keys-renew", [], settings(newer)), {
    code: 1,
    err: expect.stringMatching(/^The keys could not be renewed: .*ENCRYPTION_KEYS_BEFORE.*\n$/m),
  });
  const idle = await runMidmanCommand("keys-renew", [], settings(older));
  expectMatch(idle, { code: 0, out: expect.stringContaining("nothing was renewed") });
  expect(idle.out).not.toContain("You can remove");
  const done = await runMidmanCommand("keys-renew", [], settings(newer, older));
  expectMatch(done, { code: 0, out: expect.stringContaining("1 signing keys are now sealed") });
  expect(done.out).toContain("You can remove ENCRYPTION_KEYS_BEFORE.");
  expect(await runMidmanCommand("keys-renew", [], settings(newer))).toMatchObject({ code: 0 });
});

test("if the key is lost the signing keys are replaced, unreadable values are named, and Midman starts again", async () => {
  const url = await sealedBy(older);
  const settings = { DATABASE_URL: url, DATA_DIR: folder(), ENCRYPTION_KEY: newer };
  const first = await startServer({ databaseUrl: url, environment: { ENCRYPTION_KEY: older } });
  const [, name = ""] =
    /sealed by key ([0-9a-f]{8})/.exec((await runMidmanCommand("keys-renew", [], settings)).err) ?? [];
  const served = await runMidmanCommand("keys-renew", ["--replace-lost", name], settings);
  expectMatch(served, {
    code: 1,
    out: "",
    err: expect.stringContaining("an instance serves this database"),
  });
  await first.stop();
  const client = openClient(url, { max: 1 });
  over.push(() => client.end());
  await client`UPDATE base.heartbeat SET beat_at = now() - interval '1 hour'`;
  const other = await runMidmanCommand("keys-renew", ["--replace-lost", "01234567"], settings);
  expectMatch(other, {
    code: 1,
    err: expect.stringContaining(`sealed by key ${name}, but 01234567 was named`),
  });
  // Whoever has the right key loses nothing by it.
  const right = await runMidmanCommand("keys-renew", ["--replace-lost", name], {
    ...settings,
    ENCRYPTION_KEY: older,
  });
  expectMatch(right, { code: 0, out: expect.not.stringContaining("were replaced") });
  const lost = await runMidmanCommand("keys-renew", ["--replace-lost", name], settings);
  expectMatch(lost, {
    code: 0,
    out: expect.stringContaining("lost signing keys were replaced by new ones."),
  });
  expect(await runMidmanCommand("keys-renew", [], settings)).toMatchObject({ code: 0 });
  expect((await runMidmanCommand("keys-renew", [], { ...settings, ENCRYPTION_KEY: older })).err).toContain(
    "sealed by key",
  );
  const server = await startServer({ databaseUrl: url, environment: { ENCRYPTION_KEY: newer } });
  await server.stop();
});

test("each command names its database, whose data are in it, and that nobody serves it", async () => {
  const url = await database();
  const { host, pathname } = new URL(url);
  const place = folder();
  const settings = { DATABASE_URL: url, DATA_DIR: place, ENCRYPTION_KEY: newer };
  const line = `Database: Postgres at ${decodeURIComponent(host)}, named ${pathname.slice(1)}\n`;
  const unserved = (await runMidmanCommand("admin", ["list"], settings)).err;
  expect(unserved).toBe(`${line}WARNING: no instance has ever served this database.\n`);
  const server = await startServer({ databaseUrl: url, environment: { ENCRYPTION_KEY: newer } });
  over.push(() => server.stop());
  const served = `${line}It holds the data of ${server.url}.\n`;
  for (const [name, ...args] of [
    ["admin", "halt", "a drill"],
    ["ledger-verify"],
    ["audit-verify"],
    ["keys-renew"],
  ])
    expect([name, (await runMidmanCommand(name ?? "", args, settings)).err]).toEqual([name ?? "", served]);
  const client = openClient(url, { max: 1 });
  over.push(() => client.end());
  await client`UPDATE base.heartbeat SET beat_at = now() - interval '3 days'`;
  const since = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  expect((await runMidmanCommand("admin", ["list"], settings)).err).toMatch(
    new RegExp(
      `\\nWARNING: no instance has served this database since ${since} .* If Midman runs, it runs on another one.\\n$`,
    ),
  );
});

test("a folder whose data have moved to another database is refused, and an unused database in it is named", async () => {
  const url = await database();
  const place = folder();
  mkdirSync(join(place, "postgres-18"));
  const settings = { DATABASE_URL: url, DATA_DIR: place, ENCRYPTION_KEY: newer };
  const left = await runMidmanCommand("admin", ["halt", "fraud"], settings);
  expectMatch(left, {
    code: 1,
    out: "",
    err: expect.stringContaining("postgres-18 holds an embedded database"),
  });
  const starting = startServer({ databaseUrl: url, dataDir: place });
  await expect(starting).rejects.toThrow("DATABASE_URL: ");
  renameSync(join(place, "postgres-18"), join(place, "postgres-18-moved"));
  const server = await startServer({ databaseUrl: url, dataDir: place });
  await server.stop();
  renameSync(join(place, "postgres-18-moved"), join(place, "postgres-18"));
  const moved = await runMidmanCommand("admin", ["halt", "fraud"], { DATA_DIR: place });
  expectMatch(moved, {
    code: 1,
    out: "",
    err: expect.stringContaining("are elsewhere (Postgres at "),
  });
  rmSync(join(place, "database-elsewhere"));
  expect((await runMidmanCommand("admin", ["list"], { DATA_DIR: place })).err).not.toContain("are elsewhere");
});

test("a vault record that no available key opens is reported by keys:renew and by a backup", async () => {
  const url = await sealedBy(newer);
  const client = openClient(url, { max: 1 });
  over.push(() => client.end());
  const id = crypto.randomUUID();
  await plantVault(client, id);
  const place = folder();
  const settings = { DATABASE_URL: url, DATA_DIR: place, ENCRYPTION_KEY: newer };
  const shut = expect.stringContaining("No available key opens 1 vault records");
  const named = expect.stringMatching(
    /^No available key opens these; .*\n {2}the vault record of transaction \d+\n/m,
  );
  expect(await runMidmanCommand("keys-renew", [], settings)).toMatchObject({ code: 2, out: named });
  expect(await runMidmanCommand("backup", [join(place, "a.tar.zst")], settings)).toMatchObject({
    code: 2,
    err: shut,
  });
  const known = { ...settings, ENCRYPTION_KEYS_BEFORE: older };
  expectMatch(await runMidmanCommand("keys-renew", [], known), {
    code: 2,
    out: expect.stringContaining("1 vault records need the older keys"),
  });
  expectMatch(await runMidmanCommand("backup", [join(place, "b.tar.zst")], known), {
    code: 0,
    out: expect.stringContaining("and ENCRYPTION_KEYS_BEFORE (only those open 1 vault records"),
  });
});

/** A hand-over whose key lies under the older key of ours; the text of it matters to nobody here. */
async function plantVault(client: ReturnType<typeof openClient>, id: string): Promise<void> {
  const { id: tradeId, seller } = await plantTrade("initiated");
  const key = sealRowSecret(
    Buffer.alloc(32),
    `vault key ${id} of trade ${tradeId}`,
    Buffer.from(older, "hex"),
  );
  await client`INSERT INTO escrow.vaults (id, trade_id, version, client_id, body, sealed_by, sealed_at)
    VALUES (${id}, ${tradeId}, 1, ${crypto.randomUUID()}, ${Buffer.alloc(64)}, ${seller.userId}, now())`;
  await client`INSERT INTO escrow.vault_keys (vault_id, key) VALUES (${id}, ${key})`;
}

test("wrong usage and an invalid archive are not reported as a failed backup", async () => {
  const settings = { DATABASE_URL: await database(), DATA_DIR: folder() };
  expectMatch(await runMidmanCommand("backup", ["a", "b"], settings), {
    code: 1,
    err: expect.stringMatching(/^usage: /),
  });
  expectMatch(await runMidmanCommand("backup", ["--verify", "/nope"], settings), {
    code: 1,
    err: expect.stringMatching(/^The archive failed verification: /),
  });
  expectMatch(await runMidmanCommand("restore", ["/nope"], { ...settings, DATABASE_URL: "foo" }), {
    code: 1,
    err: expect.stringMatching(/^Nothing was restored: /),
  });
});
