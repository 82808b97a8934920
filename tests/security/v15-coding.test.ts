import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import {
  acceptedAdvisories,
  checkAdvisories,
  compareAdvisories,
  filterUnaccepted,
} from "../../scripts/check/advisories.ts";
import { summaryLine } from "../../scripts/check/test-results.ts";
import { noisePicture } from "../support/hostile/hostile-pictures.ts";
import {
  expectStatus,
  makeRoomPair,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { startKnockCounter } from "../support/server/raw-exchange.ts";
import { type PushService, startPushService } from "../support/services/push-service.ts";
import { dependencyRows } from "../support/sources/decision-records.ts";
import { productSources, runtimeImports } from "../support/sources/product-sources.ts";
import { readSecuritySection } from "../support/sources/security-docs.ts";
import { looseComparisons } from "../support/sources/source-analysis.ts";
import { openPaidTrade, type ServerTrade } from "../support/trades/server-trades.ts";

/** How it is written, and of what. ASVS V15. */

const root = join(import.meta.dir, "..", "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const manifest = JSON.parse(read("package.json")) as Record<string, Record<string, string>>;

let server: Server;
/** With throttles as people meet them. */
let throttled: Server;
let service: PushService;
let deal: ServerTrade;
let admin: Client;

beforeAll(async () => {
  service = startPushService();
  server = await startServer({ environment: { PUSH_HOSTS: service.host, TRUST_PROXY: "true" } });
  throttled = await startServer({ environment: { THROTTLE_FACTOR: "1", TRUST_PROXY: "true" } });
  connectDatabase(server.databaseUrl);
  [deal, admin] = await Promise.all([openPaidTrade(server), signInAdministrator(server)]);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await Promise.all([server?.stop(), throttled?.stop()]);
  service?.stop();
});

describe("packages", () => {
  test("15.1.1 when packages are updated is documented, by severity", () => {
    const said = readSecuritySection("updates", "Dependencies");
    for (const word of ["critical", "high", "moderate", "low", "days", "every three months"])
      expect(said).toContain(word);
  });

  test("15.1.2 an inventory of packages: each exact, with its digest, from one place, and each direct one with its reason", async () => {
    const lock = Bun.spawn([process.execPath, "bun.lockb"], { cwd: root, stdout: "pipe", stderr: "ignore" });
    const inventory = await new Response(lock.stdout).text();
    expect(await lock.exited).toBe(0);
    const packages = inventory.split("\n\n").filter((entry) => /^ {2}version /m.test(entry));
    expect(packages.length).toBeGreaterThan(300);
    const unproven = packages.filter(
      (entry) => !/^ {2}integrity sha(512|256)-/m.test(entry) || !/^ {2}resolved "https:/m.test(entry),
    );
    expect(unproven.map((entry) => entry.split("\n")[0])).toEqual([]);
    const places = new Set(
      [...inventory.matchAll(/^ {2}resolved "(https:\/\/[^/]+)\//gm)].map(([, place]) => place),
    );
    expect(places.size).toBe(1);
    const known = dependencyRows(read("docs/dependencies.md"));
    const direct = Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    });
    const hasReason = ([name, version]: [string, unknown]) =>
      known.some((row) => row.name === name && row.version === version && row.reason !== "");
    expect(direct.filter((entry) => !hasReason(entry))).toEqual([]);
    // A package's own scripts would run with all our rights; none is trusted to.
    expect(manifest.trustedDependencies).toBeUndefined();
  });

  test("15.2.1 packages are within those times: the check compares all of them, fails on known ones, and says when it could not", async () => {
    const asked: string[] = [];
    const registry = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        const sent = new Uint8Array(await request.arrayBuffer());
        const text = new TextDecoder().decode(sent[0] === 0x1f ? Bun.gunzipSync(sent) : sent);
        asked.push(...Object.keys(JSON.parse(text)));
        const known = { id: 1, url: "https://example.com/GHSA-test-0001", title: "A hole", severity: "high" };
        return Response.json({ handlebars: [{ ...known, vulnerable_versions: "<99.0.0" }] });
      },
    });
    try {
      const by = (place: string) =>
        compareAdvisories({ PATH: process.env.PATH, HOME: process.env.HOME, BUN_CONFIG_REGISTRY: place });
      const compared = await by(`http://127.0.0.1:${registry.port}/`);
      if (!compared.reached) throw new Error(compared.why);
      expect(asked.length).toBeGreaterThan(300);
      const [hole] = compared.found;
      expect(hole).toMatchObject({ package: "handlebars", name: "GHSA-test-0001", severity: "high" });
      const lived = { advisory: "GHSA-test-0001", reason: "Only of a test", until: "2030-01-31" };
      expect(filterUnaccepted(compared.found, [], "2030-01-31")).toHaveLength(1);
      expect(filterUnaccepted(compared.found, [lived], "2030-01-31")).toHaveLength(0);
      expect(filterUnaccepted(compared.found, [lived], "2030-02-01")).toHaveLength(1);
      expect(await by("http://127.0.0.1:9/")).toEqual({
        reached: false,
        why: expect.stringContaining("127.0.0.1:9"),
      });
    } finally {
      await registry.stop(true);
    }
    // Silence would pass for a comparison: the command's result says that there was none, and so does the check's summary.
    const nowhere = { ...process.env, BUN_CONFIG_REGISTRY: "http://127.0.0.1:9/" };
    const uncompared = await checkAdvisories(nowhere);
    expect(uncompared).toEqual({ well: true, note: "advisories: not compared" });
    expect(summaryLine("advisories", 1234, uncompared)).toBe(
      "✓ advisories       1.2 s  advisories: not compared",
    );
    const command = Bun.spawnSync([process.execPath, "run", "advisories"], { cwd: root, env: nowhere });
    expect([command.exitCode, command.stderr.toString()]).toEqual([
      0,
      expect.stringContaining("\nadvisories: not compared\n"),
    ]);
    expect(read("scripts/check/check.ts")).toContain("checkAdvisories(childEnvironment({}))");
    expect(read("scripts/check/check.ts")).toContain("line: summaryLine(step.name,");
    const longest = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
    for (const { advisory, reason, until } of acceptedAdvisories) {
      expect([advisory, reason.length > 20, until <= longest]).toEqual([advisory, true, true]);
    }
  });

  test("15.2.3 nothing of development in production: production code imports no development package, and no test is served", async () => {
    const runs = productSources("{app,modules,db,locales}/**/*.{ts,tsx}").filter(
      ({ path }) => path !== "app/routes.ts",
    );
    const development = Object.keys(manifest.devDependencies ?? {});
    const strays = runs.flatMap((source) =>
      runtimeImports(source)
        .filter((name) => development.some((dev) => name === dev || name.startsWith(`${dev}/`)))
        .map((name) => `${source.path}: ${name}`),
    );
    expect(strays).toEqual([]);
    for (const path of ["/design", "/@vite/client", "/__manifest", "/_root.data", "/tests/"]) {
      expect([path, (await deal.buyer.get(path)).status]).toEqual([path, 404]);
    }
  });
});

