import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import type { Config } from "../../../config.ts";
import { freePort } from "../server/midman-server.ts";

/** The settings that name a bucket. */
export type BucketSettings = Required<
  Pick<Config, "S3_ENDPOINT" | "S3_REGION" | "S3_BUCKET" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY">
>;

/**
 * A server on loopback that speaks S3, with one empty bucket. `stop` ends it and removes what it kept. It knows access
 * keys; signatures it checks only when `strict`, since it works that of a listing out wrongly (it drops the slash behind
 * the bucket's name).
 */
export async function startS3(strict = false): Promise<{ settings: BucketSettings; stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), "midman-s3-"));
  const port = await freePort();
  const server = new S3rver({
    address: "127.0.0.1",
    port,
    directory,
    silent: true,
    vhostBuckets: false,
    allowMismatchedSignatures: !strict,
    configureBuckets: [{ name: "pictures" }],
  });
  await server.run();
  return {
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_REGION: "us-east-1",
      S3_BUCKET: "pictures",
      S3_ACCESS_KEY_ID: "S3RVER",
      S3_SECRET_ACCESS_KEY: "S3RVER",
    },
    stop: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * A proxy before a bucket's server that keeps what is asked of it, as `METHOD path?query`, in order. `answer` may answer in the server's place, or
 * hold the request up.
 */
export function startRecordingProxy(
  endpoint: string,
  answer?: (request: Request) => Promise<Response | undefined> | Response | undefined,
): { url: string; asked: string[]; stop(): Promise<void> } {
  const asked: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    maxRequestBodySize: 64 * 1024 * 1024,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      asked.push(`${request.method} ${pathname}${search}`);
      const answered = await answer?.(request);
      if (answered) return answered;
      const { method } = request;
      const headers = new Headers(request.headers);
      const body = method === "GET" || method === "HEAD" ? undefined : await request.arrayBuffer();
      return fetch(`${endpoint}${pathname}${search}`, { method, headers, body });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, asked, stop: () => server.stop(true) };
}
