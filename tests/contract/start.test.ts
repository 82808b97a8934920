import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase, openClient } from "../../db/client.ts";
import { freshDatabase } from "../support/database/test-database.ts";
import { freePort, startServer } from "../support/server/midman-server.ts";

/** What a start says of what is wrong around it: a line that names it; it ends, or begins all the same. */

setDefaultTimeout(120_000);

const over: Array<() => unknown> = [];
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end();
});

/** What a server that cannot start says of it. */
const refusal = (options: Parameters<typeof startServer>[0]) =>
  startServer(options).then(
    async (server) => {
      await server.stop();
      return "it started";
    },
    (error: Error) => error.message,
  );

test("an unwritable DATA_DIR stops the start by its name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "midman-start-"));
  over.push(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "file"), "");
  const { url, drop } = await freshDatabase();
  over.push(drop);
  const said = await refusal({ databaseUrl: url, environment: { DATA_DIR: join(folder, "file", "data") } });
  expect(said).toContain("Midman cannot start.\nDATA_DIR: ");
  expect(said).toContain("cannot be written to (ENOTDIR)");
});

test("a folder of bank logos that is not there, or is a file, stops the start by its name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "midman-start-"));
  over.push(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "file"), "");
  const { url, drop } = await freshDatabase();
  over.push(drop);
  for (const [name, code] of [
    ["missing", "ENOENT"],
    ["file", "ENOTDIR"],
  ] as const) {
    const path = join(folder, name);
    expect(await refusal({ databaseUrl: url, environment: { BANK_LOGOS_DIR: path } })).toContain(
      `Midman cannot start.\nBANK_LOGOS_DIR: ${path} is not a folder that can be read (${code})`,
    );
  }
});

test("a database that cannot be written to, or does not answer, stops the start by its name", async () => {
  const { url, drop } = await freshDatabase(true);
  over.push(drop);
  const owner = openClient(url, { max: 1 });
  await owner.unsafe(
    `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`,
  );
  await owner.end();
  expect(await refusal({ databaseUrl: url })).toContain(
    "Midman cannot start.\nDATABASE_OWNER_URL: nothing can be written to it (a standby, or read-only)",
  );
  const nobody = `postgres://midman:secret@127.0.0.1:${await freePort()}/midman`;
  const said = await refusal({ databaseUrl: nobody });
  expect(said).toMatch(/DATABASE_OWNER_URL: 127\.0\.0\.1:\d+\/midman does not answer/);
  expect(said).not.toContain("secret");
});

test("a port in use, or an address of another machine, stops the start by its name", async () => {
  // As Bun's servers may be asked to: they share a port, and each gets some of its connections.
  const busy = () => new Response("busy", { status: 503 });
  const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", reusePort: true, fetch: busy });
  over.push(() => taken.stop(true));
  const { port = 0 } = taken;
  const { url, drop } = await freshDatabase(true);
  over.push(drop);
  expect(await refusal({ databaseUrl: url, port })).toContain(
    `Midman cannot start.\nPORT: ${port} of 127.0.0.1 is used`,
  );
  const closed = { databaseUrl: url, port, environment: { MAINTENANCE: "true" } };
  expect(await refusal(closed)).toContain("is used");
  expect(await refusal({ databaseUrl: url, environment: { HOST: "192.0.2.1" } })).toContain(
    "HOST: 192.0.2.1 cannot be listened on (EADDRNOTAVAIL)",
  );
  const owner = openClient(url, { max: 1 });
  const [made] = await owner`SELECT to_regnamespace('payments') IS NULL AS untouched`;
  await owner.end();
  expect(made).toEqual({ untouched: true });
});

test("the sandbox does not start on real trades, nor a provider on those of a trial", async () => {
  const { url, drop } = await freshDatabase();
  over.push(drop);
  connectDatabase(url);
  over.push(disconnectDatabase);
  const named = { QPAY_BASE_URL: `http://127.0.0.1:${await freePort()}/v2`, QPAY_INVOICE_CODE: "M" };
  const provider = { ...named, QPAY_USERNAME: "m", QPAY_PASSWORD: "m", ALLOW_SANDBOX: "false" };
  const invoice = crypto.randomUUID();
  await db().execute(sql`INSERT INTO payments.invoices (id, reference, amount, description, created_at, expires_at)
    VALUES (${invoice}, 7, 1000, 'x', now(), now() + interval '1 day')`);
  await db().execute(sql`INSERT INTO payments.provider_invoices (invoice_id, sender_invoice_no, secret_hash, state, provider_id)
    VALUES (${invoice}, 'S1', sha256('x'), 'opened', ${invoice})`);
  expect(await refusal({ databaseUrl: url })).toContain("this database holds trades paid through QPay");
  const real = await startServer({ databaseUrl: url, environment: provider });
  await real.stop();
  await db().execute(sql`INSERT INTO sandbox.invoices (id, sender_invoice_no, receiver_code, description, amount, callback_url, qr_text,
    short_url, created_at) VALUES (${invoice}, 'S1', 'x', 'x', 1000, 'x', 'x', 'x', now())`);
  expect(await refusal({ databaseUrl: url, environment: provider })).toContain(
    "this database holds trades paid in the sandbox",
  );
  const trial = await startServer({ databaseUrl: url });
  await trial.stop();
});

