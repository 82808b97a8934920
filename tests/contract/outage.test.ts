import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openClient } from "../../db/client.ts";

import { freshDatabase } from "../support/database/test-database.ts";
import { expectStatus, type Person, registerPerson } from "../support/people/registered-people.ts";
import { freePort, type Server, startServer } from "../support/server/midman-server.ts";
import { type FaultProxy, startFaultProxy } from "../support/services/fault-proxy.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Maintenance and outage: told plainly in the right language, 503, without the database, and over when they are over. */

let fresh: Awaited<ReturnType<typeof freshDatabase>>;
let line: FaultProxy;
let server: Server;
let member: Person;

beforeAll(async () => {
  fresh = await freshDatabase();
  line = await startFaultProxy(fresh.url);
  server = await startServer({ databaseUrl: line.url });
  member = await registerPerson(server, "Outage Person");
}, 240_000);

afterAll(async () => {
  await server?.stop();
  await line?.close();
  await fresh?.drop();
}, 60_000);

/** The lines of the server's log that say so. */
const told = (words: string) =>
  server
    .output()
    .split("\n")
    .filter((line) => line.endsWith(`"msg":"${words}"}`));

type CountedLine = { level: number; msg: string; err?: object; times?: number };

/** The lines that say that the database was not reached: single ones with their error, summaries with their count. */
const counted = () =>
  server
    .output()
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as CountedLine] : []))
    .filter(({ level, err, times }) => level >= 40 && (err ?? times) !== undefined);

const page = { Accept: "text/html" };

async function get(path: string, headers: Record<string, string> = {}, url = server.url) {
  const reply = await fetch(`${url}${path}`, { headers, redirect: "manual" });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

/** A page that says what is the matter, in one language, with its stylesheet; and nothing of the inside. */
function expectPlain(reply: Awaited<ReturnType<typeof get>>, language: string, heading: string): void {
  expect(reply.status).toBe(503);
  expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(reply.headers.get("content-language")).toBe(language);
  expect(reply.headers.get("x-robots-tag")).toBe("noindex");
  expect(reply.headers.get("cache-control")).toBe("no-store");
  expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(reply.text).toContain(`<html lang="${language}"`);
  expect(reply.text).toContain(`>${heading}</h1>`);
  expect(reply.text).not.toMatch(/ECONN|CONNECTION_|Error:|postgres|select |at .*\.ts/i);
}

const headings = {
  unavailable: { mn: "Midman түр ажиллахгүй байна", en: "Midman isn&#x27;t available right now" },
  maintenance: { mn: "Midman-д засвар үйлчилгээ хийж байна", en: "Midman is down for maintenance" },
};

test("while the database is down pages and calls say so, and work again once it is back", async () => {
  const cookie = member.cookies();
  // Two pages in two languages, a call, and the page for its stylesheet; the form's failure has a line of its own.
  const failedRequests = 6;
  expect((await get("/chat", { ...page, cookie })).status).toBe(200);
  await line.refuse();
  for (const language of ["mn", "en"] as const) {
    const asked = { ...page, "Accept-Language": language };
    // The session cannot be read.
    expectPlain(await get("/chat", { ...asked, cookie }), language, headings.unavailable[language]);
    expectPlain(await get("/faq", { ...asked, cookie }), language, headings.unavailable[language]);
  }
  const form = { ...page, "Content-Type": "application/x-www-form-urlencoded", "Accept-Language": "mn" };
  const body = "form=login&username=somebody&password=something";
  const reply = await fetch(`${server.url}/`, { method: "POST", headers: form, body, redirect: "manual" });
  // A visitor's session needs no reading: here the action itself fails.
  expectPlain(
    { status: reply.status, headers: reply.headers, text: await reply.text() },
    "mn",
    headings.unavailable.mn,
  );
  const call = await get("/api/auth/user", { cookie, "Accept-Language": "mn" });
  expect([call.status, JSON.parse(call.text).code]).toEqual([503, "UNAVAILABLE"]);
  expect(JSON.parse(call.text).message).toStartWith("Midman түр ажиллахгүй байна");
  expect(call.headers.get("retry-after")).not.toBeNull();
  // What needs no database is served all the same.
  expect((await get("/faq", page)).status).toBe(200);
  expect((await get("/healthz")).status).toBe(200);
  expect((await get("/readyz")).status).toBe(503);
  const stylesheet = /href="(\/assets\/[^"]+\.css)"/.exec(
    (await get("/chat", { ...page, cookie })).text,
  )?.[1];
  expect((await get(stylesheet ?? "/none")).status).toBe(200);

  await line.mend();
  for (const from = Date.now(); (await get("/readyz")).status !== 200; await Bun.sleep(100)) {
    expect(Date.now() - from).toBeLessThan(20_000);
  }
  expect((await get("/chat", { ...page, cookie })).status).toBe(200);
  await waitUntil(() => told("the database answers again").length === 1, 10_000);
  expect(told("the database does not answer")).toHaveLength(1);
  // The first line of the outage is written alone, every further one is counted: each kind has a line in ten seconds, and none is lost.
  const [end = "{}"] = told("the database answers again");
  const { seconds, lines: suppressed } = JSON.parse(end) as { seconds: number; lines: number };
  const linesMost = 1 + Math.floor(seconds / 10);
  const first = counted().findIndex(({ err }) => err !== undefined);
  const later = counted().slice(first + 1);
  for (const words of new Set(later.map(({ msg }) => msg))) {
    const times = later.filter(({ msg }) => msg === words).length;
    expect([words, times <= linesMost]).toEqual([words, true]);
  }
  const timesOf = (lines: CountedLine[]) => lines.reduce((sum, { times = 1 }) => sum + times, 0);
  expect(timesOf(later)).toBe(suppressed);
  expect(timesOf(counted().filter(({ msg }) => msg === "request failed"))).toBe(failedRequests);
}, 90_000);

