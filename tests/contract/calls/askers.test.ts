import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { consentVersions } from "#forms/identity";
import { codesIn } from "../../../app/routes/developers/call-pages.ts";
import type { OpenApiDocument } from "../../../app/server/openapi/document.ts";
import type { Operation } from "../../../app/server/openapi/operation.ts";
import { connectDatabase, db, disconnectDatabase } from "../../../db/client.ts";
import { bodyFor } from "../../support/api/schema-samples.ts";
import { setRight } from "../../support/people/administrator-rights.ts";
import { addPasskey, createAuthenticator } from "../../support/people/authenticator.ts";
import { agreeToFirstVersion } from "../../support/people/consents.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../../support/people/registered-people.ts";
import type { Client, Reply } from "../../support/server/http-client.ts";
import { freePort, type Server, startServer } from "../../support/server/midman-server.ts";
import {
  openPaidTrade,
  openSettlingTrade,
  payoutOf,
  type ServerTrade,
} from "../../support/trades/server-trades.ts";
import { countWrittenRows } from "../../support/trades/trade-books.ts";

/** Every call of the document, asked by everybody whom it is not for, in an address that is none, and with no right body. */

setDefaultTimeout(120_000);

let server: Server;
let document: OpenApiDocument;
let deal: ServerTrade;
let member: Person;
let admin: Client;
let adminId: number;

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as OpenApiDocument;
  [deal, member, admin] = await Promise.all([
    openPaidTrade(server),
    registerPerson(server),
    signInAdministrator(server),
  ]);
  adminId = (await admin.get("/api/auth/user")).body.id;
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

type One = { method: string; path: string; operation: Operation };

