import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { useDatabase } from "../tests/support/database/test-database.ts";
import { type FaultProxy, startFaultProxy } from "../tests/support/services/fault-proxy.ts";
import { openClient } from "./client.ts";

/** A held connection has one holder: no transaction undoes a write that was acknowledged outside of it. */

type Client = ReturnType<typeof openClient>;

const database = useDatabase({ connected: false });
let line: FaultProxy;
let client: Client;
let observer: Client;

beforeAll(async () => {
  line = await startFaultProxy(database.url);
  observer = openClient(database.url, { max: 1 });
  await observer`CREATE TABLE public.kept (what text)`;
});
afterAll(async () => {
  await client.end({ timeout: 1 });
  await observer.end({ timeout: 1 });
  await line.close();
});
beforeEach(async () => {
  await client?.end({ timeout: 1 });
  await observer`TRUNCATE public.kept`;
});

async function rows(): Promise<string[]> {
  return (await observer`SELECT what FROM public.kept ORDER BY what`).map(({ what }) => what);
}

const codeOf = (error: { code?: string; message: string }): string => error.code ?? error.message;

/** The outcome of a query: "done", the error's code, or "nothing" after three seconds. */
const outcome = (query: PromiseLike<unknown>): Promise<string> =>
  Promise.race([Promise.resolve(query).then(() => "done", codeOf), Bun.sleep(3_000).then(() => "nothing")]);

const insert = (what: string) => client`INSERT INTO public.kept VALUES (${what})`;

/** Inserts rows outside of any transaction. Returns the acknowledged ones, sorted. */
async function insertMany(prefix: string, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, n) => `${prefix}${n}`);
  const outcomes = await Promise.all(names.map((name) => outcome(insert(name))));
  return names.filter((_, n) => outcomes[n] === "done").sort();
}

/** A transaction that writes, waits for `meanwhile` and is rolled back. Returns how it ended. */
function rollBack(meanwhile: () => Promise<unknown> = async () => {}): Promise<string> {
  const ended = client.begin(async (tx) => {
    await tx`INSERT INTO public.kept VALUES ('rolled back')`;
    await meanwhile();
    throw new Error("rolled back");
  });
  return ended.then(() => "committed", codeOf);
}

/** Holds both connections of a client of two in transactions. Returns a function that releases them. */
async function holdBoth(): Promise<() => Promise<unknown>> {
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const held: Promise<unknown>[] = [];
  for (let i = 0; i < 2; i++) {
    await new Promise<void>((begun) => {
      held.push(
        client.begin(() => {
          begun();
          return end;
        }),
      );
    });
  }
  return () => {
    resolve();
    return Promise.all(held);
  };
}

/** A client of one connection whose socket can report a full buffer, as with a slow server. */
async function openWithSocket(): Promise<{ fill(): void; drain(): void }> {
  const address = new URL(line.url);
  const host = decodeURIComponent(address.hostname);
  let full = false;
  let socket: Socket;
  const open = async () => {
    socket = host.startsWith("/")
      ? connect({ path: `${host}/.s.PGSQL.5432` })
      : connect({ host, port: Number(address.port) });
    await new Promise((resolve) => socket.once("connect", resolve));
    const write = socket.write.bind(socket);
    Object.assign(socket, { write: (...given: Parameters<typeof write>) => write(...given) && !full });
    return socket;
  };
  client = openClient(line.url, { max: 1, socket: open } as object);
  await client`SELECT 1`;
  return {
    fill: () => {
      full = true;
    },
    drain: () => {
      full = false;
      socket.emit("drain");
    },
  };
}

