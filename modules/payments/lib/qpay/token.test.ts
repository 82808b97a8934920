import { describe, expect, test } from "bun:test";
import { unknownOutcome } from "./http-exchange.ts";
import { defaultRetryPolicy } from "./retry.ts";
import { type Asked, refusal, useScripted } from "./scripted-provider.fixture.ts";
import { TokenCache } from "./token.ts";

const provider = useScripted();
const start = new Date("2026-03-01T00:00:00Z").getTime();
const startSecond = start / 1_000;
const hour = { access_token: "access", expires_in: 3_600 };

/** A token cache with a clock that the test controls; the provider numbers its tokens and adds what the test scripts. */
function cache(...replies: object[]) {
  const clock = { at: start };
  let given = 0;
  provider.answers(() => {
    const reply = replies[Math.min(given, replies.length - 1)] ?? {};
    given++;
    return reply instanceof Response ? reply : Response.json({ access_token: `access-${given}`, ...reply });
  });
  const { baseUrl, username, password } = { ...provider.access, baseUrl: `${provider.origin}/v2` };
  const how = {
    patience: { ...defaultRetryPolicy, baseMs: 1 },
    timeoutMs: 5_000,
    now: () => new Date(clock.at),
  };
  const tokens = new TokenCache({ baseUrl, username, password, ...how });
  const at = async (seconds: number) => {
    clock.at = start + seconds * 1_000;
    const token = await tokens.token();
    return token.ok ? token.token : token;
  };
  return { tokens, at };
}
const told = ({ method, path, headers }: Asked) => [method, path, headers.get("authorization")];

test("a token is requested with name and password, and again over the same connection", async () => {
  const { at } = cache({ expires_in: 60 });
  expect([await at(0), await at(1)]).toEqual(["access-1", "access-2"]);
  const call = ["POST", "/v2/auth/token", `Basic ${btoa("shop:pa:ss")}`];
  expect(provider.asked.map(told)).toEqual([call, call]);
  expect(provider.asked[1]?.port).toBe(provider.asked[0]?.port);
});

describe("a token is valid until a minute before its end:", () => {
  test.each([
    ["a moment", startSecond + 900, 900],
    ["a moment in text", String(startSecond + 900), 900],
    ["a duration", 900, 900],
    ["a duration in text", "900", 900],
    ["nothing, which is five minutes", undefined, 300],
    ["null, which is five minutes", null, 300],
    ["the longest duration", 999_999_999, 999_999_999],
  ])("%s", async (_, expires_in, seconds) => {
    const { at } = cache({ expires_in });
    await at(0);
    expect([await at(seconds - 60.001), await at(seconds - 60)]).toEqual(["access-1", "access-2"]);
  });

  test("a moment long past", async () => {
    const { at } = cache({ expires_in: 1_000_000_000 });
    expect([await at(0), await at(0)]).toEqual(["access-1", "access-2"]);
  });
});

describe("a token is refreshed, up to a minute before the refresh token's end,", () => {
  const refreshed = (asked: Asked[]) => asked.map(({ path }) => path.replace("/v2/auth/", ""));
  const reply = (more: object) => ({ expires_in: 60, ...more });

  test.each([
    [reply({ refresh_token: "again", refresh_expires_in: 900 }), 839.999, "refresh"],
    [reply({ refresh_token: "again", refresh_expires_in: 900 }), 840, "token"],
    [reply({ refresh_token: "again" }), 239.999, "refresh"],
    [reply({ refresh_token: null, refresh_expires_in: 900 }), 1, "token"],
    [reply({ refresh_expires_in: 900 }), 1, "token"],
  ])("by %j after %d seconds: %s", async (first, seconds, second) => {
    const { at } = cache(first);
    expect([await at(0), await at(seconds)]).toEqual(["access-1", "access-2"]);
    expect(refreshed(provider.asked)).toEqual(["token", second]);
  });

  test("with the refresh token, which works once: after that the password is used", async () => {
    const { at } = cache(reply({ refresh_token: "again", refresh_expires_in: 900 }), refusal("USED"), hour);
    expect([await at(0), await at(1)]).toEqual(["access-1", "access"]);
    expect(provider.asked.map(told)[1]).toEqual(["POST", "/v2/auth/refresh", "Bearer again"]);
    expect(refreshed(provider.asked)).toEqual(["token", "refresh", "token"]);
  });
});

test("a token is dropped when the provider no longer accepts it, unless another has replaced it", async () => {
  const { tokens, at } = cache({ expires_in: 900 });
  await at(0);
  tokens.reject("another");
  expect(await at(0)).toBe("access-1");
  tokens.reject("access-1");
  expect(await at(0)).toBe("access-2");
});

test.each([
  [{ access_token: "x".repeat(4_000), refresh_token: "x".repeat(4_000) }, true],
  [{ access_token: "" }, false],
  [{ access_token: "x".repeat(4_001) }, false],
  [{ access_token: null }, false],
  [{ refresh_token: "" }, false],
  [{ refresh_token: "x".repeat(4_001) }, false],
  [{ expires_in: "a9" }, false],
  [{ expires_in: "9a" }, false],
  [{ expires_in: "" }, false],
  [{ refresh_expires_in: {} }, false],
])("a token is read only if it is valid: %#", async (reply, readable) => {
  const { at } = cache(reply);
  expect(await at(0)).toEqual(readable ? "x".repeat(4_000) : unknownOutcome("unreadable token", false));
});

test("a token that cannot be obtained means that nothing was sent; a refusal is reported as it is", async () => {
  const failing = cache(new Response(null, { status: 500 }));
  expect(await failing.at(0)).toEqual(unknownOutcome("HTTP 500", false));
  expect(provider.asked).toHaveLength(3);
  expect(await cache(refusal("WRONG", 401)).at(0)).toEqual({
    ...{ ok: false, code: "PROVIDER_REFUSED", status: 401, providerCode: "WRONG" },
  });
});
