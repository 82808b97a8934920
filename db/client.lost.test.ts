import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { connect, createServer } from "node:net";
import { useDatabase } from "../tests/support/database.ts";
import { type FaultProxy, faultProxy } from "../tests/support/fault-proxy.ts";
import { openClient } from "./client.ts";

/** What the driver does once a connection was lost: every query is answered, by its own answer or by an error. */

const database = useDatabase({ connected: false });
let line: FaultProxy;
let client: ReturnType<typeof openClient>;

beforeAll(async () => {
  line = await faultProxy(database.url);
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

/** The number it was asked for, the error's code, or that nothing came. */
function number(wanted: number): Promise<unknown> {
  const asked = client`SELECT ${wanted}::int AS n`.then(
    ([row]) => row?.n,
    (error) => error.code,
  );
  return Promise.race([asked, Bun.sleep(3000).then(() => "nothing")]);
}

test("queries given to a connection that has just died are refused, and later ones get their own answers", async () => {
  for (let round = 0; round < 5; round++) {
    expect(await number(round)).toBe(round);
    line.cut();
    // Both are given before the driver has heard that the connection is gone.
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

test("a transaction that lost its connection writes nothing more, though another one stands meanwhile", async () => {
  const lost = client.begin(async (tx) => {
    await tx`INSERT INTO public.kept VALUES ('before')`;
    line.cut();
    while ((await number(1)) !== 1) await Bun.sleep(5); // the pool's one connection is another by now
    await tx`INSERT INTO public.kept VALUES ('after')`;
    return "done";
  });
  expect(await lost.catch((error) => error.code)).not.toBe("done");
  await Bun.sleep(200);
  expect(await number(1)).toBe(1);
  expect([...(await client`SELECT what FROM public.kept`)]).toEqual([]);
}, 20_000);

test("whoever waits for a connection that is taken and closed is told, and it is not asked for without end", async () => {
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

test("a connection that is lost while its types are read rejects no promise that nobody holds", async () => {
  for (let bytes = 450; bytes < 3_000; bytes += 250) {
    line.cut();
    await Bun.sleep(10); // so that the driver has heard of the end, and opens another
    line.behave({ cutAfter: { down: bytes } });
    expect(await number(bytes)).toMatch(/^(EPIPE|ECONNRESET|CONNECTION_CLOSED)$/);
    line.behave({});
    while ((await number(1)) !== 1) await Bun.sleep(1);
  }
}, 60_000);

test("a transaction whose connection ends in the turn that answers its BEGIN writes nothing over the next one", async () => {
  const { pathname, hostname, port } = new URL(line.url);
  expect(pathname).toStartWith("/test_");
  const host = decodeURIComponent(hostname);
  const dial = async () => {
    const socket = host.startsWith("/")
      ? connect({ path: `${host}/.s.PGSQL.5432` })
      : connect({ host, port: Number(port) });
    await new Promise((resolve) => socket.once("connect", resolve));
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
