import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { expectFaults } from "../support/api/api-document.ts";
import { expectMatch } from "../support/expect-match.ts";
import { postForm } from "../support/pages/post-form.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import { codeOf, turnFactorOn } from "../support/people/second-factor.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openRoomSocket } from "../support/server/room-sockets.ts";
import { readSecuritySection } from "../support/sources/security-docs.ts";
import { openPaidTrade, requestPayment, type ServerTrade } from "../support/trades/server-trades.ts";
import { countWrittenRows, findBookFaults } from "../support/trades/trade-books.ts";
import { secretsOfAWholeTrade, without } from "./whole-trade.fixture.ts";

/** V16: what is logged, what never is, and that errors say nothing and open nothing. */

setDefaultTimeout(60_000);

const root = join(import.meta.dir, "../..");

let server: Server;
let admin: Client;
let stranger: Person;
let deal: ServerTrade;

beforeAll(async () => {
  server = await startServer({ environment: { LOG_LEVEL: "debug", THROTTLE_FACTOR: "1" } });
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
  [deal, stranger] = await Promise.all([openPaidTrade(server), registerPerson(server, "Stranger Three")]);
}, 240_000);

const noMoreFaults = expectFaults();
afterAll(async () => {
  noMoreFaults();
  await disconnectDatabase();
  await server?.stop();
});

type LogLine = Record<string, unknown> & { time: string; level: number; msg: string };

const said = () => server.output().split("\n").filter(Boolean);
const all = () =>
  said()
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as LogLine);
/** Without the line that every request has. */
const lines = () => all().filter(({ msg }) => msg !== "request");

/** What the log has of requests that were refused, by the request's number. */
const refusedAs = (requestId: string | null) => lines().filter((line) => line.requestId === requestId);

const entries = async (action: string) =>
  db().execute<{
    user_id: string | null;
    at: Date;
    data: object;
    ip: string | null;
    device: string | null;
  }>(sql`
    SELECT e.user_id, e.at, e.data, t.ip, t.device FROM audit.entries e
    LEFT JOIN audit.traces t ON t.entry_id = e.id WHERE e.action = ${action} ORDER BY e.id DESC`);

const inventory = () => readSecuritySection("logs", "Logs");

test("16.1.1 the inventory names every log: events, form, place, readers and retention", async () => {
  const text = inventory();
  for (const part of [
    "standard error",
    "one JSON object a line",
    "audit.entries",
    "audit.traces",
    "payments.entries",
  ]) {
    expect([part, text.includes(part)]).toEqual([part, true]);
  }
  for (const days of ["30 days", "90 days"]) expect(text).toContain(days);
  // One of each kind of line there is a row of its own for.
  await stranger.get(`/api/transactions/${deal.id}`);
  await (await openRoomSocket(stranger.cookies(), server.url, deal.roomId, stranger.id)).closed;
  await without("escrow.steps", () => deal.buyer.get(`/api/transactions/${deal.id}/steps`));
  expectStatus(
    await admin.post("/sandbox/qpay/behave", { operation: "check", fail: 500, nextCalls: 1 }),
    200,
  );
  const waiting = await requestPayment(server);
  expectStatus(await waiting.buyer.post(`/api/transactions/${waiting.id}/verify`), 200, 503);
  expectStatus(await admin.post("/sandbox/qpay/behave", { reset: true }), 200);
  const messages = new Set(all().map(({ msg }) => msg));
  for (const msg of [
    "request",
    "request refused",
    "socket refused",
    "request failed",
    "provider call failed",
  ])
    expect([msg, messages.has(msg)]).toEqual([msg, true]);
  for (const msg of messages) expect([msg, text.includes(`\`${msg}\``)]).toEqual([msg, true]);
});

