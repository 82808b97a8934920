import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { overrideConfig } from "#config";
import { evidencePublicKey } from "#modules/escrow";
import { connectDatabase, disconnectDatabase } from "../../db/client.ts";
import { freshDatabase } from "../support/database/test-database.ts";
import { runMidmanCommand } from "../support/server/run-command.ts";
import { startS3 } from "../support/services/s3.ts";
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

test("an archive goes into a bucket encrypted, under a name of the moment, and comes back whole", async () => {
  const made = await runMidmanCommand("backup", ["s3://pictures/nightly/"], settings);
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining("The archive is encrypted") });
  const name = /^s3:\/\/pictures\/(nightly\/midman-\d{8}T\d{6}Z\.tar\.zst\.age): /m.exec(made.out)?.[1] ?? "";
  const [path, own] = [join(folder, "fetched.tar.zst.age"), join(folder, "own.txt")];
  writeFileSync(path, new Uint8Array(await bucket().file(name).arrayBuffer()));
  writeFileSync(own, `${identity}\n`, { mode: 0o600 });
  const proved = await runMidmanCommand("backup", ["--verify", path, "--identity", own], settings);
  expect(proved).toMatchObject({ code: 0, out: expect.stringContaining("The archive is whole") });
});

test("none goes there in the clear, over another, or without the bucket's settings", async () => {
  await bucket().write("taken", "something else");
  const place = (name: string) => `s3://pictures/${name}`;
  for (const [name, more, says] of [
    ["clear", { BACKUP_RECIPIENTS: "" }, "must be encrypted: set BACKUP_RECIPIENTS"],
    ["taken", {}, "s3://pictures/taken is there already"],
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
