import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { sql } from "drizzle-orm";
import { overrideConfig } from "#config";
import { recordAuditEntry, sealBlocks } from "#modules/audit";
import { evidencePublicKey } from "#modules/escrow";
import { proveArchive } from "../../db/backup/read-archive.ts";
import { connectDatabase, db, disconnectDatabase, openClient, runInTransaction } from "../../db/client.ts";
import { readJournal } from "../../db/migrate/journal.ts";
import { readCatalogue } from "../support/database/catalogue.ts";
import { testCluster } from "../support/database/test-cluster.ts";
import { freshDatabase } from "../support/database/test-database.ts";
import { expectMatch } from "../support/expect-match.ts";
import { databaseLinesPattern, runMidmanCommand } from "../support/server/run-command.ts";
import { startRecordingProxy, startS3 } from "../support/services/s3.ts";
import { plantTrade } from "../support/trades/planted-trades.ts";

setDefaultTimeout(120_000);

const key = "ab".repeat(32);
const folder = mkdtempSync(join(tmpdir(), "midman-backup-"));
// As root the database of a drill runs as another user, who must reach it below this.
chmodSync(folder, 0o711);
const archive = join(folder, "midman.tar.zst");
const drops: Array<() => Promise<void>> = [];
let source = "";

const settings = (url: string, more: Record<string, string> = {}) => ({
  DATABASE_URL: url,
  DATA_DIR: join(folder, "data"),
  ENCRYPTION_KEY: key,
  ...more,
});

async function database(empty: boolean): Promise<string> {
  const { url, drop } = await freshDatabase(empty);
  drops.push(drop);
  return url;
}

