import { afterAll, beforeAll, expect, test } from "bun:test";
import { startS3 } from "../../tests/support/services/s3.ts";
import { expectSize, parseBucketUrl } from "./save-to-bucket.ts";

let s3: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3?.stop());

test("a bucket URL names a key, or a prefix to which the archive's name is appended", () => {
  expect(parseBucketUrl("s3://backups/a/b.age", "name")).toEqual({ bucket: "backups", key: "a/b.age" });
  for (const place of ["s3://backups", "s3://backups/"])
    expect(parseBucketUrl(place, "name")).toEqual({ bucket: "backups", key: "name" });
  expect(parseBucketUrl("s3://backups/nightly/", "name")).toEqual({ bucket: "backups", key: "nightly/name" });
  for (const place of ["/srv/backups", "s3:/backups/x", "S3://X/y"])
    expect(parseBucketUrl(place, "name")).toBeUndefined();
});

test("an object that is too short, or whose size is unknown, is reported and not deleted", async () => {
  const client = clientAt(s3.settings.S3_ENDPOINT);
  await client.write("short", "12345");
  const said = (work: Promise<void>) => work.catch((error: Error) => `${error.name}: ${error.message}`);
  const at = { bucket: s3.settings.S3_BUCKET, key: "short" };
  expect(await said(expectSize(client, at, 5))).toBeUndefined();
  expect(await said(expectSize(client, at, 6))).toBe(
    "NoBackup: the bucket holds 5 of 6 bytes: s3://pictures/short is not an archive, delete it",
  );
  expect(await client.exists("short")).toBe(true);
  expect(await said(expectSize(client, { ...at, key: "none" }, 6))).toStartWith(
    "NoBackup: s3://pictures/none was written, but its size cannot be read (",
  );
});

/** A client of the bucket through this endpoint. */
function clientAt(endpoint: string): Bun.S3Client {
  const { S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = s3.settings;
  return new Bun.S3Client({
    ...{ endpoint, region: S3_REGION, bucket: S3_BUCKET },
    ...{ accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
  });
}
