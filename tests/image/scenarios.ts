import { strict as assert } from "node:assert";
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { relayByPort } from "../support/database/port-relay.ts";
import { freshDatabase } from "../support/database/test-database.ts";
import { registerPerson } from "../support/people/registered-people.ts";
import { createHttpClient } from "../support/server/http-client.ts";
import { freePort, mailSettings, type Server } from "../support/server/midman-server.ts";
import { testCertificates } from "../support/services/certificates.ts";
import { startRedis } from "../support/services/redis.ts";
import { startS3 } from "../support/services/s3.ts";
import { startTlsProvider } from "../support/services/tls-provider.ts";
import type { Built } from "./build.ts";
import { type Container, startContainer, untilReady } from "./container.ts";

/** What was tried, what came of it, and seconds to the first answer where something served. */
export type Finding = { what: string; found: string; seconds?: number };

const secrets = { SESSION_SECRET: "ab".repeat(32), ENCRYPTION_KEY: "cd".repeat(32) };

/** A volume as an engine makes it: a folder of the image's user. */
function volume(work: string, name: string, image: Built): Record<string, string> {
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [uid = 0, gid = 0] = image.config.user.split(":").map(Number);
  chownSync(folder, uid, gid);
  return { "/data": folder };
}

async function ends(container: Container): Promise<string> {
  const began = performance.now();
  const status = await container.stop();
  assert.ok([0, 143].includes(status), `it ended with ${status}:\n${container.output()}`);
  return `stopped in ${((performance.now() - began) / 1000).toFixed(1)} s`;
}

/** With nothing set: it ends, and names all that is missing. */
export async function nothingSet(image: Built, work: string): Promise<Finding> {
  const volumes = volume(work, "nothing", image);
  const container = startContainer(image, { environment: {}, port: await freePort(), volumes });
  assert.equal(await container.exited, 1);
  const lines = container.output().trim().split("\n");
  const named = lines.map((line) => /^([A-Z_]+): /.exec(line)?.[1]).filter(Boolean);
  const wanted = [
    "QPAY_BASE_URL",
    "QPAY_USERNAME",
    "QPAY_PASSWORD",
    "QPAY_INVOICE_CODE",
    "PUBLIC_URL",
    "ALLOW_SANDBOX",
  ];
  assert.deepEqual(named, wanted);
  return { what: "nothing set", found: `ends with status 1 and names ${named.join(", ")}` };
}

/** A trial: it serves, its health check ends well, SIGTERM ends it, and a second start has what the first was given. */
export async function trial(image: Built, work: string): Promise<Finding[]> {
  const volumes = volume(work, "trial", image);
  const options = { environment: { ALLOW_SANDBOX: "true" }, port: await freePort(), volumes };
  const start = async () => {
    const began = performance.now();
    const container = startContainer(image, options);
    return { container, seconds: await untilReady(container, began) };
  };
  const first = await start();
  assert.equal(await first.container.health(), 0);
  assert.equal((await fetch(first.container.url)).status, 200);
  assert.match(first.container.output(), /one-time password/);
  const person = await registerPerson(served(first.container));
  const stopped = await ends(first.container);
  const second = await start();
  assert.equal(await second.container.health(), 0);
  assert.doesNotMatch(second.container.output(), /one-time password/);
  assert.equal(
    (await createHttpClient(second.container.url, { Cookie: person.cookies() }).get("/api/auth/user")).status,
    200,
  );
  await ends(second.container);
  return [
    {
      what: "`ALLOW_SANDBOX=true` and an empty volume",
      found: `healthy; pages answer 200; SIGTERM: ${stopped}`,
      seconds: first.seconds,
    },
    {
      what: "the same again",
      found: "a person who signed in before is still signed in",
      seconds: second.seconds,
    },
  ];
}

/** What tests' helpers need of a server. */
const served = ({ url }: Container) => ({ url, client: () => createHttpClient(url) }) as unknown as Server;

