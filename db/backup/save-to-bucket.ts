import type { S3Client } from "bun";
import { config } from "#config";
import type { BucketAccess } from "../files/bucket-client.ts";
import { holdsObject, uploadStream } from "./multipart-upload.ts";
import {
  type ArchiveOptions,
  NoBackup,
  type SavedArchive,
  type Sources,
  saveToStream,
} from "./save-archive.ts";

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
  making: ArchiveOptions,
): Promise<SavedArchive> {
  if (making.recipients.length === 0)
    throw new NoBackup("an archive in a bucket must be encrypted: set BACKUP_RECIPIENTS");
  const access = bucketAccess(bucket);
  if (await holdsObject(access, key)) throw new NoBackup(`s3://${bucket}/${key} exists already`);
  const saved = await saveToStream(uploadStream(access, key), sources, making);
  await expectSize(new Bun.S3Client(access), { bucket, key }, saved.bytes);
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
    throw new NoBackup(`the bucket holds ${size} of ${bytes} bytes: ${name} is not an archive, delete it`);
}

function bucketAccess(bucket: string): BucketAccess {
  const { S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config();
  if (S3_ENDPOINT === undefined || S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined)
    throw new NoBackup("an archive in a bucket needs the S3_ settings");
  return {
    bucket,
    endpoint: S3_ENDPOINT,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  };
}