test("a fault shows the number under which the log has it, and no internals", async () => {
  const cookie = member.cookies();
  const client = openClient(fresh.url, { max: 1 });
  // The rooms' table: a page's loader fails. The sessions' table: what stands before every page fails.
  for (const [schema, table] of [
    ["rooms", "rooms"],
    ["identity", "sessions"],
  ] as const) {
    await client`ALTER TABLE ${client(schema)}.${client(table)} RENAME TO away`;
    try {
      for (const [language, heading] of [
        ["mn", "Алдаа гарлаа"],
        ["en", "Something went wrong"],
      ]) {
        const reply = await get("/chat", { ...page, cookie, "Accept-Language": language ?? "" });
        const id = reply.headers.get("x-request-id") ?? "none";
        expect([reply.status, reply.headers.get("content-language")]).toEqual([500, language ?? ""]);
        expect(reply.headers.get("x-robots-tag")).toBe("noindex");
        expect(reply.text).toContain(`>${heading}</h1>`);
        expect(reply.text).toContain(id);
        expect(reply.text).not.toMatch(/relation|does not exist|select |rooms\.rooms|sessions|\.ts:\d/i);
        expect(server.output()).toContain(id);
      }
      const call = await get("/api/chat/rooms", { cookie });
      expect([call.status, JSON.parse(call.text)]).toEqual([
        500,
        { message: "Something went wrong on our side. Please try again later.", code: "SERVER_ERROR" },
      ]);
    } finally {
      await client`ALTER TABLE ${client(schema)}.${client("away")} RENAME TO ${client(table)}`;
    }
  }
  await client.end();
  expect((await get("/chat", { ...page, cookie })).status).toBe(200);
});

