import { Writable } from "node:stream";
import type { S3Client } from "bun";
import { config } from "#config";
import { type Making, NoBackup, type Saved, type Sources, saveInto } from "./save.ts";

/** Parts of an upload; so much is held at a time. S3 takes 10,000 of them: 160 GB. */
const PART_BYTES = 16 * 1024 * 1024;

/** Where in a bucket an archive goes: `s3://bucket/key`, or a prefix that ends with `/` and gets `name` after it. Undefined for any other place. */
export function objectAt(place: string, name: string): { bucket: string; key: string } | undefined {
  const [, bucket, rest = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/(.*))?$/.exec(place) ?? [];
  if (bucket === undefined) return undefined;
  return { bucket, key: rest === "" || rest.endsWith("/") ? `${rest}${name}` : rest };
}

/**
 * Saves everything into an object of a bucket, by the S3_ settings' endpoint and key, in parts as it is made: nothing of it lies on this machine.
 * Only encrypted. Throws NoBackup where it is not, where the object is there already or came out shorter; what failed is no object.
 */
export async function saveObject(
  { bucket, key }: { bucket: string; key: string },
  sources: Sources,
  making: Making,
): Promise<Saved> {
  if (making.recipients.length === 0)
    throw new NoBackup("an archive in a bucket must be encrypted: set BACKUP_RECIPIENTS");
  const client = clientOf(bucket);
  if (await client.exists(key)) throw new NoBackup(`s3://${bucket}/${key} is there already`);
  const saved = await saveInto(upload(client, key), sources, making);
  const { size } = await client.stat(key);
  if (size === saved.bytes) return saved;
  await client.delete(key);
  throw new NoBackup(`the bucket holds ${size} of ${saved.bytes} bytes`);
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

/** A stream into an object. One that is destroyed before its end leaves no object. */
export function upload(client: S3Client, key: string): Writable {
  const writer = client.file(key).writer({ partSize: PART_BYTES, queueSize: 2, retry: 3 });
  const done = (work: unknown, told: (error?: Error | null) => void) =>
    void Promise.resolve(work).then(
      () => told(),
      (error: Error) => told(error),
    );
  let isEnded = false;
  return new Writable({
    write: (bytes, _encoding, told) => {
      writer.write(bytes);
      done(writer.flush(), told);
    },
    final: (told) => {
      isEnded = true;
      done(writer.end(), told);
    },
    destroy: (error, told) => {
      if (isEnded && error === null) return told(null);
      const left = Promise.resolve(isEnded ? undefined : writer.end(error ?? new Error("cut off"))).catch(
        () => {},
      );
      done(
        left.then(() => client.delete(key).catch(() => {})),
        () => told(error),
      );
    },
  });
}
