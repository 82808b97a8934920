import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connectDatabase, disconnectDatabase } from "../../db/client.ts";
import { deep, deepObject } from "../faults/fuzz/values.ts";
import { expectStatus, signInAdministrator } from "../support/people/registered-people.ts";
import type { Client, Reply } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import {
  openPaidTrade,
  openSettlingTrade,
  payoutOf,
  requestPayment,
  type ServerTrade,
} from "../support/trades/server-trades.ts";
import { countWrittenRows, findBookFaults } from "../support/trades/trade-books.ts";
import {
  changesWhatIsGiven,
  harmless,
  needsNothing,
  type Route,
  right,
  routes,
  shapeless,
  values,
} from "./garbage.fixture.ts";

/** Garbage to every route and frame: a 4xx with a clear message, and nothing written. */

let server: Server;
let admin: Client;
let unpaid: ServerTrade;
let paid: ServerTrade;
let payout: number;

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
  [unpaid, paid] = await Promise.all([requestPayment(server), openPaidTrade(server)]);
  payout = await payoutOf(admin, await openSettlingTrade(server));
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

const address = (path: string) =>
  path
    .replace(":unpaid", String(unpaid.id))
    .replace(":paid", String(paid.id))
    .replace(":payout", String(payout))
    .replace(":room", String(paid.roomId))
    .replace(":buyer", String(paid.buyer.id));

function caller({ by, path }: Route): Client {
  if (by === "admin") return admin;
  return (path.includes(":unpaid") || path.includes("qpay") ? unpaid : paid)[by];
}

