import { afterEach, beforeEach, describe, expect, type Mock, spyOn, test } from "bun:test";
import { log } from "#db/log";
import { exchangeWithProvider, type ProviderCall, type Reply, unknownOutcome } from "./http-exchange.ts";
import { refusal, useScripted } from "./scripted-provider.fixture.ts";

const provider = useScripted();

function ask(over: Partial<ProviderCall> = {}) {
  const url = `${provider.origin}/v2/thing?secret=1`;
  return exchangeWithProvider({
    method: "GET",
    url,
    authorization: "Bearer t",
    timeoutMs: 5_000,
    once: false,
    ...over,
  });
}
function answered(response: Response) {
  provider.answers(() => response);
  return ask();
}
const text = (body: string, status = 200) => new Response(body, { status });
const refused = (status: number, providerCode: string): Reply => ({
  ...{ ok: false, code: "PROVIDER_REFUSED", status, providerCode },
});

describe("a reply", () => {
  test.each([200, 201, 299])("of %d has a body", async (status) => {
    expect(await answered(text('{"a":[1,null,"x"]}', status))).toEqual({
      ok: true,
      body: { a: [1, null, "x"] },
    });
  });

  test.each(["", "<html>", '{"a":'])("with %p cannot be read", async (body) => {
    expect(await answered(text(body))).toEqual(unknownOutcome("unreadable"));
  });

  test.each([300, 304, 408, 425, 429, 500, 503])("of %d leaves the outcome unknown", async (status) => {
    expect(await answered(new Response(null, { status }))).toEqual(unknownOutcome(`HTTP ${status}`));
  });

  test.each([99, 600])("of %d, which no server should send, does too", async (status) => {
    const reply = `HTTP/1.1 ${String(status).padStart(3, "0")} Odd\r\nContent-Length: 2\r\n\r\n{}`;
    const socket = { data: (peer: { write(text: string): unknown }) => void peer.write(reply) };
    using odd = Bun.listen({ hostname: "127.0.0.1", port: 0, socket });
    expect(await ask({ url: `http://127.0.0.1:${odd.port}/` })).toEqual(unknownOutcome(`HTTP ${status}`));
  });

  test("that redirects is not followed", async () => {
    provider.answers(() => Response.redirect("/other", 302));
    expect(await ask()).toEqual(unknownOutcome("HTTP 302"));
    expect(provider.asked).toHaveLength(1);
  });

  test.each([
    ["NO_SUCH", "NO_SUCH"],
    ["x".repeat(101), "x".repeat(100)],
    [{ name: "short", amount: "odd" }, "VALIDATION:name,amount"],
    [{ ["x".repeat(100)]: "odd" }, `VALIDATION:${"x".repeat(89)}`],
    ["", "HTTP_400"],
    [null, "HTTP_400"],
    [5, "HTTP_400"],
  ])("that refuses with %p has the code %p", async (error, code) => {
    expect(await answered(refusal(error))).toEqual(refused(400, code));
  });

  test.each([
    [401, ""],
    [404, "null"],
    [499, "5"],
  ])("that refuses with %d alone has that as its code", async (status, body) => {
    expect(await answered(text(body, status))).toEqual(refused(status, `HTTP_${status}`));
  });

  test("is stripped of what the database cannot store", async () => {
    expect(await answered(text('{"a\\u0000b":["x\\u0000y","\\ud800"]}'))).toEqual({
      ok: true,
      body: { ab: ["xy", "\ufffd"] },
    });
  });

  test("is read up to 4 MiB, and a longer one not at all", async () => {
    const body = "x".repeat(4 * 1024 * 1024 - 2);
    expect(await answered(Response.json(body))).toEqual({ ok: true, body });
    expect(await answered(Response.json(`${body}x`))).toEqual(unknownOutcome("Error"));
  });

  test("may arrive in parts that end inside a letter, and may end inside one", async () => {
    const bytes = Buffer.from('"төгрөг"');
    const parts = new ReadableStream({
      async start(controller) {
        for (const byte of bytes) {
          controller.enqueue(Buffer.from([byte]));
          await Bun.sleep(2);
        }
        controller.close();
      },
    });
    expect(await answered(new Response(parts))).toEqual({ ok: true, body: "төгрөг" });
    expect(await answered(new Response(bytes.subarray(0, 4)))).toEqual(unknownOutcome("unreadable"));
  });

  test("that does not arrive in time is unknown, and so is one that the caller no longer waits for", async () => {
    provider.answers(() => Bun.sleep(1_000).then(() => Response.json({})));
    expect(await ask({ timeoutMs: 30 })).toEqual(unknownOutcome("TimeoutError"));
    expect(await ask({ signal: AbortSignal.timeout(30) })).toEqual(unknownOutcome("TimeoutError"));
    expect(await ask({ signal: AbortSignal.abort("tired") })).toEqual(unknownOutcome("failed"));
  });
});

describe("a call", () => {
  beforeEach(() => provider.answers(() => Response.json({})));
  const sent = (...names: string[]) => names.map((name) => provider.asked[0]?.headers.get(name));

  test("with a body declares it as JSON", async () => {
    await ask({ method: "POST", body: { a: 1 } });
    expect(provider.asked[0]).toMatchObject({ method: "POST", path: "/v2/thing?secret=1", body: { a: 1 } });
    expect(sent("authorization", "accept", "content-type")).toEqual([
      ...["Bearer t", "application/json", "application/json"],
    ]);
  });

  test("without a body declares none", async () => {
    await ask();
    expect(provider.asked[0]?.body).toBeUndefined();
    expect(sent("content-type")).toEqual([null]);
  });

  test("reuses the previous connection, unless it must not be repeated: then it has its own", async () => {
    for (const once of [false, false, true, true]) await ask({ once });
    const [first, second, third, fourth] = provider.asked.map(({ port }) => port);
    expect(second).toBe(first);
    expect(new Set([first, third, fourth]).size).toBe(3);
  });
});

describe("the log", () => {
  let told: Array<Mock<(...args: never[]) => void>> = [];
  beforeEach(() => {
    told = [spyOn(log(), "info"), spyOn(log(), "warn")].map((one) => one.mockImplementation(() => {}));
  });
  afterEach(() => {
    for (const one of told) one.mockRestore();
  });
  const lines = () => told.map((one) => one.mock.calls as unknown[]);

  test("has a refusal's code, and neither what was sent nor what was received", async () => {
    provider.answers(() => refusal("NO_SUCH"));
    await ask({ method: "POST", body: { account: 5 } });
    const line = { method: "POST", path: "/v2/thing", status: 400, reason: "NO_SUCH" };
    expect(lines()).toEqual([[[line, "provider call refused"]], []]);
  });

  test("has the reason of an unanswered call, as a warning", async () => {
    await ask();
    const line = { method: "GET", path: "/v2/thing", reason: "HTTP 500" };
    expect(lines()).toEqual([[], [[line, "provider call failed"]]]);
  });

  test("has nothing about a successful call", async () => {
    provider.answers(() => Response.json({}));
    await ask();
    expect(lines()).toEqual([[], []]);
  });
});