test("16.2.1 an entry has when, who, where and what", async () => {
  const refused = await stranger.get(`/api/transactions/${deal.id}`);
  const [line] = refusedAs(refused.headers.get("x-request-id"));
  expectMatch(line, {
    msg: "request refused",
    code: "TRANSACTION_NOT_FOUND",
    method: "GET",
    path: `/api/transactions/${deal.id}`,
    userId: stranger.id,
    from: expect.stringMatching(/^[\w-]{16}$/),
    time: expect.stringMatching(/Z$/),
  });
  const agent = server.client({ "User-Agent": "an unmistakable device" });
  expectStatus(
    await agent.post("/api/auth/login", { username: stranger.username, password: stranger.password }),
    200,
  );
  const [entry] = await entries("login");
  expect(Number(entry?.user_id)).toBe(stranger.id);
  expectMatch(entry, { ip: "127.0.0.1", device: "an unmistakable device", at: expect.anything() });
});

test("16.2.2 times are UTC, from the same clock in both logs", async () => {
  const before = Date.now();
  expectStatus(
    await server.client().post("/api/auth/login", { username: "nobody", password: "not a password" }),
    401,
  );
  const [{ at } = { at: "" }] = await entries("login_failed");
  const line = lines().at(-1);
  for (const moment of [new Date(at).getTime(), Date.parse(line?.time ?? "")]) {
    expect(Math.abs(moment - before)).toBeLessThan(5_000);
  }
  expect(lines().every(({ time }) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time))).toBe(true);
  const columns = await db().execute<{ name: string }>(sql`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema IN ('audit', 'identity', 'escrow', 'payments', 'rooms', 'mailer', 'base')
      AND data_type = 'timestamp without time zone'`);
  expect([...columns]).toEqual([]);
});

