import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { expectStatus } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openRoomSocket } from "../support/server/room-sockets.ts";
import { openPaidTrade, type ServerTrade } from "../support/trades/server-trades.ts";
import { waitUntil } from "../support/wait-until.ts";

/** `/metrics`: what it tells, to whom, and that it names nobody. */

setDefaultTimeout(60_000);

const token = "a token of an operator, 32 characters long";
let trial: Server;
let guarded: Server;
let proxied: Server;
let named: Server;
let deal: ServerTrade;
beforeAll(async () => {
  trial = await startServer();
  // Before the others start: they would take its jobs, and count the provider's calls themselves.
  deal = await openPaidTrade(trial);
  const shared = { databaseUrl: trial.databaseUrl, dataDir: trial.dataDir };
  const https = { PUBLIC_URL: "https://midman.example", TRUST_PROXY: "true" };
  [guarded, proxied, named] = await Promise.all([
    startServer({ ...shared, environment: { ...https, METRICS_TOKEN: token, THROTTLE_FACTOR: "1" } }),
    startServer({ ...shared, environment: { TRUST_PROXY: "true" } }),
    startServer({ ...shared, environment: { PUBLIC_URL: "http://midman.example" } }),
  ]);
}, 120_000);
afterAll(async () => {
  for (const server of [guarded, proxied, named, trial]) await server?.stop();
});

type Sample = { name: string; labels: Record<string, string>; value: number };

function samples(text: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    const found = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (found === null || found[1] === undefined) return [];
    const labels = [...(found[2] ?? "").matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]);
    return [{ name: found[1], labels: Object.fromEntries(labels), value: Number(found[3]) }];
  });
}

const scrape = async (): Promise<Sample[]> =>
  samples(expectStatus(await trial.client().get("/metrics"), 200).text);