describe("expensive work", () => {
  test("15.1.3 expensive work is documented, with its limits", () => {
    const said = readSecuritySection("input", "Expensive operations");
    for (const word of [
      "hashing passwords",
      "pictures",
      "lists",
      "CSV",
      "evidence",
      "provider",
      "sockets",
      "bodies",
      "mail",
    ]) {
      expect(said).toContain(word);
    }
  });

  test("15.2.2 expensive work is limited: lists are paged, pictures wait in turn, and others are served meanwhile", async () => {
    for (const path of [
      ...["/api/transactions?limit=1000000", "/api/chat/rooms?limit=1000000"],
      `/api/chat/rooms/${deal.roomId}/messages?limit=1000000`,
    ]) {
      const reply = await deal.buyer.get(path);
      expect([path, reply.status, reply.body.code]).toEqual([path, 422, "VALIDATION"]);
    }
    const large = (await noisePicture(1_600, 1_200).jpeg().toBuffer()).toString("base64");
    const { seller, roomId } = await makeRoomPair(server);
    const sent = Array.from({ length: 4 }, () =>
      seller.post(`/api/chat/rooms/${roomId}/images`, { imageData: `data:image/jpeg;base64,${large}` }),
    );
    // Others are served while pictures are drawn, and not after them.
    let drawing = true;
    const done = Promise.all(sent).finally(() => {
      drawing = false;
    });
    for (let at = 0; at < 5; at++) expectStatus(await deal.seller.get("/api/auth/user"), 200);
    expect(drawing).toBe(true);
    const drawn = (await done).map(({ status }) => status);
    expect([drawn.includes(201), drawn.filter((status) => ![201, 429].includes(status))]).toEqual([true, []]);
    const small = (await noisePicture(40, 30).jpeg().toBuffer()).toString("base64");
    const pair = await makeRoomPair(throttled);
    const many = [];
    for (let at = 0; at < 22; at++) {
      const image = { imageData: `data:image/jpeg;base64,${small}` };
      many.push((await pair.seller.post(`/api/chat/rooms/${pair.roomId}/images`, image)).status);
    }
    expect([many.filter((status) => status === 201).length < 22, many.at(-1)]).toEqual([true, 429]);
    const exports = [];
    for (let at = 0; at < 4; at++) exports.push((await pair.buyer.get("/api/users/me/data")).status);
    expect(exports).toEqual([200, 200, 200, 429]);
  }, 60_000);
});

