import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { connectRoom } from "../../app/islands/room/connection/room-socket.ts";
import { openOutbox } from "../../app/islands/room/outbox/outbox.ts";
import { outboxDeliveries } from "../../app/islands/room/outbox/outbox-deliveries.ts";
import type { PendingMessage } from "../../app/islands/room/types.ts";
import { openClient } from "../../db/client.ts";
import {
  expectStatus,
  makeRoomOf,
  type Person,
  registerPerson,
} from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openRoomSocket } from "../support/server/room-sockets.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Every connection for transactions is held: what comes is refused soon, in its own shape, and nothing of it is done. */

const METRICS_TOKEN = "m".repeat(32);
/** Of the four connections three take transactions. */
const TURNS = 3;

let server: Server;
let client: ReturnType<typeof openClient>;
let seller: Person;
let buyer: Person;
let roomId: number;
let release: (() => Promise<void>) | undefined;

beforeAll(async () => {
  server = await startServer({ environment: { DATABASE_CONNECTIONS: "4", METRICS_TOKEN } });
  client = openClient(server.databaseUrl, { max: 3 });
  [seller, buyer] = await Promise.all([
    registerPerson(server, "Seller One"),
    registerPerson(server, "Buyer Two"),
  ]);
  ({ roomId } = await makeRoomOf({ seller, buyer }));
}, 240_000);
afterEach(() => release?.());
afterAll(async () => {
  await client?.end({ timeout: 1 });
  await server?.stop();
}, 60_000);

const say = (content: string) => seller.post(`/api/chat/rooms/${roomId}/messages`, { type: "text", content });

/** Holds every turn: so many messages wait within their transactions for a table that another holds. */
async function holdTurns(): Promise<void> {
  const { promise: freed, resolve: free } = Promise.withResolvers<void>();
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const holding = client.begin(async (tx) => {
    await tx`LOCK TABLE rooms.messages IN SHARE MODE`;
    lock();
    await freed;
  });
  await locked;
  const held = Array.from({ length: TURNS }, (_, n) => say(`held ${n}`));
  release = async () => {
    release = undefined;
    free();
    await holding;
    for (const reply of await Promise.all(held)) expectStatus(reply, 201);
  };
  await waitUntil(async () => {
    const [row] = await client`
      SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'midman' AND wait_event_type = 'Lock'`;
    return row?.n >= TURNS;
  }, 10_000);
}

async function timed<T>(asked: Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  return [await asked, performance.now() - began];
}

