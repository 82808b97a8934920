import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { paths } from "../../app/paths.ts";
import routes from "../../app/routes.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import {
  isWritingCall,
  type RegisteredCall,
  registeredCalls,
  validBody,
} from "../support/api/registered-calls.ts";
import { postForm } from "../support/pages/post-form.ts";
import { setRight } from "../support/people/administrator-rights.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openRoomSocket } from "../support/server/room-sockets.ts";
import { readSecuritySection } from "../support/sources/security-docs.ts";
import {
  bankInfo,
  buyerContact,
  openDisputedTrade,
  openPaidTrade,
  openSettlingTrade,
  payoutOf,
  requestPayment,
  type ServerTrade,
} from "../support/trades/server-trades.ts";
import { countWrittenRows } from "../support/trades/trade-books.ts";
import { waitUntil } from "../support/wait-until.ts";
import { filled, isDesk, isSandbox, nothing, open, told, withoutProof } from "./authorization.fixture.ts";
import { asksToSignIn, formsOf, formsWithoutProof, typing } from "./backoffice-forms.fixture.ts";

/** V8: who may do and see what. Calls and pages are found from what is registered, so that a new one cannot be forgotten. */

setDefaultTimeout(60_000);

let server: Server;
let admin: Client;
let stranger: Person;
let unpaid: ServerTrade;
let paid: ServerTrade;
let settling: ServerTrade;
let disputed: ServerTrade;
let payout: number;
let device: number;
let held: ServerTrade;
let hold: number;

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
  [stranger, unpaid, paid, settling, disputed, held] = await Promise.all([
    registerPerson(server, "Third One"),
    requestPayment(server),
    openPaidTrade(server),
    openSettlingTrade(server),
    openDisputedTrade(server),
    openPaidTrade(server),
  ]);
  payout = await payoutOf(admin, settling);
  expectStatus(await admin.post(`/api/admin/transactions/${disputed.id}/dispute/take`), 200);
  expectStatus(
    await admin.post(`/api/admin/transactions/${held.id}/hold`, { reason: "Words of its own" }),
    200,
  );
  const [reported] = await db().execute<{ id: string }>(
    sql`SELECT id FROM payments.holds WHERE reference = ${held.id}`,
  );
  hold = Number(reported?.id);
  // Both sides are told of it by a job, which would else write in the midst of a test.
  await waitUntil(async () => {
    const [told] = await db().execute(
      sql`SELECT FROM escrow.trades WHERE id = ${held.id} AND on_hold_since IS NOT NULL`,
    );
    return told !== undefined;
  });
  const [row] = await db().execute<{ id: string }>(sql`
    INSERT INTO mailer.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, device, created_at)
    SELECT user_id, id, 'https://push.example/x', repeat('a', 87), repeat('b', 22), 'a phone', now()
    FROM identity.sessions WHERE user_id = ${paid.buyer.id} LIMIT 1 RETURNING id`);
  device = Number(row?.id);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

const rights = () => readSecuritySection("authorization", "Authorization");

test("8.1.1 who may make which call and open which page is documented, group by group", () => {
  // By its own name or that of the family it belongs to, not by one that merely begins alike.
  const named = [...rights().matchAll(/`(\/[\w/-]+)`/g)].map(([, name = ""]) => name);
  const isNamed = (path: string) => named.some((name) => path === name || path.startsWith(`${name}/`));
  const calls = registeredCalls.filter((call) => !isSandbox(call)).map(({ path }) => path);
  expect(calls.length).toBeGreaterThan(100);
  expect(calls.filter((path) => !isNamed(path))).toEqual([]);
  for (const page of ["/chat", "/transactions", "/history", "/profile", "/settings", "/admin"]) {
    expect([page, rights().includes(`\`${page}`)]).toEqual([page, true]);
  }
});

test("8.1.2 who may see and write which field, and in which state of the trade, is documented", () => {
  const columns = [
    ...Object.keys(bankInfo),
    ...Object.keys(buyerContact),
    "bankAccount",
    "password",
    "secret",
  ];
  const fields = columns.filter(
    (name) => !["infoType", "accountName", "bankName", "ibanNumber"].includes(name),
  );
  for (const field of fields) expect([field, rights().includes(field)]).toEqual([field, true]);
  for (const state of ["payment_confirmed", "four"]) expect(rights()).toContain(state);
});