describe("input and output", () => {
  test("15.3.1 responses have only what is needed: no passwords, tokens and factors, and of others no more than a name", async () => {
    const answers = await Promise.all(
      [
        ...[
          "/api/auth/user",
          "/api/auth/session",
          "/api/users/me/sessions",
          "/api/users/me/second-factor",
          "/api/users/me/notifications",
          "/api/users/me/telling",
        ],
        ...[
          "/api/chat/rooms",
          `/api/chat/rooms/${deal.roomId}`,
          `/api/chat/rooms/${deal.roomId}/participants`,
        ],
        ...[`/api/chat/rooms/${deal.roomId}/messages`, "/api/transactions", `/api/transactions/${deal.id}`],
        ...[`/api/transactions/${deal.id}/info-exchange`, `/api/transactions/${deal.id}/steps`],
      ].map(deal.buyer.get),
    );
    const desk = await Promise.all(
      ["/api/admin/users", "/api/admin/transactions", `/api/admin/users/${deal.buyer.id}`].map(admin.get),
    );
    for (const answer of [...answers, ...desk]) {
      expect(expectStatus(answer, 200).text).not.toMatch(
        /argon2|"(password|passwordHash|password_hash|tokenHash|token|secret|totp\w*|factorSecret|recoveryCodes)":["[]/i,
      );
    }
    // The other side's telephone and account are told whole once money is held, and not before.
    const early = await makeRoomPair(server);
    expectStatus(
      await early.seller.patch("/api/users/profile", { phoneNumber: "99112233", bankAccount: "5012345678" }),
      200,
    );
    for (const path of ["", "/participants", "/messages"]) {
      const { text } = expectStatus(await early.buyer.get(`/api/chat/rooms/${early.roomId}${path}`), 200);
      expect([path, /99112233|5012345678/.test(text)]).toEqual([path, false]);
    }
    const { body } = expectStatus(await deal.buyer.get("/api/auth/user"), 200);
    expect(Object.keys(body).filter((name) => /hash|secret|ip|device|locked|throttle/i.test(name))).toEqual(
      [],
    );
  });

  test("15.3.2 outgoing calls follow no redirect: neither pushes nor the provider's, nor those that send heads of the log", async () => {
    const bell = await startKnockCounter();
    try {
      expectStatus(await deal.buyer.post("/api/push/subscriptions", service.browser()), 200);
      const before = service.knocks();
      service.answers.push(Response.redirect(`http://127.0.0.1:${bell.port}/stolen`, 307));
      await deal.buyer.post("/api/push/test");
      for (const from = Date.now(); service.knocks() === before && Date.now() - from < 20_000; )
        await Bun.sleep(25);
      expect(service.knocks()).toBeGreaterThan(before);
      await Bun.sleep(200);
      expect(bell.knocks()).toBe(0);
    } finally {
      await bell.stop();
    }
    const calls = productSources("{app,modules,db}/**/*.ts").filter(
      ({ path, text }) => /(?<![.#\w])fetch\(/.test(text) && !/^app\/(islands|enhance|worker)\//.test(path),
    );
    expect(calls.length).toBe(4);
    for (const { path, text } of calls)
      expect([path, text.includes('redirect: "manual"')]).toEqual([path, true]);
  });

  test("15.3.3 only the fields of a form are used: rights, states, amounts and owners that are sent too have no effect", async () => {
    const more = {
      isAdmin: true,
      is_admin: true,
      id: 1,
      role: "admin",
      emailVerified: true,
      status: "completed",
    };
    const username = `mass${crypto.randomUUID().slice(0, 8)}`;
    const account = { username, password: "a long enough one", displayName: "Mass", avatarInitials: "" };
    const browser = server.client();
    expectStatus(
      await browser.post("/api/auth/register", { ...account, email: `${username}@example.mn`, ...more }),
      200,
      201,
    );
    expectStatus(
      await browser.patch("/api/users/profile", { ...more, username: "other", email: "other@example.mn" }),
      200,
      422,
    );
    const [row] = await db().execute<Record<string, unknown>>(
      sql`SELECT is_admin, email, username FROM identity.users WHERE username_key = ${username}`,
    );
    expect(row).toEqual({ is_admin: false, email: `${username}@example.mn`, username });
    const { seller, buyer, roomId } = await makeRoomPair(server);
    const asked = { chatRoomId: roomId, amount: 100_000, description: "Level 60" };
    const wanted = {
      ...more,
      gross: 1,
      net: 1e6,
      fee: 0,
      buyerId: seller.id,
      confirmedAt: "2020-01-01",
      code: "MM-AAAAAAAA",
    };
    const made = await seller.post("/api/transactions", { ...asked, ...wanted });
    expect([201, 422]).toContain(made.status);
    if (made.status === 422) expectStatus(await seller.post("/api/transactions", asked), 201);
    const [trade] = await db().execute<Record<string, unknown>>(
      sql`SELECT status, gross, net, buyer_id FROM escrow.trades WHERE room_id = ${roomId}`,
    );
    const figures = { status: "initiated", gross: "110000", net: "100000", buyer_id: String(buyer.id) };
    expect(
      Object.fromEntries(Object.entries(trade ?? {}).map(([name, value]) => [name, String(value)])),
    ).toEqual(figures);
    const said = expectStatus(
      await seller.post(`/api/chat/rooms/${roomId}/messages`, {
        content: "Hi",
        senderId: buyer.id,
        seq: 999,
        createdAt: "2020-01-01T00:00:00Z",
      }),
      201,
    ).body;
    expect([said.senderId, Number(said.seq) < 999, String(said.createdAt) > "2021"]).toEqual([
      seller.id,
      true,
      true,
    ]);
  });

  test("15.3.4 the caller's address is the true one: the last of a proxy's header, in the log and in every throttle", async () => {
    try {
      const who = await registerPerson({
        client: () => throttled.client({ "X-Forwarded-For": "198.51.100.200" }),
      });
      const guess = (forwarded: string) =>
        throttled
          .client({ "X-Forwarded-For": forwarded })
          .post("/api/auth/login", { username: who.username, password: "not the password" });
      const tries = [];
      // What stands before the last is the caller's own invention: another one each time changes nothing.
      for (let at = 0; at < 12; at++) tries.push((await guess(`10.0.0.${at}, 198.51.100.1`)).status);
      expect(tries.at(-1)).toBe(429);
      expect((await guess("198.51.100.1, 198.51.100.2")).status).toBe(401);
      const right = await throttled
        .client({ "X-Forwarded-For": "10.9.9.9, 198.51.100.3" })
        .post("/api/auth/login", { username: who.username, password: who.password });
      expect(right.status).toBe(200);
      await disconnectDatabase();
      connectDatabase(throttled.databaseUrl);
      const rows = await db().execute<{ ip: string }>(
        sql`SELECT DISTINCT ip FROM audit.traces WHERE ip IS NOT NULL`,
      );
      const seen = rows.map(({ ip }) => ip);
      expect(seen).toContain("198.51.100.3");
      expect(seen.filter((ip) => ip.startsWith("10."))).toEqual([]);
    } finally {
      await disconnectDatabase();
      connectDatabase(server.databaseUrl);
    }
  });

  test("15.3.5 types are checked, comparisons strict: values that only look right are refused, and the compiler is strict", async () => {
    const login = (username: unknown, password: unknown) =>
      server.client().post("/api/auth/login", { username, password });
    const { username, password } = deal.buyer;
    for (const [name, word] of [
      [[username], password],
      [username, [password]],
      [{ toString: "x" }, password],
      [username, true],
      [username, 0],
      [username, null],
      [true, true],
    ]) {
      expect((await login(name, word)).status).toBe(422);
    }
    const { seller, roomId } = await makeRoomPair(server);
    for (const amount of ["5000", [5000], { valueOf: 5000 }, true, "5e3", "0x1388"]) {
      const reply = await seller.post("/api/transactions", { chatRoomId: roomId, amount, description: "x" });
      expect([amount, reply.status]).toEqual([amount, 422]);
    }
    const compiler = JSON.parse(read("tsconfig.json")).compilerOptions;
    expect(compiler).toMatchObject({ strict: true, noUncheckedIndexedAccess: true });
    expect(JSON.parse(read("biome.json")).linter.rules.preset).toBe("recommended");
    const loose = productSources("{app,modules,db}/**/*.{ts,tsx}").filter(
      (source) => looseComparisons(source) > 0,
    );
    expect(loose.map(({ path }) => path)).toEqual([]);
  });

  test("15.3.6 no prototype pollution: an object's built-in names are values like others, in bodies, forms and addresses", async () => {
    const pollute = `{"__proto__":{"polluted":true,"isAdmin":true},"constructor":{"prototype":{"polluted":true}}`;
    const replies = [
      await deal.buyer.send("PATCH", "/api/users/profile", `${pollute},"displayName":"Plain One"}`),
      await deal.buyer.send("PUT", "/api/users/me/telling", `${pollute}}`),
      await deal.seller.send("POST", "/api/transactions", `${pollute}}`),
      await admin.send("POST", "/api/admin/email-templates/preview", `{"templateType":"__proto__"}`),
      await admin.send(
        "POST",
        "/api/admin/email-templates/preview",
        `{"templateType":"welcome","params":{"__proto__":{"name":"x"}}}`,
      ),
      await admin.get("/admin/email/__proto__/preview"),
      await admin.get("/admin/users?__proto__[polluted]=1&constructor[prototype][polluted]=1"),
      await deal.buyer.get("/?lang=__proto__"),
      await deal.buyer.send(
        "POST",
        "/settings",
        "__proto__[polluted]=1&form=__proto__&constructor.prototype.polluted=1",
        {
          "Content-Type": "application/x-www-form-urlencoded",
        },
      ),
      await server
        .client({ Cookie: "__proto__=1; midman-language=__proto__; midman-theme=constructor" })
        .get("/faq"),
    ];
    expect(replies.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    const fresh = expectStatus(await (await registerPerson(server)).get("/api/auth/user"), 200);
    expect([fresh.text.includes("polluted"), fresh.body.isAdmin]).toEqual([false, false]);
    expect((await deal.buyer.get("/api/admin/stats")).status).toBe(403);
  });

  test("15.3.7 a repeated parameter does no harm: one of them is used and checked, and nothing takes it from elsewhere", async () => {
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const chosen = await deal.buyer.send(
      "POST",
      "/preferences",
      "language=mn&language=%3Cscript%3E&back=/faq&back=//evil.example",
      form,
    );
    expect([chosen.status, chosen.headers.get("location")]).toEqual([303, "/faq"]);
    const seller: Person = await registerPerson(server);
    const twice = await seller.send(
      "POST",
      "/chat?dialog=create",
      "form=create&name=First+room&name=x",
      form,
    );
    const rooms = expectStatus(await seller.get("/api/chat/rooms"), 200).list;
    expect(twice.status === 422 ? rooms : rooms.map(({ name }) => name)).toEqual(
      twice.status === 422 ? [] : ["First room"],
    );
    // What a body must say is taken from neither the address nor a cookie or header.
    const elsewhere = server.client({
      Cookie: `username=${deal.buyer.username}`,
      username: deal.buyer.username,
    });
    const query = new URLSearchParams({ username: deal.buyer.username, password: deal.buyer.password });
    expect((await elsewhere.post(`/api/auth/login?${query}`, {})).status).toBe(422);
    const ids = await deal.buyer.get(`/api/transactions?before=1&before=${deal.id + 1}`);
    expect([200, 422]).toContain(ids.status);
    const cookies = deal.buyer.cookies().replace(/midman-session=/, "midman-session=none; midman-session=");
    const reply = await server.client({ Cookie: cookies }).get("/api/auth/user");
    expect(reply.status).toBe(401);
    const body = `{"content":"first","content":"second"}`;
    const said = expectStatus(
      await deal.buyer.send("POST", `/api/chat/rooms/${deal.roomId}/messages`, body),
      201,
    );
    expect(said.body.content).toBe("second");
  });
});
