import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { config, overrideConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { drainJobs } from "#db/jobs";
import type { Language } from "#locales";
import { listEntries } from "#modules/audit";
import type { Actor } from "#modules/identity";
import { stopMailer } from "#modules/mailer";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { plantTrade, plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import { runAtTime } from "../../../../tests/support/trades/sandbox-trades.ts";
import {
  askSupportSchema,
  readTransactionCode,
  type SupportInput,
  visitorSupportSchema,
} from "../../forms.ts";
import { type AskSupportResult, askSupport } from "./ask-support.ts";
import { supportReceipt } from "./receipt.ts";
import { supportRequestsTable } from "./schema.ts";

useDatabase();
const before = config();
let server: SMTPServer;
let port = 0;
let received: Array<{ to: string; mail: Email; raw: string }> = [];

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    logger: false,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const raw = Buffer.concat(chunks).toString("utf8");
        const to = session.envelope.rcptTo.map(({ address }) => address).join();
        received.push({ to, raw, mail: await PostalMime.parse(raw) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const at = server.server.address();
  port = typeof at === "object" && at !== null ? at.port : 0;
});
afterAll(async () => {
  overrideConfig(before);
  await stopMailer();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});
beforeEach(() => {
  received = [];
  overrideConfig({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    PUBLIC_URL: "https://midman.example",
    SUPPORT_EMAIL: "support@midman.example",
    THROTTLE_FACTOR: 1000,
  });
});
afterEach(async () => {
  await ownerDatabase().execute(
    sql`TRUNCATE mailer.messages, mailer.mailbox, base.throttle, escrow.support_requests`,
  );
  await db().execute(sql`DELETE FROM pgboss.job`);
});

let people = 0;
const visitor = (language: Language = "mn"): Actor => ({
  kind: "visitor",
  ip: `192.0.2.${++people % 250}`,
  device: "test",
  language,
  requestId: "",
});
const written: SupportInput = {
  topic: "payment",
  name: "Дорж",
  email: "dorj@example.mn",
  message: "Төлбөр баталгаажихгүй байна.",
};

async function ask(actor: Actor, input: Partial<SupportInput> = {}): Promise<AskSupportResult> {
  const answer = await askSupport(actor, { ...written, ...input });
  if (!answer.ok) throw new Error(answer.code);
  return answer;
}

/** The emails that reached the support address and the asker, after every queued email was sent. */
async function mails() {
  await drainJobs();
  const request = received.find(({ to }) => to === "support@midman.example");
  const receipt = received.find(({ to }) => to !== "support@midman.example");
  return { request, receipt, count: received.length };
}

const rows = () => db().select().from(supportRequestsTable);

describe("a support request", () => {
  test("reaches the support address with its number and code, and a reply reaches the person", async () => {
    const trade = await plantTrade("payment_confirmed");
    const { number } = await ask(trade.buyer, { code: trade.code });
    const { request } = await mails();
    expect(request?.mail.replyTo).toEqual([{ name: "", address: trade.buyer.email }]);
    expect(request?.mail.subject).toBe(`${number}: Төлбөр, ${trade.code}`);
    expect(request?.mail.text).toContain(`Гүйлгээний код: ${trade.code}\n`);
    expect(request?.mail.text).toContain(`https://midman.example/admin/transactions/${trade.id}`);
    expect(request?.mail.text).toContain("энэ гүйлгээний оролцогч мөн");
    expect(request?.mail.text).toContain(`@${trade.buyer.username} (${trade.buyer.userId})`);
    expect(request?.mail.text).toContain("> Төлбөр баталгаажихгүй байна.");
  });

  test("is stored under its number, without a copy of the account's details, and logged", async () => {
    const trade = await plantTrade("payment_confirmed");
    const { number } = await ask(trade.seller, { code: trade.code, name: "Someone else", email: "x@y.mn" });
    const [row] = await rows();
    expect(row).toMatchObject({ number, userId: trade.seller.userId, name: null, email: null });
    expect(row).toMatchObject({ tradeId: trade.id, code: trade.code, suspect: false });
    const { entries } = await listEntries({ subject: { kind: "support_request", id: row?.id ?? 0 } });
    expect(entries).toMatchObject([{ action: "support_requested", userId: trade.seller.userId }]);
    expect(JSON.stringify(entries)).not.toMatch(/баталгаажихгүй|example/);
  });

  test("by a stranger about another's trade has no link and says that nothing is proven", async () => {
    const trade = await plantTrade("payment_confirmed");
    const stranger = await plantUser({});
    for (const actor of [visitor(), stranger]) {
      received = [];
      await ask(actor, { code: trade.code });
      const { request } = await mails();
      expect(request?.mail.subject).toContain(`${trade.code} (нотлогдоогүй)`);
      expect(request?.mail.text).toContain("Кодыг илгээгч өөрөө бичсэн");
      expect(request?.raw).not.toContain("/admin/");
      expect(request?.mail.html).not.toContain("/admin/");
    }
    expect((await rows()).map(({ tradeId }) => tradeId)).toEqual([null, null]);
  });

  test("about another's trade and about a missing one get the same receipt, letter by letter", async () => {
    const trade = await plantTrade("payment_confirmed");
    const told: unknown[] = [];
    for (const code of [trade.code, "MM-00000000"]) {
      received = [];
      const answer = await ask(visitor("en"), { code });
      const { receipt } = await mails();
      const plain = (text = "") => text.replaceAll(answer.number, "SR").replaceAll(code, "MM");
      told.push([Object.keys(answer), plain(receipt?.mail.text), plain(receipt?.mail.subject)]);
    }
    expect(told[0]).toEqual(told[1]);
  });

  test("gets a receipt in the person's language, with nothing that a stranger could have typed", async () => {
    const { number } = await ask(visitor("en"), { name: "Buy now", message: "Cheap things at evil.example" });
    const { receipt } = await mails();
    expect(receipt).toMatchObject({
      to: "dorj@example.mn",
      mail: { subject: `We have your request: ${number}` },
    });
    expect(receipt?.mail.text).toContain("within 24–48 hours");
    expect(receipt?.mail.replyTo).toEqual([{ name: "", address: "support@midman.example" }]);
    expect(receipt?.mail.text).not.toMatch(/Buy now|evil/);
    received = [];
    await ask(visitor("mn"), { message: "Өөр нэг хүсэлт байна." });
    expect((await mails()).receipt?.mail.subject).toStartWith("Таны хүсэлтийг хүлээн авлаа");
  });

  test("sent twice, also at the same moment, is one request with one mail to each", async () => {
    const clientId = crypto.randomUUID();
    const actor = visitor();
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(actor, { clientId })));
    answers.push(await ask(actor, { clientId }));
    expect(new Set(answers.map(({ number }) => number)).size).toBe(1);
    expect(answers.filter(({ changed }) => changed).length).toBe(1);
    expect((await mails()).count).toBe(2);
  });

  test("rewritten under the same hidden id is another request: nothing is lost", async () => {
    const clientId = crypto.randomUUID();
    const first = await ask(visitor(), { clientId });
    const second = await ask(visitor(), { clientId, message: "Одоо шийдэгдлээ, баярлалаа." });
    expect(second).toMatchObject({ changed: true });
    expect(second.number).not.toBe(first.number);
  });

  test("by a bot that fills in the hidden field looks accepted and mails nobody", async () => {
    const answer = await ask(visitor(), { website: "https://evil.example" });
    expectMatch(answer, { ok: true, changed: true, number: expect.stringMatching(/^SR-/) });
    expect((await mails()).count).toBe(0);
    expect(await rows()).toMatchObject([{ suspect: true, message: written.message }]);
  });

  test("by a visitor without name and address is refused beside the fields", async () => {
    const answer = await askSupport(visitor(), { ...written, name: undefined, email: undefined });
    expect(answer).toEqual({
      ok: false,
      code: "VALIDATION",
      fields: { name: ["validation.supportName"], email: ["validation.contactEmail"] },
    });
    expect(await rows()).toEqual([]);
  });

  test("too often from one address or for one mailbox is refused with the time to return", async () => {
    overrideConfig({ THROTTLE_FACTOR: 1 });
    const actor = visitor();
    const tries = async (count: number, input: (at: number) => Partial<SupportInput>, who = () => actor) => {
      const answers = [];
      for (let at = 0; at < count; at++) answers.push(await askSupport(who(), { ...written, ...input(at) }));
      return answers;
    };
    const mailbox = await tries(
      6,
      (at) => ({ email: at % 2 ? "ONE@example.mn" : "one@example.mn" }),
      visitor,
    );
    expect(mailbox.map(({ ok }) => ok)).toEqual([true, true, true, true, true, false]);
    expect(mailbox[5]).toEqual({ ok: false, code: "THROTTLED", retryAfterSeconds: expect.any(Number) });
    const address = await tries(21, (at) => ({ email: `n${at}@example.mn` }));
    expect(address.map(({ ok }) => ok).lastIndexOf(true)).toBe(19);
    expect(await rows()).toHaveLength(25);
    let hosts = 0;
    const network = await tries(
      21,
      (at) => ({ email: `m${at}@example.mn` }),
      () => ({ ...visitor(), ip: `2001:db8:5:1::${++hosts}` }),
    );
    expect(network.map(({ ok }) => ok).lastIndexOf(true)).toBe(19);
  });
});

