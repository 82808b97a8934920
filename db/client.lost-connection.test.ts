import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import { useDatabase } from "../tests/support/database/test-database.ts";
import { type FaultProxy, startFaultProxy } from "../tests/support/services/fault-proxy.ts";
import { openClient } from "./client.ts";

/** After a lost connection every query gets its own answer or an error. */

const database = useDatabase({ connected: false });
let line: FaultProxy;
let client: ReturnType<typeof openClient>;

beforeAll(async () => {
  line = await startFaultProxy(database.url);
  client = openClient(line.url, { max: 1, backoff: false });
});
afterAll(async () => {
  await client.end({ timeout: 1 });
  await line.close();
});
beforeEach(async () => {
  await client`CREATE TABLE IF NOT EXISTS public.kept (what text)`;
  await client`TRUNCATE public.kept`;
});

/** The requested number, the error's code, or a note that no answer came. */
function number(wanted: number): Promise<unknown> {
  const asked = client`SELECT ${wanted}::int AS n`.then(
    ([row]) => row?.n,
    (error) => error.code,
  );
  return Promise.race([asked, Bun.sleep(3000).then(() => "nothing")]);
}

/** A socket through the proxy, for clients whose socket a test controls. */
async function dialLine(): Promise<Socket> {
  const { hostname, port } = new URL(line.url);
  const host = decodeURIComponent(hostname);
  const socket = host.startsWith("/")
    ? connect({ path: `${host}/.s.PGSQL.5432` })
    : connect({ host, port: Number(port) });
  await new Promise((resolve) => socket.once("connect", resolve));
  return socket;
}

test("queries on a connection that has just died are refused, and later ones get their own results", async () => {
  for (let round = 0; round < 5; round++) {
    expect(await number(round)).toBe(round);
    line.cut();
    // Both are sent before the driver has noticed that the connection is gone.
    const given = [number(100), number(200)];
    await Bun.sleep(round);
    const answers = [...(await Promise.all([...given, number(300)]))];
    for (const [i, answer] of answers.entries()) {
      if (typeof answer === "number") expect(answer).toBe((i + 1) * 100);
      else expect(answer).toMatch(/^(EPIPE|ECONNRESET|CONNECTION_CLOSED)$/);
    }
    while ((await number(0)) === "CONNECTION_CLOSED") await Bun.sleep(1);
    expect(await Promise.all([1, 2, 3].map(number))).toEqual([1, 2, 3]);
  }
}, 60_000);

test("a transaction that lost its connection writes nothing more, even while another one is open", async () => {
  const lost = client.begin(async (tx) => {
    await tx`INSERT INTO public.kept VALUES ('before')`;
    line.cut();
    while ((await number(1)) !== 1) await Bun.sleep(5); // the pool has replaced its one connection by now
    await tx`INSERT INTO public.kept VALUES ('after')`;
    return "done";
  });
  expect(await lost.catch((error) => error.code)).not.toBe("done");
  await Bun.sleep(200);
  expect(await number(1)).toBe(1);
  expect([...(await client`SELECT what FROM public.kept`)]).toEqual([]);
}, 20_000);

test("a caller that waits for a connection that is accepted and closed gets an error, without endless retries", async () => {
  let taken = 0;
  const closing = createServer((socket) => {
    taken += 1;
    socket.on("error", () => {}).end();
  });
  await new Promise<void>((listening) => closing.listen(0, "127.0.0.1", listening));
  const address = closing.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const other = openClient(`postgres://a:b@127.0.0.1:${port}/c`, { max: 1, connect_timeout: 1 });
  const asked = [1, 2].map(() => other`SELECT 1`.catch((error) => error.code));
  const answers = await Promise.race([Promise.all(asked), Bun.sleep(3_000).then(() => "nothing")]);
  for (const answer of answers) expect(answer).toMatch(/^(CONNECTION_CLOSED|EPIPE|ECONNRESET)$/);
  expect(taken).toBe(2);
  await other.end({ timeout: 1 });
  closing.close();
}, 20_000);

test("a connection lost while its types are read causes no unhandled rejection", async () => {
  for (let bytes = 450; bytes < 3_000; bytes += 250) {
    line.cut();
    await Bun.sleep(10); // so that the driver has noticed the end and opens another connection
    line.behave({ cutAfter: { down: bytes } });
    expect(await number(bytes)).toMatch(/^(EPIPE|ECONNRESET|CONNECTION_CLOSED)$/);
    line.behave({});
    while ((await number(1)) !== 1) await Bun.sleep(1);
  }
}, 60_000);

test("data received on a closed connection does not reach the next one", async () => {
  const observer = openClient(database.url, { max: 1 });
  await client`SELECT 1`;
  const asked = client`SELECT pg_sleep(2), pg_backend_pid()`.catch((error) => error.code);
  await Bun.sleep(50);
  await observer`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(2), pg_back%'`;
  expect(await asked).toMatch(/^(57P01|CONNECTION_CLOSED)$/);
  await Bun.sleep(20);
  expect(await number(1)).toBe(1);
  await observer.end();
}, 20_000);

