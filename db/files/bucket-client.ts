import { AwsClient } from "aws4fetch";

/** A bucket and the access key for it, from the S3_ settings. */
export type BucketAccess = {
  endpoint: string;
  region: string | undefined;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** Before the first repetition of a request; the wait doubles with each further one. */
export const bucketRetryMs = 500;

/**
 * A client that signs requests to a bucket, for calls that Bun's own client lacks: object lock and multipart uploads. It repeats a request up
 * to `retries` times after 429 and 5xx. `url` is the address of the bucket; an object's key, percent-encoded, follows after a slash.
 */
export function createBucketClient(
  { endpoint, region = "us-east-1", bucket, accessKeyId, secretAccessKey }: BucketAccess,
  retries: number,
): { client: AwsClient; url: string } {
  const client = new AwsClient({
    ...{ accessKeyId, secretAccessKey, region, service: "s3" },
    ...{ retries, initRetryMs: bucketRetryMs },
  });
  return { client, url: `${endpoint.replace(/\/$/, "")}/${encodeURIComponent(bucket)}` };
}