test("16.2.3 the program writes its log only to standard error, and to no file or service", () => {
  const glob = new Bun.Glob("{app,config,modules,db}/**/*.{ts,tsx}");
  const speaking = [...glob.scanSync({ cwd: root })]
    .filter((path) => !/\.(test|fixture)\.|test-/.test(path))
    .filter((path) =>
      /from "pino"|console\.\w+\(|process\.std(?:out|err)/.test(readFileSync(join(root, path), "utf8")),
    );
  // In a browser the console is the page's own; the program does not run there.
  expect(speaking.sort()).toEqual(["app/islands/room/wire-data.ts", "config/console-line.ts", "db/log.ts"]);
  expect(readFileSync(join(root, "db/log.ts"), "utf8")).toContain(
    "pino.destination({ dest: 2, sync: true })",
  );
  const kept = readdirSync(server.dataDir).filter((name) => name !== `server-${server.port}.log`);
  expect(kept.filter((name) => /log/i.test(name))).toEqual([]);
});

test("16.2.4 every line except the first ones is one JSON object of one form", () => {
  const others = said().filter((line) => !line.startsWith("{"));
  expect(others.filter((line) => !/^(Midman is at|Sandbox)/.test(line))).toEqual([]);
  expect(lines().length).toBeGreaterThan(1);
  for (const line of all()) {
    expect([typeof line.time, typeof line.level, typeof line.msg]).toEqual(["string", "number", "string"]);
  }
});

test("16.2.5 after a whole trade at debug level no secret, account, address, number or text of anyone is in the log", async () => {
  const secrets = await secretsOfAWholeTrade(server, admin);
  expect(secrets.length).toBeGreaterThan(50);
  const log = server.output();
  expect(log).toContain("request failed");
  expect(secrets.filter((secret) => secret.length > 5 && log.includes(secret))).toEqual([]);
  expect(await findBookFaults()).toEqual([]);
});

test("a request's line has its number, route, status and time, and not who asked for what", async () => {
  const { seller, roomId, id } = deal;
  const asked: Array<[path: string, route: string, status: number, level: number]> = [
    [`/chat/${roomId}?secret=${seller.username}`, "/chat/:id", 200, 30],
    [`/transactions/${id}`, "/transactions/:id", 200, 30],
    [`/api/transactions/${id}`, "/api/transactions/:id", 200, 30],
    [`/users/${seller.email}`, "none", 404, 30],
    [`/api/${seller.email}`, "none", 404, 30],
    ["/api/qpay/callback/1/abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", "", 0, 30],
    ["/icon.svg", "file", 200, 20],
    ["/healthz", "/healthz", 200, 20],
  ];
  for (const [path, route, status, level] of asked) {
    const reply = await seller.get(path);
    const requestId = reply.headers.get("x-request-id");
    const own = all().filter((line) => line.msg === "request" && line.requestId === requestId);
    expect([path, own.length]).toEqual([path, 1]);
    if (route !== "") expect(own[0]).toMatchObject({ method: "GET", route, status, level });
  }
  const told = all().filter(({ msg }) => msg === "request");
  expect(told.length).toBeGreaterThan(60);
  const keys = ["level", "method", "ms", "msg", "requestId", "route", "status", "time"];
  for (const line of told) expect(Object.keys(line).sort()).toEqual(keys);
  const routes = new Set(told.map(({ route }) => String(route)));
  expect([...routes].filter((route) => /\d{2,}|[@?=]|[\w-]{40,}/.test(route))).toEqual([]);
});

test("16.3.1 every sign-in, its failure, its code and its end are in the sealed log", async () => {
  const person = await registerPerson(server);
  const { username, password } = person;
  const browser = server.client();
  expectStatus(await browser.post("/api/auth/login", { username, password: "another password" }), 401);
  expectStatus(await server.client().post("/api/admin/login", { username, password }), 401);
  const { secret } = await turnFactorOn(person);
  expectStatus(await browser.post("/api/auth/login", { username, password }), 401);
  expectStatus(await browser.post("/api/auth/second-factor", { code: "000000" }), 422);
  expectStatus(await browser.post("/api/auth/second-factor", { code: await codeOf(secret, 0) }), 200);
  expectStatus(
    await browser.post("/api/auth/confirm-password", { password: "not the one", code: "000000" }),
    422,
  );
  expectStatus(await browser.post("/api/auth/logout"), 200);
  const of = await db().execute<{ action: string; data: { secondFactor?: string } }>(sql`
    SELECT action, data FROM audit.entries
    WHERE user_id = ${person.id} OR (subject_kind = 'user' AND subject_id = ${String(person.id)})
    ORDER BY id`);
  const signing = [
    ...["register", "login", "login_failed", "admin_login_failed", "second_factor_begun", "second_factor_on"],
    ...["second_factor_asked", "second_factor_failed", "login", "password_confirm_failed", "logout"],
  ];
  expect(of.map(({ action }) => action).filter((action) => signing.includes(action))).toEqual(signing);
  expect(of.filter(({ action }) => action === "login").at(-1)?.data.secondFactor).toBe("code");
});

test("16.3.2 everyone refused at a room, a call, a page or a socket is logged with the reason", async () => {
  const tried: Array<[who: Client, method: string, path: string, code: string]> = [
    [stranger, "GET", `/api/chat/rooms/${deal.roomId}/messages`, "CHAT_ROOM_NOT_FOUND"],
    [stranger, "POST", "/api/admin/money/halt", "ADMIN_REQUIRED"],
    [server.client(), "GET", "/api/transactions", "AUTH_REQUIRED"],
    [stranger, "GET", `/chat/${deal.roomId}`, "404"],
    [server.client(), "GET", "/chat", "SIGN_IN"],
    [stranger, "GET", "/admin/users", "SIGN_IN"],
  ];
  for (const [who, method, path, code] of tried) {
    const reply = await who.send(method, path);
    const found = refusedAs(reply.headers.get("x-request-id"));
    expect([path, found.map((line) => line.code)]).toEqual([path, [code]]);
    expect(found[0]?.userId).toBe(who === stranger ? stranger.id : undefined);
  }
  const sockets: Array<[who: Client, userId: number, code: number]> = [
    [stranger, stranger.id, 4404],
    [stranger, deal.buyer.id, 4403],
    [server.client(), 1, 4401],
  ];
  for (const [who, userId, code] of sockets) {
    expect(await (await openRoomSocket(who.cookies(), server.url, deal.roomId, userId)).closed).toBe(code);
    expect(lines().at(-1)).toMatchObject({ msg: "socket refused", closed: code, roomId: deal.roomId });
  }
});

test("16.3.3 attempts to bypass validation, order, origin and throttles are logged", async () => {
  const at = `/api/transactions/${deal.id}`;
  const tried: Array<[Promise<{ status: number; headers: Headers }>, string]> = [
    [deal.buyer.post(`${at}/bank-info`, { infoType: "buyer", phoneNumber: "1" }), "VALIDATION"],
    [deal.seller.post(`${at}/complete`), "BUYER_FIRST"],
    [deal.buyer.send("POST", `${at}/complete`, {}, { Origin: "https://evil.example" }), "BAD_ORIGIN"],
    [
      deal.buyer.post(`/api/chat/rooms/${deal.roomId}/messages`, { content: "x", type: "system" }),
      "VALIDATION",
    ],
  ];
  for (const [asked, code] of tried) {
    const reply = await asked;
    const found = refusedAs(reply.headers.get("x-request-id"));
    expect(found.map((line) => [line.msg, line.code])).toEqual([["request refused", code]]);
  }
  const pressed = await postForm(stranger, "/settings", {
    form: "password",
    currentPassword: "x",
    newPassword: "y",
  });
  expect(refusedAs(pressed.headers.get("x-request-id"))[0]).toMatchObject({ code: "422", path: "/settings" });
  for (const status of [200, 200, 200, 429]) expectStatus(await deal.buyer.get("/api/users/me/data"), status);
  expect(lines().at(-1)).toMatchObject({
    code: "THROTTLED",
    path: "/api/users/me/data",
    userId: deal.buyer.id,
  });
});

test("16.3.4 a fault is logged under the number that the response shows, as is a failing provider", async () => {
  const failed = await without("escrow.steps", () => deal.buyer.get(`/api/transactions/${deal.id}/steps`));
  expect(failed.status).toBe(500);
  const found = refusedAs(failed.headers.get("x-request-id"));
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ msg: "request failed", level: 50 });
  expect(JSON.stringify(found[0]?.err)).toContain("42P01");
  expectStatus(
    await admin.post("/sandbox/qpay/behave", { operation: "check", fail: 500, nextCalls: 3 }),
    200,
  );
  const waiting = await requestPayment(server);
  expectStatus(await waiting.buyer.post(`/api/transactions/${waiting.id}/verify`), 200, 503);
  const calls = lines().filter(({ msg }) => msg === "provider call failed");
  expectMatch(calls.at(-1), { reason: "HTTP 500", path: expect.stringContaining("/payment/check") });
});

