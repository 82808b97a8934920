import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { sql } from "drizzle-orm";
import { readConfig } from "#config";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { noisePicture } from "../support/hostile/hostile-pictures.ts";
import { expectStatus, makeRoomPair, registerPerson } from "../support/people/registered-people.ts";
import { mailSettings, type Server, sharedSecrets, startServer } from "../support/server/midman-server.ts";
import { testCertificates } from "../support/services/certificates.ts";
import { startMailServer } from "../support/services/mail-server.ts";
import { startTlsProvider } from "../support/services/tls-provider.ts";
import { findSourcesWith } from "../support/sources/product-sources.ts";
import { deviationsHeading, readSecuritySection } from "../support/sources/security-docs.ts";

/** Whom Midman talks to, and that nobody in between reads along. ASVS V12. */

const folder = mkdtempSync(join(tmpdir(), "midman-tls-"));
const redisAt = await startTlsProvider("unvouched");
let server: Server;
let office: Awaited<ReturnType<typeof startMailServer>>;
/** The ports of the provider and of the store of pictures; who answers there changes from test to test. */
let port: number;
let storePort: number;

beforeAll(async () => {
  const first = [await startTlsProvider("vouched"), await startTlsProvider("vouched")] as const;
  [port, storePort] = [first[0].port, first[1].port];
  for (const one of first) await one.stop();
  office = await startMailServer("nobody@example.mn");
  writeFileSync(join(folder, "vouched.pem"), testCertificates.vouched.cert);
  server = await startServer({
    environment: {
      NODE_EXTRA_CA_CERTS: join(folder, "vouched.pem"),
      QPAY_BASE_URL: `https://127.0.0.1:${port}/v2`,
      ...{ QPAY_USERNAME: "merchant", QPAY_PASSWORD: "not for others", QPAY_INVOICE_CODE: "M" },
      ALLOW_SANDBOX: "false",
      REDIS_URL: `rediss://:not-for-others@127.0.0.1:${redisAt.port}`,
      ...sharedSecrets,
      ...{ S3_ENDPOINT: `https://127.0.0.1:${storePort}`, S3_REGION: "r", S3_BUCKET: "pictures" },
      ...{ S3_ACCESS_KEY_ID: "k", S3_SECRET_ACCESS_KEY: "not for others" },
      // This machine by a name that is not known to be it: there STARTTLS is insisted on, and the office offers none.
      SMTP_URL: office.url.replace("127.0.0.1", "0.0.0.0"),
    },
  });
  connectDatabase(server.databaseUrl);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
  await office?.stop();
  await redisAt.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Has Midman call its provider, which answers as `options` say; answers who was met there. */
async function providerMet(
  by: "vouched" | "unvouched",
  options: Parameters<typeof startTlsProvider>[1] = {},
) {
  const provider = await startTlsProvider(by, options, port);
  try {
    const { seller, buyer, roomId } = await makeRoomPair(server);
    const asked = { chatRoomId: roomId, amount: 5_000, description: "Over TLS" };
    const { id } = expectStatus(await seller.post("/api/transactions", asked), 201).body;
    const reply = await buyer.post("/api/qpay/invoices", { transactionId: id });
    expect([502, 503]).toContain(reply.status);
    return provider.met;
  } finally {
    await provider.stop();
  }
}

const operator = () => readSecuritySection("deployment", "What the operator must provide");

describe("TLS", () => {
  test("12.1.1 TLS 1.2 and 1.3 only: the newest is negotiated, an older one is refused, and the proxy is configured the same", async () => {
    const modern = await providerMet("vouched");
    expect(modern.length).toBeGreaterThan(0);
    expect(new Set(modern.map(({ protocol }) => protocol))).toEqual(new Set(["TLSv1.3"]));
    const older = { minVersion: "TLSv1", maxVersion: "TLSv1.1" } as const;
    expect(await providerMet("vouched", older)).toEqual([]);
    // Such a provider does speak, to a client that takes anything.
    const provider = await startTlsProvider("vouched", older);
    const ca = testCertificates.vouched.cert;
    const socket = connectTls({ host: "127.0.0.1", port: provider.port, ca, minVersion: "TLSv1" });
    await new Promise((done) => socket.once("secureConnect", done));
    expect(socket.getProtocol()).toBe("TLSv1.1");
    socket.destroy();
    await provider.stop();
    // Whom else Midman calls (mail, Postgres, Redis, pushes, pictures) it calls by what the runtime offers: nothing widens that.
    expect(findSourcesWith(/minVersion|maxVersion|secureProtocol|secureOptions/)).toEqual([]);
    expect(operator()).toContain("TLS 1.2 and 1.3 only");
  }, 60_000);

  test("12.1.2 recommended cipher suites: the negotiated one is authenticated encryption with forward secrecy, even if the other end accepts less", async () => {
    const met = await providerMet("vouched", { maxVersion: "TLSv1.2" });
    expect(met.length).toBeGreaterThan(0);
    for (const { cipher } of met) expect(cipher).toMatch(/^ECDHE-.*(GCM|CHACHA20)/);
    const ciphers = "ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA:ECDHE-ECDSA-AES128-GCM-SHA256";
    const offered = { maxVersion: "TLSv1.2", ciphers, honorCipherOrder: false } as const;
    const chosen = await providerMet("vouched", offered);
    expect(new Set(chosen.map(({ cipher }) => cipher))).toEqual(new Set(["ECDHE-ECDSA-AES128-GCM-SHA256"]));
    expect(findSourcesWith(/\bciphers\b|ecdhCurve|honorCipherOrder/)).toEqual([]);
    expect(operator()).toContain("cipher");
    expect(readSecuritySection("asvs", deviationsHeading)).toContain("| 12.1.1, 12.1.2, 12.2.2 |");
  }, 60_000);

  test("12.2.1 TLS from client to service, without fallback: settings that would send people or money in plain text stop the start", () => {
    const PUBLIC_URL = "https://midman.mn";
    const named = { QPAY_USERNAME: "m", QPAY_PASSWORD: "m", QPAY_INVOICE_CODE: "M", PUBLIC_URL };
    const access = { ...named, ...mailSettings };
    const real = { ...access, QPAY_BASE_URL: "https://merchant.example/v2" };
    const lines = (environment: Record<string, string>) => {
      const read = readConfig(environment);
      return read.ok ? [] : read.lines;
    };
    expect(lines({ ...access, QPAY_BASE_URL: "http://merchant.example/v2" })).toEqual([
      "QPAY_BASE_URL: must start with https:// unless it is on this machine",
    ]);
    expect(lines({ ...real, PUBLIC_URL: "http://midman.mn" })).toEqual([
      "PUBLIC_URL: must start with https:// where real money moves",
    ]);
    expect(lines(real)).toEqual([]);
  });

  test("12.2.2 publicly trusted certificates: no check of them is turned off, and the operator is told to have one", () => {
    expect(
      findSourcesWith(
        /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity|insecureHTTPParser/,
      ),
    ).toEqual([]);
    expect(operator()).toContain("publicly trusted certificate");
  });

  test("12.3.1 encrypted connections to everything: mail waits rather than being sent in plain text, and a database that must be encrypted is not used otherwise", async () => {
    const person = await registerPerson(server);
    const due = () =>
      db().execute<{ state: string; error: string | null }>(
        sql`SELECT state, last_error AS error FROM mailer.messages WHERE recipient = ${person.email}`,
      );
    for (const from = Date.now(); Date.now() - from < 20_000; await Bun.sleep(100)) {
      if ((await due())[0]?.error) break;
    }
    const [mail] = await due();
    expect([mail?.state, mail?.error === null]).toEqual(["queued", false]);
    expect(await office.of(person.email)).toEqual([]);
    const refused = Bun.spawn([process.execPath, "app/server.ts"], {
      cwd: join(import.meta.dir, "..", ".."),
      env: {
        PATH: process.env.PATH ?? "",
        ...{ ALLOW_SANDBOX: "true", PORT: "0", DATA_DIR: folder, LOG_LEVEL: "silent" },
        DATABASE_URL: `${server.databaseUrl}?sslmode=verify-full`,
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await refused.exited).toBe(1);
    expect(await new Response(refused.stderr).text()).toContain("DATABASE_URL");
  }, 60_000);

  test("12.3.2 certificates are checked: an untrusted provider gets no request, and so no password", async () => {
    expect(await providerMet("unvouched")).toEqual([]);
    // The same call to one that is vouched for, to see that it was made.
    expect((await providerMet("vouched")).map(({ request }) => request)).toContain(
      "POST /v2/auth/token HTTP/1.1",
    );
  }, 60_000);

  test("12.3.3 TLS between internal HTTP services: pictures and heads of the log are sent over trusted TLS, and plain http is for this machine", async () => {
    const bucket = { S3_REGION: "r", S3_BUCKET: "b", S3_ACCESS_KEY_ID: "k", S3_SECRET_ACCESS_KEY: "s" };
    const read = (S3_ENDPOINT: string) => readConfig({ ALLOW_SANDBOX: "true", ...bucket, S3_ENDPOINT });
    expect(read("http://minio:9000")).toEqual({
      ok: false,
      lines: ["S3_ENDPOINT: must start with https:// unless it is on this machine"],
    });
    expect([read("https://minio:9000").ok, read("http://127.0.0.1:9000").ok]).toEqual([true, true]);
    const anchored = (AUDIT_ANCHOR: string) => readConfig({ ALLOW_SANDBOX: "true", AUDIT_ANCHOR }).ok;
    const places = ["http://keeper:9000/heads", "https://keeper:9000/heads", "http://127.0.0.1:9000/heads"];
    expect(places.map(anchored)).toEqual([false, true, true]);
    const { seller, roomId } = await makeRoomPair(server);
    const imageData = `data:image/png;base64,${(await noisePicture(8, 8).png().toBuffer()).toString("base64")}`;
    /** What reaches the store when a picture is sent, which then cannot be kept. */
    const storeMet = async (by: "vouched" | "unvouched") => {
      const store = await startTlsProvider(by, {}, storePort);
      try {
        const reply = await seller.post(`/api/chat/rooms/${roomId}/images`, { imageData });
        expect([by, reply.status]).toEqual([by, 503]);
        return store.met.map(({ protocol, request }) => `${protocol} ${request.split("/")[0]}`);
      } finally {
        await store.stop();
      }
    };
    expect(await storeMet("unvouched")).toEqual([]);
    expect(new Set(await storeMet("vouched"))).toEqual(new Set(["TLSv1.3 PUT "]));
  }, 60_000);

  test("12.3.4 trusted internal certificates: an untrusted Redis is not used, and Midman continues without", async () => {
    expect(redisAt.met).toEqual([]);
    const ready = expectStatus(await server.client().get("/readyz"), 200).body;
    expect([ready.database, ready.bus]).toEqual(["ok", "down"]);
  });
});