test("rows of an aborted result are not counted for the next one", async () => {
  const other = openClient(line.url, { max: 1, backoff: false, fetch_types: false });
  await other`SELECT 1`;
  line.behave({ cutAfter: { down: 50_000 } });
  const broken = other`SELECT n, repeat('x', 100) FROM generate_series(1, 2000) AS n`.catch(
    ({ code }) => code,
  );
  expect(await broken).toMatch(/^(ECONNRESET|CONNECTION_CLOSED)$/);
  line.behave({});
  await Bun.sleep(20);
  expect([...(await other`SELECT 1 AS n`)]).toEqual([{ n: 1 }]);
  await other.end({ timeout: 1 });
}, 20_000);

describe("a connection that ends while it is being written to", () => {
  /** Long enough that the driver writes it immediately. */
  const long = `SELECT 1 AS n --${"x".repeat(2_000)}`;

  async function openDying() {
    const dialed: Array<{ left: number }> = [];
    const dial = async () => {
      const socket = await dialLine();
      const state = { left: Number.POSITIVE_INFINITY };
      dialed.push(state);
      const write = socket.write.bind(socket);
      Object.assign(socket, {
        write: (...given: Parameters<typeof write>) => {
          if (state.left-- > 0) return write(...given);
          socket.destroy();
          return socket.emit("close", false);
        },
      });
      return socket;
    };
    const dying = openClient(line.url, { max: 1, backoff: false, socket: dial } as object);
    await dying`SELECT 1`;
    return { dying, dialed };
  }
  const codes = (asked: PromiseLike<unknown>[]) =>
    Promise.race([
      Promise.all(
        asked.map((one) =>
          Promise.resolve(one).then(
            () => "done",
            (error) => error.code,
          ),
        ),
      ),
      Bun.sleep(3_000).then(() => "nothing"),
    ]);

  test("is not handed out again as a busy one", async () => {
    const { dying, dialed } = await openDying();
    if (dialed[0]) dialed[0].left = 0;
    const asked = [dying.unsafe(long).execute(), dying.unsafe("SELECT 2").execute()];
    expect(await codes(asked)).toEqual(["CONNECTION_CLOSED", "done"]);
    expect(await codes([dying`SELECT 3`])).toEqual(["done"]);
    await dying.end({ timeout: 1 });
  });

  test("is not handed to those who waited for it", async () => {
    const { dying, dialed } = await openDying();
    const { promise: held, resolve: free } = Promise.withResolvers<void>();
    const ended = dying.begin(() => held);
    await Bun.sleep(20);
    const asked = codes([long, "SELECT 2", "SELECT 3"].map((text) => dying.unsafe(text).execute()));
    if (dialed[0]) dialed[0].left = 1; // its COMMIT
    free();
    await ended;
    // The second query opens the next connection; the third was waiting for the one that had ended.
    expect(await asked).toEqual(["CONNECTION_CLOSED", "done", "CONNECTION_CLOSED"]);
    expect(await codes([dying`SELECT 4`])).toEqual(["done"]);
    await dying.end({ timeout: 1 });
  });

  test("is not held by its BEGIN", async () => {
    const { dying, dialed } = await openDying();
    if (dialed[0]) dialed[0].left = 0;
    const begun = [
      dying.unsafe("SELECT 1").execute(),
      dying.begin(`read only ${"x".repeat(2_000)}`, () => 1),
    ];
    expect(await codes(begun)).toEqual(["CONNECTION_CLOSED", "CONNECTION_CLOSED"]);
    expect(await codes([dying.begin((tx) => tx`SELECT 1`)])).toEqual(["done"]);
    await dying.end({ timeout: 1 });
  });
});

test("a transaction whose connection ends in the turn that answers its BEGIN writes nothing over another", async () => {
  const dial = async () => {
    const socket = await dialLine();
    const emit = socket.emit.bind(socket);
    Object.assign(socket, {
      emit: (event: string, ...given: unknown[]) => {
        const heard = emit(event, ...given);
        if (event !== "data" || !String(given[0]).includes("BEGIN")) return heard;
        socket.destroy();
        return emit("close", false);
      },
    });
    return socket;
  };
  const cut = openClient(line.url, { max: 1, backoff: false, socket: dial } as object);
  await cut`SELECT 1`;
  const ended = cut.begin(async (tx) => {
    await Bun.sleep(100);
    await tx`INSERT INTO public.kept VALUES ('outside')`;
    throw new Error("rolled back");
  });
  const outcome = ended.catch((error) => error.code ?? error.message);
  await Bun.sleep(20);
  expect([...(await cut`SELECT 1 AS n`)]).toEqual([{ n: 1 }]);
  expect(await outcome).toBe("CONNECTION_CLOSED");
  await Bun.sleep(200);
  expect([...(await client`SELECT what FROM public.kept`)]).toEqual([]);
  await cut.end({ timeout: 1 });
}, 20_000);
