import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { escrowRoutes } from "#http/escrow";
import { identityRoutes } from "#http/identity";
import { mailerRoutes } from "#http/mailer";
import { paymentsRoutes } from "#http/payments";
import { paths } from "../../app/paths.ts";
import routes from "../../app/routes.ts";
import { connectDatabase, disconnectDatabase } from "../../db/client.ts";
import { postForm } from "../support/pages/post-form.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client, Reply } from "../support/server/http-client.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import {
  bankInfo,
  buyerContact,
  openPaidTrade,
  refundAccount,
  requestPayment,
  type ServerTrade,
} from "../support/trades/server-trades.ts";
import { countWrittenRows } from "../support/trades/trade-books.ts";

/** To a third person every id of a room, transaction, message or invoice answers as if it did not exist. */

let server: SharedServer;
let third: Person;
let admin: Client;
let unpaid: ServerTrade;
let paid: ServerTrade;

beforeAll(async () => {
  server = await sharedServer();
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
  [third, unpaid, paid] = await Promise.all([
    registerPerson(server, "Third One"),
    requestPayment(server),
    openPaidTrade(server),
  ]);
}, 240_000);

afterAll(() => disconnectDatabase());

/** Somebody who was an administrator, with the session of that time. */
async function demoted(): Promise<Client> {
  const former = await registerPerson(server, "Former One");
  const session = server.client();
  expectStatus(await postForm(admin, paths.adminUser(former.id), { form: "make-admin" }), 303);
  expectStatus(
    await session.post("/api/admin/login", { username: former.username, password: former.password }),
    200,
  );
  expectStatus(await postForm(admin, paths.adminUser(former.id), { form: "remove-admin" }), 303);
  return session;
}

type Call = [method: string, path: (id: number | string) => string, body?: unknown];

const ofTransaction: Call[] = [
  ["GET", (id) => `/api/transactions/${id}`],
  ["PATCH", (id) => `/api/transactions/${id}`, { amount: 50_000 }],
  ["GET", (id) => `/api/transactions/${id}/steps`],
  ["GET", (id) => `/api/transactions/${id}/info-exchange`],
  ["POST", (id) => `/api/transactions/${id}/info-exchange`, { info: "x" }],
  ["POST", (id) => `/api/transactions/${id}/info-exchange/confirm`, {}],
  ["POST", (id) => `/api/transactions/${id}/bank-info`, bankInfo],
  ["POST", (id) => `/api/transactions/${id}/bank-info`, buyerContact],
  ["GET", (id) => `/api/transactions/${id}/messages`],
  ["POST", (id) => `/api/transactions/${id}/messages`, { content: "Hello" }],
  ["POST", (id) => `/api/transactions/${id}/payment`],
  ["POST", (id) => `/api/transactions/${id}/mark-paid`],
  ["POST", (id) => `/api/transactions/${id}/verify`],
  ["POST", (id) => `/api/transactions/${id}/amend`, { amount: 50_000 }],
  ["POST", (id) => `/api/transactions/${id}/withdraw`],
  ["POST", (id) => `/api/transactions/${id}/hand-over`, { note: "x" }],
  ["POST", (id) => `/api/transactions/${id}/vault`, { login: "x" }],
  ["POST", (id) => `/api/transactions/${id}/vault/open`],
  ["POST", (id) => `/api/transactions/${id}/vault/check`, { password: true }],
  ["POST", (id) => `/api/transactions/${id}/complete`],
  ["POST", (id) => `/api/transactions/${id}/cancel`],
  ["POST", (id) => `/api/transactions/${id}/withdraw-cancel`],
  ["POST", (id) => `/api/transactions/${id}/decline-cancel`, { requestedAt: "2026-01-05T06:00:00.000Z" }],
  ["POST", (id) => `/api/transactions/${id}/dispute`, { reason: "x" }],
  ["POST", (id) => `/api/transactions/${id}/dispute/statement`, { reason: "x" }],
  ["POST", (id) => `/api/transactions/${id}/dispute/withdraw`],
  ["POST", (id) => `/api/transactions/${id}/refund-destination`, refundAccount],
];

const ofRoom: Call[] = [
  ["GET", (id) => `/api/chat/rooms/${id}`],
  ["DELETE", (id) => `/api/chat/rooms/${id}`],
  ["GET", (id) => `/api/chat/rooms/${id}/participants`],
  ["GET", (id) => `/api/chat/rooms/${id}/messages`],
  ["POST", (id) => `/api/chat/rooms/${id}/messages`, { content: "Hello", type: "text" }],
  ["GET", (id) => `/api/chat/rooms/${id}/transactions`],
  ["POST", (id) => `/api/chat/rooms/${id}/read`, { seq: 1 }],
  ["POST", (id) => `/api/chat/rooms/${id}/images`, { imageData: "data:image/png;base64,AAAA" }],
  ["GET", (id) => `/chat/${id}/images/5b8d7f0e-0000-4000-8000-000000000000`],
  ["POST", (id) => `/api/chat/rooms/${id}/leave`],
  ["POST", (id) => `/api/chat/rooms/${id}/invite`],
  ["POST", (id) => `/api/chat/rooms/${id}/participants/1/role`, { role: "buyer" }],
];

