import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret, TOTP } from "otpauth";
import { connectDatabase, disconnectDatabase } from "../../../db/client.ts";
import { freshDatabase } from "../../support/database/test-database.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../../support/people/registered-people.ts";
import { type Client, createHttpClient as clientAt } from "../../support/server/http-client.ts";
import { type Server, startServer } from "../../support/server/midman-server.ts";
import { startPushService } from "../../support/services/push-service.ts";
import {
  openDisputedTrade,
  openPaidTrade,
  refundAccount,
  requestPayment,
  type ServerTrade,
} from "../../support/trades/server-trades.ts";

/** Every call that can be made too often says so, and when to come again. */

setDefaultTimeout(120_000);

let patient: Server;
let strict: Server;
let dataDir: string;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let admin: Client;
let me: Person;
let unpaid: ServerTrade;
let paid: ServerTrade;
let disputed: ServerTrade;
let cancelled: ServerTrade;
const service = startPushService();

beforeAll(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "midman-throttled-"));
  const shared = { databaseUrl: database.url, dataDir };
  patient = await startServer(shared);
  connectDatabase(database.url);
  admin = await signInAdministrator(patient);
  me = await registerPerson(patient);
  [unpaid, paid, disputed, cancelled] = await Promise.all([
    requestPayment(patient),
    openPaidTrade(patient),
    openDisputedTrade(patient),
    openPaidTrade(patient),
  ]);
  expectStatus(await admin.post(`/api/admin/transactions/${cancelled.id}/cancel`), 200);
  expectStatus(await admin.post(`/api/admin/transactions/${disputed.id}/dispute/take`), 200);
  expectStatus(await paid.seller.post(`/api/transactions/${paid.id}/vault`, { login: "x" }), 200);
  // The same database, where whatever is counted may be done once.
  strict = await startServer({
    ...shared,
    environment: { THROTTLE_FACTOR: "0.01", TRUST_PROXY: "true", PUSH_HOSTS: service.host },
  });
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await strict?.stop();
  await patient?.stop();
  await database?.drop();
  service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

let address = 0;

/** The same session at the strict server, from an address of its own: what is counted for a whole address is not meant here. */
function there(who: Client): Client {
  address += 1;
  return clientAt(strict.url, {
    Cookie: who.cookies(),
    "X-Forwarded-For": `10.1.${address >> 8}.${address & 255}`,
  });
}

type Call = [who: () => Client, method: string, path: () => string, body?: () => unknown];

/** Asks until it is told to wait; what is counted may be done once, and some calls are counted by two names. */
async function waits([who, method, path, body]: Call): Promise<void> {
  const asker = there(who());
  for (let time = 0; time < 4; time++) {
    const reply = await asker.send(method, path(), body?.());
    if (reply.body?.code !== "THROTTLED") continue;
    expect(reply.status).toBe(429);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    return;
  }
  throw new Error(`${method} ${path()} was never told to wait`);
}

const at = (deal: () => { id: number }, rest: string) => () => `/api/transactions/${deal().id}/${rest}`;
const say = (body: unknown) => () => body;
const visitor = () => strict.client();
const mine = () => me;
let round = 0;

describe("signing in and one's own account", () => {
  const account = () => ({
    ...{ username: `somebody${++round}`, password: "a long password", displayName: "Bat" },
    email: `somebody${round}@example.mn`,
  });
  const credential = { id: "AAAA", rawId: "AAAA", type: "public-key" };
  const newKey = { ...credential, response: { clientDataJSON: "AAAA", attestationObject: "AAAA" } };
  const signed = { clientDataJSON: "AAAA", authenticatorData: "AAAA", signature: "AAAA" };
  const signature = { ...credential, response: signed };
  const calls: Call[] = [
    [visitor, "POST", () => "/api/auth/login", say({ username: "nobody", password: "no password" })],
    [visitor, "POST", () => "/api/admin/login", say({ username: "nobody", password: "no password" })],
    [visitor, "POST", () => "/api/auth/register", account],
    [visitor, "POST", () => "/api/auth/forgot-password", say({ email: "a@example.mn" })],
    [
      mine,
      "POST",
      () => "/api/auth/change-password",
      say({ currentPassword: "no", newPassword: "a long password" }),
    ],
    [mine, "POST", () => "/api/auth/confirm-password", say({ password: "no" })],
    [mine, "POST", () => "/api/auth/choose-name", say({})],
    [mine, "POST", () => "/api/auth/resend-verification"],
    [visitor, "POST", () => "/api/auth/passkey/options", say({ door: "login" })],
    [visitor, "POST", () => "/api/auth/passkey", say({ credential: signature })],
    [mine, "POST", () => "/api/auth/confirm-passkey/options"],
    [mine, "POST", () => "/api/auth/confirm-passkey", say({ credential: signature })],
    [mine, "POST", () => "/api/users/me/passkeys/options"],
    [mine, "POST", () => "/api/users/me/passkeys", say({ credential: newKey })],
    [mine, "GET", () => "/api/users/me/data"],
    [mine, "DELETE", () => "/api/users/me", () => ({ password: "no", confirmation: me.username })],
    [mine, "POST", () => "/api/users/me/second-factor/confirm", say({ code: "123456" })],
    [
      mine,
      "PUT",
      () => "/api/users/me/telling",
      say({ pushMessages: true, mailMessages: true, quietFrom: null, quietTo: null }),
    ],
    [mine, "POST", () => "/api/push/subscriptions", () => service.browser()],
    [mine, "POST", () => "/api/push/test"],
    [
      visitor,
      "POST",
      () => "/api/support",
      say({ topic: "other", name: "Bat", email: "a@example.mn", message: "Where is my money?" }),
    ],
  ];
  test.each(calls.map((call) => [call[1], call[2](), call] as const))("%s %s", (_, __, call) => waits(call));
});