async function shedCount(): Promise<number> {
  const reply = await fetch(`${server.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const lines = (await reply.text()).matchAll(/^midman_database_transactions_shed_total\{.*\} (\d+)$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function contents(): Promise<string[]> {
  const reply = expectStatus(await buyer.get(`/api/chat/rooms/${roomId}/messages?limit=200`), 200);
  return reply.list.map(({ content }) => String(content));
}

/** From a second without a free turn on, nothing moves. */
const standStill = () => Bun.sleep(1_100);

test("a call is refused within two seconds, and immediately while nothing moves; health checks and pages work", async () => {
  const before = await shedCount();
  await holdTurns();
  const [waited, patience] = await timed(say("refused after a wait"));
  expect(waited.status).toBe(503);
  expect(waited.body.code).toBe("OVERLOADED");
  expect(waited.body.message).toStartWith("Midman is very busy right now");
  expect(Number(waited.headers.get("retry-after"))).toBeWithin(2, 6);
  expect(patience).toBeWithin(1_000, 4_000);
  await standStill();
  for (let n = 0; n < 5; n++) {
    const [refused, ms] = await timed(say("refused at once"));
    expect([refused.status, refused.body.code]).toEqual([503, "OVERLOADED"]);
    expect(ms).toBeLessThan(1_000); // who waits is refused after a second and a half
  }
  for (const path of ["/healthz", "/readyz", `/chat/${roomId}`, `/api/chat/rooms/${roomId}/participants`]) {
    expect([path, (await seller.get(path)).status]).toEqual([path, 200]);
  }
  expect((await shedCount()) - before).toBeGreaterThanOrEqual(6);
  await release?.();
  expectStatus(await say("after"), 201);
  const stored = await contents();
  expect(stored.filter((content) => content.startsWith("refused"))).toEqual([]);
  expect(stored.filter((content) => content === "after")).toHaveLength(1);
}, 60_000);

test("money waits separately from messages: many messages do not cause its refusal", async () => {
  await holdTurns();
  const messages = Array.from({ length: 60 }, (_, n) => say(`many ${n}`));
  const refused = (await Promise.all(messages)).filter(({ status }) => status === 503);
  expect(refused).toHaveLength(60);
  await standStill();
  const asked = timed(
    seller.post("/api/transactions", { chatRoomId: roomId, amount: 45_000, itemDescription: "An account" }),
  );
  await Bun.sleep(300);
  await release?.();
  const [reply] = await asked;
  expect([200, 201]).toContain(reply.status);
}, 60_000);

test("a posted form is refused on a page that keeps the input, and works once it is sent again", async () => {
  await holdTurns();
  await standStill();
  const fields = { form: "create", name: 'A room <of> "words"', description: "Said & kept" };
  const form = (body: string, path: string) =>
    seller.send("POST", path, body, {
      "Content-Type": "application/x-www-form-urlencoded",
      Accept: "text/html",
    });
  const [page, ms] = await timed(form(new URLSearchParams(fields).toString(), "/chat"));
  expect(page.status).toBe(503);
  expect(ms).toBeLessThan(2_500);
  expect(Number(page.headers.get("retry-after"))).toBeWithin(2, 6);
  expect(page.text).toContain(">Midman is very busy right now</h1>");
  const kept = new HTMLRewriter();
  const read: Record<string, string> = {};
  kept.on("form[method=post] input[type=hidden]", {
    element: (input) => {
      read[input.getAttribute("name") ?? ""] = unescaped(input.getAttribute("value") ?? "");
    },
  });
  await kept.transform(new Response(page.text)).text();
  expect(read).toEqual(fields);
  await release?.();
  const done = await form(new URLSearchParams(read).toString(), "/chat");
  expect(done.status).toBe(303);
  const rooms = expectStatus(await seller.get("/api/chat/rooms"), 200);
  expect(rooms.list.filter(({ name }) => name === fields.name)).toHaveLength(1);
}, 60_000);

test("a form with a password is refused without it: the browser's reload sends it again", async () => {
  await holdTurns();
  await standStill();
  const password = `secret ${crypto.randomUUID()}`;
  const page = await server
    .client()
    .send(
      "POST",
      "/",
      new URLSearchParams({ form: "login", username: seller.username, password }).toString(),
      { "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html" },
    );
  expect(page.status).toBe(503);
  expect(page.text).toContain("Reload this page to send it again");
  expect(page.text).not.toContain(password);
}, 60_000);

test("a socket's message is refused for a later retry, and the next one does not overtake it", async () => {
  const line = await openRoomSocket(seller.cookies(), server.url, roomId, seller.id);
  await waitUntil(() => line.heard.length > 0, 5_000);
  await holdTurns();
  await standStill();
  const ids = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  for (const [n, clientId] of ids.entries())
    line.say({ type: "chat", clientId, payload: { type: "text", content: `by socket ${n}` } });
  const frames = () =>
    line.heard.map((frame) => JSON.parse(frame)).filter(({ clientId }) => ids.includes(clientId));
  await waitUntil(() => frames().length === 3, 5_000);
  for (const [n, frame] of frames().entries()) {
    expect(frame).toMatchObject({ type: "refused", clientId: ids[n], code: "OVERLOADED" });
    expect(frame.retryAfterSeconds).toBeWithin(2, 6);
  }
  await release?.();
  line.say({ type: "chat", clientId: ids[0], payload: { type: "text", content: "by socket 0" } });
  await waitUntil(() => frames().some(({ type }) => type === "ack"), 5_000);
  line.end();
}, 60_000);

test("a socket opened meanwhile has its messages refused as quickly, although its opening cannot be logged", async () => {
  await holdTurns();
  await standStill();
  const line = await openRoomSocket(seller.cookies(), server.url, roomId, seller.id);
  const clientId = crypto.randomUUID();
  line.say({ type: "chat", clientId, payload: { type: "text", content: "refused by a new socket" } });
  await waitUntil(() => line.heard.some((frame) => frame.includes(clientId)), 3_000);
  expect(line.heard.find((frame) => frame.includes(clientId))).toContain('"code":"OVERLOADED"');
  line.end();
}, 60_000);

test("the room's outbox keeps refused messages and sends each once, in order", async () => {
  const real = globalThis.WebSocket;
  const cookie = seller.cookies();
  const made = real as unknown as new (url: URL, options: object) => WebSocket;
  class Browser extends made {
    constructor(address: URL) {
      super(address, { headers: { cookie, origin: server.url } });
    }
  }
  Object.assign(globalThis, { WebSocket: Browser, location: { href: server.url } });
  const acknowledged: string[] = [];
  const refusals: string[] = [];
  const pending = new Map<string, PendingMessage>();
  try {
    const opened = Promise.withResolvers<void>();
    const ways = outboxDeliveries(
      { roomId, me: seller.id },
      () => {},
      (frame) => connection.send(frame),
    );
    const outbox = openOutbox({
      store: { put: async () => {}, drop: async () => {}, all: async () => [] },
      deliver: async (entry) => {
        const outcome = await ways.deliver(entry);
        if (outcome.kind === "sent" && entry.kind === "text") acknowledged.push(entry.content);
        if (outcome.kind !== "sent") refusals.push(outcome.kind);
        return outcome;
      },
      show: (entry) => pending.set(entry.clientId, entry),
      isKnown: () => false,
      alone: (work) => work(),
      outdated: "too old",
      now: Date.now,
    });
    const nothing = () => {};
    const connection = connectRoom(roomId, seller.id, {
      onOpen: () => opened.resolve(),
      onClose: nothing,
      onRefused: nothing,
      onSignedOut: async () => false,
      onMessage: nothing,
      onSeq: nothing,
      onAnswer: ways.resolveAttempt,
      onRead: nothing,
      onTyping: nothing,
      onPresence: nothing,
      onTradeChanged: nothing,
    });
    await opened.promise;
    await holdTurns();
    await standStill();
    const written = ["kept 1", "kept 2", "kept 3"];
    for (const content of written) void outbox.add({ kind: "text", content });
    await waitUntil(() => refusals.length > 0, 5_000);
    expect(acknowledged).toEqual([]);
    await release?.();
    await waitUntil(() => acknowledged.length === 3, 20_000);
    await Bun.sleep(500);
    expect(acknowledged).toEqual(written);
    expect(new Set(refusals)).toEqual(new Set(["later"]));
    expect([...pending.values()].filter(({ failed }) => failed !== undefined)).toEqual([]);
    expect((await contents()).filter((content) => content.startsWith("kept"))).toEqual(written);
    outbox.close();
    connection.stop();
  } finally {
    Object.assign(globalThis, { WebSocket: real });
    Reflect.deleteProperty(globalThis, "location");
  }
}, 60_000);

test("nothing of it is logged as a fault", () => {
  expect(server.output()).not.toContain('"level":50');
});

function unescaped(text: string): string {
  const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
  return text.replace(/&([\w#]+);/g, (whole, name) => named[name] ?? whole);
}