test("16.4.1 no input can forge a log line", async () => {
  const forged = '\n{"level":50,"msg":"forged"}\r\n{"level":50,"msg":"forged"}';
  const browser = server.client({ "User-Agent": "x\tforged" });
  const before = lines().length;
  await browser.get(`/api/transactions/${encodeURIComponent(forged)}`);
  await browser.post(`/api/${encodeURIComponent(forged)}`, { content: forged });
  await browser.post("/api/auth/login", { username: forged, password: forged });
  await browser.get(`/${encodeURIComponent(forged)}`);
  expect(lines().length).toBeGreaterThanOrEqual(before + 4);
  expect(lines().filter(({ msg }) => msg === "forged")).toEqual([]);
  expect(said().filter((line) => line.startsWith("{") && !line.endsWith("}"))).toEqual([]);
});

test("16.4.2 nobody alters the sealed log, not even the program itself", async () => {
  for (const change of [
    sql`UPDATE audit.entries SET user_id = 1`,
    sql`DELETE FROM audit.entries`,
    sql`TRUNCATE audit.entries CASCADE`,
    sql`UPDATE audit.blocks SET head = head`,
    sql`UPDATE payments.entries SET amount = 0`,
    sql`DELETE FROM payments.journals`,
  ]) {
    const refused = await db()
      .execute(change)
      .then(
        () => "done",
        (error: { cause?: Error }) => error.cause?.message ?? "",
      );
    expect(refused).toMatch(/append-only|keeps what was written|never|cannot/i);
  }
  expectStatus(await server.client().get("/api/admin/activity-logs"), 401);
  expectStatus(await stranger.get("/api/admin/activity-logs"), 403);
  expect(await findBookFaults()).toEqual([]);
});