const ofInvoice: Call[] = [
  ["GET", (id) => `/api/qpay/status/${id}`],
  ["GET", (id) => `/api/qpay/invoices/${id}/qr.png`],
  ["GET", (id) => `/qr/${id}.png`],
];

/** What a reply tells: everything but the words, the time and its own request's id. */
function told({ status, headers, text }: Reply) {
  return { status, type: headers.get("content-type"), text };
}

describe("a third person", () => {
  for (const [group, calls, real, absent] of [
    ["transaction", ofTransaction, () => [unpaid.id, paid.id], 999_999],
    ["room", ofRoom, () => [unpaid.roomId, paid.roomId], 999_999],
    ["invoice", ofInvoice, () => [unpaid.invoiceId, paid.invoiceId], "5b8d7f0e-0000-4000-8000-000000000000"],
  ] as const) {
    for (const [method, path, body] of calls) {
      test(`${method} ${path(`{${group}}`)} looks missing`, async () => {
        const nothing = await third.send(method, path(absent), body);
        expect(nothing.status).toBe(404);
        for (const id of real())
          expect(told(await third.send(method, path(id), body))).toEqual(told(nothing));
      });
    }
  }

  test("naming others' rooms and transactions in a body finds nothing and writes nothing", async () => {
    const before = await countWrittenRows();
    const calls: Array<[string, (id: number) => unknown]> = [
      ["/api/transactions", (id) => ({ chatRoomId: id, amount: 5_000 })],
      ["/api/qpay/invoices", (id) => ({ transactionId: id })],
      ["/api/qpay/create-payment", (id) => ({ transactionId: id })],
    ];
    for (const [path, body] of calls) {
      const nothing = await third.post(path, body(999_999));
      expect(nothing.status).toBe(404);
      for (const id of [unpaid.id, unpaid.roomId, paid.id, paid.roomId]) {
        expect(told(await third.post(path, body(id)))).toEqual(told(nothing));
      }
    }
    expect(await countWrittenRows()).toEqual(before);
  });

  test("is in none of their lists", async () => {
    expect(expectStatus(await third.get("/api/transactions"), 200).list).toEqual([]);
    expect(expectStatus(await third.get("/api/chat/rooms"), 200).list).toEqual([]);
    expect(expectStatus(await third.get("/api/transactions?before=999999&limit=500"), 200).list).toEqual([]);
  });

  test("no administrators' call works for a member, a former administrator or a visitor, whatever is sent", async () => {
    const former = await demoted();
    const calls = [
      ...escrowRoutes.routes,
      ...identityRoutes.routes,
      ...mailerRoutes.routes,
      ...paymentsRoutes.routes,
    ]
      .filter(({ path }) => path.startsWith("/api/admin/") && path !== "/api/admin/login")
      .map(({ method, path }) => [method, path] as const);
    expect(calls.length).toBeGreaterThan(30);
    const before = await countWrittenRows();
    for (const [method, path] of [...calls, ["GET", "/api/admin/nothing"]] as const) {
      for (const at of [path.replace(":id", String(paid.id)), path.replace(":id", "999999")]) {
        for (const body of method === "GET" ? [undefined] : [undefined, {}, { id: "x" }]) {
          for (const [who, status, code] of [
            [paid.seller, 403, "ADMIN_REQUIRED"],
            [former, 401, "AUTH_REQUIRED"],
            [server.client(), 401, "AUTH_REQUIRED"],
          ] as const) {
            const reply = await who.send(method, at, body);
            expect([method, at, reply.status, reply.body.code]).toEqual([method, at, status, code]);
          }
        }
      }
    }
    expect(await countWrittenRows()).toEqual(before);
  });

  test("no administrators' page works for them, and the way back is kept", async () => {
    const former = await demoted();
    const pages = routes
      .map(({ path }) => `/${path}`)
      .filter((path) => path.startsWith("/admin") && path !== paths.adminLogin);
    expect(pages.length).toBeGreaterThan(10);
    const before = await countWrittenRows();
    for (const page of pages) {
      for (const part of [String(paid.id), "999999", "welcome"]) {
        const at = page.replace(/:\w+/, part);
        for (const who of [paid.seller, former, server.client()]) {
          const reply = await who.get(at);
          expect([at, reply.status, reply.text]).toEqual([at, 303, ""]);
          expect(reply.headers.get("location")).toBe(`${paths.adminLogin}?next=${encodeURIComponent(at)}`);
          const posted = await postForm(who, at, { form: "delete", transaction: String(paid.id) });
          expect([303, 405]).toContain(posted.status);
          // A browser goes where it is led, and is told there: else the cookies that wait to be told would outgrow a request's head.
          for (const led of [reply, posted]) await who.get(led.headers.get("location") ?? "/");
        }
      }
    }
    expect(await countWrittenRows()).toEqual(before);
  });

  test("an administrator is a third person for the parties' own calls", async () => {
    for (const [method, path, body] of ofTransaction) {
      expect((await admin.send(method, path(paid.id), body)).status).toBe(404);
    }
  });

  test("a visitor is asked to sign in, whatever the id", async () => {
    for (const [method, path, body] of [...ofTransaction, ...ofRoom]) {
      for (const id of [paid.id, 999_999]) {
        const reply = await server.client().send(method, path(id), body);
        expect([path(id), reply.status]).toEqual([path(id), 401]);
        expect(reply.body.message).toBe("You need to be logged in");
      }
    }
  });

  test("a visitor has no account to read, change or delete", async () => {
    const calls: Call[] = [
      ["GET", () => "/api/users/me/sessions"],
      ["DELETE", () => "/api/users/me/sessions"],
      ["DELETE", (id) => `/api/users/me/sessions/${id}`],
      ["GET", () => "/api/users/me/second-factor"],
      ["POST", () => "/api/users/me/second-factor"],
      ["POST", () => "/api/users/me/second-factor/confirm", { code: "123456" }],
      ["POST", () => "/api/users/me/second-factor/recovery-codes"],
      ["DELETE", () => "/api/users/me/second-factor"],
      ["GET", () => "/api/users/me/notifications"],
      ["PATCH", () => "/api/users/me/notifications", { requests: false }],
      ["GET", () => "/api/users/me/data"],
      ["DELETE", () => "/api/users/me", { password: "a password", confirmation: "somebody" }],
    ];
    for (const [method, path, body] of calls) {
      const reply = await server.client().send(method, path(1), body);
      expect([path(1), reply.status, reply.body.code]).toEqual([path(1), 401, "AUTH_REQUIRED"]);
    }
  });

  test("the socket opens only for a member with their own id", async () => {
    const closed = async (who: Client, roomId: number, userId: number) => {
      const url = `${server.url.replace("http", "ws")}/ws?roomId=${roomId}&userId=${userId}`;
      const socket = new WebSocket(url, { headers: { Cookie: who.cookies(), Origin: server.url } } as never);
      return new Promise<number>((resolve) => {
        socket.onclose = ({ code }) => resolve(code);
        setTimeout(() => {
          resolve(0);
          socket.close();
        }, 3_000);
      });
    };
    expect(await closed(third, paid.roomId, third.id)).toBe(4404);
    expect(await closed(third, 999_999, third.id)).toBe(4404);
    expect(await closed(third, paid.roomId, paid.buyer.id)).toBe(4403);
    expect(await closed(server.client(), paid.roomId, paid.buyer.id)).toBe(4401);
  });
});