test.each([
  ["/chat", { form: "create", name: "Never opened" }, "rooms", "rooms", "Failed to create chat room"],
  ["room", { form: "message", content: "never said" }, "rooms", "messages", "Failed to send message."],
] as const)(
  "a form of %s that fails by a fault returns, and says what did not happen",
  async (...[where, fields, schema, table, words]) => {
    const { body: room } = expectStatus(await member.post("/api/chat/rooms", { name: "Failing" }), 201);
    const at = where === "room" ? `/chat/${room.id}` : where;
    const headers = { ...page, cookie: member.cookies(), "Accept-Language": "en" };
    const client = openClient(fresh.url, { max: 1 });
    await client`ALTER TABLE ${client(schema)}.${client(table)} RENAME TO away`;
    const body = new URLSearchParams(fields);
    const reply = await fetch(`${server.url}${at}`, { method: "POST", body, headers, redirect: "manual" });
    await client`ALTER TABLE ${client(schema)}.away RENAME TO ${client(table)}`;
    await client.end();
    expect([reply.status, reply.headers.get("location")]).toEqual([303, at]);
    expect(server.output()).toContain(reply.headers.get("x-request-id") ?? "none");
    const toast = reply.headers.getSetCookie().map((one) => one.split(";")[0]);
    const after = await get(at, { ...headers, cookie: [member.cookies(), ...toast].join("; ") });
    expect([after.status, after.text.includes(words)]).toEqual([200, true]);
  },
);

/** What a closed house answers; `url` is its address. */
async function expectClosed(url: string): Promise<void> {
  for (const language of ["mn", "en"] as const) {
    for (const path of ["/", "/chat", "/no-such-page", "/robots.txt"]) {
      const reply = await get(
        path,
        { ...page, "Accept-Language": "en", cookie: `midman-language=${language}` },
        url,
      );
      expectPlain(reply, language, headings.maintenance[language]);
    }
  }
  const call = await get("/api/auth/session", {}, url);
  expect([call.status, JSON.parse(call.text)]).toEqual([
    503,
    { message: "Midman is down for maintenance. Please come back in a few minutes.", code: "MAINTENANCE" },
  ]);
  expect(call.headers.get("retry-after")).toBe("300");
  const posted = await fetch(`${url}/api/auth/login`, { method: "POST", body: "{}" });
  expect([posted.status, (await posted.json()).code]).toEqual([503, "MAINTENANCE"]);
  expect((await get("/healthz", {}, url)).status).toBe(200);
  const ready = await get("/readyz", {}, url);
  expect([ready.status, JSON.parse(ready.text).status]).toEqual([503, "not ready"]);
  const stylesheet = /href="(\/assets\/[^"]+\.css)"/.exec((await get("/", page, url)).text)?.[1];
  expect((await get(stylesheet ?? "/none", {}, url)).status).toBe(200);
}

test("a file closes a running instance for maintenance, and removing it opens it again", async () => {
  const file = join(server.dataDir, "maintenance");
  writeFileSync(file, "");
  await expectClosed(server.url);
  rmSync(file);
  expect((await get("/", page)).status).toBe(200);
  expect((await get("/readyz")).status).toBe(200);
});

test("started for maintenance only the pages are needed: no database is used", async () => {
  const port = await freePort();
  const child = Bun.spawn([process.execPath, "app/server.ts"], {
    cwd: join(import.meta.dir, "..", ".."),
    env: {
      PATH: process.env.PATH ?? "",
      NODE_ENV: "production",
      PORT: String(port),
      MAINTENANCE: "true",
      ALLOW_SANDBOX: "true",
      DATA_DIR: join(server.dataDir, "unused"),
      DATABASE_URL: "postgres://nobody:nothing@127.0.0.1:1/none",
    },
    stdout: "ignore",
    stderr: "inherit",
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    for (const from = Date.now(); Date.now() - from < 30_000; await Bun.sleep(50)) {
      if (await fetch(`${url}/healthz`).catch(() => false)) break;
    }
    await expectClosed(url);
  } finally {
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  }
}, 60_000);
