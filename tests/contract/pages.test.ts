import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { paths } from "../../app/paths.ts";
import { connectDatabase, disconnectDatabase } from "../../db/client.ts";
import { postForm } from "../support/pages/post-form.ts";
import {
  makeRoomPair,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import {
  openDisputedTrade,
  openPaidTrade,
  openSettlingTrade,
  payoutOf,
  requestPayment,
  type ServerTrade,
} from "../support/trades/server-trades.ts";
import { countWrittenRows } from "../support/trades/trade-books.ts";

/** Garbage and strangers at the pages: a 4xx, and nothing written. */

setDefaultTimeout(60_000);

let server: Server;
let admin: Client;
let third: Person;
let paid: ServerTrade;

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
  third = await registerPerson(server, "Third One");
  paid = await openPaidTrade(server);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

const ids = [
  "abc",
  "0",
  "-1",
  "1.5",
  "1e3",
  "0x1",
  "01",
  "99999999999999999999999",
  "9007199254740993",
  "%00",
  "%ff",
  "NaN",
];

test("every page starts with the same document structure: rendered, cached, missing or refused", async () => {
  const pages = [
    paths.chat,
    paths.room(paid.roomId),
    paths.faq,
    paths.faq,
    "/no-such-page",
    "/admin/users/abc",
  ];
  for (const [at, path] of pages.entries()) {
    const by = at < 2 ? paid.seller : at < 4 ? server.client() : admin;
    expect([path, (await by.get(path)).text.slice(0, 21)]).toEqual([path, "<!DOCTYPE html><html "]);
  }
});

test("an invalid id is not found", async () => {
  for (const id of ids) {
    for (const [who, path] of [
      [admin, `/admin/transactions/${id}`],
      [admin, `/admin/transactions/${id}/chat`],
      [admin, `/admin/transactions/${id}/by-hand`],
      [admin, `/admin/disputes/${id}`],
      [admin, `/admin/disputes/${id}/pictures/${id}`],
      [admin, `/admin/payouts/${id}`],
      [admin, `/admin/payouts/${id}/receipt`],
      [paid.buyer, `/chat/${id}`],
      [admin, `/sandbox/qpay/pay/${id}`],
      [admin, `/sandbox/mail/${id}`],
    ] as const) {
      expect([path, (await who.get(path)).status]).toEqual([path, 404]);
    }
    for (const path of [`/history?before=${id}`, `/support?code=${id}&topic=${id}&sent=${id}`]) {
      expect([path, (await paid.buyer.get(path)).status]).toEqual([path, 200]);
    }
    for (const path of [`/chat/${paid.roomId}?before=${id}`, `/chat/${paid.roomId}?dialog=${id}`]) {
      expect((await paid.buyer.get(path)).status).toBeLessThan(500);
    }
  }
});

test("a list of the back office ignores invalid parameters", async () => {
  const lists = ["", "/payouts", "/transactions", "/users", "/money", "/reconciliation", "/activity-logs"];
  for (const id of ["abc", "-1", "1e3", "99999999999999999999999", "%00", "%ff"]) {
    for (const query of [
      `state=${id}&beyond=${id}&day=${id}`,
      `q=${id}&before=${id}&show=${id}&sort=${id}`,
    ]) {
      for (const list of lists) {
        const path = `/admin${list}?${query}`;
        expect([path, (await admin.get(path)).status]).toEqual([path, 200]);
      }
    }
  }
});

test("a third person gets the same as for a missing room", async () => {
  // The first page of a browser brings the stylesheet along; after it all are alike.
  await third.get("/chat");
  const nothing = await third.get("/chat/999999");
  const theirs = await third.get(`/chat/${paid.roomId}`);
  expect([nothing.status, theirs.status]).toEqual([404, 404]);
  const plain = (text: string) => text.replaceAll(/\/chat\/\d+/g, "/chat/…");
  expect(plain(theirs.text)).toBe(plain(nothing.text));
  for (const form of ["message", "confirm", "cancel", "invoice", "leave", "swap-roles"]) {
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const body = `form=${form}&content=x&user=${paid.buyer.id}&role=seller`;
    const reply = await third.send("POST", `/chat/${paid.roomId}`, body, headers);
    const absent = await third.send("POST", "/chat/999999", body, headers);
    expect([form, reply.status]).toEqual([form, absent.status]);
  }
});

test("a refreshed part of a room equals the page, before and after the payment", async () => {
  // A countdown goes on between the two readings.
  const words = (html: string) =>
    html
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
      .replaceAll(/\d+(:\d\d)+/g, "…");
  const waiting = await requestPayment(server);
  const empty = await makeRoomPair(server);
  for (const { roomId, buyer, seller } of [empty, waiting, paid]) {
    for (const member of [buyer, seller]) {
      const page = await member.get(`/chat/${roomId}`);
      const panel = await member.get(`/chat/${roomId}/panel`);
      expect([page.status, panel.status]).toEqual([200, 200]);
      const names = [...panel.text.matchAll(/<div data-part="([a-z-]+)">/g)].map(([, name]) => name);
      expect(names).toContain("trade-panel");
      for (const name of names) expect(page.text).toContain(`id="${name}"`);
      const parts = panel.text.split(/<div data-part="[a-z-]+">/).map(words);
      expect(parts).toHaveLength(names.length + 1);
      for (const part of parts) expect(words(page.text)).toContain(part.trim());
    }
  }
  expect((await third.get(`/chat/${paid.roomId}/panel`)).status).toBe(404);
});

const forms = [
  "",
  "form=",
  "form=nonsense",
  "form=constructor",
  "form=__proto__",
  "form=toString",
  "form=hasOwnProperty",
  "form=message",
  "form=message&content=%00",
  `form=message&content=${"x".repeat(9_000)}`,
  "form=create-trade&amount=abc",
  "form=amend&amount=-1",
  "form=swap-roles",
  "form=swap-roles&user=abc&role=x",
  "form=swap-roles&user=1e9&role=seller",
  "form=bank-info",
  "form=bank-info&infoType=x",
  "form=bank-info&infoType[]=seller",
  "form=refund-destination",
  "form=dispute&reason=%00",
  "form=hand-over&note=%00",
  "form=info&info=%00",
  "form=settle&payout=abc&bankReference=X",
  "form=approve&payout=abc",
  "form=approve&payout=1e400",
  "form=send",
  "form=done&payout=",
  "topic=payment&message=%00%00%00%00%00%00%00%00%00%00&name=x&email=x@example.mn",
  "topic=constructor&message=long enough to be read&name=x&email=x@example.mn",
  "%%%",
  "a".repeat(100_000),
];

test("a garbage form is refused at every page", async () => {
  const before = await countWrittenRows();
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  for (const body of forms) {
    for (const [who, path] of [
      [paid.buyer, `/chat/${paid.roomId}`],
      [paid.seller, `/chat/${paid.roomId}`],
      [admin, `/admin/transactions/${paid.id}`],
      [admin, `/admin/transactions/${paid.id}/by-hand`],
      [admin, "/admin/payouts/1"],
      [admin, "/admin/money/settlements"],
      [admin, "/admin"],
      [paid.buyer, "/chat"],
      [server.client(), "/"],
      [paid.buyer, "/preferences"],
      [paid.buyer, "/change-password"],
      [server.client(), "/reset-password?token=x"],
      [server.client(), "/admin/login"],
      [server.client(), "/support"],
      [paid.buyer, "/support"],
    ] as const) {
      const reply = await who.send("POST", path, body, headers);
      if (reply.status >= 500) throw new Error(`${path} ${body.slice(0, 60)}: ${reply.status}`);
    }
  }
  expect(await countWrittenRows()).toEqual(before);
});

/** What nobody can mean, of every form of the desk's pages; presses with nothing to fill in are not among them. */
const deskForms = [
  ...["", "form=", "form=nonsense", "form=constructor", "form=__proto__", "form=approve2", "%%%"],
  ...[
    "form=send",
    "form=send&sum=abc&bankReference=X",
    "form=send&sum=1&bankReference=X",
    "form=send&sum=100000",
  ],
  ...["form=send&sum=100000&bankReference=%00", "form=found-sent&sum=1e5&bankReference=X"],
  ...[
    "form=withdraw",
    "form=withdraw&reason=%00",
    "form=unknown&reason=",
    `form=unknown&reason=${"x".repeat(9_000)}`,
  ],
  ...["form=found-unsent&reason=%00", "form[]=approve", "form=approve%00"],
  ...[
    "form=rule",
    "form=rule&ruling=x&reason=x&sum=1",
    "form=rule&ruling=split&refundAmount=-1&reason=x&sum=1",
  ],
  ...[
    "form=rule&ruling=split&refundAmount=1e400&reason=x&sum=1",
    "form=rule&ruling=release&reason=%00&sum=100000",
  ],
  ...["form=rule&ruling=release&reason=x&sum=1", "form=mediate", "form=mediate&words=%00", "form=take2"],
  ...[
    `form=mediate&words=${"x".repeat(9_000)}`,
    "amount=abc&reference=X",
    "amount=0&reference=X",
    "amount=1.5",
  ],
  ...["amount=1&reference=%00", "amount=1e400&reference=X", "amount=100000&amount=1&reference="],
  ...["form=settlement", "form=settlement&bankReference=%00&received=1&cost=0"],
  ...[
    "form=settlement&bankReference=X&received=1e400&cost=0",
    "form=settlement&bankReference=X&received=1&cost=-1",
    "form=settlement&bankReference=X&received=0&cost=1",
    "form=lay-aside&settlement=x&reason=x",
  ],
  ...["form=lay-aside", "form=lay-aside&proposal=x&reason=x", "form=lay-aside&proposal=1e400&reason=%00"],
];

test("the back office's forms refuse garbage at a payout, a dispute, a manual payment and a settlement", async () => {
  const [settling, disputed, unpaid] = [
    await openSettlingTrade(server),
    await openDisputedTrade(server),
    await requestPayment(server),
  ];
  const at = [
    paths.adminPayout(await payoutOf(admin, settling)),
    paths.adminDispute(disputed.id),
    paths.adminByHand(unpaid.id),
  ];
  for (const query of [
    "?ruling=x",
    "?ruling=split&refund=abc",
    "?ruling=split&refund=-1",
    "?ruling=split&refund=1e400",
  ]) {
    expect([query, (await admin.get(`${at[1]}${query}`)).status]).toEqual([query, 200]);
  }
  const before = await countWrittenRows();
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  for (const path of [...at, paths.adminSettlements]) {
    for (const body of deskForms) {
      const { status } = await admin.send("POST", path, body, headers);
      if (![400, 404, 409, 422].includes(status)) throw new Error(`${path} ${body.slice(0, 60)}: ${status}`);
    }
    expect((await admin.send("POST", path, "{garbage", { "Content-Type": "application/json" })).status).toBe(
      400,
    );
  }
  for (const path of at) {
    const nowhere = path.replace(/\d+/, "999999");
    expect([nowhere, (await admin.get(nowhere)).status]).toEqual([nowhere, 404]);
    expect(
      (await postForm(admin, nowhere, { form: "approve", amount: "1", reference: "X" })).status,
    ).toBeLessThan(500);
  }
  expect(await countWrittenRows()).toEqual(before);
});

test("a body that is not a form is refused", async () => {
  const before = await countWrittenRows();
  const types = [
    "application/json",
    "text/plain",
    "multipart/form-data; boundary=x",
    "application/octet-stream",
    "nonsense",
  ];
  for (const type of types) {
    for (const [who, path] of [
      [paid.buyer, `/chat/${paid.roomId}`],
      [paid.buyer, "/chat"],
      [server.client(), "/"],
      [server.client(), "/admin/login"],
      [server.client(), "/support"],
      [admin, `/admin/transactions/${paid.id}`],
    ] as const) {
      const reply = await who.send("POST", path, "{garbage", { "Content-Type": type });
      expect([path, type, reply.status]).toEqual([path, type, 400]);
    }
  }
  expect(await countWrittenRows()).toEqual(before);
});

test("pages, files, calls and refusals all have the headers; a page may vary one of them", async () => {
  const page = await fetch(`${server.url}/reset-password?token=x`);
  const offline = await fetch(`${server.url}/offline`);
  const stylesheet = /href="(\/assets\/[^"]+\.css)"/.exec(await offline.text())?.[1];
  const replies = [
    page,
    await fetch(`${server.url}${stylesheet}`),
    await fetch(`${server.url}/api/auth/session`),
    await fetch(`${server.url}/api/auth/user`),
    await fetch(`${server.url}/no-such-page`),
    await fetch(`${server.url}/logout`, { method: "POST", headers: { origin: "http://evil.example" } }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 401, 404, 403]);
  for (const { headers } of replies) {
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
  }
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  expect(replies[1]?.headers.get("referrer-policy")).toBe("same-origin");
});