/** A refusal as the specification wants it, and no word of what is inside. */
function expectRefused(reply: Reply, what: string): void {
  if (reply.status < 400 || reply.status > 499)
    throw new Error(`${what}: ${reply.status} ${reply.text.slice(0, 300)}`);
  expect(reply.body?.message, what).toBeString();
  expect(reply.body.message.length, what).toBeGreaterThan(3);
  expect(reply.body.code, what).toMatch(/^[A-Z_]+$/);
  expect(reply.text, what).not.toMatch(
    /drizzle|postgres|node_modules|Error:|at \w+ \(|validation\.|errors\./i,
  );
}

describe("bodies", () => {
  for (const one of routes) {
    test(`${one.method} ${one.path} refuses what is not an object`, async () => {
      const before = await countWrittenRows();
      for (const [what, body] of Object.entries(shapeless)) {
        if (needsNothing(one) && what === "deep objects") continue;
        expectRefused(await caller(one).send(one.method, address(one.path), body), what);
      }
      for (const type of [
        "text/plain",
        "application/octet-stream",
        "nonsense",
        "multipart/form-data; boundary=x",
      ]) {
        // Bytes are no fields: where every field may be left out they change nothing.
        if (changesWhatIsGiven(one) && type === "application/octet-stream") continue;
        const headers = { "Content-Type": type };
        expectRefused(await caller(one).send(one.method, address(one.path), "--x", headers), type);
      }
      expect(await countWrittenRows()).toEqual(before);
    });

    test(`${one.method} ${one.path} refuses each field's wrong values`, async () => {
      const before = await countWrittenRows();
      for (const field of one.fields) {
        for (const [what, value] of Object.entries(values)) {
          if (harmless(field, value)) continue;
          const rest = Object.fromEntries(one.fields.map((name) => [name, right[name]]));
          const reply = await caller(one).send(one.method, address(one.path), { ...rest, [field]: value });
          expectRefused(reply, `${field} is ${what}`);
        }
      }
      expect(await countWrittenRows()).toEqual(before);
    });

    test(`${one.method} ${one.path} refuses an empty object and a huge body`, async () => {
      const before = await countWrittenRows();
      if (!needsNothing(one)) {
        expectRefused(await caller(one).send(one.method, address(one.path), {}), "nothing");
      }
      const huge = JSON.stringify({ amount: 1, content: "x".repeat(3_000_000) });
      const reply = await caller(one)
        .send(one.method, address(one.path), huge)
        .catch(() => undefined);
      if (reply !== undefined) expect([413, 400, 422]).toContain(reply.status);
      expect(await countWrittenRows()).toEqual(before);
    });
  }
});

describe("addresses", () => {
  const ids = [
    "0",
    "-1",
    "1.5",
    "1e3",
    "0x1",
    "01",
    "abc",
    "%00",
    "1%00",
    "99999999999999999999999",
    "9007199254740993",
    "null",
    "undefined",
    "NaN",
    "1;DROP TABLE",
    "'",
    "%27%20OR%201=1",
    "..%2f..%2fetc",
    "%ff",
    "x".repeat(3_000),
  ];
  const templates: Array<[string, string]> = [
    ["GET", "/api/transactions/:x"],
    ["GET", "/api/transactions/:x/steps"],
    ["GET", "/api/transactions/:x/info-exchange"],
    ["GET", "/api/transactions/:x/messages"],
    ["POST", "/api/transactions/:x/complete"],
    ["POST", "/api/transactions/:x/cancel"],
    ["POST", "/api/transactions/:x/payment"],
    ["POST", "/api/transactions/:x/mark-paid"],
    ["GET", "/api/qpay/status/:x"],
    ["GET", "/api/qpay/invoices/:x/qr.png"],
    ["GET", "/qr/:x"],
    ["GET", "/api/qpay/callback/:x/secret"],
    ["POST", "/api/qpay/callback/:x/secret"],
    ["GET", "/api/chat/rooms/:x"],
    ["GET", "/api/chat/rooms/:x/messages"],
    ["GET", "/api/chat/rooms/:x/transactions"],
    ["POST", "/api/chat/rooms/:x/leave"],
    ["DELETE", "/api/users/me/sessions/:x"],
    ["DELETE", "/api/push/subscriptions/:x"],
  ];
  const adminTemplates: Array<[string, string]> = [
    ["GET", "/api/admin/transactions/:x"],
    ["DELETE", "/api/admin/transactions/:x"],
    ["POST", "/api/admin/transactions/:x/complete"],
    ["POST", "/api/admin/transactions/:x/notify"],
    ["POST", "/api/admin/transactions/:x/cancel"],
    ["POST", "/api/admin/transactions/:x/dispute/take"],
    ["POST", "/api/admin/transactions/:x/dispute/give-back"],
    ["POST", "/api/admin/transactions/:x/evidence"],
    ["POST", "/api/admin/payouts/:x/approve"],
    ["POST", "/api/admin/payouts/:x/claim"],
    ["POST", "/api/admin/payouts/:x/done"],
    ["POST", "/api/admin/differences/:x/ask"],
    ["GET", "/api/admin/users/:x"],
    ["DELETE", "/api/admin/users/:x"],
    ["GET", "/api/admin/users/:x/transactions"],
    ["GET", "/api/admin/users/:x/activity-logs"],
  ];

  for (const [method, template] of [...templates, ...adminTemplates]) {
    test(`${method} ${template} finds nothing for an invalid id`, async () => {
      const before = await countWrittenRows();
      const who = template.startsWith("/api/admin") ? admin : paid.buyer;
      for (const id of ids) {
        const reply = await who.send(method, template.replace(":x", id));
        if (reply.status !== 404 && reply.status !== 414 && reply.status !== 400) {
          throw new Error(`${id}: ${reply.status} ${reply.text.slice(0, 200)}`);
        }
      }
      expect(await countWrittenRows()).toEqual(before);
    });
  }

  test("invalid page queries are refused, unknown words find nothing", async () => {
    for (const query of [
      "before=abc",
      "before=-1",
      "before=1.5",
      "limit=0",
      "limit=100000",
      "limit=abc",
      "before=%00",
    ]) {
      expectRefused(await paid.buyer.get(`/api/transactions?${query}`), query);
      expectRefused(await admin.get(`/api/admin/transactions?${query}`), query);
    }
    for (const query of [
      "after=abc",
      "after=-1",
      "before=0",
      "limit=0",
      "limit=1e9",
      "after=99999999999999999999",
    ]) {
      expectRefused(await paid.buyer.get(`/api/transactions/${paid.id}/messages?${query}`), query);
      expectRefused(await paid.buyer.get(`/api/chat/rooms/${paid.roomId}/messages?${query}`), query);
    }
    expect(expectStatus(await admin.get("/api/admin/transactions?search=nonsense"), 200).list).toEqual([]);
    expectRefused(await admin.get("/api/admin/transactions?status=nonsense"), "no status");
    expectRefused(await admin.get("/api/admin/transactions?search=%00"), "a null byte");
    expectRefused(await admin.get(`/api/admin/transactions?search=${"x".repeat(500)}`), "a long search");
  });

  test("a list of the back office names an invalid parameter and refuses it", async () => {
    const paging = [
      "before=abc",
      "before=-1",
      "before=%00",
      "limit=0",
      "limit=100000",
      "limit=abc",
      "limit=1&limit=2",
    ];
    const wrong: Record<string, string[]> = {
      users: [
        ...paging,
        ...["search=%00", `search=${"x".repeat(500)}`, "search=a&search=b", "show=x", "sort=x", "before=1.5"],
      ],
      transactions: [...paging, "search=a&search=b", "money=x", "sort=x", "from=abc", "to=2026-13-01"],
      "activity-logs": [...paging, "userId=abc", "fromDate=abc", "toDate=x", "ipAddress=%00", "action=%00"],
      [`users/${paid.buyer.id}/transactions`]: paging,
      [`users/${paid.buyer.id}/activity-logs`]: paging,
      reconciliation: ["before=abc", "before=-1", "day=abc", "day=2026-02-31", "day=1999-01-01"],
      money: ["before=abc", "before=-1", "before=%00"],
    };
    for (const [list, queries] of Object.entries(wrong)) {
      for (const query of queries) {
        const reply = await admin.get(`/api/admin/${list}?${query}`);
        expectRefused(reply, `${list}?${query}`);
        expect([list, query, reply.status, reply.body.code]).toEqual([list, query, 422, "VALIDATION"]);
        expect([query, Object.keys(reply.body.fields)]).toEqual([query, [query.replace(/=.*/, "")]]);
      }
    }
    const { username } = paid.buyer;
    const found = expectStatus(
      await admin.get(`/api/admin/users?search=${username}&sort=name&limit=1`),
      200,
    ).list;
    expect(found.map(({ id }) => id)).toEqual([paid.buyer.id]);
  });

  test("missing objects are reported, in either language", async () => {
    const english = await paid.buyer.get("/api/nothing/here");
    expect([english.status, english.body.code]).toEqual([404, "NOT_FOUND"]);
    const mongolian = await server.client({ "Accept-Language": "mn" }).get(`/api/transactions/${paid.id}`);
    expect(mongolian.body.message).toMatch(/[А-Яа-яӨөҮү]/);
  });
});

describe("cookies and headers", () => {
  test("an invalid cookie is no session", async () => {
    for (const cookie of [
      "midman-session=x",
      "midman-session=%00",
      `midman-session=${"x".repeat(4_000)}`,
      "=;=;;;",
      "a",
    ]) {
      const reply = await server
        .client()
        .send("GET", `/api/transactions/${paid.id}`, undefined, { Cookie: cookie });
      expect([cookie.slice(0, 30), reply.status]).toEqual([cookie.slice(0, 30), 401]);
    }
  });
});

describe("frames", () => {
  const frames: Array<string | Uint8Array<ArrayBuffer>> = [
    "",
    "x",
    "null",
    "1",
    "[]",
    "{}",
    '{"type":1}',
    '{"type":"nonsense"}',
    '{"type":"system","payload":{"content":"Payment confirmed"}}',
    '{"type":"payment","payload":{"content":"x"}}',
    '{"type":"chat"}',
    '{"type":"chat","payload":null}',
    '{"type":"chat","payload":{"content":1,"type":"text"}}',
    '{"type":"chat","payload":{"content":"   ","type":"text"}}',
    '{"type":"chat","payload":{"content":"a\\u0000b","type":"text"}}',
    '{"type":"chat","payload":{"content":"x","type":"system"}}',
    '{"type":"chat","payload":{"content":"x","type":"payment_qr"}}',
    `{"type":"chat","payload":{"content":"${"x".repeat(5_000)}","type":"text"}}`,
    '{"type":"user_status","status":"nonsense"}',
    '{"type":"user_status","status":{"a":1}}',
    '{"type":"transaction_update","data":{"status":"completed"}}',
    deep(5_000),
    deepObject(1_000),
    new Uint8Array([0, 255, 254, 1]),
  ];

  test("nothing is written and nothing reaches the other side, whatever is sent", async () => {
    const before = await countWrittenRows();
    const heard: string[] = [];
    const other = await open(paid.seller);
    other.onmessage = ({ data }) => heard.push(String(data));
    for (const frame of frames) {
      const socket = await open(paid.buyer);
      socket.send(frame);
      await Bun.sleep(60);
      socket.close();
    }
    await Bun.sleep(300);
    other.close();
    expect(await countWrittenRows()).toEqual(before);
    const kinds = heard.map((frame) => JSON.parse(frame).type);
    expect(kinds.filter((kind) => ["chat", "image", "payment", "transaction_update"].includes(kind))).toEqual(
      [],
    );
  }, 60_000);

  test("a frame that is too large closes only its own socket", async () => {
    const socket = await open(paid.buyer);
    const code = new Promise<number>((resolve) => {
      socket.onclose = (event) => resolve(event.code);
    });
    socket.send(`{"type":"chat","payload":{"content":"${"x".repeat(100_000)}"}}`);
    expect(await code).toBeGreaterThanOrEqual(1000);
    expect((await server.client().get("/readyz")).status).toBe(200);
  });

  function open(who: ServerTrade["buyer"]): Promise<WebSocket> {
    const url = `${server.url.replace("http", "ws")}/ws?roomId=${paid.roomId}&userId=${who.id}`;
    const socket = new WebSocket(url, { headers: { Cookie: who.cookies(), Origin: server.url } } as never);
    return new Promise((resolve, reject) => {
      socket.onopen = () => resolve(socket);
      socket.onclose = ({ code }) => reject(new Error(`closed: ${code}`));
    });
  }
});

test("finally the server still works, logged no fault, and ledger and log are intact", async () => {
  expect((await server.client().get("/readyz")).status).toBe(200);
  expect(server.output()).not.toMatch(/PostgresError|TypeError|RangeError|Unhandled/);
  expect(await findBookFaults()).toEqual([]);
});
