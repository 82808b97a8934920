import { createHash } from "node:crypto";
import { Writable } from "node:stream";
import type { AwsClient } from "aws4fetch";
import { type BucketAccess, bucketRetryMs, createBucketClient } from "../files/bucket-client.ts";
import { NoBackup } from "./save-archive.ts";

/** Size of a part. Up to three copies of one are in memory. S3 allows 10,000 parts: at most 160 GB. */
const PART_BYTES = 16 * 1024 * 1024;
const ATTEMPTS = 4;
/** Timeout of one request; a part takes this long at 0.25 Mbit/s. */
const REQUEST_TIMEOUT_MS = 10 * 60_000;

/**
 * A stream that writes to an object by an S3 multipart upload, one part at a time. Every part carries its SHA-256, which the bucket checks. The
 * object exists once the stream has finished. If the stream is destroyed before, the upload is aborted and the bucket drops its parts; an object
 * that is already there under the same key is not touched. The stream fails with a NoBackup that names the status of the request that failed.
 */
export function uploadStream(access: BucketAccess, key: string): Writable {
  const upload = new MultipartUpload(access, key);
  let pieces: Uint8Array[] = [];
  let held = 0;
  const send = async (bytes: Uint8Array) => {
    await upload.putPart(bytes);
    pieces = [];
    held = 0;
  };
  const write = async (bytes: Uint8Array) => {
    let rest = bytes;
    while (held + rest.length >= PART_BYTES) {
      const end = PART_BYTES - held;
      await send(Buffer.concat([...pieces, rest.subarray(0, end)]));
      rest = rest.subarray(end);
    }
    pieces.push(rest);
    held += rest.length;
  };
  const finish = async () => {
    // An upload needs a part, so an empty stream sends an empty one.
    if (held > 0 || upload.isEmpty) await send(Buffer.concat(pieces));
    await upload.complete();
  };
  return new Writable({
    write: (bytes, _encoding, callback) => reportOutcome(write(bytes), callback),
    final: (callback) => reportOutcome(finish(), callback),
    destroy: (error, callback) => void upload.abort().finally(() => callback(error)),
  });
}

/**
 * Whether the bucket holds an object under the key. Throws NoBackup, naming the status, if the bucket answers anything but yes or no; it answers
 * 403 where the access key is wrong, and where it may not list and there is no such object.
 */
export async function holdsObject(access: BucketAccess, key: string): Promise<boolean> {
  const { client, url } = createObjectClient(access, key, ATTEMPTS - 1);
  const reply = await client
    .fetch(url, { method: "HEAD", signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
    .catch((error: Error) => {
      throw new NoBackup(`the bucket cannot be reached: ${error.message}`);
    });
  if (reply.ok) return true;
  if (reply.status === 404) return false;
  const hint = reply.status === 403 ? ": the S3_ access key is wrong, or may not list and read there" : "";
  throw new NoBackup(`the bucket answered ${reply.status} to HEAD${hint}`);
}

/** A client for the bucket, with the address of the object. */
function createObjectClient(access: BucketAccess, key: string, retries: number) {
  const { client, url } = createBucketClient(access, retries);
  return { client, url: `${url}/${key.split("/").map(encodeURIComponent).join("/")}` };
}

function reportOutcome(work: Promise<void>, callback: (error?: Error | null) => void): void {
  work.then(
    () => callback(),
    (error: Error) => callback(error),
  );
}

class MultipartUpload {
  readonly #client: AwsClient;
  readonly #url: string;
  readonly #stopped = new AbortController();
  readonly #etags: string[] = [];
  #uploadId: Promise<string> | undefined;
  #isComplete = false;

  constructor(access: BucketAccess, key: string) {
    const { client, url } = createObjectClient(access, key, 0);
    this.#client = client;
    this.#url = url;
  }

  get isEmpty(): boolean {
    return this.#etags.length === 0;
  }

  async putPart(bytes: Uint8Array): Promise<void> {
    this.#uploadId ??= this.#create();
    const query = `?partNumber=${this.#etags.length + 1}&uploadId=${encodeURIComponent(await this.#uploadId)}`;
    const { headers } = await this.#request("PUT", query, bytes);
    const etag = headers.get("etag");
    if (etag === null) throw new NoBackup("the bucket accepted a part without returning an ETag");
    this.#etags.push(etag);
  }

  async complete(): Promise<void> {
    const parts = this.#etags.map(
      (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
    const query = `?uploadId=${encodeURIComponent((await this.#uploadId) ?? "")}`;
    const joined = await this.#request("POST", query, new TextEncoder().encode(body), { goneIsDone: true });
    // S3 may answer 200 before it has joined the parts, and name the error in the body.
    if (!joined.isGone && !joined.text.includes("<CompleteMultipartUploadResult"))
      throw new NoBackup("the bucket did not join the parts");
    this.#isComplete = true;
  }

  /** Ends the request under way and drops the parts. Parts that cannot be dropped stay for the bucket's lifecycle rule. */
  async abort(): Promise<void> {
    if (this.#isComplete || this.#uploadId === undefined) return;
    this.#stopped.abort();
    const id = await this.#uploadId.catch(() => undefined);
    if (id === undefined) return;
    const signal = AbortSignal.timeout(30_000);
    const url = `${this.#url}?uploadId=${encodeURIComponent(id)}`;
    await this.#client.fetch(url, { method: "DELETE", signal }).catch(() => undefined);
  }

  async #create(): Promise<string> {
    const { text } = await this.#request("POST", "?uploads=");
    const id = /<UploadId>([^<]+)<\/UploadId>/.exec(text)?.[1];
    if (id === undefined) throw new NoBackup("the bucket started an upload without returning an UploadId");
    return id;
  }

  /**
   * Sends a request, and repeats it after a network error, 429 or 5xx, which harms none of the three calls. With `goneIsDone`, a 404 to a
   * repetition is no failure: an attempt before has ended the upload, and only its reply was lost. The caller checks the object's size.
   */
  async #request(
    method: string,
    query: string,
    body?: Uint8Array,
    { goneIsDone = false }: { goneIsDone?: boolean } = {},
  ): Promise<{ headers: Headers; text: string; isGone: boolean }> {
    const sha256 = createHash("sha256").update(body ?? "");
    const headers = { "x-amz-content-sha256": sha256.digest("hex") };
    for (let attempt = 1; ; attempt++) {
      const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
      const answer = await this.#client
        .fetch(`${this.#url}${query}`, {
          method,
          headers,
          signal,
          ...(body && { body: new Uint8Array(body) }),
        })
        .then(async (reply) => ({ reply, text: await reply.text() }))
        .catch((error: Error) => error);
      if (!(answer instanceof Error)) {
        const { reply, text } = answer;
        const isGone = goneIsDone && attempt > 1 && reply.status === 404;
        if (reply.ok || isGone) return { headers: reply.headers, text, isGone };
      }
      const isFinal = !(answer instanceof Error) && answer.reply.status < 500 && answer.reply.status !== 429;
      if (isFinal || attempt === ATTEMPTS || this.#stopped.signal.aborted)
        throw new NoBackup(
          answer instanceof Error
            ? `the bucket cannot be reached: ${answer.message}`
            : `the bucket answered ${answer.reply.status} to ${method} ${query.split("&")[0]}`,
        );
      await Bun.sleep(bucketRetryMs * 2 ** (attempt - 1));
    }
  }
}
