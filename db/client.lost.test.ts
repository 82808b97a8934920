import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
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
