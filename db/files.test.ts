import "../tests/support/environment.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { config, overrideConfig, readConfig } from "#config";
import { FilesUnavailable, openFileStore } from "#db/files";
import { type BucketSettings, startS3 } from "../tests/support/services/s3.ts";

const unset = {
  S3_ENDPOINT: undefined,
  S3_REGION: undefined,
  S3_BUCKET: undefined,
  S3_ACCESS_KEY_ID: undefined,
  S3_SECRET_ACCESS_KEY: undefined,
};
const former = config();
const folder = mkdtempSync(join(tmpdir(), "midman-files-"));
let s3: Awaited<ReturnType<typeof startS3>>;

beforeAll(async () => {
  s3 = await startS3();
});
afterAll(async () => {
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => overrideConfig({ ...unset, DATA_DIR: former.DATA_DIR }));

const bytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const aName = () => `${crypto.randomUUID()}-full.jpg`;

async function listed(): Promise<Map<string, Date>> {
  const found = new Map<string, Date>();
  for await (const { name, at } of openFileStore().list()) found.set(name, at);
  return found;
}

describe.each([
  ["a folder of DATA_DIR", () => ({ DATA_DIR: folder })],
  ["a bucket", () => s3.settings],
] as Array<[string, () => Partial<BucketSettings> & { DATA_DIR?: string }]>)(
  "files in %s",
  (_what, settings) => {
    test("are read back unchanged, listed with their time, and deleted", async () => {
      overrideConfig(settings());
      const from = Date.now();
      const [name, other, kept] = [aName(), aName(), bytes(60_000)];
      await Promise.all([
        openFileStore().put(name, kept, "image/jpeg"),
        openFileStore().put(other, bytes(1), "image/jpeg"),
      ]);
      expect(await openFileStore().get(name)).toEqual(kept);
      expect(await openFileStore().get(aName())).toBeUndefined();
      const found = await listed();
      expect([...found.keys()].sort()).toEqual([name, other].sort());
      expect(Math.abs((found.get(name)?.getTime() ?? 0) - from)).toBeLessThan(10_000);
      for (let round = 0; round < 2; round++) await openFileStore().remove(name);
      expect(await openFileStore().get(name)).toBeUndefined();
      await openFileStore().remove(other);
      expect(await listed()).toEqual(new Map());
    });

    test("stored again under the same name are the same file", async () => {
      overrideConfig(settings());
      const [name, kept] = [aName(), bytes(500)];
      await Promise.all([1, 2, 3].map(() => openFileStore().put(name, kept, "image/jpeg")));
      expect(await openFileStore().get(name)).toEqual(kept);
      expect([...(await listed()).keys()]).toEqual([name]);
      await openFileStore().remove(name);
    });
  },
);

describe("a folder of DATA_DIR", () => {
  test("is readable only by its owner, and contains no partial file", async () => {
    overrideConfig({ DATA_DIR: folder });
    const name = aName();
    await openFileStore().put(name, bytes(10), "image/jpeg");
    const path = join(folder, "files", name.slice(0, 2), name);
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(readdirSync(join(folder, "files", name.slice(0, 2)))).toEqual([name]);
    await openFileStore().remove(name);
  });

  test("that is not a folder is reported as unavailable", async () => {
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    overrideConfig({ DATA_DIR: file });
    await expect(openFileStore().put(aName(), bytes(1), "image/jpeg")).rejects.toBeInstanceOf(
      FilesUnavailable,
    );
  });
});

describe("a bucket", () => {
  test("with several pages of files is listed to the end", async () => {
    const names = Array.from({ length: 5 }, aName);
    const asked: Array<string | null> = [];
    const object = (name = "") =>
      `<Contents><Key>files/${name.slice(0, 2)}/${name}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>` +
      "<ETag>x</ETag><Size>1</Size></Contents>";
    // The server above cannot paginate a listing; this one returns two names per page, as the protocol specifies.
    const paging = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        const token = new URL(request.url).searchParams.get("continuation-token");
        asked.push(token);
        const from = Number(token ?? 0);
        const more = from + 2 < names.length;
        const next = more ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : "";
        const found = names
          .slice(from, from + 2)
          .map(object)
          .join("");
        const xml = `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${found}</ListBucketResult>`;
        return new Response(xml, { headers: { "Content-Type": "application/xml" } });
      },
    });
    overrideConfig({ ...s3.settings, S3_ENDPOINT: `http://127.0.0.1:${paging.port}` });
    const found = await listed();
    await paging.stop(true);
    expect([...found.keys()]).toEqual(names);
    expect(found.get(names[4] ?? "")).toEqual(new Date("2026-01-01"));
    expect(asked).toEqual([null, "2", "4"]);
  });

  test("gets requests signed with its secret, and accepts no others", async () => {
    const strict = await startS3(true);
    const [name, kept] = [aName(), bytes(70_000)];
    overrideConfig(strict.settings);
    await openFileStore().put(name, kept, "image/jpeg");
    expect(await openFileStore().get(name)).toEqual(kept);
    overrideConfig({ S3_SECRET_ACCESS_KEY: "another" });
    const tries = [
      openFileStore().put(aName(), kept, "image/jpeg"),
      openFileStore().get(name),
      openFileStore().remove(name),
    ];
    for (const outcome of await Promise.allSettled(tries)) {
      expect(outcome.status === "rejected" && outcome.reason).toBeInstanceOf(FilesUnavailable);
    }
    overrideConfig(strict.settings);
    await openFileStore().remove(name);
    expect(await openFileStore().get(name)).toBeUndefined();
    await strict.stop();
  });

  test("that is down, missing, or does not know the key is reported as unavailable", async () => {
    for (const wrong of [
      { S3_ENDPOINT: "http://127.0.0.1:9" },
      { S3_ACCESS_KEY_ID: "another" },
      { S3_BUCKET: "elsewhere" },
    ]) {
      overrideConfig({ ...s3.settings, ...wrong });
      const tries = [
        openFileStore().put(aName(), bytes(1), "image/jpeg"),
        openFileStore().get(aName()),
        listed(),
      ];
      for (const outcome of await Promise.allSettled(tries)) {
        expect([wrong, outcome.status === "rejected" && outcome.reason]).toEqual([
          wrong,
          expect.any(FilesUnavailable),
        ]);
      }
    }
  });
});

test("the settings of a bucket must be set together, and missing ones are named", () => {
  const given = { ...s3.settings, ALLOW_SANDBOX: "true" };
  expect(readConfig(given).ok).toBe(true);
  const { S3_BUCKET: _bucket, S3_REGION: _region, ...rest } = given;
  expect(readConfig(rest)).toEqual({
    ok: false,
    lines: [
      "S3_REGION: is missing; set all five S3_ settings or none",
      "S3_BUCKET: is missing; set all five S3_ settings or none",
    ],
  });
});