function operations(): One[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

const refusing = (code: string) =>
  operations().filter(({ operation }) =>
    Object.values(operation.responses).some((response) => codesIn(response).includes(code as never)),
  );

/** An address of a trade and a room that exist; of anything else, one that might. */
const addressOf = (path: string) =>
  path
    .replace("/transactions/{id}", `/transactions/${deal.id}`)
    .replace("/rooms/{id}", `/rooms/${deal.roomId}`)
    .replace("/chat/{id}", `/chat/${deal.roomId}`)
    .replace("{image}", crypto.randomUUID())
    .replace("{userId}", String(deal.buyer.id))
    .replace("{invoiceId}", deal.invoiceId)
    .replace("{file}", `${deal.invoiceId}.png`)
    .replace("{id}", "1");

function ask(who: Client, { method, path, operation }: One): Promise<Reply> {
  return who.send(method, addressOf(path), method === "GET" ? undefined : bodyFor(operation, document));
}

async function everyOneAnswers(who: Client, code: string, most: (one: One) => boolean = () => true) {
  const before = await countWrittenRows();
  const asked = refusing(code).filter(most);
  expect(asked.length).toBeGreaterThan(0);
  for (const one of asked) {
    const reply = await ask(who, one);
    expect([one.method, one.path, reply.body?.code]).toEqual([one.method, one.path, code]);
  }
  expect(await countWrittenRows()).toEqual(before);
}

describe("a call refuses the wrong people", () => {
  test("a visitor is asked to sign in", async () => {
    await everyOneAnswers(server.client(), "AUTH_REQUIRED");
  });

  test("a member is not an administrator", async () => {
    await everyOneAnswers(member, "ADMIN_REQUIRED");
  });

  test("someone who must change their password must do that first", async () => {
    await db().execute(sql`UPDATE identity.users SET must_change_password = true WHERE id = ${member.id}`);
    await everyOneAnswers(member, "PASSWORD_CHANGE_REQUIRED", ({ operation }) => {
      return !operation["x-asker"].toLowerCase().includes("admin");
    });
    await db().execute(sql`UPDATE identity.users SET must_change_password = false WHERE id = ${member.id}`);
    await db().execute(sql`UPDATE identity.users SET must_change_password = true WHERE username = 'admin'`);
    await everyOneAnswers(admin, "PASSWORD_CHANGE_REQUIRED");
    await db().execute(sql`UPDATE identity.users SET must_change_password = false WHERE username = 'admin'`);
  });

  test("someone who must choose another name must do that first", async () => {
    const { username } = member;
    const called = (name: string) =>
      db().execute(sql`
        UPDATE identity.users SET username = ${name}, username_key = ${name.toLowerCase()} WHERE id = ${member.id}`);
    await called("Midman-Payments.x");
    await everyOneAnswers(member, "NAME_CHANGE_REQUIRED");
    await called(username);
  });

  test("someone who must agree to new documents must do that first", async () => {
    await agreeToFirstVersion(server.databaseUrl, member.id);
    await everyOneAnswers(member, "CONSENT_REQUIRED", ({ operation }) => {
      return !operation["x-asker"].toLowerCase().includes("admin");
    });
    await agreeToFirstVersion(server.databaseUrl, adminId);
    await everyOneAnswers(admin, "CONSENT_REQUIRED");
    expectStatus(await member.post("/api/auth/agree", consentVersions), 200);
    expectStatus(await admin.post("/api/auth/agree", consentVersions), 200);
  });

  test("actions on money or permissions need a fresh login", async () => {
    await db().execute(sql`UPDATE identity.sessions SET authenticated_at = now() - interval '11 minutes'`);
    const always = ({ operation }: One) => operation["x-asker"].startsWith("fresh");
    await everyOneAnswers(admin, "REAUTH_REQUIRED", always);
    const { id } = deal;
    for (const [path, body] of [["complete"], ["cancel"], ["pay-seller", { sum: 1 }]] as const) {
      const reply = await admin.post(`/api/admin/transactions/${id}/${path}`, body);
      expect([path, reply.body.code]).toEqual([path, "REAUTH_REQUIRED"]);
    }
    await db().execute(sql`UPDATE identity.sessions SET authenticated_at = now()`);
  });
});

describe("a call refuses a missing object", () => {
  const missing: Record<string, RegExp> = {
    TRANSACTION_NOT_FOUND: /transactions\/\{id\}|qpay\/(invoices|create-payment)$/,
    CHAT_ROOM_NOT_FOUND: /rooms\/\{id\}|transactions$/,
    PAYOUT_NOT_FOUND: /payouts\/\{id\}/,
    USER_NOT_FOUND: /users\/\{id\}/,
    INVOICE_NOT_FOUND: /\{(invoiceId|file)\}/,
    PASSKEY_NOT_FOUND: /passkeys\/\{id\}/,
    SESSION_NOT_FOUND: /sessions\/\{id\}/,
  };

  test.each(Object.keys(missing))("%s, and nothing is written", async (code) => {
    const before = await countWrittenRows();
    for (const one of refusing(code).filter(({ path }) => missing[code]?.test(path))) {
      const body = bodyFor(one.operation, document) as Record<string, unknown> | undefined;
      const elsewhere = {
        ...body,
        ...(body && "transactionId" in body && { transactionId: 999_999 }),
        ...(body && "chatRoomId" in body && { chatRoomId: 999_999 }),
      };
      const address = one.path
        .replace("{secret}", "x".repeat(43))
        .replace("{userId}", "999999")
        .replace(/\{\w+\}/g, "999999");
      const reply = await callerOf(one).send(
        one.method,
        address,
        one.method === "GET" ? undefined : body && elsewhere,
      );
      expect([one.method, one.path, reply.status, reply.body?.code]).toEqual([
        one.method,
        one.path,
        404,
        code,
      ]);
    }
    expect(await countWrittenRows()).toEqual(before);
  });

  test("a trade cannot be administered by one of its parties", async () => {
    const own = await openSettlingTrade(server);
    const payout = await payoutOf(admin, own);
    await setRight(own.buyer.id, true);
    for (const one of refusing("OWN_TRADE").filter(({ path }) =>
      /(transactions|payouts)\/\{id\}/.test(path),
    )) {
      const address = one.path
        .replace("transactions/{id}", `transactions/${own.id}`)
        .replace("{id}", String(payout));
      const reply = await own.buyer.send(one.method, address, bodyFor(one.operation, document));
      expect([one.method, one.path, reply.status, reply.body?.code]).toEqual([
        one.method,
        one.path,
        403,
        "OWN_TRADE",
      ]);
    }
    await setRight(own.buyer.id, false);
  });
});

const callerOf = ({ operation }: One) =>
  operation["x-asker"].toLowerCase().includes("admin") ? admin : deal.buyer;

describe("a call refuses invalid input", () => {
  test("an invalid id is not found", async () => {
    for (const { method, path, operation } of refusing("NOT_FOUND")) {
      if (!path.includes("{id}")) continue;
      const body = method === "GET" ? undefined : bodyFor(operation, document);
      const reply = await admin.send(method, path.replace(/\{\w+\}/g, "-1"), body);
      expect([method, path, reply.status, reply.body?.code]).toEqual([method, path, 404, "NOT_FOUND"]);
    }
  });

  test("a truncated body is refused", async () => {
    const before = await countWrittenRows();
    for (const one of refusing("BAD_REQUEST").filter(({ operation }) => operation.requestBody)) {
      const reply = await callerOf(one).send(one.method, addressOf(one.path), '{"a":');
      expect([one.path, reply.status, reply.body?.code]).toEqual([one.path, 400, "BAD_REQUEST"]);
    }
    expect(await countWrittenRows()).toEqual(before);
  });

  test("a body of another form is refused by its fields", async () => {
    const before = await countWrittenRows();
    for (const one of refusing("VALIDATION").filter(({ operation }) => operation.requestBody)) {
      const reply = await callerOf(one).send(one.method, addressOf(one.path), wrongIn(one));
      expect([one.path, reply.status, reply.body?.code]).toEqual([one.path, 422, "VALIDATION"]);
      expect(Object.keys(reply.body.fields).length).toBeGreaterThan(0);
    }
    expect(await countWrittenRows()).toEqual(before);
  });

  /** A body with every field of it wrong; of a picture, what stands beside its bytes. */
  function wrongIn({ operation }: One): Record<string, unknown> {
    const whole = bodyFor(operation, document, true) as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(whole).map(([name, value]) => [
        name,
        name === "imageData" ? value : { nothing: "of the kind" },
      ]),
    );
  }

  test("an invalid query is refused by its name", async () => {
    for (const one of refusing("VALIDATION").filter(({ method }) => method === "GET")) {
      const names = one.operation.parameters.filter((parameter) => parameter.in === "query");
      const query = names.map(({ name }) => `${name}=%00${"x".repeat(600)}`).join("&");
      const reply = await callerOf(one).get(`${addressOf(one.path)}?${query}`);
      expect([one.path, reply.status, reply.body?.code]).toEqual([one.path, 422, "VALIDATION"]);
    }
  });
});