/** The rows of the outbox. */
async function outbox() {
  return db().execute<Record<string, unknown>>(sql`
    SELECT template, recipient, reply_to, user_id::integer, language, key, data FROM mailer.messages ORDER BY id`);
}

describe("the two mails of a request", () => {
  const toDesk = (number: string) => ({
    ...{ template: "supportRequest", recipient: "support@midman.example", user_id: null, language: "mn" },
    key: `support-request:${number}`,
  });
  const toAsker = (number: string, recipient: string, data: object) => ({
    ...{ template: "supportReceived", recipient, reply_to: null, key: `support-received:${number}` },
    data: { number, hours: "24–48", url: "/support", ...data },
  });

  test("by a party about their own trade say who asks, and link administrators to it", async () => {
    const { code, id, buyer } = await plantTrade("payment_confirmed");
    const { userId, username, email, displayName: name } = buyer;
    const { number } = await ask(buyer, { code, topic: "room" });
    expect([...(await outbox())]).toEqual([
      {
        ...{ ...toDesk(number), reply_to: email },
        data: {
          ...{ number, topic: "Зурвас, өрөө", about: `Зурвас, өрөө, ${code}`, code, standing: "own" },
          ...{ name, email, account: `@${username} (${userId})`, message: written.message },
          url: `/admin/transactions/${id}`,
        },
      },
      { ...toAsker(number, email, { code, topic: "Chat or room" }), user_id: userId, language: "en" },
    ]);
  });

  test("by a visitor say that a code is not proven, and whether it exists", async () => {
    const { code } = await plantTrade("payment_confirmed");
    const shown = `${code} (нотлогдоогүй)`;
    const cases = [
      { given: code, about: `Төлбөр, ${shown}`, shown, standing: "unproven" },
      { given: undefined, about: "Төлбөр", shown: "", standing: "none" },
    ];
    for (const { given, about, shown, standing } of cases) {
      await ownerDatabase().execute(sql`TRUNCATE mailer.messages, mailer.mailbox`);
      const { number } = await ask(visitor(), { code: given });
      const { name, email, message } = written;
      expect([...(await outbox())]).toEqual([
        {
          ...{ ...toDesk(number), reply_to: email },
          data: {
            ...{ number, topic: "Төлбөр", about, code: shown, standing, name, email, message },
            ...{ account: "", url: "" },
          },
        },
        {
          ...toAsker(number, email ?? "", { code: given ?? "", topic: "Төлбөр" }),
          ...{ user_id: null, language: "mn" },
        },
      ]);
    }
  });
});

