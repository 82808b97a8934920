import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { config, overrideConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { drainJobs, startJobs, stopJobs } from "#db/jobs";
import { listEntries } from "#modules/audit";
import { tablesWith } from "../../../../tests/support/database/all-rows.ts";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { type Mail, sendMail, stopMailer } from "../../index.ts";
import { mailMessagesTable } from "../core/schema.ts";
import { templateSamples } from "../templates/template-samples.ts";
import { deliverMail } from "./deliver-mail.ts";

const database = useDatabase();
const before = config();
afterAll(() => overrideConfig(before));

type Received = { from: string; to: string[]; raw: string };
let received: Received[] = [];
/** The server's replies to the next mails, in order: a status code, or undefined to accept the mail. */
let refusals: Array<number | undefined> = [];
/** The server waits for this before it answers. */
let gate: Promise<void> = Promise.resolve();
let server: SMTPServer;
let port = 0;

function listen(options: SMTPServerOptions): Promise<[SMTPServer, number]> {
  const opened = new SMTPServer({ authOptional: true, logger: false, onData, ...options });
  opened.on("error", () => {});
  return new Promise((resolve) => {
    const listening = opened.listen(0, "127.0.0.1", () => {
      const address = listening.address();
      resolve([opened, typeof address === "object" && address !== null ? address.port : 0]);
    });
  });
}

const onData: SMTPServerOptions["onData"] = (stream, session, done) => {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  stream.on("end", () => {
    const { mailFrom, rcptTo } = session.envelope;
    const refusal = refusals.shift();
    if (refusal !== undefined) return done(Object.assign(new Error("not now"), { responseCode: refusal }));
    received.push({
      from: mailFrom ? mailFrom.address : "",
      to: rcptTo.map(({ address }) => address),
      raw: Buffer.concat(chunks).toString("utf8"),
    });
    gate.then(() => done());
  });
};

beforeAll(async () => {
  [server, port] = await listen({ disabledCommands: ["STARTTLS"] });
});
afterAll(async () => {
  await stopMailer();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});
beforeEach(() => {
  received = [];
  refusals = [];
  overrideConfig({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    PUBLIC_URL: "https://midman.example",
    MAIL_FROM: "Мидман <no-reply@midman.example>",
  });
});
afterEach(async () => {
  await ownerDatabase().execute(sql`TRUNCATE mailer.messages, mailer.mailbox`);
  await db().execute(sql`DELETE FROM pgboss.job`);
});

const reset: Mail = {
  template: "passwordReset",
  to: "bat@example.com",
  language: "mn",
  data: { ...templateSamples.passwordReset, url: "/reset-password?token=secret" },
  userId: 7,
};
const queue = (mail: Mail) => runInTransaction((tx) => sendMail(tx, mail));
/** Queues only the reset mail and returns its id. */
async function queued(): Promise<number> {
  await queue(reset);
  return (await outbox()).at(-1)?.id ?? 0;
}
const outbox = () => db().select().from(mailMessagesTable).orderBy(mailMessagesTable.id);
const later = () => new Date(Date.now() + 86_400_000);

test("a mail reaches the server unchanged, in Mongolian and in English", async () => {
  await queue(reset);
  await queue({
    template: "handedOver",
    to: "saraa@example.com",
    language: "en",
    data: templateSamples.handedOver,
  });
  expect(await drainJobs()).toMatchObject({ done: 2, failed: 0 });
  received.sort((a, b) => (a.from < b.from ? -1 : 1));
  const [first, second] = await Promise.all(received.map(({ raw }) => PostalMime.parse(raw)));
  expect(received[0]).toMatchObject({ from: "accounts@midman.example", to: ["bat@example.com"] });
  expect(first).toMatchObject({
    from: { name: "Мидман", address: "accounts@midman.example" },
    to: [{ address: "bat@example.com" }],
    replyTo: [{ address: "support@midman.example" }],
    subject: "Midman: нууц үг сэргээх",
  });
  expect(first?.text).toContain("https://midman.example/reset-password?token=secret");
  expect(first?.html).toContain("Сайн байна уу, Бат-Эрдэнэ?");
  expect(second).toMatchObject({
    from: { address: "transactions@midman.example" },
    subject: "Item handed over: MM-7K2Q9",
  });
  expect(second?.html).toContain("<title>Item handed over: MM-7K2Q9</title>");
});

test("a reply goes to the address that the mail names, which is erased once it is sent", async () => {
  await queue({
    template: "supportRequest",
    to: "support@midman.example",
    replyTo: "bat@example.mn",
    language: "mn",
    data: templateSamples.supportRequest,
  });
  await drainJobs();
  const mail = await PostalMime.parse(received[0]?.raw ?? "");
  expect(mail.replyTo).toEqual([{ name: "", address: "bat@example.mn" }]);
  expect(mail.from?.address).toBe("admin@midman.example");
  expect(JSON.stringify(await outbox())).not.toContain("bat@example.mn");
});

test("an invalid reply address, or two of them, throws and sends nothing", async () => {
  for (const replyTo of [
    "",
    "x",
    "a@example.mn, b@example.mn",
    "a@example.mn\r\nBcc: b@example.mn",
    "<a@example.mn>",
  ])
    await expect(queue({ ...reset, replyTo })).rejects.toThrow();
  expect(await drainJobs(later())).toEqual({ done: 0, failed: 0 });
});

test("once sent, its data are gone from the outbox, and the log has it", async () => {
  await queue(reset);
  expect(JSON.stringify(await outbox())).toContain("token=secret");
  await drainJobs();
  const [message] = await outbox();
  expect(message).toMatchObject({ state: "sent", data: {}, attempts: 1, leaseUntil: null, lastError: null });
  expect(message?.endedAt).toBeDate();
  const jobs = await db().execute(
    sql`SELECT to_jsonb(job)::text AS job FROM pgboss.job WHERE name = 'mailer.deliver'`,
  );
  expect(JSON.stringify(jobs)).not.toContain("secret");
  const { entries } = await listEntries({ subject: { kind: "mail", id: message?.id ?? 0 } });
  expect(entries).toMatchObject([{ action: "mail_sent", userId: 7, data: { template: "passwordReset" } }]);
});

test("a transaction that rolls back sends nothing", async () => {
  const rolledBack = runInTransaction(async (tx) => {
    await sendMail(tx, reset);
    throw new Error("no");
  });
  await expect(rolledBack).rejects.toThrow("no");
  expect(await drainJobs(later())).toEqual({ done: 0, failed: 0 });
  expect(received).toEqual([]);
});

test("the same key sends once, however often and concurrently it is used", async () => {
  const keyed: Mail = { ...reset, key: "reset:1" };
  await runInTransaction(async (tx) => {
    await sendMail(tx, keyed);
    await sendMail(tx, keyed);
  });
  await Promise.all(Array.from({ length: 8 }, () => queue(keyed)));
  await queue({ ...reset, key: "reset:2" });
  await drainJobs();
  await queue(keyed);
  await drainJobs(later());
  expect(received).toHaveLength(2);
});

test("a mail that the server refuses stays queued for a retry, and is then delivered", async () => {
  refusals = [451, 421];
  const id = await queued();
  await expect(deliverMail(id)).rejects.toThrow("451");
  await expect(deliverMail(id)).rejects.toThrow("421");
  expectMatch(await outbox(), [{ state: "queued", attempts: 2, lastError: expect.stringContaining("421") }]);
  await deliverMail(id);
  expect(received).toHaveLength(1);
  expect(await outbox()).toMatchObject([{ state: "sent", attempts: 3 }]);
});

test("running jobs retry a refused mail by themselves", async () => {
  refusals = [451];
  await startJobs(database.url, { pollingSeconds: 0.5 });
  await queue(reset);
  for (let wait = 0; wait < 150 && received.length === 0; wait++) await Bun.sleep(100);
  await stopJobs();
  expect(received).toHaveLength(1);
  expect(await outbox()).toMatchObject([{ state: "sent", attempts: 2 }]);
});

test("a mail waits until an unreachable server is back", async () => {
  overrideConfig({ SMTP_URL: "smtp://127.0.0.1:9" });
  const id = await queued();
  await expect(deliverMail(id)).rejects.toThrow();
  overrideConfig({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  await deliverMail(id);
  expect(received).toHaveLength(1);
});

test("a refusal that repeats the address keeps it in the outbox only; the job has only its codes", async () => {
  const [unwilling, itsPort] = await listen({
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _, done) =>
      done(Object.assign(new Error(`<${address}>: unknown`), { responseCode: 550 })),
  });
  overrideConfig({ SMTP_URL: `smtp://127.0.0.1:${itsPort}` });
  const id = await queued();
  expect(await drainJobs()).toEqual({ done: 0, failed: 1 });
  await stopMailer();
  await new Promise<void>((resolve) => unwilling.close(() => resolve()));
  expect(await tablesWith([reset.to])).toEqual(["mailer.messages"]);
  expect((await outbox())[0]?.lastError).toContain(`<${reset.to}>: unknown`);
  const [job] = await db().execute<{ message: string }>(
    sql`SELECT output ->> 'message' AS message FROM pgboss.job WHERE name = 'mailer.deliver'`,
  );
  expect(job?.message).toBe(`mail ${id} was not sent: EENVELOPE 550`);
});

test("a mail that cannot be stored leaves none of its content in the error", async () => {
  overrideConfig({ SMTP_URL: undefined });
  await ownerDatabase().execute(
    sql`ALTER TABLE mailer.mailbox ADD CONSTRAINT filled CHECK (false) NOT VALID`,
  );
  const id = await queued();
  await db().update(mailMessagesTable).set({ attempts: 119 });
  await deliverMail(id);
  await ownerDatabase().execute(sql`ALTER TABLE mailer.mailbox DROP CONSTRAINT filled`);
  const [failed] = await outbox();
  const said = failed?.lastError ?? "";
  expect([failed?.state, said.startsWith("Failed query: insert")]).toEqual(["failed", true]);
  expect(["accounts@midman.example", reset.to].filter((one) => said.includes(one))).toEqual([]);
});

test("a mail that is always refused is given up, its data erased, and the log has it", async () => {
  refusals = [550];
  const id = await queued();
  await db().update(mailMessagesTable).set({ attempts: 119 });
  await deliverMail(id);
  expect(await outbox()).toMatchObject([{ state: "failed", data: {}, attempts: 120 }]);
  const { entries } = await listEntries({ subject: { kind: "mail", id } });
  expect(entries).toMatchObject([{ action: "mail_failed" }]);
});

test("a crash after the server accepted it repeats the mail under the same Message-ID", async () => {
  await ownerDatabase().execute(
    sql`ALTER TABLE mailer.messages ADD CONSTRAINT crash CHECK (state <> 'sent')`,
  );
  const id = await queued();
  await expect(deliverMail(id)).rejects.toThrow();
  await ownerDatabase().execute(sql`ALTER TABLE mailer.messages DROP CONSTRAINT crash`);
  await deliverMail(id);
  const [first, second] = await Promise.all(received.map(({ raw }) => PostalMime.parse(raw)));
  expect(first?.messageId).toMatch(/^<[0-9a-f-]{36}@midman\.example>$/);
  expect(second?.messageId).toBe(first?.messageId ?? "");
});

test("two workers with the same job send one mail", async () => {
  const open = Promise.withResolvers<void>();
  gate = open.promise;
  const id = await queued();
  const first = deliverMail(id);
  while (received.length === 0) await Bun.sleep(5);
  await expect(deliverMail(id)).rejects.toThrow("another worker");
  open.resolve();
  await first;
  await deliverMail(id);
  expect(received).toHaveLength(1);
});

test("the lease of a killed worker expires by itself", async () => {
  const id = await queued();
  await db().execute(sql`UPDATE mailer.messages SET lease_until = now() - interval '1 second', attempts = 1`);
  await deliverMail(id);
  expect(received).toHaveLength(1);
});

test("invalid data or an invalid address throws and sends nothing", async () => {
  const odd = { ...reset, data: { ...reset.data, url: "https://evil.example/" } } as Mail;
  await expect(queue(odd)).rejects.toThrow("must lead to Midman itself");
  await expect(queue({ ...reset, to: "a@example.com, b@example.com" })).rejects.toThrow();
  expect(await outbox()).toEqual([]);
});

test("smtps is TLS, and an untrusted certificate is refused unless the address allows it", async () => {
  const [secure, securePort] = await listen({ secure: true });
  overrideConfig({ SMTP_URL: `smtps://127.0.0.1:${securePort}` });
  const id = await queued();
  await expect(deliverMail(id)).rejects.toThrow(`mail ${id} was not sent`);
  expect((await outbox())[0]?.lastError).toMatch(/certificate/);
  overrideConfig({ SMTP_URL: `smtps://127.0.0.1:${securePort}?tls.rejectUnauthorized=false` });
  await deliverMail(id);
  expect(received).toHaveLength(1);
  await stopMailer();
  await new Promise<void>((resolve) => secure.close(() => resolve()));
});