test("8.2.1 a visitor makes no call but the public ones, and only administrators make administrators' calls", async () => {
  const before = await countWrittenRows();
  for (const call of registeredCalls.filter((one) => !isSandbox(one) && !(one.name in open))) {
    const at = filled(call.path, {
      ...nothing,
      id: paid.id,
      invoiceId: paid.invoiceId,
      file: `${paid.invoiceId}.png`,
    });
    const visitor = await server.client().send(call.method, at, validBody[call.name]);
    expect([call.name, visitor.status]).toEqual([call.name, 401]);
    if (!isDesk(call)) continue;
    const member = await paid.seller.send(call.method, at, validBody[call.name]);
    expect([call.name, member.status, member.body.code]).toEqual([call.name, 403, "ADMIN_REQUIRED"]);
  }
  const pages = routes
    .map(({ path }) => `/${path}`)
    .filter((path) => path.startsWith("/admin") && path !== paths.adminLogin);
  for (const page of pages) {
    const at = page.replace(/:\w+/g, String(paid.id));
    for (const who of [server.client(), paid.seller]) {
      expect([at, (await who.get(at)).headers.get("location")]).toEqual([
        at,
        expect.stringMatching(/^\/admin\/login\?next=/),
      ]);
    }
  }
  expect(await countWrittenRows()).toEqual(before);
});

/** Of each kind of thing with an id: what is real, and whose it is not. */
function realOf({ path }: RegisteredCall): Array<Record<string, string | number>> {
  if (path.startsWith("/api/transactions/")) return [unpaid, paid, disputed].map(({ id }) => ({ id }));
  if (/\/images\/:image/.test(path)) return [{ id: paid.roomId, image: nothing.image }];
  if (path.startsWith("/api/chat/rooms/"))
    return [unpaid, paid].map((deal) => ({ id: deal.roomId, userId: deal.buyer.id }));
  if (path.startsWith("/api/qpay/callback/")) return [];
  if (path.includes(":invoiceId")) return [unpaid, paid].map(({ invoiceId }) => ({ invoiceId }));
  if (path.includes(":file")) return [unpaid, paid].map(({ invoiceId }) => ({ file: `${invoiceId}.png` }));
  if (path.startsWith("/api/users/me/sessions/")) return [{ id: theirSession }];
  if (path.startsWith("/api/users/me/passkeys/")) return [{ id: theirPasskey }];
  if (path.startsWith("/api/push/subscriptions/")) return [{ id: device }];
  throw new Error(`${path}: a new kind of id; say here whose it is, and that a stranger gets none of it`);
}

let theirSession = 0;
let theirPasskey = 0;

test("8.2.2 for a stranger, and for an administrator who is not a party, each id looks missing", async () => {
  const [session] = expectStatus(await paid.buyer.get("/api/users/me/sessions"), 200).list;
  theirSession = Number(session?.sessionId);
  const [passkey] = await db().execute<{ id: string }>(sql`
    INSERT INTO identity.passkeys (user_id, user_handle, credential_id, public_key, counter, name, created_at)
    VALUES (${paid.buyer.id}, repeat('h', 43), 'theirs', 'x', 0, 'theirs', now()) RETURNING id`);
  theirPasskey = Number(passkey?.id);
  const before = await countWrittenRows();
  const named = registeredCalls.filter(
    (call) => call.path.includes(":") && !isDesk(call) && !isSandbox(call),
  );
  expect(named.length).toBeGreaterThan(40);
  for (const call of named) {
    for (const who of [stranger, admin]) {
      const body = validBody[call.name];
      const absent = await who.send(call.method, filled(call.path, nothing), body);
      expect([call.name, absent.status]).toEqual([call.name, 404]);
      for (const real of realOf(call)) {
        const reply = await who.send(call.method, filled(call.path, { ...nothing, ...real }), body);
        expect([call.name, told(reply)]).toEqual([call.name, told(absent)]);
      }
    }
  }
  expect(await countWrittenRows()).toEqual(before);
  expect(expectStatus(await paid.buyer.get("/api/users/me/sessions"), 200).list).toHaveLength(1);
  const [kept] = await db().execute(sql`SELECT 1 FROM mailer.push_subscriptions WHERE id = ${device}`);
  expect(kept).toBeDefined();
  expect(expectStatus(await paid.buyer.get("/api/users/me/passkeys"), 200).list).toMatchObject([
    { name: "theirs" },
  ]);
});