test("public pages are shown, and a socket is not a page", async () => {
  const visitor = server.client();
  for (const path of [
    "/healthz",
    "/readyz",
    "/api/openapi.json",
    "/api/evidence-key",
    "/sandbox/mail.json",
  ]) {
    expect([path, (await visitor.get(path)).status]).toEqual([path, 200]);
  }
  const { list } = await visitor.get(`/sandbox/mail.json?to=${member.email}`);
  expect((await visitor.get(`/sandbox/mail/${list[0]?.id}/html`)).status).toBe(200);
  const reply = await member.get(`/ws?roomId=${deal.roomId}`);
  expect([reply.status, reply.body.code]).toEqual([400, "BAD_REQUEST"]);
});

describe("with real money", () => {
  let real: Server;
  beforeAll(async () => {
    // A provider is configured, and nobody listens there: nothing here asks it.
    const provider = `http://127.0.0.1:${await freePort()}/v2`;
    const access = {
      QPAY_BASE_URL: provider,
      QPAY_USERNAME: "m",
      QPAY_PASSWORD: "m",
      QPAY_INVOICE_CODE: "M",
    };
    real = await startServer({ environment: { ...access, ALLOW_SANDBOX: "false" } });
  }, 120_000);
  afterAll(() => real?.stop());

  test("there is no mailbox", async () => {
    expect((await real.client().get("/sandbox/mail.json")).body.code).toBe("NOT_FOUND");
  });

  test("an administrator needs a second factor for every call of the back office", async () => {
    const bare = await signInAdministrator(real);
    for (const one of refusing("SECOND_FACTOR_SETUP_REQUIRED")) {
      const reply = await ask(bare, one);
      expect([one.path, reply.body?.code]).toEqual([one.path, "SECOND_FACTOR_SETUP_REQUIRED"]);
    }
  });

  test("an administrator who has a passkey needs it for every call of the back office", async () => {
    await addPasskey(await signInAdministrator(real), createAuthenticator(real.url));
    const byPassword = await signInAdministrator(real);
    for (const one of refusing("PASSKEY_REQUIRED")) {
      const reply = await ask(byPassword, one);
      expect([one.path, reply.body?.code]).toEqual([one.path, "PASSKEY_REQUIRED"]);
    }
  });
});