test("a second-factor code can be guessed once", async () => {
  const person = await registerPerson(patient);
  const at = "/api/users/me/second-factor";
  const { secret } = expectStatus(await person.post(at), 200).body as unknown as { secret: string };
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  expectStatus(await person.post(`${at}/confirm`, { code }), 200);
  const waiting = patient.client();
  await waiting.post("/api/auth/login", { username: person.username, password: person.password });
  await waits([() => waiting, "POST", () => "/api/auth/second-factor", () => ({ code: "000000" })]);
});

describe("rooms and trades", () => {
  const picture = { imageData: "data:image/gif;base64,R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=" };
  const room = (rest: string) => () => `/api/chat/rooms/${paid.roomId}/${rest}`;
  const calls: Array<[name: string, call: Call]> = [
    ["open a room", [mine, "POST", () => "/api/chat/rooms", say({ name: "A room" })]],
    ["join one", [mine, "POST", () => "/api/chat/join", say({ code: "AAAAAAAAAA" })]],
    ["renew an invite", [() => paid.seller, "POST", room("invite/renew")]],
    ["say something", [() => paid.seller, "POST", room("messages"), say({ content: "Hello" })]],
    [
      "say it in the trade",
      [() => paid.seller, "POST", at(() => paid, "messages"), say({ content: "Hello" })],
    ],
    ["read", [() => paid.seller, "POST", room("read"), say({ seq: 1 })]],
    ["send a picture", [() => paid.seller, "POST", room("images"), say(picture)]],
    [
      "ask for payment",
      [mine, "POST", () => "/api/transactions", say({ chatRoomId: 999_999, amount: 50_000 })],
    ],
    [
      "get another QR",
      [
        () => unpaid.buyer,
        "POST",
        () => "/api/qpay/invoices",
        () => ({ transactionId: unpaid.id, fresh: true }),
      ],
    ],
    [
      "get it alone",
      [
        () => unpaid.buyer,
        "POST",
        () => "/api/qpay/create-payment",
        () => ({ transactionId: unpaid.id, fresh: true }),
      ],
    ],
    [
      "amend",
      [
        () => unpaid.seller,
        "PATCH",
        () => `/api/transactions/${unpaid.id}`,
        () => ({ amount: 60_000 + ++round }),
      ],
    ],
    [
      "amend by a POST",
      [() => unpaid.seller, "POST", at(() => unpaid, "amend"), () => ({ amount: 60_000 + ++round })],
    ],
    ["pay after that", [() => unpaid.buyer, "POST", at(() => unpaid, "payment")]],
    [
      "tell something",
      [() => paid.seller, "POST", at(() => paid, "info-exchange"), () => ({ info: `No. ${++round}` })],
    ],
    ["seal", [() => paid.seller, "POST", at(() => paid, "vault"), () => ({ login: `x${++round}` })]],
    ["open what is sealed", [() => paid.buyer, "POST", at(() => paid, "vault/open")]],
    [
      "name an account",
      [() => cancelled.buyer, "POST", at(() => cancelled, "refund-destination"), say(refundAccount)],
    ],
    [
      "explain",
      [
        () => disputed.seller,
        "POST",
        at(() => disputed, "dispute/statement"),
        () => ({ reason: `No. ${++round}` }),
      ],
    ],
    ["notify", [() => admin, "POST", () => `/api/admin/transactions/${paid.id}/notify`]],
    [
      "mediate",
      [
        () => admin,
        "POST",
        () => `/api/admin/transactions/${disputed.id}/dispute/message`,
        () => ({ words: `No. ${++round}` }),
      ],
    ],
    ["try mail", [() => admin, "POST", () => "/api/admin/test-email", say({ testEmail: "a@example.mn" })]],
    [
      "try a template",
      [
        () => admin,
        "POST",
        () => "/api/admin/email-templates/test",
        say({ testEmail: "a@example.mn", templateType: "welcome" }),
      ],
    ],
  ];
  test.each(calls)("%s", (_, call) => waits(call));

  test("someone who changed their mind once waits before the next change", async () => {
    const reason = { reason: "It does not work" };
    const [buyer, seller] = [there(paid.buyer), there(paid.seller)];
    expectStatus(await buyer.post(`/api/transactions/${paid.id}/cancel`), 200);
    const told = async (who: Client, rest: string, body?: unknown) =>
      (await who.post(`/api/transactions/${paid.id}/${rest}`, body)).body.code;
    expect(await told(buyer, "withdraw-cancel")).toBe("THROTTLED");
    expect(await told(buyer, "dispute", reason)).toBe("THROTTLED");
    expectStatus(await seller.post(`/api/transactions/${paid.id}/dispute`, reason), 200);
    expect(await told(seller, "cancel")).toBe("THROTTLED");
    const seen = expectStatus(await seller.get(`/api/transactions/${paid.id}`), 200).body;
    const { buyer: requestedAt } = seen.cancellationRequests as { buyer: string };
    expect(await told(seller, "decline-cancel", { requestedAt })).toBe("THROTTLED");
    expect(await told(seller, "dispute/withdraw")).toBe("THROTTLED");
  });
});
