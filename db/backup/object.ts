import { Writable } from "node:stream";
import type { S3Client } from "bun";
import { config } from "#config";
import { type Making, NoBackup, type Saved, type Sources, saveInto } from "./save.ts";

/** Size of a part, and so the buffer held in memory. S3 allows 10,000 parts: at most 160 GB. */
const PART_BYTES = 16 * 1024 * 1024;

/**
 * Parses `s3://bucket/key`, the destination of an archive. A key that is empty or ends with `/` is a prefix: `name` is appended to it. Undefined
 * for any other string.
 */
export function parseBucketUrl(place: string, name: string): { bucket: string; key: string } | undefined {
  const [, bucket, rest = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/(.*))?$/.exec(place) ?? [];
  if (bucket === undefined) return undefined;
  return { bucket, key: rest === "" || rest.endsWith("/") ? `${rest}${name}` : rest };
}

/**
 * Saves everything into an object of a bucket, with the endpoint and access key of the S3_ settings. Uploads in parts while the archive is made,
 * without a copy on this machine. Throws NoBackup if the archive would not be encrypted, the object already exists, or the stored size differs. A
 * backup that breaks off leaves no object.
 */
export async function saveToBucket(
  { bucket, key }: { bucket: string; key: string },
  sources: Sources,
  making: Making,
): Promise<Saved> {
  if (making.recipients.length === 0)
    throw new NoBackup("an archive in a bucket must be encrypted: set BACKUP_RECIPIENTS");
  const client = clientOf(bucket);
  if (await client.exists(key)) throw new NoBackup(`s3://${bucket}/${key} is there already`);
  const saved = await saveInto(uploadStream(client, key), sources, making);
  await expectSize(client, { bucket, key }, saved.bytes);
  return saved;
}

/**
 * Throws NoBackup if the object's size differs or cannot be read. The object is not deleted: another run may own the key by now, and with object
 * lock the bucket would refuse.
 */
export async function expectSize(
  client: S3Client,
  { bucket, key }: { bucket: string; key: string },
  bytes: number,
): Promise<void> {
  const name = `s3://${bucket}/${key}`;
  const { size } = await client.stat(key).catch((error: Error) => {
    throw new NoBackup(
      `${name} was written, but its size cannot be read (${error.message}): download it and check it with --verify, or delete it`,
    );
  });
  if (size !== bytes)
    throw new NoBackup(`the bucket holds ${size} of ${bytes} bytes: ${name} is no archive, delete it`);
}

function clientOf(bucket: string): S3Client {
  const { S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config();
  if (S3_ENDPOINT === undefined || S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined)
    throw new NoBackup("an archive in a bucket needs the S3_ settings");
  return new Bun.S3Client({
    bucket,
    endpoint: S3_ENDPOINT,
    ...(S3_REGION !== undefined && { region: S3_REGION }),
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  });
}

/**
 * A stream that writes to an object. If it is destroyed before it ends, no object is left: the writer is not ended, because Bun completes a
 * multipart upload even on `end(error)`. Uploaded parts stay for the bucket's lifecycle rule. Nothing is deleted: the key may belong to
 * another run by then.
 */
export function uploadStream(client: S3Client, key: string): Writable {
  const writer = client.file(key).writer({ partSize: PART_BYTES, queueSize: 2, retry: 3 });
  const finish = (work: unknown, callback: (error?: Error | null) => void) =>
    void Promise.resolve(work).then(
      () => callback(),
      (error: Error) => callback(error),
    );
  return new Writable({
    write: (bytes, _encoding, callback) => {
      writer.write(bytes);
      finish(writer.flush(), callback);
    },
    final: (callback) => finish(writer.end(), callback),
  });
}