async function query<T>(
  url: string,
  work: (client: ReturnType<typeof openClient>) => Promise<T>,
): Promise<T> {
  const client = openClient(url, { max: 1 });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const schemasOf = (url: string) =>
  query(url, async (client) => {
    const rows =
      await client`SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$|^public$'`;
    return rows.length;
  });

beforeAll(async () => {
  overrideConfig({ ENCRYPTION_KEY: key });
  source = await database(false);
  connectDatabase(source);
  await evidencePublicKey(); // what an instance's first start seals
  await plantTrade("initiated");
  await plantTrade("completed");
  const at = new Date();
  await runInTransaction((tx) =>
    recordAuditEntry(tx, { by: { userId: null, ip: "203.0.113.7" }, action: "login", at }),
  );
  while ((await sealBlocks(at)).sealed === 0) await Bun.sleep(20);
  await runInTransaction((tx) => recordAuditEntry(tx, { by: { userId: null }, action: "logout", at }));
  const made = await runMidmanCommand("backup", [archive], settings(source));
  expectMatch(made, { code: 0, err: expect.stringMatching(databaseLinesPattern) });
}, 120_000);

afterAll(async () => {
  await disconnectDatabase();
  for (const drop of drops) await drop();
  rmSync(folder, { recursive: true, force: true });
});

test("an archive is readable only by its owner, is verified without a database, and is logged", async () => {
  expect(statSync(archive).mode & 0o777).toBe(0o600);
  const { manifest, digest } = await proveArchive({ path: archive });
  expect(manifest.head?.block).toBe(1);
  const proved = await runMidmanCommand(
    "backup",
    ["--verify", archive],
    settings("postgres://nobody@127.0.0.1:9/none"),
  );
  expect(proved.code).toBe(0);
  expect(proved.out).toContain(digest);
  const [entry] = await db().execute(sql`SELECT data FROM audit.entries WHERE action = 'backup_made'`);
  expect(entry?.data).toMatchObject({ digest, block: 1 });
  const again = await runMidmanCommand("backup", [archive], settings(source));
  expectMatch(again, { code: 1, err: expect.stringContaining("exists already") });
});

test("with recipients it is encrypted while it is written, and only their identity verifies and restores it", async () => {
  const [mine, other] = [await generateIdentity(), await generateIdentity()];
  const [own, strange] = [join(folder, "own.txt"), join(folder, "strange.txt")];
  writeFileSync(own, `# created: today\n${mine}\n`, { mode: 0o600 });
  writeFileSync(strange, `${other}\n`, { mode: 0o600 });
  const recipients = { BACKUP_RECIPIENTS: await identityToRecipient(mine) };
  const nightly = join(folder, "nightly");
  mkdirSync(nightly);
  for (const old of ["midman-20200101T020000Z.tar.zst", "midman-20200102T020000Z.tar.zst", "notes.txt"])
    writeFileSync(join(nightly, old), "");
  const made = await runMidmanCommand("backup", [nightly, "--keep", "2,0,0"], settings(source, recipients));
  expectMatch(made, { code: 0, out: expect.stringContaining("1 older archives were removed") });
  expect(made.out).toContain("The archive is encrypted");
  const kept = readdirSync(nightly).sort();
  expect(kept).toEqual([
    "midman-20200102T020000Z.tar.zst",
    expect.stringMatching(/^midman-\d{8}T\d{6}Z\.tar\.zst\.age$/),
    "notes.txt",
  ]);
  const path = join(nightly, kept[1] ?? "");
  expect(readFileSync(path).subarray(0, 22).toString()).toBe("age-encryption.org/v1\n");
  expect(readFileSync(path).includes("midman.json")).toBe(false);

  const proofOf = (...args: string[]) => runMidmanCommand("backup", ["--verify", ...args], settings(source));
  expectMatch(await proofOf(path), {
    code: 1,
    err: expect.stringContaining("it is encrypted: name its identity file"),
  });
  expectMatch(await proofOf(path, "--identity", strange), {
    code: 1,
    err: expect.stringContaining("is not the identity that it was encrypted for"),
  });
  expect(await proofOf(path, "--identity", own)).toMatchObject({ code: 0 });
  const altered = Buffer.from(readFileSync(path));
  altered[altered.length - 40] = (altered[altered.length - 40] ?? 0) ^ 1;
  const broken = join(folder, "altered.age");
  writeFileSync(broken, altered);
  expect((await proofOf(broken, "--identity", own)).code).toBe(1);
  const url = await database(true);
  const restored = await runMidmanCommand("restore", [path, "--identity", own], settings(url));
  expectMatch(restored, { code: 0, out: expect.stringContaining("with the head of the archive") });

  const wrong = settings(source, { BACKUP_RECIPIENTS: "age1nobody" });
  const refused = await runMidmanCommand("backup", [join(folder, "clear.tar.zst")], wrong);
  expectMatch(refused, {
    code: 1,
    err: expect.stringContaining("BACKUP_RECIPIENTS: must be age recipients"),
  });
  expect(existsSync(join(folder, "clear.tar.zst"))).toBe(false);
});

test("a drill restores the newest archive of a folder into a scratch database, verifies it, logs it, and leaves nothing", async () => {
  const drilled = join(folder, "drilled");
  const temporary = join(folder, "temporary");
  for (const made of [drilled, temporary]) mkdirSync(made, { mode: 0o711 });
  writeFileSync(join(drilled, "midman-20200101T020000Z.tar.zst"), "not one");
  const within = settings(source, { TMPDIR: temporary });
  expect((await runMidmanCommand("backup", [drilled], within)).code).toBe(0);
  const done = await runMidmanCommand("backup-drill", [drilled], within);
  expectMatch(done, {
    code: 0,
    out: expect.stringContaining("can be restored: rows, ledger and log"),
  });
  const [entry] = await db().execute(sql`SELECT data FROM audit.entries WHERE action = 'backup_drilled'`);
  expect(entry?.data).toEqual({
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    seconds: expect.any(Number),
  });
  const old = await runMidmanCommand(
    "backup-drill",
    [join(drilled, "midman-20200101T020000Z.tar.zst")],
    within,
  );
  expectMatch(old, {
    code: 1,
    err: expect.stringContaining("The drill failed; the backup may not be restorable: restore failed"),
  });
  expect(readdirSync(temporary)).toEqual([]);
  const empty = await runMidmanCommand("backup-drill", [temporary], within);
  expectMatch(empty, { code: 1, err: expect.stringContaining("holds no archive") });
});

test("only the archive is written to standard output, and messages elsewhere", async () => {
  const out = join(folder, "streamed.tar.zst");
  const piped = Bun.spawn([process.execPath, "scripts/backup.ts", "-"], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production", ...settings(source) },
    stdout: Bun.file(out),
    stderr: "pipe",
  });
  const said = await new Response(piped.stderr).text();
  expect([await piped.exited, said]).toEqual([0, expect.stringContaining("standard output: ")]);
  expect((await proveArchive({ path: out })).manifest.head?.block).toBeGreaterThan(0);
  expect(existsSync("-")).toBe(false);
  for (const args of [
    ["-", "--keep", "7,4,12"],
    ["--verify", "-"],
    [folder, "--keep", "week"],
    ["--identity", "x"],
  ])
    expect([args, (await runMidmanCommand("backup", args, settings(source))).err]).toEqual([
      args,
      expect.stringContaining("usage:"),
    ]);
});