test("a page whose address has a token or a code sends no referrer, and its forms still work", async () => {
  const policy = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`${server.url}${path}`, { headers, redirect: "manual" })).headers.get("referrer-policy");
  const secret = [
    ...["/reset-password?token=x", "/reset-password", "/verify-email?token=x", "/verify/MM-7K2Q9XAB"],
    ...["/i/ABCDEFGHJK", "/chat?invite=ABCDEFGHJK", "/?next=%2Fi%2FABCDEFGHJK"],
  ];
  for (const path of secret) expect([path, await policy(path)]).toEqual([path, "no-referrer"]);
  for (const path of ["/", "/chat", "/support", "/verifying", "/icons"]) {
    expect([path, await policy(path)]).toEqual([path, "same-origin"]);
  }
  // What hides its origin must say otherwise where it comes from; what cannot say it shows the origin, and nothing else.
  const old = { "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 15_8 like Mac OS X)" };
  expect(await policy("/reset-password?token=x", old)).toBe("strict-origin");
  const modern = { ...old, "Sec-Fetch-Site": "none" };
  expect(await policy("/reset-password?token=x", modern)).toBe("no-referrer");
  const sent = async (headers: Record<string, string>) =>
    (await server.client(headers).send("POST", "/reset-password?token=x", "token=x", headers)).status;
  const form = { "Content-Type": "application/x-www-form-urlencoded", Origin: "null" };
  expect(await sent({ ...form, "Sec-Fetch-Site": "same-origin" })).toBe(422);
  expect(await sent({ ...form, "Sec-Fetch-Site": "cross-site" })).toBe(403);
  expect(await sent(form)).toBe(403);
});

test("finally the server still works and logged no fault", async () => {
  expect((await server.client().get("/readyz")).status).toBe(200);
  expect(server.output()).not.toMatch(/PostgresError|TypeError|RangeError|Unhandled/);
});