test("for a stranger each page with an id is missing, and a post to it does nothing", async () => {
  const before = await countWrittenRows();
  const named = routes
    .map(({ path }) => `/${path}`)
    .filter((path) => path.includes(":") && !/^\/(admin|developers|sandbox|verify|i)\//.test(path));
  expect(named.sort()).toEqual([
    ...["/chat/:id", "/chat/:id/panel", "/chat/:id/search", "/chat/:id/trade", "/chat/:id/vault"],
    ...["/transactions/:id", "/transactions/:id/qr.png"],
  ]);
  for (const page of named) {
    for (const who of [stranger, admin]) {
      const absent = await who.get(page.replace(":id", "999999"));
      for (const deal of [unpaid, paid]) {
        const at = page.replace(":id", String(page.startsWith("/chat") ? deal.roomId : deal.id));
        const reply = await who.get(at);
        expect([at, reply.status, absent.status]).toEqual([at, 404, 404]);
        for (const form of ["message", "complete", "cancel", "delete", "leave", "seal", "open"]) {
          const fields = { form, content: "x", clientId: crypto.randomUUID() };
          const gone = await postForm(who, page.replace(":id", "999999"), fields);
          const there = await postForm(who, at, fields);
          const [first, second] = [gone, there].map(({ status, headers }) => {
            return [status, headers.get("location")?.replace(/\d+/, "id")];
          });
          expect([at, form, second]).toEqual([at, form, first]);
          expect([303, 404, 405]).toContain(there.status);
        }
      }
    }
  }
  expect(await countWrittenRows()).toEqual(before);
});

const own = { phoneNumber: "95443322", bankAccount: "Khan 5044332211" };
const full = [own.phoneNumber, "5044332211"];

/** What a party reads of the other side by every call and page there is of a trade and its room. */
async function allThatIsRead(who: Client, deal: ServerTrade): Promise<string> {
  const values = { ...nothing, invoiceId: deal.invoiceId, file: "x.png", userId: deal.seller.id };
  const calls = registeredCalls.filter(
    (call) => !isWritingCall(call) && !isSandbox(call) && !isDesk(call) && call.path !== "/ws",
  );
  const of = ({ path }: RegisteredCall) => (path.startsWith("/api/chat") ? deal.roomId : deal.id);
  const at = [
    ...calls.map((call) => filled(call.path, { ...values, id: of(call) })),
    ...[
      paths.room(deal.roomId),
      `${paths.room(deal.roomId)}/panel`,
      paths.transaction(deal.id),
      paths.chat,
      paths.history,
    ],
  ];
  const replies = await Promise.all(
    at.filter((path) => path !== "/api/users/me/data").map((path) => who.get(path)),
  );
  return replies.map(({ text }) => text).join("\n");
}

test("8.2.3 accounts and numbers are complete only for the people concerned, once the payment is confirmed; frames never have them", async () => {
  const line = await openRoomSocket(paid.buyer.cookies(), server.url, paid.roomId, paid.buyer.id);
  for (const { seller } of [unpaid, paid]) expectStatus(await seller.patch("/api/users/profile", own), 200);
  const before = await allThatIsRead(unpaid.buyer, unpaid);
  expect(full.filter((value) => before.includes(value))).toEqual([]);
  expect(before).toContain("••••3322");
  const after = expectStatus(await paid.buyer.get(`/api/chat/rooms/${paid.roomId}/participants`), 200).text;
  expect(full.filter((value) => after.includes(value))).toEqual(full);
  for (const who of [stranger, admin]) {
    const seen = await allThatIsRead(who, paid);
    expect([...full, paid.seller.email].filter((value) => seen.includes(value))).toEqual([]);
  }
  const at = `/api/transactions/${paid.id}`;
  expectStatus(await paid.seller.post(`${at}/bank-info`, bankInfo), 200);
  expectStatus(await paid.buyer.post(`${at}/bank-info`, buyerContact), 200);
  expectStatus(
    await paid.seller.post(`${at}/vault`, { login: "sealed-login", password: "sealed-word" }),
    200,
    201,
  );
  const seller = await allThatIsRead(paid.seller, paid);
  expect(seller).toContain(bankInfo.accountNumber);
  expect(seller).not.toMatch(/sealed-login|sealed-word/);
  // Nor by the one press that opens the vault, which is its buyer's.
  for (const who of [paid.seller, stranger, admin]) {
    const opened = expectStatus(await who.post(`${at}/vault/open`), 403, 404);
    expect(opened.text).not.toMatch(/sealed-login|sealed-word/);
  }
  const buyer = await allThatIsRead(paid.buyer, paid);
  expect(buyer).toContain(buyerContact.phoneNumber);
  expect(buyer).not.toMatch(/sealed-login|sealed-word/);
  const desk = expectStatus(await admin.get(`/admin/transactions/${paid.id}`), 200);
  const seen = `${desk.text}${expectStatus(await admin.get(`/api/admin/transactions/${paid.id}`), 200).text}`;
  expect(seen).not.toMatch(/sealed-login|sealed-word/);
  expectStatus(await paid.buyer.post(`${at}/messages`, { content: "over" }), 200, 201);
  await Bun.sleep(300);
  line.end();
  expect(line.heard.length).toBeGreaterThan(2);
  const secret = [
    ...full,
    ...Object.values(bankInfo).slice(3),
    ...Object.values(buyerContact).slice(2),
    paid.seller.email,
    "sealed-login",
    "sealed-word",
  ];
  const values = secret.filter((value) => value.length > 4);
  expect(values.filter((value) => line.heard.join("\n").includes(value))).toEqual([]);
  for (const path of ["/api/admin/users", "/api/admin/transactions"]) {
    expect(expectStatus(await admin.get(path), 200).text).not.toMatch(/argon2|passwordHash|token|5012345678/);
  }
});

test("a field that the sender may not set is ignored or refused, and stays as it was", async () => {
  const row = async (id: number) =>
    (await db().execute<Record<string, unknown>>(sql`SELECT * FROM identity.users WHERE id = ${id}`))[0];
  const before = await row(stranger.id);
  const more = {
    isAdmin: true,
    is_admin: true,
    id: 1,
    email: "other@example.mn",
    mustChangePassword: false,
    emailVerified: true,
  };
  expectStatus(await stranger.patch("/api/users/profile", { ...more, secondFactor: true }), 200, 422);
  expect(await row(stranger.id)).toEqual(before as Record<string, unknown>);
  const trade = async () => (await db().execute(sql`SELECT * FROM escrow.trades WHERE id = ${unpaid.id}`))[0];
  const stood = await trade();
  const claims = {
    status: "payment_confirmed",
    buyerId: stranger.id,
    sellerId: stranger.id,
    serviceFee: 1,
    amount: 5,
  };
  expect((await unpaid.buyer.patch(`/api/transactions/${unpaid.id}`, claims)).status).toBeGreaterThanOrEqual(
    400,
  );
  expect(JSON.stringify(await trade())).toBe(JSON.stringify(stood));
});

test("8.3.1 no claim of a client gives it a right", async () => {
  const claims = {
    "X-Forwarded-User": "admin",
    "X-Forwarded-For": "127.0.0.1",
    "X-Original-URL": "/api/admin/stats",
    "X-HTTP-Method-Override": "GET",
    "X-Midman-User": "1",
    Authorization: "Bearer admin",
    Cookie: `${stranger.cookies()}; isAdmin=true; role=admin; userId=1`,
  };
  for (const path of [
    "/api/admin/stats",
    "/api/admin/stats?isAdmin=true&userId=1",
    "/api/admin/../admin/stats",
    "/API/ADMIN/stats",
    "/api//admin/stats",
    "/api/admin/stats/",
  ]) {
    // Each alone as well: one of them may have made the request nobody's, which the others then could not show.
    const each = Object.entries(claims).map(([name, value]) => ({ [name]: value }));
    for (const headers of [{}, claims, ...each]) {
      // A client with a jar would send its own cookies in the place of these.
      const asker = "Cookie" in headers ? server.client({ Cookie: claims.Cookie }) : stranger;
      const reply = await asker.send("GET", path, undefined, headers);
      expect([path, reply.status >= 401 && reply.status <= 404]).toEqual([path, true]);
    }
  }
  const as = { userId: paid.buyer.id, actor: { userId: paid.buyer.id }, isAdmin: true };
  expectStatus(await stranger.post(`/api/transactions/${paid.id}/complete`, as), 404);
  const spoken = await openRoomSocket(stranger.cookies(), server.url, paid.roomId, paid.buyer.id);
  expect(await spoken.closed).toBe(4403);
  const changed = await registerPerson(server);
  await setRight(changed.id, true);
  expectStatus(await changed.get("/api/admin/stats"), 200);
  await setRight(changed.id, false);
  expectStatus(await changed.get("/api/admin/stats"), 403);
});

/** The administrator, who signed in eleven minutes ago. */
async function stale(): Promise<Client> {
  const desk = await signInAdministrator(server);
  await db().execute(sql`
    UPDATE identity.sessions SET authenticated_at = now() - interval '11 minutes'
    WHERE user_id IN (SELECT id FROM identity.users WHERE is_admin)`);
  return desk;
}

/** The id by which a call of the desk would do the most. */
function deskId({ path }: RegisteredCall): number {
  if (path.startsWith("/api/admin/payouts/")) return payout;
  if (path.startsWith("/api/admin/holds/")) return hold;
  if (path.startsWith("/api/admin/users/")) return stranger.id;
  return /\/rule(\/confirm)?$/.test(path)
    ? disputed.id
    : path.endsWith("/confirm-payment")
      ? unpaid.id
      : path.endsWith("/settle")
        ? settling.id
        : paid.id;
}

const states = async () =>
  (
    await db().execute(sql`
    SELECT (SELECT string_agg(p::text, '|' ORDER BY id) FROM payments.payouts p) AS payouts,
      (SELECT string_agg(h::text, '|') FROM payments.halt h) AS halt,
      (SELECT string_agg(h::text, '|' ORDER BY id) FROM payments.holds h
        WHERE id = ${hold} OR closed_at IS NOT NULL OR proposed_by IS NOT NULL) AS holds,
      (SELECT string_agg(u.id || u.is_admin::text || u.display_name, '|' ORDER BY id) FROM identity.users u) AS users`)
  )[0];

test("no call on money or permissions works more than ten minutes after signing in", async () => {
  const desk = await stale();
  const before = [await countWrittenRows(), await states()];
  const calls = registeredCalls.filter(
    (call) => isDesk(call) && isWritingCall(call) && !(call.name in withoutProof),
  );
  expect(calls.length).toBeGreaterThan(11);
  for (const call of calls) {
    const at = call.path.replace(":id", String(deskId(call)));
    const reply = await desk.send(call.method, at, validBody[call.name]);
    expect([call.name, reply.status, reply.body.code]).toEqual([call.name, 403, "REAUTH_REQUIRED"]);
  }
  expect([await countWrittenRows(), await states()]).toEqual(before);
});

test("nor does any form of the back office", async () => {
  const desk = await stale();
  const before = [await countWrittenRows(), await states()];
  const pages = [
    ...[
      paths.admin,
      paths.adminMoney,
      paths.adminSettlements,
      paths.adminReconciliation,
      paths.adminPayouts,
      paths.adminPayout(payout),
    ],
    // With nothing held, completing and cancelling are one press: there is no amount to type, and nobody is paid.
    ...[paid, settling].map(({ id }) => paths.adminTransaction(id)),
    paths.adminHolds(held.id),
    ...["complete", "cancel", "pay-seller"].map((step) => `${paths.adminTransaction(paid.id)}?do=${step}`),
    ...[paths.adminByHand(unpaid.id), `${paths.adminDispute(disputed.id)}?ruling=refund`],
    ...["edit", "make-admin", "delete-user", "sign-out"].map(
      (step) => `${paths.adminUser(stranger.id)}?do=${step}`,
    ),
    ...[paths.adminEmailEdit("welcome"), paths.adminUsers, paths.adminTransactions, paths.adminActivityLogs],
  ];
  const pressed = new Map<string, string>();
  for (const page of pages) {
    const shown = expectStatus(await desk.get(page), 200);
    for (const { to, fields } of formsOf(shown)) {
      if (["/logout", "/preferences"].includes(to)) continue;
      const name = fields.form ?? (to || page).replace(/\d+/, ":id");
      const typed = Object.entries(fields).map(([field, value]) => [field, value || typing[field] || ""]);
      const sent = Object.fromEntries(typed);
      if (name === "delete-user") sent.confirmation = stranger.username;
      const reply = await postForm(desk, to === "" ? page : to, sent);
      const byHand = Object.keys(fields).filter((field) => !fields[field] && typing[field] === sent[field]);
      const asked = asksToSignIn(
        reply,
        byHand.map((field) => sent[field] ?? ""),
      );
      pressed.set(name, `${pressed.get(name) ?? ""}${asked ? "asked " : `${page} ${reply.status} `}`);
    }
  }
  const undisturbed = [...pressed].filter(
    ([name, how]) => !/^(asked )+$/.test(how) && !(name in formsWithoutProof),
  );
  expect(undisturbed).toEqual([]);
  const proven = [...pressed.keys()].filter((name) => !(name in formsWithoutProof));
  expect(proven.sort()).toEqual(
    [
      "approve",
      "/admin/transactions/:id/by-hand",
      "cancel",
      "delete-user",
      "edit",
      "halt",
      "make-admin",
      "pay-seller",
      "resolve",
      "restrict",
      "rule",
      "settlement",
      "sign-out",
    ].sort(),
  );
  expect(await states()).toEqual(before[1]);
});
