import { addYears } from "date-fns/addYears";
import { config } from "#config";
import { createBucketClient } from "#db/files/bucket-client";
import type { AnchorPlace } from "./anchor-place.ts";
import type { SignedHead } from "./sign-head.ts";

const PATIENCE_MS = 15_000;
/** For how many years the bucket's object lock forbids deletion, even by its owner. */
const LOCKED_YEARS = 5;

/** Sends a head to a place over the network. Throws on failure, with a message that does not contain the place. */
export async function sendHead(
  place: Extract<AnchorPlace, { kind: "post" | "s3" }>,
  signed: SignedHead,
  at: Date,
): Promise<void> {
  const body = `${JSON.stringify({ format: "midman-head-1", ...signed })}\n`;
  if (place.kind === "post") await postHead(place.url, body);
  else await storeHead(place, signed, body, at);
}

async function postHead(url: string, body: string): Promise<void> {
  const reply = await fetch(url, {
    method: "POST",
    body,
    headers: { "Content-Type": "application/json" },
    redirect: "manual",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  await reply.body?.cancel();
  if (!reply.ok) throw new Error(`answered ${reply.status}`);
}

/** Stores the head under the bucket's object lock and reads it back: a place that accepts a head but does not keep it is no proof. */
async function storeHead(
  { bucket, prefix }: Extract<AnchorPlace, { kind: "s3" }>,
  { block, head }: SignedHead,
  body: string,
  at: Date,
): Promise<void> {
  const { S3_ENDPOINT = "", S3_REGION, S3_ACCESS_KEY_ID = "", S3_SECRET_ACCESS_KEY = "" } = config();
  const { client, url: bucketUrl } = createBucketClient(
    {
      endpoint: S3_ENDPOINT,
      region: S3_REGION,
      bucket,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
    },
    0,
  );
  const name = [...(prefix === "" ? [] : [prefix]), `${String(block).padStart(12, "0")}-${head}.json`].join(
    "/",
  );
  const url = `${bucketUrl}/${name}`;
  const put = await client.fetch(url, {
    method: "PUT",
    body,
    headers: {
      "Content-Type": "application/json",
      "x-amz-checksum-sha256": new Bun.CryptoHasher("sha256").update(body).digest("base64"),
      "x-amz-object-lock-mode": "COMPLIANCE",
      "x-amz-object-lock-retain-until-date": addYears(at, LOCKED_YEARS).toISOString(),
    },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  await put.body?.cancel();
  if (!put.ok) throw new Error(`the bucket answered ${put.status}`);
  const got = await client.fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const kept = await got.text();
  if (!got.ok || kept !== body) throw new Error("the bucket does not have what it accepted");
}