test("16.4.3 lines leave the process immediately for a collector, and the head of the sealed log can be stored elsewhere", async () => {
  const reply = await stranger.get("/api/admin/stats");
  expect(refusedAs(reply.headers.get("x-request-id"))).toHaveLength(1);
  expect(inventory()).toMatch(/collect/);
  expect(inventory()).toContain("bun run audit:verify --head");
  const page = expectStatus(await admin.get("/admin/activity-logs"), 200);
  expect(page.text).toMatch(/\d+:[0-9a-f]{64}/);
});

test("16.5.1 a fault shows its number and no internals, by call and by page", async () => {
  const [call, page] = await without("escrow.trades", () =>
    Promise.all([
      deal.buyer.get(`/api/transactions/${deal.id}`),
      deal.buyer.send("GET", `/transactions/${deal.id}`, undefined, { Accept: "text/html" }),
    ]),
  );
  expect([call.status, page.status]).toEqual([500, 500]);
  expect(call.body).toEqual({ code: "SERVER_ERROR", message: expect.any(String) } as never);
  // What a page says is between its tags; its stylesheet and pictures say nothing.
  const shown = page.text.replaceAll(/<(style|svg|script)\b.*?<\/\1>|<[^>]*>/gs, " ");
  for (const told of [call.text, shown]) {
    expect(
      told.match(/SELECT|escrow|relation|node_modules|\bat .*:\d+|\w+Error:|\.tsx?\b|postgres/gi),
    ).toBeNull();
  }
  expect(page.text).toContain(page.headers.get("x-request-id") ?? "none");
});

test("16.5.2 with the provider silent everything else works, and nothing counts as paid", async () => {
  const waiting = await requestPayment(server);
  expectStatus(
    await admin.post("/sandbox/qpay/behave", { operation: "check", fail: 503, nextCalls: "all" }),
    200,
  );
  try {
    const asked = await waiting.buyer.post(`/api/transactions/${waiting.id}/mark-paid`);
    expect([200, 503]).toContain(asked.status);
    expect((await waiting.buyer.get(`/api/transactions/${waiting.id}`)).body.status).not.toBe(
      "payment_confirmed",
    );
    expectStatus(
      await waiting.buyer.post(`/api/chat/rooms/${waiting.roomId}/messages`, { content: "still here" }),
      201,
    );
    expectStatus(await waiting.seller.get("/history"), 200);
    expectStatus(await server.client().get("/readyz"), 200);
  } finally {
    expectStatus(await admin.post("/sandbox/qpay/behave", { reset: true }), 200);
  }
});

test("16.5.3 what cannot be recorded, counted or checked does not happen", async () => {
  const before = await countWrittenRows();
  await without("audit.entries", async () => {
    expect((await deal.buyer.post("/api/chat/rooms", { name: "Unrecorded" })).status).toBe(500);
    expect((await deal.buyer.post(`/api/transactions/${deal.id}/complete`)).status).toBe(500);
  });
  await without("base.throttle", async () => {
    const login = await server.client().post("/api/auth/login", stranger);
    expect([login.status, login.headers.getSetCookie()]).toEqual([500, []]);
  });
  await without("identity.sessions", async () => {
    expect((await deal.buyer.get(`/api/transactions/${deal.id}`)).status).toBe(500);
    expect((await admin.get("/api/admin/stats")).status).toBe(500);
  });
  expect(await countWrittenRows()).toEqual(before);
});
