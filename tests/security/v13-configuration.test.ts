import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "#config";
import { openClient } from "../../db/client.ts";
import { freshDatabase } from "../support/database/test-database.ts";
import { expectStatus, registerPerson, signInAdministrator } from "../support/people/registered-people.ts";
import {
  mailSettings,
  type Server,
  startServer,
  testAdministrator,
} from "../support/server/midman-server.ts";
import { rawExchange } from "../support/server/raw-exchange.ts";
import { findSourcesWith, productSources } from "../support/sources/product-sources.ts";
import { readSecuritySection } from "../support/sources/security-docs.ts";
import { requestPayment } from "../support/trades/server-trades.ts";

/** How Midman is set up where real money moves. ASVS V13. */

const root = join(import.meta.dir, "..", "..");
const secrets = { qpay: "q-password-of-the-merchant", smtp: "s-password-of-the-post" };
const metricsToken = "m".repeat(40);
let trial: Server;
let production: Server;

beforeAll(async () => {
  [trial, production] = await Promise.all([
    startServer({ environment: { METRICS_TOKEN: metricsToken } }),
    startServer({
      environment: {
        // Nobody listens there: nothing here asks it.
        ...{ QPAY_BASE_URL: "http://127.0.0.1:9/v2", QPAY_USERNAME: "merchant", QPAY_INVOICE_CODE: "M" },
        ...{ QPAY_PASSWORD: secrets.qpay, SMTP_URL: `smtps://post:${secrets.smtp}@127.0.0.1:9` },
        ALLOW_SANDBOX: "true",
      },
    }),
  ]);
  // What is asked for first makes a key, and seals it under one of the place.
  for (const server of [trial, production]) expectStatus(await server.client().get("/api/push/key"), 200);
}, 240_000);

afterAll(async () => {
  await Promise.all([trial?.stop(), production?.stop()]);
});

/** A path as it is written, and all that comes back. */
const raw = (server: Server, path: string, method = "GET", more = "") =>
  rawExchange(
    server.port,
    `${method} ${path} HTTP/1.1\r\nHost: midman.test\r\n${more}Connection: close\r\n\r\n`,
  );
const statusOf = async (server: Server, path: string) => Number((await raw(server, path)).slice(9, 12));