describe("the stored support request", () => {
  test("is complete, a visitor's with name and address, and its log entry has no text", async () => {
    const trade = await plantTrade("payment_confirmed");
    const clientId = crypto.randomUUID();
    const when = new Date();
    const visits = await runAtTime(when, () => ask(visitor(), { clientId, website: "x" }));
    const signed = await runAtTime(when, () =>
      ask(trade.seller, { clientId, code: trade.code, name: undefined, website: "" }),
    );
    const kept = { id: expect.any(Number), topic: "payment" as const, message: written.message };
    // Read by a connection in another time zone: a database that an operator provides may have its own.
    const [first, second] = await runInTransaction(async (tx) => {
      await tx.execute(sql`SET LOCAL TIME ZONE 'Asia/Ulaanbaatar'`);
      return tx.select().from(supportRequestsTable).orderBy(supportRequestsTable.id);
    });
    expect(first).toEqual({
      ...{ ...kept, number: visits.number, fingerprint: visits.receipt, userId: null, createdAt: when },
      ...{ name: written.name ?? "", email: written.email ?? "", code: null, tradeId: null, suspect: true },
    });
    expect(second).toEqual({
      ...{ ...kept, number: signed.number, fingerprint: signed.receipt, userId: trade.seller.userId },
      ...{ name: null, email: null, code: trade.code, tradeId: trade.id, suspect: false, createdAt: when },
    });
    expect(visits.receipt).toMatch(/^[\w-]{43}$/);
    const entryOf = async (id = 0) =>
      (await listEntries({ subject: { kind: "support_request", id } })).entries;
    const data = { topic: "payment", suspect: false, number: signed.number, tradeId: trade.id };
    expect([...(await entryOf(first?.id)), ...(await entryOf(second?.id))]).toEqual([
      expect.objectContaining({
        ...{ userId: null, data: { topic: "payment", suspect: true, number: visits.number, tradeId: null } },
      }),
      expect.objectContaining({ userId: trade.seller.userId, ip: trade.seller.ip, data }),
    ]);
  });

  test("is another request if anything was changed, and the same when sent again", async () => {
    const [clientId, actor] = [crypto.randomUUID(), visitor()];
    const changes: Partial<SupportInput>[] = [
      ...[{}, { name: "Bat" }, { email: "bat@example.mn" }, { topic: "other" as const }],
      ...[{ code: "MM-00000000" }, { code: "MM-00000001" }, { clientId: crypto.randomUUID() }],
    ];
    const asked = [];
    for (const change of changes) asked.push(await ask(actor, { clientId, ...change }));
    expect(asked.map(({ changed }) => changed)).toEqual(changes.map(() => true));
    expect(new Set(asked.map(({ receipt }) => receipt)).size).toBe(changes.length);
    for (const [at, change] of changes.entries()) {
      expect(await ask(actor, { clientId, ...change })).toEqual({
        ...{ ok: true, changed: false, number: asked[at]?.number ?? "", receipt: asked[at]?.receipt ?? "" },
      });
    }
    const [once, twice] = [await ask(actor), await ask(actor)];
    expect(once.number).not.toBe(twice.number);
  });

  test("names to a visitor the one missing field", async () => {
    const said = async (input: Partial<SupportInput>) => askSupport(visitor(), { ...written, ...input });
    const refusal = { ok: false, code: "VALIDATION" } as const;
    expect(await said({ name: undefined })).toEqual({
      ...{ ...refusal, fields: { name: ["validation.supportName"] } },
    });
    expect(await said({ email: undefined })).toEqual({
      ...{ ...refusal, fields: { email: ["validation.contactEmail"] } },
    });
  });
});

