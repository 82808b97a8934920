import { afterAll, beforeEach, expect, test } from "bun:test";
import { config, overrideConfig } from "#config";
import { metricsRegistry } from "#db/metrics";
import { getProviderClient, noProvider, overrideProviderSettings, Qpay } from "./client.ts";
import { unknownOutcome } from "./http-exchange.ts";
import { setSandboxOrigin } from "./provider-access.ts";
import { defaultRetryPolicy } from "./retry.ts";
import { refusal, useScripted } from "./scripted-provider.fixture.ts";

const far = useScripted();
const { HOST, PORT, ALLOW_SANDBOX } = config();
const thing = { method: "GET", path: "/thing", repeatable: true } as const;
const late = unknownOutcome("no time left", false);

beforeEach(() => {
  overrideConfig({ HOST, PORT, ALLOW_SANDBOX });
  overrideProviderSettings({});
  setSandboxOrigin(undefined);
});
afterAll(() => {
  overrideConfig({ HOST, PORT, ALLOW_SANDBOX });
  overrideProviderSettings({});
});

test("a caller with no time left sends nothing, not even for a token", async () => {
  const qpay = far.client({});
  expect(await qpay.call({ ...thing, repeatable: false, signal: AbortSignal.abort() })).toEqual(late);
  expect(await qpay.call({ ...thing, signal: AbortSignal.abort() })).toEqual(late);
  expect(far.asked).toEqual([]);
});

test("a caller whose time runs out stops waiting for a token, which others still get", async () => {
  const token = Promise.withResolvers<void>();
  far.answers(async ({ path }) => {
    if (path !== "/auth/token") return Response.json({ done: true });
    await token.promise;
    return Response.json({ access_token: "slow", expires_in: 3_600 });
  });
  const qpay = new Qpay(far.access);
  const patient = qpay.call({ ...thing, signal: AbortSignal.timeout(60_000) });
  expect(await qpay.call({ ...thing, signal: AbortSignal.timeout(30) })).toEqual(late);
  token.resolve();
  expect(await patient).toEqual({ ok: true, body: { done: true } });
  expect(far.asked.map(({ path, headers }) => [path, headers.get("authorization")])).toEqual([
    ["/auth/token", expect.stringMatching(/^Basic /)],
    ["/thing", "Bearer slow"],
  ]);
});

test("a refusal that does not concern the token is a response and is not retried", async () => {
  const refused = { ok: false, code: "PROVIDER_REFUSED", status: 400, providerCode: "NO" } as const;
  expect(await far.client(() => refusal("NO")).call(thing)).toEqual(refused);
  expect(far.asked.map(({ path }) => path)).toEqual(["/auth/token", "/thing"]);
});

test("each attempt is measured in seconds, by call name without its id and by outcome", async () => {
  metricsRegistry.resetMetrics();
  const from = performance.now();
  const qpay = far.client(() => Response.json({ rows: [] }));
  const paths = ["/payment/check", "/payment/list", "/payment/12345", "/invoice"];
  for (const path of paths) await qpay.call({ ...thing, path });
  await far.client(() => refusal("NO")).call(thing);
  const told = await metricsRegistry.getSingleMetricAsString("midman_provider_call_seconds");
  const counts = [...told.matchAll(/_count\{call="([^"]+)",outcome="([^"]+)"\} (\d+)/g)];
  expect(counts.map(([, ...parts]) => parts.join(" "))).toEqual([
    ...["GET /payment/check ok 1", "GET /payment/list ok 1", "GET /payment ok 1", "GET /invoice ok 1"],
    "GET /thing PROVIDER_REFUSED 1",
  ]);
  const most = (performance.now() - from) / 1_000;
  for (const [, seconds] of told.matchAll(/_sum\{.+\} (\S+)/g)) expect(Number(seconds)).toBeWithin(0, most);
});

test("a process has one client while the provider is the same, with the configured time-outs", async () => {
  overrideConfig({ ALLOW_SANDBOX: true });
  const first = getProviderClient();
  expect(first).toBeInstanceOf(Qpay);
  expect(getProviderClient()).toBe(first);
  overrideConfig({ HOST: "192.0.2.1" });
  const elsewhere = getProviderClient();
  expect(elsewhere).not.toBe(first);
  const waits: number[] = [];
  setSandboxOrigin(far.origin);
  overrideProviderSettings({
    patience: { ...defaultRetryPolicy, random: () => 1, sleep: async (ms) => void waits.push(ms) },
  });
  expect(getProviderClient()).not.toBe(elsewhere);
  expect(await getProviderClient()?.call(thing)).toEqual(unknownOutcome("HTTP 500", false));
  expect(waits.slice(0, 2)).toEqual([200, 400]);
  overrideProviderSettings({ patience: { ...defaultRetryPolicy, tries: 1 } });
  const again = getProviderClient();
  overrideProviderSettings({});
  expect(getProviderClient()).not.toBe(again);
});

test("without a provider there is no client, and calls count as never sent", () => {
  overrideConfig({ ALLOW_SANDBOX: false });
  expect(getProviderClient()).toBeNull();
  expect(noProvider).toEqual({
    ...{ ok: false, code: "PROVIDER_UNAVAILABLE", reason: "no provider is configured", sent: false },
  });
});