describe("outgoing connections", () => {
  test("13.1.1 outgoing connections are documented, and who decides about the address", () => {
    const said = readSecuritySection("network", "Network");
    for (const setting of [
      "DATABASE_URL",
      "REDIS_URL",
      "QPAY_BASE_URL",
      "SMTP_URL",
      "S3_ENDPOINT",
      "PUSH_HOSTS",
    ]) {
      expect(said).toContain(setting);
    }
    expect(said).toContain("**a browser's**");
    // Every setting that is an address of a service stands there.
    const schema = readFileSync(join(root, "config.ts"), "utf8");
    const addresses = [...schema.matchAll(/^ {2}(\w+): (?:urlSchema\("(?!https"\))|secureUrlSchema)/gm)].map(
      ([, name = ""]) => name,
    );
    expect(addresses.length).toBeGreaterThan(5);
    for (const name of addresses.filter((one) => one !== "VAPID_SUBJECT")) expect(said).toContain(name);
  });

  test("13.2.1 services authenticate each other: the database and the provider's callback accept no stranger", async () => {
    const wrong = new URL(trial.databaseUrl);
    wrong.password = "wrong";
    const client = openClient(wrong.href, { max: 1, connect_timeout: 5 });
    await expect(client`SELECT 1`.execute()).rejects.toThrow(/password/);
    await client.end({ timeout: 1 });
    for (const Authorization of ["", "Bearer nothing", "Basic c2FuZGJveDp3cm9uZw=="]) {
      for (const path of ["/invoice", "/payment/check", "/payment/list", "/auth/refresh", "/auth/token"]) {
        const reply = await trial.client().send("POST", `/sandbox/qpay/v2${path}`, {}, { Authorization });
        expect([path, Authorization, reply.status]).toEqual([path, Authorization, 401]);
      }
    }
    // Who calls back as the provider bears the secret of that one invoice; to others there is no such invoice.
    const deal = await requestPayment(trial);
    const back = (secret: string) => trial.client().get(`/api/qpay/callback/${deal.invoiceId}/${secret}`);
    for (const secret of ["a".repeat(43), "x", "A".repeat(200)]) expectStatus(await back(secret), 404);
    const books = openClient(trial.databaseUrl, { max: 1 });
    const [made] =
      await books`SELECT callback_url AS url FROM sandbox.invoices WHERE callback_url LIKE ${`%${deal.invoiceId}%`}`;
    await books.end({ timeout: 1 });
    expectStatus(await back(String(made?.url).split("/").at(-1)?.split("?")[0] ?? ""), 200);
    // And who watches the figures bears the token of the settings.
    const watch = (Authorization: string) => trial.client({ Authorization }).get("/metrics");
    for (const wrong of ["", "Bearer x", `Bearer ${"n".repeat(40)}`, `Basic ${metricsToken}`])
      expectStatus(await watch(wrong), 404);
    expectStatus(await watch(`Bearer ${metricsToken}`), 200);
  });

  test("13.2.2 services have the least rights: a role that owns one database is enough, one that owns nothing to run, and even the owner cannot rewrite ledger or log", async () => {
    const name = `low_${crypto.randomUUID().slice(0, 8)}`;
    const place = await freshDatabase(true);
    const chief = openClient(place.url, { max: 1 });
    let low: Server | undefined;
    try {
      await chief.unsafe(
        `CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD 'of-its-own';
         CREATE ROLE ${name}_app LOGIN PASSWORD 'of-its-own'`,
      );
      const database = new URL(place.url).pathname.slice(1);
      await chief.unsafe(`ALTER DATABASE ${database} OWNER TO ${name}`);
      const url = new URL(place.url);
      Object.assign(url, { username: name, password: "of-its-own" });
      const application = Object.assign(new URL(url), { username: `${name}_app` });
      low = await startServer({
        databaseUrl: url.href,
        environment: { DATABASE_URL: application.href, DATABASE_OWNER_URL: url.href },
      });
      await registerPerson(low, "Low Rights");
      const own = openClient(url.href, { max: 1 });
      try {
        const [role] =
          await own`SELECT rolsuper OR rolcreatedb OR rolcreaterole AS more FROM pg_roles WHERE rolname = ${name}`;
        expect(role?.more).toBe(false);
        // A table without rows refuses nothing: the log is sealed by a job.
        for (let wait = 0; wait < 600 && (await own`SELECT 1 FROM audit.blocks`).length === 0; wait++) {
          await Bun.sleep(50);
        }
        for (const statement of [
          "UPDATE audit.entries SET action = 'x'",
          "DELETE FROM audit.entries",
          "TRUNCATE audit.entries CASCADE",
          "TRUNCATE payments.entries CASCADE",
          "UPDATE audit.blocks SET head = repeat('0', 64)",
        ]) {
          const done = await own.unsafe(statement).then(
            () => "done",
            () => "refused",
          );
          expect([statement, done]).toEqual([statement, "refused"]);
        }
      } finally {
        await own.end({ timeout: 1 });
      }
      // The role that Midman runs as: what it needs to run, and nothing that would hide what it did.
      const running = openClient(application.href, { max: 1 });
      try {
        const [owned] = await running`SELECT count(*)::int AS count FROM pg_class
          WHERE relowner = (SELECT oid FROM pg_roles WHERE rolname = current_user)`;
        expect(owned?.count).toBe(0);
        for (const statement of [
          "UPDATE audit.entries SET action = 'x'",
          "DELETE FROM audit.entries",
          "DELETE FROM audit.blocks",
          "UPDATE audit.traces SET ip = NULL",
          "UPDATE payments.entries SET amount = 0",
          "DELETE FROM payments.journals",
          "UPDATE payments.balances SET balance = 0",
          "INSERT INTO payments.balances VALUES ('escrow:1', 1)",
          "DELETE FROM payments.payouts",
          "DELETE FROM escrow.trades",
          "UPDATE escrow.steps SET completed_at = now()",
          "DELETE FROM escrow.disputes",
          "DELETE FROM identity.users",
          "UPDATE identity.admin_grants SET by = 1",
          "UPDATE rooms.messages SET content = 'x'",
          "TRUNCATE identity.sessions",
          "ALTER TABLE identity.users DROP COLUMN email",
          "DROP TRIGGER append_only ON audit.blocks",
          "CREATE TABLE public.aside (x int)",
          "CREATE SCHEMA aside",
          `SET ROLE ${name}`,
          "SELECT rolpassword FROM pg_authid",
          "COPY (SELECT 1) TO PROGRAM 'true'",
          "SELECT pg_read_file('/etc/passwd')",
        ]) {
          const code = await running.unsafe(statement).then(
            () => "done",
            (error: { code?: string }) => error.code,
          );
          expect([statement, code]).toEqual([statement, "42501"]);
        }
      } finally {
        await running.end({ timeout: 1 });
      }
    } finally {
      await low?.stop();
      await chief.unsafe(`REASSIGN OWNED BY ${name} TO CURRENT_USER`).catch(() => {});
      await chief.unsafe(`DROP OWNED BY ${name}, ${name}_app`).catch(() => {});
      await chief.end({ timeout: 1 });
      await place.drop();
      const chiefAgain = openClient(trial.databaseUrl, { max: 1 });
      await chiefAgain.unsafe(`DROP ROLE IF EXISTS ${name}, ${name}_app`);
      await chiefAgain.end({ timeout: 1 });
    }
  }, 90_000);

  test("13.2.3 no default credentials: none works, none replaces a missing one, each installation makes its own", async () => {
    for (const [username, password] of [
      ...["admin", "password", "root", "midman", "administrator"].map((word) => ["admin", word] as const),
      ["root", "root"],
      ["sandbox", "sandbox"],
      ["midman", "midman"],
    ] as const) {
      for (const path of ["/api/admin/login", "/api/auth/login"]) {
        const reply = await production.client().post(path, { username, password });
        expect([path, username, [401, 422].includes(reply.status)]).toEqual([path, username, true]);
      }
    }
    // A provider is named whole; the sandbox's well-known names count in a trial alone.
    const half = readConfig({ ...mailSettings, QPAY_BASE_URL: "https://merchant.example/v2" });
    expect(half.ok ? [] : half.lines.map((line) => line.split(":")[0])).toEqual([
      ...["QPAY_USERNAME", "QPAY_PASSWORD", "QPAY_INVOICE_CODE", "PUBLIC_URL"],
    ]);
    expect((await production.client().post("/sandbox/qpay/v2/auth/token")).status).toBe(404);
    const made = await Promise.all([1, 2].map(() => ownSecrets()));
    expect(made.map((secrets) => secrets.every((secret) => /^[0-9a-f]{64}$/.test(secret)))).toEqual([
      true,
      true,
    ]);
    expect(new Set(made.flat()).size).toBe(4);
  });

  test("13.2.4 an allowlist of outgoing calls: connections are opened only in named files, to addresses of the settings", () => {
    const sources = productSources("{app,modules,db}/**/*.{ts,tsx}").filter(
      ({ path }) => !/^app\/(islands|enhance|worker)\//.test(path),
    );
    expect(
      findSourcesWith(
        /(?<![.#\w])fetch\(|new WebSocket\(|\bBun\.connect|node:(http|https|net|tls|dgram|dns)"/,
        sources,
      ),
    ).toEqual([
      // The names of statuses in node:http, and `isIP` and `isIPv6` of node:net, open nothing.
      "app/server/openapi/operation.ts",
      "modules/audit/lib/heads/send-head.ts",
      "modules/identity/lib/request/network-prefix.ts",
      "modules/identity/lib/request/request-facts.ts",
      "modules/mailer/lib/push/hand-to-service.ts",
      "modules/payments/lib/qpay/http-exchange.ts",
      "modules/payments/lib/sandbox/deliver-callbacks.ts",
    ]);
    expect(
      findSourcesWith(
        /from "nodemailer"|import\("nodemailer"\)|new S3Client\(|new AwsClient\(|createClient\(|createCluster\(|[^.\w]postgres\(|new PgBoss\(/,
        sources,
      ),
    ).toEqual([
      "db/bus/redis-connections.ts",
      "db/client.ts",
      "db/files/bucket-client.ts",
      "db/files/s3.ts",
      "db/jobs/pg-boss.ts",
      "modules/mailer/lib/sending/smtp-server.ts",
    ]);
  });

  test("13.2.5 an allowlist of what the server loads: the build's public files, known by name at the start, and nothing else", async () => {
    for (const path of [
      ...["/../config.ts", "/%2e%2e/config.ts", "/assets/..%2f..%2fpackage.json", "/assets//../../bun.lockb"],
      ...["/..%2f..%2fpackage.json", "/assets/..%2f..%2f..%2fpackage.json", "/..%2fserver%2findex.js"],
      ...[
        "/package.json",
        "/bun.lockb",
        "/.env",
        "/emails/welcome.hbs",
        "/server/index.js",
        "/build/server/index.js",
      ],
      ...[
        "/locales/mn.json",
        "/db/migrations/0000_base.sql",
        "/icon.svg.br",
        "/assets/app.css",
        "/app/server.ts",
      ],
      ...["/.data/session-secret", "/session-secret", "file:///etc/passwd", "/etc/passwd", "//etc/passwd"],
    ]) {
      const heard = await raw(production, path);
      expect([path, /^HTTP\/1\.1 (400|404)/.test(heard), heard.includes("root:")]).toEqual([
        path,
        true,
        false,
      ]);
    }
    expect(await statusOf(production, "/icon.svg")).toBe(200);
  });
});

describe("secrets", () => {
  test("13.3.1 secrets are separate from code: none in the sources, none in what browsers get, none readable in a table", async () => {
    const sources = productSources(
      "{app,modules,db,locales,scripts,emails,public,.ci}/**/*.{ts,tsx,js,json,hbs,sql,css}",
    );
    expect(
      findSourcesWith(
        /-----BEGIN [A-Z ]*PRIVATE KEY|AKIA[0-9A-Z]{16}|(?<![\w-])[0-9a-f]{64}(?![\w-])/,
        sources,
      ),
    ).toEqual([]);
    const built = productSources("build/client/**/*.{js,css}");
    expect(built.length).toBeGreaterThan(3);
    expect(
      findSourcesWith(/process\.env|SESSION_SECRET|ENCRYPTION_KEY|QPAY_PASSWORD|postgres:\/\//, built),
    ).toEqual([]);
    const client = openClient(trial.databaseUrl, { max: 1 });
    try {
      const [pair] = await client`SELECT octet_length(private_key) AS bytes FROM mailer.vapid_keys`;
      // 32 bytes of a key are more once they are sealed.
      expect(Number(pair?.bytes)).toBeGreaterThan(32 + 16);
      const [person] = await client`SELECT password_hash FROM identity.users LIMIT 1`;
      expect(String(person?.password_hash)).toStartWith("$argon2id$");
    } finally {
      await client.end({ timeout: 1 });
    }
  });

  test("13.3.2 few can read secrets: their owner on the disk, and no page, call or log line", async () => {
    const files = readdirSync(production.dataDir).filter((name) => /secret|key/.test(name));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      expect([file, (statSync(join(production.dataDir, file)).mode & 0o077).toString(8)]).toEqual([
        file,
        "0",
      ]);
    }
    const held = files.map((file) => readFileSync(join(production.dataDir, file), "utf8").trim());
    const admin = await signInAdministrator(trial);
    const config = expectStatus(await admin.get("/api/admin/email-config"), 200).text;
    const seen = [
      production.output(),
      trial.output(),
      config,
      (await production.client().get("/readyz")).text,
    ].join();
    for (const secret of [...held, ...Object.values(secrets), testAdministrator.password]) {
      expect(seen.includes(secret)).toBe(false);
    }
  });
});

describe("unintended disclosure", () => {
  test("13.4.1 no source control metadata: its folders look missing", async () => {
    for (const path of [
      "/.git/HEAD",
      "/.git/config",
      "/.git/",
      "/.gitignore",
      "/.svn/entries",
      "/.hg/store",
      "/assets/.git/HEAD",
    ]) {
      expect([path, await statusOf(production, path)]).toEqual([path, 404]);
    }
  });

  test("13.4.2 no debug modes in production: that is the default, faults show no stack, and scripts have no maps", async () => {
    const read = readConfig({ ALLOW_SANDBOX: "true" });
    expect(read.ok && read.config.NODE_ENV).toBe("production");
    for (const reply of [
      await production.client().send("POST", "/api/auth/login", "{"),
      await production.client().send("GET", "/%ff%fe", undefined, { Accept: "text/html" }),
      await production.client().send("POST", "/", "{", { Accept: "text/html" }),
    ]) {
      expect([reply.status >= 400, reply.text.length > 0]).toEqual([true, true]);
      expect(reply.text).not.toMatch(/\bat .+\.(ts|tsx|js):\d+|node_modules|\/app\/routes|SELECT /);
    }
    const client = join(root, "build", "client");
    const built = readdirSync(client, { recursive: true }).map(String);
    expect(built.filter((file) => file.endsWith(".map"))).toEqual([]);
    // As they stand, with their comments: a map is named in one.
    const mapped = built
      .filter((file) => file.endsWith(".js"))
      .filter((file) =>
        /sourceMappingURL|react-refresh|__vite/.test(readFileSync(join(client, file), "utf8")),
      );
    expect(mapped).toEqual([]);
  });

  test("13.4.3 no directory listings", async () => {
    for (const path of [
      "/assets/",
      "/assets",
      "/files/",
      "/public/",
      "/build/",
      "/api/",
      "/sandbox/",
      "/locales/",
    ]) {
      const heard = await raw(production, path);
      expect([path, heard.slice(9, 12), heard.includes(".js.br")]).toEqual([path, "404", false]);
    }
  });

  test("13.4.4 no TRACE: it is refused everywhere, and nothing of the request is returned", async () => {
    for (const method of ["TRACE", "TRACK", "DEBUG"]) {
      for (const path of ["/", "/api/auth/user", "/healthz", "/icon.svg", "/ws"]) {
        const heard = await raw(production, path, method, "X-Secret-Header: told-to-nobody\r\n");
        expect([method, path, /^HTTP\/1\.1 2/.test(heard)]).toEqual([method, path, false]);
        expect(heard).not.toContain("told-to-nobody");
        expect(heard).not.toContain("message/http");
      }
    }
  });

  test("13.4.5 no public internal documentation or monitoring: the public part has only states, the rest is hidden", async () => {
    for (const path of [
      "/metrics",
      "/design",
      "/sandbox/mail",
      "/sandbox/mail.json",
      "/sandbox/qpay/pay/x",
      "/debug",
      "/status",
      "/swagger",
      "/graphql",
    ]) {
      expect([path, [401, 403, 404].includes(await statusOf(production, path))]).toEqual([path, true]);
    }
    expect(expectStatus(await production.client().get("/healthz"), 200).body as object).toEqual({
      status: "ok",
    });
    const ready = expectStatus(await production.client().get("/readyz"), 200);
    expect(Object.keys(ready.body).sort()).toEqual(["bus", "database", "status"]);
    // Which Midman it is, whose program is open; never what it runs on.
    const { version } = expectStatus(await production.client().get("/version"), 200).body;
    expect(version).toBe(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version);
    for (const name of ["server", "x-powered-by", "via"]) expect(ready.headers.get(name)).toBeNull();
    expect((await production.client().get("/api/admin/stats")).status).toBe(401);
  });
});

/** The two secrets that a new place makes for itself, in a process of its own. */
async function ownSecrets(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "midman-own-"));
  const script = `
    import { encryptionKey, sessionSecret } from "./db/secrets/instance-secrets.ts";
    console.log(JSON.stringify([sessionSecret(), encryptionKey().toString("hex")]));`;
  const env = { PATH: process.env.PATH, ALLOW_SANDBOX: "true", DATA_DIR: folder };
  const run = Bun.spawn([process.execPath, "--eval", script], { cwd: root, env, stdout: "pipe" });
  const secrets = JSON.parse(await new Response(run.stdout).text());
  rmSync(folder, { recursive: true });
  return secrets;
}