describe("the receipt page", () => {
  test("opens with its token, for a signed-in person only if it is theirs", async () => {
    const dorj = await ask(visitor());
    expect(await supportReceipt(visitor(), dorj.receipt)).toEqual({
      number: dorj.number,
      email: "dorj@example.mn",
    });
    const [bat, saraa] = [await plantUser({}), await plantUser({})];
    const asked = await ask(bat);
    expect(await supportReceipt(bat, asked.receipt)).toEqual({ number: asked.number, email: bat.email });
    expect(await supportReceipt(saraa, asked.receipt)).toBeUndefined();
    expect(await supportReceipt(visitor(), asked.receipt)).toBeUndefined();
  });

  test("does not exist for an invalid token", async () => {
    const word = "A".repeat(43);
    for (const receipt of ["", "x", word, "\u0000".repeat(43), `\u0000${word}`, `${word}\u0000`, "'; --"])
      expect(await supportReceipt(visitor(), receipt)).toBeUndefined();
  });
});

describe("the support form", () => {
  const wrong = (input: Partial<Record<keyof SupportInput, unknown>>) =>
    visitorSupportSchema.safeParse({ ...written, ...input }).error?.issues.map(({ message }) => message);

  test("shows what is wrong with each field", () => {
    expect(wrong({})).toBeUndefined();
    expect(wrong({ topic: "money" })).toEqual(["validation.supportTopic"]);
    expect(wrong({ name: " " })).toEqual(["validation.supportName"]);
    expect(wrong({ email: "dorj" })).toEqual(["validation.contactEmail"]);
    expect(wrong({ message: "too short" })).toEqual(["validation.supportMessage"]);
    expect(wrong({ message: "x".repeat(4_001) })).toEqual(["validation.tooLong"]);
    expect(wrong({ message: "x".repeat(4_000) })).toBeUndefined();
    expect(wrong({ code: "MM-123" })).toEqual(["validation.transactionCode"]);
    expect(wrong({ clientId: "1" })).toEqual(["validation.id"]);
  });

  test("accepts no line break or control character that could become a header", () => {
    expect(wrong({ name: "Bat\r\nBcc: all@example.com" })).toEqual(["validation.characters"]);
    expect(wrong({ email: "a@example.mn\r\nBcc: all@example.com" })).toBeDefined();
    expect(wrong({ email: "a@example.mn, b@example.mn" })).toEqual(["validation.contactEmail"]);
    expect(wrong({ code: "MM-00000000\r\nX: y" })).toBeDefined();
    expect(wrong({ name: "Bat\u202e" })).toEqual(["validation.characters"]);
    expect(wrong({ message: "Lines\r\nare fine here" })).toBeUndefined();
    expect(wrong({ message: "But no\u0000 other control" })).toEqual(["validation.characters"]);
  });

  test("accepts a code as people type it", () => {
    for (const typed of ["MM-7K2Q9XAB", "mm-7k2q9xab", " 7K2Q9XAB ", "ММ–7К2Q9ХАВ", "mm 7k2q 9xab"])
      expect([typed, readTransactionCode(typed)]).toEqual([typed, "MM-7K2Q9XAB"]);
    expect(readTransactionCode("MM-OILZ3456")).toBe("MM-011Z3456");
    for (const typed of ["", "MM-", "MM-1234567", "MM-123456789", "MM-1234567U", "SR-12345678", "<script>"])
      expect([typed, readTransactionCode(typed)]).toEqual([typed, undefined]);
    expect(askSupportSchema.parse({ ...written, code: "  " }).code).toBeUndefined();
  });
});