test("none is made with another key, or without one: only that key could restore it, and would open nothing", async () => {
  const path = join(folder, "unkeyed.tar.zst");
  const other = await runMidmanCommand(
    "backup",
    [path],
    settings(source, { ENCRYPTION_KEY: "cd".repeat(32) }),
  );
  expectMatch(other, { code: 1, err: expect.stringContaining("sealed by another key") });
  const place = join(folder, "keyless");
  const none = await runMidmanCommand(
    "backup",
    [path],
    settings(source, { ENCRYPTION_KEY: "", DATA_DIR: place }),
  );
  expectMatch(none, { code: 1, err: expect.stringContaining("set ENCRYPTION_KEY") });
  expect(existsSync(join(place, "encryption-key"))).toBe(false);
  expect(existsSync(path)).toBe(false);
  const renewed = settings(source, { ENCRYPTION_KEY: "cd".repeat(32), ENCRYPTION_KEYS_BEFORE: key });
  expect((await runMidmanCommand("backup", [path], renewed)).code).toBe(0);
});

test("a run into a bucket that breaks off completes nothing, deletes nothing, and ends", async () => {
  const s3 = await startS3();
  const wire = startRecordingProxy(s3.settings.S3_ENDPOINT);
  const recipient = await identityToRecipient(await generateIdentity());
  const bucket = { ...s3.settings, S3_ENDPOINT: wire.url, BACKUP_RECIPIENTS: recipient, SESSION_SECRET: key };
  const run = (more: Record<string, string> = {}) =>
    runMidmanCommand("backup", ["s3://pictures/nightly.age"], settings(source, { ...bucket, ...more }));
  try {
    expectMatch(await run({ ENCRYPTION_KEY: "cd".repeat(32) }), {
      code: 1,
      err: expect.stringContaining("sealed by another key"),
    });
    expect(wire.asked.filter((one) => !one.startsWith("HEAD "))).toEqual([]);
    expectMatch(await run(), {
      code: 0,
      out: expect.stringContaining("s3://pictures/nightly.age: "),
    });
    expectMatch(await run(), { code: 1, err: expect.stringContaining("exists already") });
  } finally {
    await wire.stop();
    await s3.stop();
  }
});