/** A provider and secrets: it serves on the embedded database, keeps no secret of its own making, and has no sandbox. */
export async function real(image: Built, work: string): Promise<Finding> {
  const provider = await startTlsProvider("vouched");
  const volumes = volume(work, "real", image);
  const trusted = join(work, "vouched.pem");
  writeFileSync(trusted, testCertificates.vouched.cert, { mode: 0o644 });
  const environment = {
    QPAY_BASE_URL: `https://localhost:${provider.port}/v2`,
    ...{ QPAY_USERNAME: "merchant", QPAY_PASSWORD: "m", QPAY_INVOICE_CODE: "M" },
    ...{ PUBLIC_URL: "https://midman.mn", TRUST_PROXY: "true", ...secrets, ...mailSettings },
  };
  const began = performance.now();
  const container = startContainer(image, { environment, port: await freePort(), volumes });
  try {
    const seconds = await untilReady(container, began);
    assert.equal(await container.health(), 0);
    const through = { "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7" };
    assert.equal((await fetch(container.url, { headers: through })).status, 200);
    assert.equal((await fetch(`${container.url}/sandbox/mail`, { headers: through })).status, 404);
    const kept = readdirSync(join(work, "real")).sort();
    assert.ok(kept.includes("postgres-18"), kept.join());
    assert.deepEqual(
      kept.filter((name) => /secret|key/.test(name)),
      [],
    );
    const found = `serves with the embedded database in the volume, without the sandbox; ${await ends(container)}`;
    return { what: "a provider and secrets", found, seconds };
  } finally {
    await provider.stop();
  }
}

/** Postgres, Redis and S3 elsewhere: two side by side, a person of one known to the other, and nothing written to a volume. */
export async function stateless(image: Built): Promise<Finding> {
  return twoInstances(image, {}, async (one, other, seconds) => {
    assert.deepEqual([await one.health(), await other.health()], [0, 0]);
    const ready = (await (await fetch(`${one.url}/readyz`)).json()) as { bus: string };
    assert.equal(ready.bus, "connected");
    const person = await registerPerson(served(one));
    assert.equal(
      (await createHttpClient(other.url, { Cookie: person.cookies() }).get("/api/auth/user")).status,
      200,
    );
    const what = "two instances on an empty database, with `DATABASE_URL`, `REDIS_URL`, S3 and secrets";
    const stopped = await Promise.all([one, other].map(ends));
    const found = `both healthy; a sign-in at one counts at the other; nothing is written to their volumes; ${stopped.join(", ")}`;
    return { what, found, seconds };
  });
}

/** Runs two instances on one database, Redis and bucket, until `use` has answered; then their volumes must still be empty. */
export async function twoInstances(
  image: Built,
  more: Record<string, string>,
  use: (one: Container, other: Container, seconds: number) => Promise<Finding>,
): Promise<Finding> {
  const work = mkdtempSync(join(tmpdir(), "midman-image-two-"));
  const [database, redis, s3] = await Promise.all([freshDatabase(true), startRedis(), startS3()]);
  const line = await relayByPort(database.url);
  const environment = {
    ...{ ALLOW_SANDBOX: "true", DATABASE_URL: line.url, REDIS_URL: redis.url, ...s3.settings, ...secrets },
    ...more,
  };
  const began = performance.now();
  const start = async (name: string) =>
    startContainer(image, { environment, port: await freePort(), volumes: volume(work, name, image) });
  const two = [await start("one"), await start("other")] as const;
  try {
    const seconds = Math.max(...(await Promise.all(two.map((each) => untilReady(each, began)))));
    const found = await use(...two, seconds);
    for (const name of ["one", "other"]) assert.deepEqual(readdirSync(join(work, name)), []);
    return found;
  } finally {
    for (const each of two) each.kill();
    await Promise.all(two.map(({ exited }) => exited));
    line.close();
    await Promise.all([redis.stop(), s3.stop(), database.drop()]);
    rmSync(work, { recursive: true, force: true });
  }
}