describe("another site's page", () => {
  const evil = { Origin: "https://evil.example", "Content-Type": "application/json" };
  const foreign: Array<Record<string, string>> = [
    evil,
    { Origin: "null" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
  ];

  test("no unsafe call with a foreign Origin or Sec-Fetch-Site takes effect", async () => {
    const before = await countWrittenRows();
    for (const [method, path, body] of [...ofTransaction, ...ofRoom]) {
      if (method === "GET") continue;
      for (const headers of foreign) {
        const id = path(1).startsWith("/api/chat") ? paid.roomId : paid.id;
        const reply = await paid.buyer.send(method, path(id), body, headers);
        expect([path(id), reply.status, reply.body.code]).toEqual([path(id), 403, "BAD_ORIGIN"]);
      }
    }
    for (const path of ["/api/transactions", "/api/qpay/invoices", "/api/auth/login", "/api/admin/login"]) {
      expect((await paid.seller.send("POST", path, {}, evil)).status).toBe(403);
    }
    expect(await countWrittenRows()).toEqual(before);
  });

  test("Midman's own origin is accepted, and so is a program without one", async () => {
    const own = { Origin: server.url, "Sec-Fetch-Site": "same-origin" };
    expect(
      (await paid.buyer.send("POST", `/api/transactions/${paid.id}/mark-paid`, undefined, own)).status,
    ).toBe(200);
    expect((await paid.buyer.post(`/api/transactions/${paid.id}/mark-paid`)).status).toBe(200);
  });

  test("the socket refuses a foreign Origin with 403 before it opens", async () => {
    const reply = await fetch(`${server.url}/ws?roomId=${paid.roomId}&userId=${paid.buyer.id}`, {
      headers: {
        ...evil,
        Cookie: paid.buyer.cookies(),
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
      },
    });
    expect(reply.status).toBe(403);
  });
});