test("a role without rights beyond its own database restores everything: rows, rules, sequences, ledger and log", async () => {
  const address = await testCluster();
  const role = `plain_${crypto.randomUUID().slice(0, 8)}`;
  const url = await database(true);
  const name = new URL(url.replace(/@[^/]*\//, "@x/")).pathname.slice(1);
  await query(address("postgres"), async (client) => {
    await client.unsafe(
      `CREATE ROLE ${role} LOGIN PASSWORD 'plain'; ALTER DATABASE ${name} OWNER TO ${role}`,
    );
  });
  drops.push(() =>
    query(address("postgres"), async (client) => void (await client.unsafe(`DROP ROLE ${role}`))),
  );
  const plain = url.replace(/\/\/[^@]*@/, `//${role}:plain@`);
  const done = await runMidmanCommand("restore", [archive], settings(plain));
  expect(done).toMatchObject({ code: 0, err: "" });
  expect(done.out).toContain("HALTED");
  expect(await readCatalogue(plain)).toEqual(await readCatalogue(source));
  const { manifest } = await proveArchive({ path: archive });
  const head = `${manifest.head?.block}:${manifest.head?.head}`;
  expect(await runMidmanCommand("audit-verify", ["--head", head], settings(plain))).toMatchObject({
    code: 0,
  });
  expect(await runMidmanCommand("ledger-verify", [], settings(plain))).toMatchObject({ code: 0 });
  const found = await query(plain, async (client) => ({
    halt: await client`SELECT halted, reason, changed_by FROM payments.halt`,
    sessions: await client`SELECT 1 FROM identity.sessions`,
    restored: await client`SELECT data FROM audit.entries WHERE action = 'backup_restored'`,
    next: await client`SELECT nextval('escrow.trades_id_seq')::int AS next, max(id)::int AS last FROM escrow.trades`,
  }));
  expect([...found.halt]).toEqual([
    { halted: true, reason: expect.stringContaining("QPay"), changed_by: null },
  ]);
  expect(found.sessions.length).toBe(0);
  expect(found.restored.length).toBe(1);
  expect(found.next[0]?.next).toBe(1_000_001 + Number(found.next[0]?.last));
});

test("an archive from before 1.0, with demonstration data at migration 0054, is restored into today's schema", async () => {
  const path = join(import.meta.dir, "../support/database/before-1.0.tar.zst");
  const { manifest } = await proveArchive({ path });
  expect(manifest.header.migration.tag).toBe("0054_suspension_expiry_notices");
  const url = await database(true);
  expect(await runMidmanCommand("restore", [path], settings(url))).toMatchObject({ code: 0, err: "" });
  expect(await readCatalogue(url)).toEqual(await readCatalogue(await database(false)));
  const head = `${manifest.head?.block}:${manifest.head?.head}`;
  const log = await runMidmanCommand("audit-verify", ["--head", head], settings(url));
  expectMatch(log, { code: 0, out: expect.stringContaining("119 records match what was sealed") });
  const ledger = await runMidmanCommand("ledger-verify", [], settings(url));
  expectMatch(ledger, {
    code: 0,
    out: expect.stringContaining("8 payments, 3 payouts and refunds"),
  });
  const again = join(folder, "again.tar.zst");
  expect(await runMidmanCommand("backup", [again], settings(url))).toMatchObject({ code: 0 });
  expect((await proveArchive({ path: again })).manifest.header.migration.tag).toBe(
    readJournal().at(-1)?.tag ?? "",
  );
});

test("rows of earlier years have their own partitions after a restore", async () => {
  const [older, url] = [await database(false), await database(true)];
  await query(older, async (client) => {
    await client`INSERT INTO audit.entries (at, action, data) SELECT '2024-02-03'::timestamptz + n * interval '1 month', 'login', '{}'
      FROM generate_series(0, 8) n`;
  });
  const path = join(folder, "older.tar.zst");
  expect(await runMidmanCommand("backup", [path], settings(older))).toMatchObject({ code: 0 });
  expect(await runMidmanCommand("restore", [path], settings(url))).toMatchObject({ code: 0 });
  const rows = await query(
    url,
    (client) => client`SELECT tableoid::regclass::text AS part, count(*)::int AS n FROM audit.entries
      WHERE at < '2025-01-01' GROUP BY 1 ORDER BY 1`,
  );
  const parts = [1, 2, 3, 4].map((q) => ({
    part: `audit.entries_2024q${q}`,
    n: q === 1 ? 2 : q === 4 ? 1 : 3,
  }));
  expect([...rows]).toEqual(parts);
});

test("a database that is not empty stays as it is", async () => {
  const before = await db().execute(sql`SELECT count(*)::int AS n FROM audit.entries`);
  const refused = await runMidmanCommand("restore", [archive], settings(source));
  expectMatch(refused, { code: 1, err: expect.stringContaining("not empty") });
  expect(await db().execute(sql`SELECT count(*)::int AS n FROM audit.entries`)).toEqual(before);
});

test("another key, or none, is reported before anything is written", async () => {
  const url = await database(true);
  const other = await runMidmanCommand(
    "restore",
    [archive],
    settings(url, { ENCRYPTION_KEY: "cd".repeat(32) }),
  );
  expectMatch(other, { code: 1, err: expect.stringContaining("not the one that sealed it") });
  const none = settings(url, { ENCRYPTION_KEY: "", DATA_DIR: join(folder, "fresh") });
  expectMatch(await runMidmanCommand("restore", [archive], none), {
    code: 1,
    err: expect.stringContaining("is missing"),
  });
  expect(existsSync(join(folder, "fresh/encryption-key"))).toBe(false);
  const renewed = settings(url, { ENCRYPTION_KEY: "cd".repeat(32), ENCRYPTION_KEYS_BEFORE: key });
  expect(await schemasOf(url)).toBe(0);
  expect(await runMidmanCommand("restore", [archive], renewed)).toMatchObject({ code: 0 });
});

/** The archive with its unpacked bytes changed, and packed anew. */
function altered(name: string, change: (bytes: Buffer) => Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, zstdCompressSync(change(zstdDecompressSync(readFileSync(archive)))));
  return path;
}

function flipped(bytes: Buffer, at: number): Buffer {
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}

test("a truncated or altered archive, one of a newer version, or another file is refused, and nothing is written", async () => {
  const url = await database(true);
  const whole = readFileSync(archive);
  const cut = join(folder, "cut");
  writeFileSync(cut, whole.subarray(0, whole.length - 20));
  const packed = join(folder, "packed");
  writeFileSync(packed, flipped(Buffer.from(whole), Math.floor(whole.length / 2)));
  const rows = altered("rows", (bytes) => flipped(bytes, bytes.indexOf("tables/identity.users/") + 520));
  const short = altered("short", (bytes) => bytes.subarray(0, bytes.indexOf("manifest.json")));
  const newer = altered("newer", (bytes) => {
    bytes.write('{"format":2', bytes.indexOf('{"format":1'));
    return bytes;
  });
  const none = join(folder, "none");
  writeFileSync(none, "no archive at all");
  const ends = [-512, 512].map((by) =>
    altered(`end${by}`, (bytes) => Buffer.concat([bytes, Buffer.alloc(512)]).subarray(0, bytes.length + by)),
  );
  const behind = altered("behind", (bytes) => Buffer.concat([bytes, Buffer.from("something else")]));
  const refusedPaths = [behind, ...ends, cut, packed, rows, short, newer, none, join(folder, "nowhere")];
  for (const path of refusedPaths) {
    const refused = await runMidmanCommand("restore", [path], settings(url));
    expectMatch(
      { path, ...refused },
      { code: 1, err: expect.stringMatching(/^Nothing was restored: .+\.\n$/) },
    );
  }
  expect((await runMidmanCommand("backup", ["--verify", rows], settings(url))).err).toContain(
    "identity.users was altered",
  );
  expect((await runMidmanCommand("backup", ["--verify", newer], settings(url))).err).toContain(
    "newer version of Midman",
  );
  expect(await schemasOf(url)).toBe(0);
}, 120_000);

test("an archive whose manifest was changed to match other data is refused, and nothing of it stays", async () => {
  const url = await database(true);
  const sums = altered("sums", (bytes) => {
    const at = bytes.indexOf("manifest.json");
    const size = Number.parseInt(bytes.toString("latin1", at + 124, at + 135), 8);
    const text = bytes.subarray(at + 512, at + 512 + size);
    const name = '"sums":{"received":';
    text.write("9", text.lastIndexOf(name) + name.length);
    const digest = createHash("sha256").update(text).digest("hex");
    bytes.write(digest, at + 512 + Math.ceil(size / 512) * 512 + 512);
    return bytes;
  });
  expect(await runMidmanCommand("backup", ["--verify", sums], settings(url))).toMatchObject({ code: 0 });
  const refused = await runMidmanCommand("restore", [sums], settings(url));
  expectMatch(refused, { code: 1, err: expect.stringContaining("the ledger's received") });
  expect(await schemasOf(url)).toBe(0);
});

test("a killed backup or restore leaves nothing that looks complete", async () => {
  const url = await database(true);
  const child = Bun.spawn([process.execPath, "scripts/restore.ts", archive], {
    env: { ...process.env, ...settings(url) },
    stdout: "ignore",
    stderr: "ignore",
  });
  const holds = () =>
    query(
      url,
      (client) =>
        client`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
  while (child.exitCode === null && (await holds()).length === 0) await Bun.sleep(5);
  child.kill("SIGKILL");
  await child.exited;
  while ((await holds()).length > 0) await Bun.sleep(20);
  expect(await schemasOf(url)).toBe(0);
  const path = join(folder, "killed.tar.zst");
  const saving = Bun.spawn([process.execPath, "scripts/backup.ts", path], {
    env: { ...process.env, ...settings(source) },
    stdout: "ignore",
    stderr: "ignore",
  });
  while (saving.exitCode === null && !readdirSync(folder).some((name) => name.endsWith(".part")))
    await Bun.sleep(1);
  saving.kill("SIGKILL");
  await saving.exited;
  expect(existsSync(path)).toBe(false);
});

test("a backup that is stopped leaves nothing of what it had started", async () => {
  const path = join(folder, "ended.tar.zst");
  const begun = () =>
    readdirSync(folder).filter((name) => name.startsWith("ended.") && name.endsWith(".part"));
  const saving = Bun.spawn([process.execPath, "scripts/backup.ts", path], {
    env: { ...process.env, ...settings(source) },
    stdout: "ignore",
    stderr: "ignore",
  });
  while (saving.exitCode === null && begun().length === 0) await Bun.sleep(1);
  saving.kill("SIGTERM");
  expect(await saving.exited).not.toBe(0);
  expect(begun()).toEqual([]);
});

test("a database of another version, or one that Midman never used, is not backed up, and not changed", async () => {
  const url = await database(false);
  await query(url, async (client) => {
    await client`DELETE FROM drizzle.__drizzle_migrations WHERE id = (SELECT max(id) FROM drizzle.__drizzle_migrations)`;
  });
  const refused = await runMidmanCommand("backup", [join(folder, "other")], settings(url));
  expectMatch(refused, { code: 1, err: expect.stringContaining("does not belong to this version") });
  const empty = await database(true);
  const none = await runMidmanCommand("backup", [join(folder, "other")], settings(empty));
  expectMatch(none, { code: 1, err: expect.stringContaining("holds no database of Midman") });
  expect(await schemasOf(empty)).toBe(0);
  expect(existsSync(join(folder, "other"))).toBe(false);
});
