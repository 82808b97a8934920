import { config } from "#config";
import { diskFiles } from "./files/disk.ts";
import { s3Files } from "./files/s3.ts";

/**
 * Storage of blobs that are too large for the database. A name is `<uuid>-<what>.<ending>` and always refers to the same bytes. The file is
 * stored before the row that names it, so that a crash leaves at most a file without a row.
 */
export type FileStore = {
  /** Stores a file completely or not at all, so that it survives a power cut. */
  put(name: string, bytes: Uint8Array, mime: string): Promise<void>;
  /** The file's bytes; undefined if there is no such file. */
  get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Removes a file. A missing file is no error. */
  remove(name: string): Promise<void>;
  /** All files with the time they were stored, including incomplete files left by a crash. */
  list(): AsyncIterable<{ name: string; at: Date }>;
};

/** Thrown by every method if the storage cannot be reached or is full. A later try may succeed. */
export class FilesUnavailable extends Error {
  override name = "FilesUnavailable";
}

/** The configured storage: the bucket of the S3_ settings, otherwise the folder `files` of DATA_DIR. */
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

/** The same storage; every failure becomes a `FilesUnavailable`. */
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