describe("a BEGIN", () => {
  // The driver pipelines 100 queries behind the one being answered: with 100 and 201 the BEGIN completes such a batch.
  for (const selects of [99, 100, 101, 201]) {
    test(`behind ${selects} queries undoes no acknowledged write`, async () => {
      client = openClient(database.url, { max: 2 });
      const free = await holdBoth();
      const asked = Array.from({ length: selects }, (_, n) => client.unsafe(`SELECT ${n} AS n`).execute());
      const ended = rollBack(() => Bun.sleep(50));
      await Bun.sleep(5);
      await free();
      const acknowledged = await insertMany("w", 20);
      await Promise.all([rollBack(), rollBack(), rollBack()]);
      expect(await rows()).toEqual(acknowledged);
      expect(await ended).toBe("rolled back");
      expect(acknowledged).toHaveLength(20);
      expect((await Promise.all(asked)).map(([row]) => row?.n)).toEqual(asked.map((_, n) => n));
    });
  }

  test("into a full socket buffer undoes no acknowledged write", async () => {
    const socket = await openWithSocket();
    socket.fill();
    // The driver writes from 1,024 bytes on; the 12 bytes of the BEGIN complete them.
    const select = `SELECT 1 AS n --${"x".repeat(994)}`;
    expect(select).toHaveLength(1_010);
    const asked = client.unsafe(select).execute();
    const ended = rollBack(() => Bun.sleep(50));
    await Bun.sleep(10);
    const writing = insertMany("w", 20);
    socket.drain();
    const acknowledged = await writing;
    await rollBack();
    expect(await rows()).toEqual(acknowledged);
    expect(await ended).toBe("rolled back");
    expect(acknowledged).toHaveLength(20);
    expect(await asked).toHaveLength(1);
  });
});

test("a socket that drains during a transaction gives the connection to nobody else", async () => {
  const socket = await openWithSocket();
  const given: Promise<string[]>[] = [];
  const ended = rollBack(async () => {
    socket.fill();
    socket.drain();
    given.push(insertMany("w", 20));
    await Bun.sleep(50);
  });
  expect(await ended).toBe("rolled back");
  const acknowledged = await given[0];
  expect(acknowledged).toHaveLength(20);
  expect(await rows()).toEqual(acknowledged ?? []);
});

test("a connection with a transaction that nobody owns is closed, and its queries are refused", async () => {
  client = openClient(database.url, { max: 2 });
  const begun = outcome(client.unsafe("BEGIN"));
  const acknowledged = await insertMany("w", 20);
  expect(await begun).toBe("UNSAFE_TRANSACTION");
  await outcome(client.unsafe("START TRANSACTION"));
  const later = await insertMany("x", 20);
  for (let i = 0; i < 4; i++) await outcome(client.unsafe("ROLLBACK"));
  expect(await rows()).toEqual([...acknowledged, ...later].sort());
  expect(await insertMany("y", 20)).toHaveLength(20);
});

describe("a reserved connection", () => {
  test("that is returned inside a transaction is closed", async () => {
    client = openClient(database.url, { max: 1 });
    const reserved = await client.reserve();
    await reserved`BEGIN`;
    await reserved`INSERT INTO public.kept VALUES ('never committed')`;
    reserved.release();
    const acknowledged = await insertMany("w", 5);
    await outcome(client.unsafe("ROLLBACK"));
    expect(await rows()).toEqual(acknowledged);
    expect(await insertMany("x", 5)).toHaveLength(5);
  });

  test("is returned once: a second release has no effect", async () => {
    client = openClient(database.url, { max: 1 });
    const reserved = await client.reserve();
    reserved.release();
    let writing: Promise<string[]> | undefined;
    const ended = rollBack(async () => {
      reserved.release();
      writing = insertMany("w", 5);
      await Bun.sleep(50);
    });
    expect(await ended).toBe("rolled back");
    expect(await writing).toHaveLength(5);
    expect(await rows()).toHaveLength(5);
    expect(await outcome(reserved`SELECT 1`)).toBe("CONNECTION_RELEASED");
  });

  test("whose connection was lost reports it, and writes nothing over another", async () => {
    client = openClient(line.url, { max: 1, backoff: false });
    const reserved = await client.reserve();
    await reserved`SELECT 1`;
    line.cut();
    while ((await outcome(client`SELECT 1`)) !== "done") await Bun.sleep(5);
    expect(await outcome(reserved`INSERT INTO public.kept VALUES ('reserved')`)).toBe("CONNECTION_CLOSED");
    reserved.release();
    expect(await insertMany("w", 5)).toHaveLength(5);
    expect(await rows()).toEqual(["w0", "w1", "w2", "w3", "w4"]);
  });

  test("is obtained even if the awaited connection is lost", async () => {
    client = openClient(line.url, { max: 1, backoff: false });
    const asked = outcome(client`SELECT pg_sleep(60)`);
    await Bun.sleep(50);
    const waiting = client.reserve();
    line.cut();
    expect(await asked).toMatch(/^(CONNECTION_CLOSED|ECONNRESET|EPIPE)$/);
    const reserved = await Promise.race([waiting, Bun.sleep(3_000)]);
    expect(reserved).toBeDefined();
    reserved?.release();
    expect(await insertMany("w", 1)).toEqual(["w0"]);
  });

  test("works for a client that fetches no types", async () => {
    client = openClient(database.url, { max: 1, fetch_types: false });
    const reserved = await Promise.race([client.reserve(), Bun.sleep(3_000)]);
    expect(reserved).toBeDefined();
    reserved?.release();
    expect(await insertMany("w", 1)).toEqual(["w0"]);
  });
});

