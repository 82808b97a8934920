import { S3Client, type S3ListObjectsResponse } from "bun";
import type { FileStore } from "../files.ts";

export type Bucket = {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** Prefix of all of Midman's keys, so that the bucket may be shared. */
const keyPrefix = "files/";
const patienceMs = 15_000;

/** Files in an S3-compatible bucket, `files/<first two letters>/<name>`. */
export function s3Files(bucket: Bucket): FileStore {
  const client = new S3Client(bucket);
  return {
    async put(name, bytes, mime) {
      await withTimeout(client.write(keyOf(name), bytes, { type: mime }));
    },
    async get(name) {
      try {
        return new Uint8Array(await withTimeout(client.file(keyOf(name)).arrayBuffer()));
      } catch (error) {
        if ((error as { code?: string }).code === "NoSuchKey") return undefined;
        throw error;
      }
    },
    async remove(name) {
      await withTimeout(client.delete(keyOf(name)));
    },
    async *list() {
      for (let next: { continuationToken?: string } | undefined = {}; next !== undefined; ) {
        const page: S3ListObjectsResponse = await withTimeout(client.list({ prefix: keyPrefix, ...next }));
        for (const { key, lastModified } of page.contents ?? []) {
          yield { name: key.slice(key.lastIndexOf("/") + 1), at: new Date(lastModified ?? Date.now()) };
        }
        const token = page.nextContinuationToken;
        next = page.isTruncated && token !== undefined ? { continuationToken: token } : undefined;
      }
    },
  };
}

const keyOf = (name: string) => `${keyPrefix}${name.slice(0, 2)}/${name}`;

/** The client has no timeout: a server that accepts the request and never answers would hold it forever. */
async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs} ms`)), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