test("an unreachable bucket, mail server, provider or Redis is reported by name, and it starts anyway", async () => {
  const { url, drop } = await freshDatabase();
  over.push(drop);
  const nobody = `127.0.0.1:${await freePort()}`;
  const owner = openClient(url, { max: 1 });
  await owner`UPDATE drizzle.__drizzle_migrations SET created_at = 4102444800000
    WHERE id = (SELECT max(id) FROM drizzle.__drizzle_migrations)`;
  await owner.end();
  const server = await startServer({
    databaseUrl: url,
    redisUrl: `redis://${nobody}`,
    environment: {
      ...{ S3_ENDPOINT: `http://${nobody}`, S3_REGION: "x", S3_BUCKET: "x" },
      ...{ S3_ACCESS_KEY_ID: "x", S3_SECRET_ACCESS_KEY: "a secret of a bucket" },
      SMTP_URL: `smtp://mailer:a-secret-word@${nobody}`,
      ...{ QPAY_BASE_URL: `http://${nobody}/v2`, QPAY_USERNAME: "m", QPAY_PASSWORD: "another secret word" },
      ...{ QPAY_INVOICE_CODE: "M", ALLOW_SANDBOX: "false" },
    },
  });
  over.push(() => server.stop());
  const wanted = [
    "bus: Redis is unreachable",
    "S3_BUCKET cannot be written to",
    "SMTP_URL does not accept mail at the moment",
    "QPAY_BASE_URL does not accept Midman's credentials, or does not answer",
    "the database was migrated by a newer version",
  ];
  for (const from = Date.now(); Date.now() - from < 60_000; await Bun.sleep(100)) {
    if (wanted.every((words) => server.output().includes(words))) break;
  }
  expect(wanted.filter((words) => !server.output().includes(words))).toEqual([]);
  for (const secret of ["a secret of a bucket", "a-secret-word", "another secret word"])
    expect(server.output()).not.toContain(secret);
  expect((await server.client().get("/readyz")).status).toBe(200);
});

test("a key that the database was not used with stops the start by name, and keys are changed one after the other", async () => {
  const { url, drop } = await freshDatabase();
  over.push(drop);
  const [one, other, strange] = ["12", "34", "56"].map((pair) => pair.repeat(32)) as [string, string, string];
  const said = async (key: string, before = "") => {
    const environment = { ENCRYPTION_KEY: key, ENCRYPTION_KEYS_BEFORE: before };
    const words = await refusal({ databaseUrl: url, environment });
    return /ENCRYPTION_KEY: .*/.exec(words)?.[0] ?? words;
  };
  expect(await said(one)).toBe("it started");
  const wrong =
    /^ENCRYPTION_KEY: it is key [0-9a-f]{8}, and this database is sealed by key ([0-9a-f]{8}), in use since [-0-9: ]+ UTC: /;
  const key = wrong.exec(await said(other))?.[1];
  // Set as a key of before it opens what there is, and the new one takes its place.
  expect(await said(other, one)).toBe("it started");
  expect(await said(one)).toStartWith(
    `ENCRYPTION_KEY: it is key ${key}, and this database is sealed by key `,
  );
  // The signing key was never sealed anew.
  expect(await said(other)).toContain(
    "no available key opens a signing key in it: add the previous key to ENCRYPTION_KEYS_BEFORE",
  );
  expect(await said(strange, "78".repeat(32))).toMatch(
    /ENCRYPTION_KEYS_BEFORE holds [0-9a-f]{8}, and this database is/,
  );
  expect(await said(other, one)).toBe("it started");
});

test("a database whose key file is missing stops the start, and makes no other key", async () => {
  const { url, drop } = await freshDatabase();
  over.push(drop);
  const first = await startServer({ databaseUrl: url });
  await first.stop();
  const place = mkdtempSync(join(tmpdir(), "midman-keyless-"));
  over.push(() => rmSync(place, { recursive: true, force: true }));
  const said = await refusal({ databaseUrl: url, dataDir: place, environment: { ENCRYPTION_KEY: "" } });
  expect(said).toMatch(/encryption-key is missing, and this database is sealed by key/);
  expect(existsSync(join(place, "encryption-key"))).toBe(false);
});