const total = (all: Sample[], name: string, labels: Record<string, string> = {}) =>
  all
    .filter((one) => one.name === `midman_${name}`)
    .filter((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);

test("in a trial the machine itself can read the metrics without a token, and nobody through a proxy", async () => {
  const reply = expectStatus(await trial.client().get("/metrics"), 200);
  expect(reply.headers.get("content-type")).toMatch(/^text\/plain/);
  for (const header of ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"]) {
    const through = await trial.client({ [header]: "127.0.0.1" }).get("/metrics");
    expect([header, through.status, through.body.code]).toEqual([header, 404, "NOT_FOUND"]);
  }
});

test("with a trusted proxy or a host name, the metrics are hidden without a token", async () => {
  for (const server of [proxied, named]) {
    expect((await server.client().get("/metrics")).body.code).toBe("NOT_FOUND");
  }
});

test("with a token only its bearer can read the metrics, without TLS and any number of times", async () => {
  const plain = { "X-Forwarded-Proto": "http", "X-Forwarded-For": "10.1.2.3" };
  const wrong = [undefined, "", token, `Bearer ${token}x`, `Bearer ${token.replace("a", "b")}`, "Bearer "];
  for (const authorization of wrong) {
    const headers = { ...plain, ...(authorization !== undefined && { Authorization: authorization }) };
    const reply = await guarded.client(headers).get("/metrics");
    expect([authorization, reply.status, reply.body.code]).toEqual([authorization, 404, "NOT_FOUND"]);
  }
  const operator = guarded.client({ ...plain, Authorization: `Bearer ${token}` });
  const all = await Promise.all(Array.from({ length: 1_100 }, () => operator.get("/metrics")));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
});

test("requests are counted by route, method and status class, each once, and unknown routes without a name", async () => {
  const before = await scrape();
  const { seller, roomId } = deal;
  const asked: Array<[path: string, labels: Record<string, string>]> = [
    [`/chat/${roomId}`, { route: "/chat/:id", method: "GET", status: "2xx" }],
    [`/api/chat/rooms/${roomId}`, { route: "/api/chat/rooms/:id", method: "GET", status: "2xx" }],
    ["/api/chat/rooms/999999", { route: "/api/chat/rooms/:id", method: "GET", status: "4xx" }],
    ["/api/chat/rooms/none", { route: "/api/chat/rooms/:id", method: "GET", status: "4xx" }],
    ["/nothing/of/the/kind", { route: "none", method: "GET", status: "4xx" }],
    ["/api/nothing", { route: "none", method: "GET", status: "4xx" }],
    ["/icon.svg", { route: "file", method: "GET", status: "2xx" }],
    ["/admin", { route: "/admin", method: "GET", status: "3xx" }],
    ["/healthz", { route: "/healthz", method: "GET", status: "2xx" }],
  ];
  for (const [path] of asked) await seller.get(path);
  await seller.send("POST", "/api/auth/logout", "", { Origin: "https://evil.example" });
  await trial.client().send("BREW", "/");
  const after = await scrape();
  const grown = (labels: Record<string, string>) =>
    total(after, "http_request_seconds_count", labels) - total(before, "http_request_seconds_count", labels);
  for (const [path, labels] of asked) {
    const alike = asked.filter(([, other]) => JSON.stringify(other) === JSON.stringify(labels)).length;
    expect([path, grown(labels)]).toEqual([path, alike]);
  }
  expect(grown({ route: "turned away", method: "POST", status: "4xx" })).toBe(1);
  expect(grown({ method: "other" })).toBeLessThanOrEqual(1);
  // The scrape before has been counted by the one after; jobs ask the sandbox meanwhile.
  const known = new Set([...asked.map(([, { route }]) => route), "turned away", "/metrics"]);
  const others = after
    .filter(({ name, labels, value }) => {
      const was = before.find(
        (one) => JSON.stringify(one.labels) === JSON.stringify(labels) && one.name === name,
      );
      return name === "midman_http_request_seconds_count" && value !== (was?.value ?? 0);
    })
    .map(({ labels }) => labels.route ?? "");
  expect(others.filter((route) => !known.has(route) && !route.startsWith("/sandbox/"))).toEqual(["/"]);
  expect(grown({ route: "/metrics" })).toBe(1);
});

test("sockets, frames and the delay of a message to them are counted", async () => {
  const { seller, buyer, roomId } = deal;
  const before = await scrape();
  const line = await openRoomSocket(buyer.cookies(), trial.url, roomId, buyer.id);
  expectStatus(await seller.post(`/api/chat/rooms/${roomId}/messages`, { content: "counted" }), 201);
  while (!line.heard.some((frame) => frame.includes("counted"))) await Bun.sleep(10);
  const meanwhile = await scrape();
  expect([total(meanwhile, "sockets"), total(meanwhile, "rooms_open")]).toEqual([1, 1]);
  const grown = (name: string, labels = {}) => total(meanwhile, name, labels) - total(before, name, labels);
  expect(grown("http_request_seconds_count", { route: "/ws", status: "1xx" })).toBe(1);
  for (const name of [
    "frames_total",
    "bus_published_total",
    "fanout_lag_seconds_count",
    "sockets_opened_total",
  ])
    expect([name, grown(name) > 0]).toEqual([name, true]);
  line.end();
  await line.closed;
  let gone: Sample[] = [];
  for (let tries = 0; tries < 100 && total(gone, "sockets_closed_total", { reason: "done" }) === 0; tries++) {
    gone = await scrape();
    await Bun.sleep(20);
  }
  expect(total(gone, "sockets_closed_total", { reason: "done" })).toBe(1);
});

test("the ledger, the provider's calls, jobs, queues, the log and the pool are included; the ledger sums to 0", async () => {
  // A job asks the provider about the payment.
  let all = await scrape();
  await waitUntil(async () => {
    all = await scrape();
    return total(all, "provider_call_seconds_count", { call: "POST /payment/check" }) > 0;
  });
  expect(total(all, "ledger_balance_tugrik", { account: "escrow" })).toBe(-110_000);
  expect(total(all, "ledger_balance_tugrik")).toBe(0);
  expect(total(all, "provider_call_seconds_count", { call: "POST /invoice", outcome: "ok" })).toBeGreaterThan(
    0,
  );
  expect(total(all, "job_seconds_count", { outcome: "done" })).toBeGreaterThan(0);
  expect(total(all, "database_pool_size")).toBe(20);
  expect(total(all, "database_connections")).toBeGreaterThan(1);
  expect(total(all, "database_begin_seconds_count")).toBeGreaterThan(10);
  expect([total(all, "database_transactions_waiting"), total(all, "bus_up")]).toEqual([0, 1]);
  expect(total(all, "process_resident_bytes")).toBeGreaterThan(1e7);
  const told = new Set(all.map(({ name }) => name.replace("midman_", "")));
  for (const name of ["jobs", "log_unsealed_seconds", "event_loop_lag_seconds_count", "process_open_files"])
    expect([name, told.has(name)]).toEqual([name, true]);
});

test("no label has a number, a raw path or anything personal", async () => {
  const values = new Set(
    (await scrape()).flatMap(({ name: metric, labels }) =>
      // What runs is named by a number; it is one series.
      metric === "midman_build_info"
        ? []
        : Object.entries(labels).flatMap(([name, value]) => (name === "le" ? [] : [value])),
    ),
  );
  expect(values.size).toBeGreaterThan(40);
  expect([...values].filter((value) => /\d{2,}|@|[\w-]{40,}/.test(value))).toEqual([]);
  const own = [deal.seller.username, deal.buyer.username, deal.seller.email, deal.invoiceId];
  expect([...values].filter((value) => own.some((one) => value.includes(one)))).toEqual([]);
});
