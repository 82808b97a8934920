import { config } from "#config";
import { diskFiles } from "./files/disk.ts";
import { s3Files } from "./files/s3.ts";

/**
 * Where blobs live: what is too large for the database. A name is `<uuid>-<what>.<ending>` and stands for the same bytes
 * for ever. Whoever keeps a row about a file puts the file first, so that a crash leaves a file without a row at most.
 */
export type FileStore = {
  /** Stores a file whole or not at all, so that it survives a power cut. */
  put(name: string, bytes: Uint8Array, mime: string): Promise<void>;
  /** The file's bytes, or undefined when there is none of that name. */
  get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Removes a file; one that is gone already is no error. */
  remove(name: string): Promise<void>;
  /** Every file there is, with the time it was stored, also what a crash left half written. */
  list(): AsyncIterable<{ name: string; at: Date }>;
};

/** What every call throws when the place cannot be reached or is full: trying again later may help. */
export class FilesUnavailable extends Error {
  override name = "FilesUnavailable";
}

/** The place in force: the bucket of the S3_ settings, else the folder `files` of DATA_DIR. */
export function openFileStore(): FileStore {
  const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config();
  const bucket =
    S3_ENDPOINT !== undefined &&
    s3Files({
      endpoint: S3_ENDPOINT,
      region: S3_REGION ?? "",
      bucket: S3_BUCKET ?? "",
      accessKeyId: S3_ACCESS_KEY_ID ?? "",
      secretAccessKey: S3_SECRET_ACCESS_KEY ?? "",
    });
  return wrapStoreFailures(bucket || diskFiles());
}

/** The same place, whose every failure is a `FilesUnavailable`. */
function wrapStoreFailures(place: FileStore): FileStore {
  return {
    put: (name, bytes, mime) => wrapFailure(place.put(name, bytes, mime)),
    get: (name) => wrapFailure(place.get(name)),
    remove: (name) => wrapFailure(place.remove(name)),
    async *list() {
      const found = place.list()[Symbol.asyncIterator]();
      for (let next = await wrapFailure(found.next()); !next.done; next = await wrapFailure(found.next())) {
        yield next.value;
      }
    },
  };
}

async function wrapFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new FilesUnavailable("files cannot be stored or read", { cause });
  }
}