test("a query on an ended transaction is refused, and does not reach another", async () => {
  client = openClient(database.url, { max: 1 });
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const ended = client.begin(async (tx) => {
    await tx`SELECT 1`;
    setTimeout(() => resolve(outcome(tx`INSERT INTO public.kept VALUES ('late')`)), 50);
    throw new Error("rolled back");
  });
  expect(await ended.catch(codeOf)).toBe("rolled back");
  expect(await late).toBe("TRANSACTION_ENDED");
  expect(await rows()).toEqual([]);
});

test("a query waiting inside a transaction gets an error when its connection is lost", async () => {
  client = openClient(line.url, { max: 1, backoff: false });
  let waiting: Promise<string>[] = [];
  const ended = client.begin(async (tx) => {
    // A first query with parameters holds back those behind it until it is described.
    waiting = [1, 2, 3].map((n) => outcome(tx`SELECT ${n}::int, pg_sleep(1)`));
    await Bun.sleep(50);
    line.cut();
    await Bun.sleep(100);
  });
  expect(await ended.catch(codeOf)).toBe("CONNECTION_CLOSED");
  for (const answer of await Promise.all(waiting)) expect(answer).toMatch(/^(CONNECTION_CLOSED|ECONNRESET)$/);
});

test("a query that cannot be built is refused alone; its neighbours get their own results", async () => {
  client = openClient(database.url, { max: 1 });
  await client`SELECT 1`;
  const before = client.unsafe("SELECT 1 AS n").execute();
  const broken = outcome(client`SELECT ${undefined as unknown as string}`);
  const after = client.unsafe("SELECT 2 AS n").execute();
  expect(await broken).toBe("UNDEFINED_VALUE");
  expect((await before)[0]?.n).toBe(1);
  expect((await after)[0]?.n).toBe(2);
  expect(await insertMany("w", 3)).toHaveLength(3);
});

test("an outdated plan is never retried inside somebody's transaction", async () => {
  client = openClient(database.url, { max: 1 });
  await observer`CREATE TABLE public.wide (what text)`;
  const write = (what: string) => client`INSERT INTO public.wide VALUES (${what}) RETURNING *`;
  await write("first");
  await observer`ALTER TABLE public.wide ADD COLUMN more text`;
  const written = outcome(write("second").execute());
  const ended = rollBack(() => Bun.sleep(50));
  const outcomeOfWrite = await written;
  expect(await ended).toBe("rolled back");
  const found = await observer`SELECT 1 FROM public.wide WHERE what = 'second'`;
  expect(found.length === 1).toBe(outcomeOfWrite === "done");
});
