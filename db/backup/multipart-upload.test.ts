import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { startRecordingProxy, startS3 } from "../../tests/support/services/s3.ts";
import type { BucketAccess } from "../files/bucket-client.ts";
import { uploadStream } from "./multipart-upload.ts";

let s3: Awaited<ReturnType<typeof startS3>>;
let access: BucketAccess;
let client: Bun.S3Client;
beforeAll(async () => {
  s3 = await startS3(true);
  access = accessAt(s3.settings.S3_ENDPOINT);
  client = new Bun.S3Client(access);
});
afterAll(() => s3?.stop());

const MEGABYTE = 1024 * 1024;

test("an upload of any size arrives unchanged, part by part and as a whole", async () => {
  for (const lengths of [[], [1], [16 * MEGABYTE], Array.from({ length: 50 }, () => 1_000_003)]) {
    const pieces = lengths.map((length) => randomBytes(length));
    const key = `nightly/of a day+${lengths.length}-${lengths[0] ?? 0}`;
    await pipeline(Readable.from(pieces), uploadStream(access, key));
    const got = new Uint8Array(await client.file(key).arrayBuffer());
    const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
    const sent = Buffer.concat(pieces);
    expect([key, got.length, digest(got)]).toEqual([key, sent.length, digest(sent)]);
  }
}, 60_000);

test("an upload that breaks off anywhere is aborted with its parts, and affects no other object", async () => {
  for (const megabytes of [0, 1, 40]) {
    const key = `broken-${megabytes}`;
    await client.write(key, "another backup's");
    const wire = startRecordingProxy(s3.settings.S3_ENDPOINT);
    const breaking = Readable.from(
      (async function* () {
        for (let n = 0; n < megabytes; n++) yield randomBytes(MEGABYTE);
        throw new Error("the database went away");
      })(),
    );
    const target = uploadStream(accessAt(wire.url), key);
    const said = await pipeline(breaking, target).catch((error: Error) => error.message);
    await closed(target);
    await wire.stop();
    expect([key, said, await client.file(key).text()]).toEqual([
      key,
      "the database went away",
      "another backup's",
    ]);
    const asked = wire.asked.map((one) => one.replace(/uploadId=[^&]+/, "uploadId=…").split(key)[1]);
    expect(asked).toEqual(
      megabytes < 16
        ? []
        : ["?uploads=", "?partNumber=1&uploadId=…", "?partNumber=2&uploadId=…", "?uploadId=…"],
    );
    expect(wire.asked.at(-1)?.startsWith("DELETE ") ?? false).toBe(megabytes === 40);
  }
}, 60_000);

test("destroying the stream during a part ends that request and aborts the upload", async () => {
  const wire = startRecordingProxy(s3.settings.S3_ENDPOINT, async (request) => {
    if (request.url.includes("partNumber=2")) await new Promise(() => {});
    return undefined;
  });
  const target = uploadStream(accessAt(wire.url), "stuck");
  target.on("error", () => {});
  target.write(randomBytes(40 * MEGABYTE));
  while (!wire.asked.some((one) => one.includes("partNumber=2"))) await Bun.sleep(10);
  target.destroy(new Error("stopped"));
  await closed(target);
  await wire.stop();
  expect(wire.asked.at(-1)).toStartWith("DELETE ");
  expect(await client.exists("stuck")).toBe(false);
}, 60_000);

test("a part that is refused temporarily is sent again; one that is refused permanently is named", async () => {
  const busy = { times: 2 };
  const wire = startRecordingProxy(s3.settings.S3_ENDPOINT, (request) => {
    if (request.method === "PUT" && busy.times-- > 0) return new Response("slow down", { status: 503 });
  });
  const bytes = randomBytes(1000);
  await pipeline(Readable.from([bytes]), uploadStream(accessAt(wire.url), "busy"));
  expect(Buffer.from(await client.file("busy").arrayBuffer()).equals(bytes)).toBe(true);
  await wire.stop();

  const wrongKey = { ...access, secretAccessKey: "another" };
  const said = await pipeline(Readable.from([bytes]), uploadStream(wrongKey, "refused")).catch(
    (error: Error) => `${error.name}: ${error.message}`,
  );
  expect([said, await client.exists("refused")]).toEqual([
    "NoBackup: the bucket answered 403 to POST ?uploads=",
    false,
  ]);
}, 60_000);

test("a bucket that answers 200 without joining the parts is a failure", async () => {
  const wire = startRecordingProxy(s3.settings.S3_ENDPOINT, (request) => {
    if (request.method === "POST" && request.url.includes("uploadId="))
      return new Response("<Error><Code>InternalError</Code></Error>");
  });
  const said = await pipeline(Readable.from(["x"]), uploadStream(accessAt(wire.url), "unjoined")).catch(
    (error: Error) => `${error.name}: ${error.message}`,
  );
  await wire.stop();
  expect(said).toBe("NoBackup: the bucket did not join the parts");
}, 60_000);

test("an upload whose last reply is lost has succeeded", async () => {
  const completed = { times: 0 };
  const wire = startRecordingProxy(s3.settings.S3_ENDPOINT, async (request) => {
    if (request.method !== "POST" || !request.url.includes("uploadId=")) return;
    if (completed.times++ > 0)
      return new Response("<Error><Code>NoSuchUpload</Code></Error>", { status: 404 });
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    await fetch(`${s3.settings.S3_ENDPOINT}${pathname}${search}`, {
      ...{ method, headers: new Headers(headers), body: await request.arrayBuffer() },
    });
    return new Response("a gateway's page", { status: 504 });
  });
  await pipeline(Readable.from(["whole"]), uploadStream(accessAt(wire.url), "lost-reply"));
  await wire.stop();
  expect(completed.times).toBe(2);
  expect(await client.file("lost-reply").text()).toBe("whole");
  expect(wire.asked.filter((one) => one.startsWith("DELETE "))).toEqual([]);
}, 60_000);

function accessAt(endpoint: string): BucketAccess {
  const { S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = s3.settings;
  return {
    endpoint,
    region: S3_REGION,
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  };
}

/** Waits until the stream is closed; it may be closed already. */
async function closed(stream: NodeJS.WritableStream & { closed: boolean }): Promise<void> {
  if (!stream.closed) await new Promise((resolve) => stream.once("close", resolve));
}
