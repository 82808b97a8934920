import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { sql } from "drizzle-orm";
import { overrideConfig } from "#config";
import { evidencePublicKey } from "#modules/escrow";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { freshDatabase } from "../support/database/test-database.ts";
import { expectMatch } from "../support/expect-match.ts";
import { runMidmanCommand } from "../support/server/run-command.ts";
import { startRecordingProxy, startS3 } from "../support/services/s3.ts";
import { plantTrade } from "../support/trades/planted-trades.ts";

/** `bun run backup s3://…` against a server that speaks S3. */

setDefaultTimeout(60_000);

const key = "ab".repeat(32);
const folder = mkdtempSync(join(tmpdir(), "midman-backup-object-"));
let s3: Awaited<ReturnType<typeof startS3>>;
let fresh: Awaited<ReturnType<typeof freshDatabase>>;
let settings: Record<string, string> = {};
let identity = "";

beforeAll(async () => {
  overrideConfig({ ENCRYPTION_KEY: key });
  [s3, fresh] = await Promise.all([startS3(), freshDatabase()]);
  connectDatabase(fresh.url);
  await evidencePublicKey();
  await plantTrade("initiated");
  identity = await generateIdentity();
  settings = {
    ...{ DATABASE_URL: fresh.url, DATA_DIR: join(folder, "data"), ENCRYPTION_KEY: key, SESSION_SECRET: key },
    ...s3.settings,
    BACKUP_RECIPIENTS: await identityToRecipient(identity),
  };
});
afterAll(async () => {
  await disconnectDatabase();
  await fresh?.drop();
  await s3?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const bucket = () =>
  new Bun.S3Client({
    ...{ endpoint: s3.settings.S3_ENDPOINT, bucket: "pictures", region: "us-east-1" },
    ...{ accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
  });

test("an archive is stored in a bucket encrypted, with a name from the time, and is read back intact", async () => {
  const made = await runMidmanCommand("backup", ["s3://pictures/nightly/"], settings);
  expectMatch(made, { code: 0, out: expect.stringContaining("The archive is encrypted") });
  const name = /^s3:\/\/pictures\/(nightly\/midman-\d{8}T\d{6}Z\.tar\.zst\.age): /m.exec(made.out)?.[1] ?? "";
  const [path, own] = [join(folder, "fetched.tar.zst.age"), join(folder, "own.txt")];
  writeFileSync(path, new Uint8Array(await bucket().file(name).arrayBuffer()));
  writeFileSync(own, `${identity}\n`, { mode: 0o600 });
  const proved = await runMidmanCommand("backup", ["--verify", path, "--identity", own], settings);
  expectMatch(proved, { code: 0, out: expect.stringContaining("The archive is intact") });
});

test("an archive is never stored there unencrypted, over another, or without the bucket's settings", async () => {
  await bucket().write("taken", "something else");
  const place = (name: string) => `s3://pictures/${name}`;
  for (const [name, more, says] of [
    ["clear", { BACKUP_RECIPIENTS: "" }, "must be encrypted: set BACKUP_RECIPIENTS"],
    ["taken", {}, "s3://pictures/taken exists already"],
    [
      "nowhere",
      Object.fromEntries(Object.keys(s3.settings).map((one) => [one, ""])),
      "needs the S3_ settings",
    ],
  ] as const) {
    const refused = await runMidmanCommand("backup", [place(name)], { ...settings, ...more });
    expect([name, refused.code, refused.err]).toEqual([name, 1, expect.stringContaining(says)]);
  }
  expect(await bucket().file("taken").text()).toBe("something else");
  expect(await bucket().exists("clear")).toBe(false);
});

test("an access key that the bucket refuses is reported as refused", async () => {
  const wire = startRecordingProxy(s3.settings.S3_ENDPOINT, () => new Response(null, { status: 403 }));
  const refused = await runMidmanCommand("backup", ["s3://pictures/refused"], {
    ...settings,
    S3_ENDPOINT: wire.url,
  });
  await wire.stop();
  expectMatch(refused, { code: 1, err: expect.stringContaining("the bucket answered 403 to HEAD") });
});

test("a refusing bucket of pictures is reported with its response", async () => {
  await db().execute(sql`
    INSERT INTO rooms.messages (room_id, seq, sender_id, client_id, type, content, created_at)
    SELECT id, 1000, created_by_id, gen_random_uuid(), 'text', 'Hello', now() FROM rooms.rooms LIMIT 1`);
  await db().execute(sql`
    INSERT INTO rooms.images (id, message_id, message_at, mime, bytes, sha256, sent_sha256)
    SELECT gen_random_uuid(), id, created_at, 'image/webp', 1, repeat('a', 64), repeat('a', 64) FROM rooms.messages LIMIT 1`);
  const error = "<Error><Code>AccessDenied</Code><Message>these pictures are another's</Message></Error>";
  const wire = startRecordingProxy(s3.settings.S3_ENDPOINT, () => new Response(error, { status: 403 }));
  expect(Number((await db().execute(sql`SELECT count(*) AS n FROM rooms.images`))[0]?.n)).toBe(1);
  const refused = await runMidmanCommand("backup", [join(folder, "refused")], {
    ...settings,
    S3_ENDPOINT: wire.url,
  });
  await wire.stop();
  expectMatch(refused, {
    code: 1,
    err: expect.stringContaining("files cannot be stored or read (these pictures are another's)"),
  });
});

test("a bucket that fails while a table is read is named, and the upload is aborted", async () => {
  // Two parts of what does not compress well, in one table.
  await db().execute(sql`
    INSERT INTO sandbox.tokens (token, kind, expires_at)
    SELECT string_agg(md5((row * 50 + n)::text), ''), 'access', now()
    FROM generate_series(1, 40000) AS row, generate_series(1, 50) AS n GROUP BY row`);
  const wire = startRecordingProxy(s3.settings.S3_ENDPOINT, ({ method }) =>
    method === "PUT" ? new Response(null, { status: 500 }) : undefined,
  );
  const failed = await runMidmanCommand("backup", ["s3://pictures/failed"], {
    ...settings,
    S3_ENDPOINT: wire.url,
  });
  await wire.stop();
  expectMatch(failed, {
    code: 1,
    err: expect.stringContaining("the bucket answered 500 to PUT ?partNumber=1"),
  });
  expect(wire.asked.at(-1)).toStartWith("DELETE /pictures/failed?uploadId=");
  expect(await bucket().exists("failed")).toBe(false);
});
