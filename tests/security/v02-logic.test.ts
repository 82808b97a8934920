import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { roomLimits } from "#constants/rooms";
import { MAX_AMOUNT, tradeFieldLimits as trade } from "#forms/escrow";
import { accountFieldLimits as people } from "#forms/identity";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { expectFaults } from "../support/api/api-document.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { expectMatch } from "../support/expect-match.ts";
import { errorOf, postForm } from "../support/pages/post-form.ts";
import {
  expectStatus,
  makeRoomPair,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { freePort, type Server, startServer } from "../support/server/midman-server.ts";
import { readSecuritySection } from "../support/sources/security-docs.ts";
import {
  bankInfo,
  openPaidTrade,
  openSettlingTrade,
  payoutOf,
  requestPayment,
  type ServerTrade,
} from "../support/trades/server-trades.ts";
import { countWrittenRows, findBookFaults, readTradeBalances } from "../support/trades/trade-books.ts";

/** The rules of input and of the trade, as documented and as kept. ASVS V2. */

let server: Server;
let admin: Client;
let unpaid: ServerTrade;
let paid: ServerTrade;

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
  [unpaid, paid] = await Promise.all([requestPayment(server), openPaidTrade(server)]);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

const root = join(import.meta.dir, "..", "..");

/** A figure as the document writes it. */
const figure = (value: number) => value.toLocaleString("en-US");

describe("documentation", () => {
  test("2.1.1 the rules for input are documented, with the limits of the code", () => {
    const said = readSecuritySection("input", "Field formats");
    for (const word of [
      "amount",
      "username",
      "display name",
      "email",
      "phone number",
      "IBAN",
      "account number",
      "invite code",
      "password",
      "message",
    ]) {
      expect(said).toContain(word);
    }
    const { username, displayName, email, password, passwordBytes } = people;
    for (const value of [
      ...[
        MAX_AMOUNT,
        trade.description,
        trade.info,
        trade.vaultLine,
        roomLimits.messageMax,
        roomLimits.nameMax,
      ],
      ...[username.min, username.max, displayName.min, displayName.max, email.max],
      ...[password.min, password.adminMin, passwordBytes.max],
    ]) {
      expect(said).toContain(figure(value));
    }
  });

  test("2.1.2 rules between fields are documented", () => {
    const said = readSecuritySection("input", "Rules between fields");
    for (const word of ["serviceFee", "sellerId", "quiet hours", "IBAN", "split", "new password twice"])
      expect(said).toContain(word);
  });

  test("2.1.3 business limits are documented, per person and overall, with the limits of the code", () => {
    const said = readSecuritySection("input", "Limits").replaceAll(/\s+/g, " ");
    for (const word of [
      "one transaction per room",
      "two seats",
      "four eyes",
      "halt",
      "10 minutes",
      "THROTTLE_FACTOR",
      "100 a second",
    ]) {
      expect(said).toContain(word);
    }
    const kept: Array<[file: string, pattern: RegExp, words: (most: number, seconds: number) => string]> = [
      [
        "modules/rooms/lib/messages/send-message.ts",
        /messageBucket = createTokenBucket\((\d+), (\d+)\)/,
        (n, s) => `${n} messages in ${s} s`,
      ],
      [
        "modules/rooms/lib/images/send-image.ts",
        /imageBucket = createTokenBucket\((\d+), (\d+)\)/,
        (n, s) => `${n} pictures in ${s} s`,
      ],
      ["modules/rooms/lib/membership/create-room.ts", /max: (\d+), seconds: (3600)/, (n) => `${n} rooms and`],
      [
        "modules/escrow/lib/vault/seal-vault.ts",
        /max: (\d+), seconds: (3_600)/,
        (n) => `${n} vaults an hour`,
      ],
      [
        "modules/escrow/lib/payment/issue-invoice.ts",
        /max: (\d+), seconds: (\d+)/,
        (n, s) => `${n} invoices in ${s / 60} minutes`,
      ],
      [
        "modules/escrow/lib/notifications/throttles.ts",
        /writeLimit = \{ max: (\d+), seconds: (60) \}/,
        (n) => `${n} steps a minute`,
      ],
      [
        "modules/identity/lib/login/throttles.ts",
        /"data:user": \{ max: (\d+), seconds: (24) \* hourSeconds/,
        (n) => `${n} data exports a day`,
      ],
      [
        "modules/identity/lib/login/throttles.ts",
        /"login:ip": \{ max: (\d+), seconds: (15) \* minuteSeconds/,
        (n, m) => `${n} sign-ins in ${m} minutes`,
      ],
      [
        "modules/identity/lib/login/throttles.ts",
        /"register:ip": \{ max: (\d+), seconds: (hourSeconds)/,
        (n) => `${n} registrations an hour`,
      ],
      [
        "modules/escrow/lib/verification/throttle-lookups.ts",
        /unknown: \{ max: (\d+), seconds: (3_600)/,
        (n) => `${n} unknown codes an hour`,
      ],
      [
        "modules/rooms/lib/membership/join-room.ts",
        /joinsPerAddress = \{ max: (\d+), seconds: (\d+)/,
        (n, s) => `${n} invites in ${s / 60} minutes`,
      ],
      ["modules/rooms/lib/socket/limits.ts", /maxSocketsPerPerson = (\d+)()/, (n) => `${n} sockets at once`],
      [
        "app/server/listener/edge-limits.ts",
        /requestBucket = createTokenBucket<string>\(([\d_]+), (\d+)\)/,
        (n, s) => `${figure(n)} requests at once and ${n / s} a second`,
      ],
    ];
    for (const [file, pattern, words] of kept) {
      const [, most = "", seconds = ""] = pattern.exec(readFileSync(join(root, file), "utf8")) ?? [];
      const [count, span] = [most, seconds].map((one) => Number(one.replaceAll("_", ""))) as [number, number];
      expect([file, said.includes(words(count, span)), words(count, span)]).toEqual([
        file,
        true,
        words(count, span),
      ]);
    }
  });
});

describe("input", () => {
  test("2.2.1 all input must match an expected form: unknown kinds, types and ranges are refused by their field", async () => {
    const id = unpaid.id;
    const calls: Array<[Client, string, string, unknown, string]> = [
      [unpaid.seller, "POST", "/api/transactions", { chatRoomId: unpaid.roomId, amount: "much" }, "amount"],
      [unpaid.seller, "PATCH", `/api/transactions/${id}`, { feePayer: "nobody" }, "feePayer"],
      [
        paid.seller,
        "POST",
        `/api/transactions/${paid.id}/bank-info`,
        { ...bankInfo, accountNumber: "12-x" },
        "accountNumber",
      ],
      [
        paid.seller,
        "POST",
        `/api/transactions/${paid.id}/bank-info`,
        { ...bankInfo, ibanNumber: "MN00" },
        "ibanNumber",
      ],
      [
        paid.seller,
        "POST",
        `/api/transactions/${paid.id}/bank-info`,
        { ...bankInfo, phoneNumber: "12" },
        "phoneNumber",
      ],
      [unpaid.buyer, "PATCH", "/api/users/profile", { phoneNumber: "not a number" }, "phoneNumber"],
      [unpaid.buyer, "POST", "/api/chat/rooms", { name: "A room", role: "admin" }, "role"],
      [
        unpaid.buyer,
        "POST",
        `/api/chat/rooms/${unpaid.roomId}/messages`,
        { content: "x", type: "system" },
        "type",
      ],
      [unpaid.buyer, "PUT", "/api/users/me/telling", { quietFrom: "25:00", quietTo: "06:00" }, "quietFrom"],
      [
        server.client(),
        "POST",
        "/api/auth/register",
        { username: "a b", password: "long enough" },
        "username",
      ],
      [
        server.client(),
        "POST",
        "/api/support",
        { topic: "free money", message: "Give me all of it." },
        "topic",
      ],
    ];
    for (const [who, method, path, body, field] of calls) {
      const reply = await who.send(method, path, body);
      expect([path, field, reply.status, Object.keys(reply.body.fields ?? {}).includes(field)]).toEqual([
        path,
        field,
        422,
        true,
      ]);
    }
  });

  test("2.2.2 the server validates, the browser only helps: forms that no browser would send are refused beside their fields", async () => {
    const form = {
      form: "register",
      username: "x",
      password: "1",
      displayName: "",
      email: "none",
      avatarInitials: "",
    };
    const answer = await postForm(server.client(), "/?tab=register", form);
    expect(answer.status).toBe(422);
    for (const field of ["username", "password", "displayName", "email"]) {
      expect([field, errorOf(answer, `register-${field}`)]).toEqual([field, expect.any(String)]);
    }
    const room = await postForm(unpaid.seller, "/chat?dialog=create", { form: "create", name: "x" });
    expect([room.status, errorOf(room, "create-name")]).toEqual([422, expect.any(String)]);
  });

  test("2.2.3 related fields must match: fee and amount, seller and room, both ends of quiet hours", async () => {
    const { seller, buyer, roomId } = await makeRoomPair(server);
    const asked = { chatRoomId: roomId, amount: 100_000, description: "Level 60" };
    const fee = await seller.post("/api/transactions", { ...asked, serviceFee: 1 });
    expect([fee.status, fee.body.code]).toEqual([422, "FEE_MISMATCH"]);
    const other = await seller.post("/api/transactions", { ...asked, sellerId: buyer.id });
    expect([other.status, other.body.code]).toEqual([422, "SELLER_MISMATCH"]);
    const telling = { pushMessages: true, mailMessages: true, quietFrom: "23:00", quietTo: null };
    expect((await seller.send("PUT", "/api/users/me/telling", telling)).body.fields).toHaveProperty(
      "quietTo",
    );
    const small = await seller.post("/api/transactions", { ...asked, amount: 100, feePayer: "seller" });
    expect([small.status, small.body.code]).toEqual([422, "NET_TOO_SMALL"]);
    expectStatus(
      await seller.post("/api/transactions", { ...asked, serviceFee: 10_000, sellerId: seller.id }),
      201,
    );
  });
});

describe("the trade", () => {
  test("2.3.1 steps are taken in order: none is skipped, and none belongs to the other side", async () => {
    // All that a later step needs is given, so that nothing but the order stands in its way.
    expectStatus(await paid.seller.post(`/api/transactions/${paid.id}/bank-info`, bankInfo), 200);
    const before = await countWrittenRows();
    const at = (deal: ServerTrade) => `/api/transactions/${deal.id}`;
    const early: Array<[Client, string, unknown?]> = [
      [unpaid.buyer, `${at(unpaid)}/complete`],
      [unpaid.seller, `${at(unpaid)}/complete`],
      [unpaid.seller, `${at(unpaid)}/hand-over`, {}],
      [unpaid.seller, `${at(unpaid)}/vault`, { login: "x", password: "y" }],
      [unpaid.buyer, `${at(unpaid)}/dispute`, { reason: "Nothing came" }],
      [paid.seller, `${at(paid)}/complete`],
      [paid.buyer, `${at(paid)}/hand-over`, {}],
      [paid.buyer, `${at(paid)}/vault/open`],
      [admin, `/api/admin/transactions/${paid.id}/settle`, { bankReference: "TOO-EARLY-1" }],
      [
        admin,
        `/api/admin/transactions/${paid.id}/rule`,
        { ruling: "release", reason: "None was opened", sum: 100_000 },
      ],
    ];
    for (const [who, path, body] of early) {
      const { status } = await postAsShown(who, path, body);
      expect([path, [403, 409].includes(status)]).toEqual([path, true]);
    }
    expect(await countWrittenRows()).toEqual(before);
  });

  test("2.3.2 business limits hold: one trade per room, two members, amounts in range, money once", async () => {
    const second = { chatRoomId: unpaid.roomId, amount: 5_000, description: "Another" };
    const again = await unpaid.seller.post("/api/transactions", second);
    expect([again.status, again.body.code]).toEqual([409, "TRADE_EXISTS"]);
    const { inviteCode } = expectStatus(
      await unpaid.seller.get(`/api/chat/rooms/${unpaid.roomId}`),
      200,
    ).body;
    const third = await registerPerson(server);
    const joined = await third.post("/api/chat/join", { code: String(inviteCode) });
    expect([joined.status, joined.body.code]).toEqual([409, "ROOM_FULL"]);
    expectStatus(await third.get(`/api/chat/rooms/${unpaid.roomId}`), 404);
    const { seller, roomId } = await makeRoomPair(server);
    // With its fee even the largest amount would be more than a sum may be.
    for (const amount of [0, MAX_AMOUNT, MAX_AMOUNT + 1]) {
      expect((await seller.post("/api/transactions", { chatRoomId: roomId, amount })).status).toBe(422);
    }
    expectStatus(
      await seller.post("/api/transactions", {
        chatRoomId: roomId,
        amount: 950_000_000,
        description: "Much",
      }),
      201,
    );
  });

  test("2.3.3 all or nothing: what fails midway leaves nothing behind, and can be repeated", async () => {
    const { seller, roomId } = await makeRoomPair(server);
    const before = await countWrittenRows();
    const asked = { chatRoomId: roomId, amount: 100_000, description: "Level 60" };
    // The last thing a step writes is its entry in the log: there it is made to fail.
    await db().execute(sql`CREATE FUNCTION audit.fail_for_test() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$`);
    await db().execute(
      sql`CREATE TRIGGER fail_for_test BEFORE INSERT ON audit.entries FOR EACH ROW EXECUTE FUNCTION audit.fail_for_test()`,
    );
    const noMoreFaults = expectFaults();
    try {
      const failed = await seller.post("/api/transactions", asked);
      expect([failed.status, failed.body.code, failed.text.includes("disk")]).toEqual([
        500,
        "SERVER_ERROR",
        false,
      ]);
      expect(await countWrittenRows()).toEqual(before);
    } finally {
      noMoreFaults();
      await db().execute(sql`DROP TRIGGER fail_for_test ON audit.entries`);
      await db().execute(sql`DROP FUNCTION audit.fail_for_test`);
    }
    expectStatus(await seller.post("/api/transactions", asked), 201);
  });

  test("2.3.4 what exists once is given once: one place to many who join, one payout to many who send, at the same moment", async () => {
    const seller = await registerPerson(server);
    const room = expectStatus(await seller.post("/api/chat/rooms", { name: "One seat" }), 201).body;
    const crowd = await Promise.all(Array.from({ length: 5 }, () => registerPerson(server)));
    const joins = await Promise.all(
      crowd.map((one) => one.post("/api/chat/join", { code: room.inviteCode })),
    );
    expect(joins.filter(({ status }) => status === 200)).toHaveLength(1);
    const deal = await openSettlingTrade(server);
    const payout = await payoutOf(admin, deal);
    const presses = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        postAsShown(admin, `/api/admin/transactions/${deal.id}/settle`, {
          bankReference: `BANK-${deal.id}-${at}`,
        }),
      ),
    );
    // Each names another transfer of the bank: one of them was made, and the others are told so.
    expect(presses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    expectMatch(await readTradeBalances(deal.id), { bank: expect.any(Number) });
    const [sent] = await db().execute<{ count: string }>(
      sql`SELECT count(*) FROM payments.payouts WHERE id = ${payout} AND state = 'sent'`,
    );
    const [journals] = await db().execute<{ count: string }>(
      sql`SELECT count(*) FROM payments.journals WHERE reference = ${deal.id} AND event LIKE '%payout%'`,
    );
    expect([Number(sent?.count), Number(journals?.count)]).toEqual([1, 1]);
    expect(await findBookFaults()).toEqual([]);
  });
});

describe("automation", () => {
  test("2.4.1 throttles against automation: at the edge for each address, and for expensive or guessable calls", async () => {
    const port = await freePort();
    const throttled = await startServer({ port, environment: { THROTTLE_FACTOR: "1" } });
    try {
      const who = await registerPerson(throttled);
      const wrong = { username: who.username, password: "not the password" };
      const guesses = [];
      for (let at = 0; at < 12; at++) guesses.push(await throttled.client().post("/api/auth/login", wrong));
      expect(guesses.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(401));
      const last = guesses.at(-1);
      expect([last?.status, Number(last?.headers.get("retry-after")) > 0]).toEqual([429, true]);
      const verifies = [];
      for (let at = 0; at < 66; at++)
        verifies.push((await throttled.client().get(`/verify/MM-${10_000_000 + at}`)).status);
      expect(verifies).toContain(429);
      // The edge: whatever is asked for, from one address, known or not.
      const refused: Response[] = [];
      // A slow machine gets tokens back meanwhile, so it is asked until it refuses.
      for (let asked = 0; refused.length === 0 && asked < 10_000; asked += 250) {
        const replies = await Promise.all(
          Array.from({ length: 250 }, () => fetch(`${throttled.url}/robots.txt`)),
        );
        await Promise.all(replies.map((reply) => reply.text()));
        refused.push(...replies.filter(({ status }) => status === 429));
        if (asked < 750) expect(refused).toEqual([]);
      }
      expect(refused.length).toBeGreaterThan(0);
      expect(refused.every(({ headers }) => Number(headers.get("retry-after")) >= 1)).toBe(true);
      expect((await fetch(`${throttled.url}/healthz`)).status).toBe(200);
    } finally {
      await throttled.stop();
    }
  });
});
