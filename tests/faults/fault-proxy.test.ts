import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openClient } from "../../db/client.ts";
import { freshDatabase } from "../support/database/test-database.ts";
import { type FaultProxy, startFaultProxy } from "../support/services/fault-proxy.ts";

/** The line that the fault suites spoil: each manner does what it says, and is over when it is over. */

let server: Bun.Server<undefined>;
let line: FaultProxy;
/** What reached the server. */
let heard: string[] = [];
const long = "x".repeat(20_000);

beforeAll(() => {
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request, bun) {
      if (bun.upgrade(request)) return undefined;
      heard.push(await request.text());
      return new Response(new URL(request.url).pathname === "/long" ? long : "well");
    },
    websocket: { message: (socket, said) => void socket.send(said) },
  });
});
afterAll(() => server.stop(true));

beforeEach(async () => {
  heard = [];
  line = await startFaultProxy(`http://127.0.0.1:${server.port}/`);
});
afterEach(() => line.close());

const ask = (path = "", body = "a request") =>
  fetch(`${line.url}${path}`, { method: "POST", body, keepalive: false }).then((reply) => reply.text());
const failed = (asked: Promise<unknown>) =>
  asked.then(
    () => false,
    () => true,
  );
async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

describe("the fault proxy", () => {
  test("forwards everything by default", async () => {
    expect(await Promise.all([ask(), ask("long"), ask("", long)])).toEqual(["well", long, "well"]);
    expect(heard).toContain(long);
    expect(line.counts().taken).toBe(3);
  });

  test("refuses, and accepts connections again at the same address", async () => {
    await line.refuse();
    expect(await failed(ask())).toBe(true);
    await line.mend();
    expect(await ask()).toBe("well");
    expect(heard).toHaveLength(1);
  });

  test("cuts existing connections and accepts new ones", async () => {
    const socket = new WebSocket(line.url.replace("http", "ws"));
    await new Promise((done) => socket.addEventListener("open", done, { once: true }));
    const closed = new Promise((done) => socket.addEventListener("close", done, { once: true }));
    expect(line.counts().open).toBe(1);
    line.cut();
    await closed;
    expect(await ask()).toBe("well");
  });

  test("delays by the given time, each way", async () => {
    line.behave({ delayMs: 100 });
    expect(await timed(() => ask())).toBeGreaterThan(195);
    line.behave({});
    expect(await ask()).toBe("well");
  });

  test("limits the bytes per second", async () => {
    line.behave({ bytesPerSecond: 40_000 });
    expect(await timed(() => ask("long"))).toBeGreaterThan(400);
  });

  test("holds everything while it is stalled, and then releases it", async () => {
    line.behave({ stalled: true });
    const asked = ask();
    expect(await Promise.race([asked, Bun.sleep(150)])).toBeUndefined();
    expect(heard).toEqual([]);
    line.behave({});
    expect(await asked).toBe("well");
  });

  test("ends a request in the middle: the server never gets all of it", async () => {
    line.behave({ cutAfter: { up: 5_000 } });
    expect(await failed(ask("", long))).toBe(true);
    expect(heard).toEqual([]);
  });

  test("ends a reply in the middle: part of it arrives, the request was received", async () => {
    line.behave({ cutAfter: { down: 5_000 } });
    const reply = await fetch(`${line.url}long`, { method: "POST", body: "a request" });
    expect(reply.status).toBe(200);
    expect(await failed(reply.text())).toBe(true);
    expect(heard).toEqual(["a request"]);
  });

  test("counts the bytes of an existing connection from the command on", async () => {
    const socket = new WebSocket(line.url.replace("http", "ws"));
    await new Promise((done) => socket.addEventListener("open", done, { once: true }));
    const closed = new Promise((done) => socket.addEventListener("close", done, { once: true }));
    const echoes: unknown[] = [];
    socket.addEventListener("message", ({ data }) => echoes.push(data));
    line.behave({ cutAfter: { down: 100 } });
    socket.send("y".repeat(60));
    while (echoes.length === 0) await Bun.sleep(5);
    socket.send("z".repeat(60)); // its echo breaks off in the middle of the frame
    await closed;
    expect(echoes).toEqual(["y".repeat(60)]);
  });

  test("ends a connection that passed more than the limit while the command came", async () => {
    const socket = new WebSocket(line.url.replace("http", "ws"));
    await new Promise((done) => socket.addEventListener("open", done, { once: true }));
    const closed = new Promise((done) => socket.addEventListener("close", done, { once: true }));
    line.behave({ delayMs: 100 });
    socket.send("y".repeat(500));
    await Bun.sleep(50);
    // The 500 bytes are on their way by the old manner, and count by the new one.
    line.behave({ cutAfter: { up: 100 } });
    await Bun.sleep(100);
    socket.send("z");
    await closed;
  });

  test("drops the reply after the request has passed", async () => {
    line.behave({ loseReplies: true });
    expect(await failed(ask())).toBe(true);
    expect(heard).toEqual(["a request"]);
  });

  test("works before Postgres, whose address is a folder", async () => {
    const fresh = await freshDatabase(true);
    const before = await startFaultProxy(fresh.url);
    const client = openClient(before.url, { max: 1, connect_timeout: 1 });
    expect([...(await client`SELECT 1 AS one`)]).toEqual([{ one: 1 }]);
    await before.refuse();
    expect(await failed(Promise.resolve(client`SELECT 1 AS one`))).toBe(true);
    await before.mend();
    await Bun.sleep(50); // so that the driver has heard of the end
    expect([...(await client`SELECT 1 AS one`)]).toEqual([{ one: 1 }]);
    await client.end();
    await before.close();
    await fresh.drop();
  });
});
