import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { SMTPServer } from "smtp-server";
import { config, overrideConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { drainJobs } from "#db/jobs";
import { defaultCustomizations } from "#forms/mailer";
import { listEntries } from "#modules/audit";
import { sendMail, stopMailer } from "#modules/mailer";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { anAdmin, someone, visitor } from "../core/people.fixture.ts";
import {
  customizeEmail,
  emailConfig,
  emailTemplate,
  emailTemplates,
  previewEmail,
  sendTestEmail,
} from "./email-settings.ts";

useDatabase();
const before = config();
afterAll(() => overrideConfig(before));

let received: Array<{ to: string; raw: string }> = [];
let refusing = false;
let server: SMTPServer;

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    logger: false,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (refusing) return done(Object.assign(new Error("no"), { responseCode: 550 }));
        received.push({
          to: session.envelope.rcptTo[0]?.address ?? "",
          raw: Buffer.concat(chunks).toString("utf8"),
        });
        done();
      });
    },
  });
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, "127.0.0.1", () => {
      const address = listening.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  overrideConfig({ SMTP_URL: `smtp://127.0.0.1:${port}`, PUBLIC_URL: "https://midman.example" });
});
afterAll(async () => {
  await stopMailer();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});
beforeEach(() => {
  received = [];
  refusing = false;
});

test("only administrators can open the email settings", async () => {
  for (const [actor, code] of [
    [visitor(), "AUTH_REQUIRED"],
    [(await someone()).actor, "ADMIN_REQUIRED"],
  ] as const) {
    const refused = { ok: false, code } as never;
    expect(emailConfig(actor)).toEqual(refused);
    expect(await emailTemplate(actor, "welcome")).toEqual(refused);
    expect(await emailTemplates(actor)).toEqual(refused);
    expect(await previewEmail(actor, "welcome", "en")).toEqual(refused);
    expect(await customizeEmail(actor, "welcome", defaultCustomizations)).toEqual(refused);
    expect(await sendTestEmail(actor, "a@example.mn", "en")).toEqual(refused);
  }
  expect(received).toEqual([]);
});

test("the server's settings are shown without its password", async () => {
  const { actor: admin } = await anAdmin();
  const { SMTP_URL } = config();
  overrideConfig({ SMTP_URL: "smtps://post%40midman:s3cret-word@mail.example" });
  const told = emailConfig(admin);
  expect(told).toMatchObject({
    config: { configured: true, host: "mail.example", port: 465, user: "post@midman" },
  });
  expect(JSON.stringify(told)).not.toContain("s3cret");
  overrideConfig({ SMTP_URL: undefined });
  expect(emailConfig(admin)).toMatchObject({
    config: { configured: false, host: null, port: null, user: null },
  });
  overrideConfig({ SMTP_URL });
});

describe("a test mail", () => {
  test("is sent immediately and recorded", async () => {
    const { actor: admin } = await anAdmin();
    expect(await sendTestEmail(admin, "try@example.mn", "en")).toEqual({ ok: true });
    expect(received).toMatchObject([{ to: "try@example.mn" }]);
    expect(received[0]?.raw).toContain("Subject: Test email from Midman");
    expect(received[0]?.raw).toContain("From: Midman <admin@midman.example>");
    const { entries } = await listEntries({ userId: admin.userId });
    expect(entries.map(({ action }) => action)).toContain("mail_test_sent");
  });

  test("that the server refuses is reported, and not retried", async () => {
    refusing = true;
    expect(await sendTestEmail((await anAdmin()).actor, "try@example.mn", "en")).toEqual({
      ok: false,
      code: "MAIL_NOT_SENT",
    });
    refusing = false;
    await drainJobs();
    expect(received.filter(({ to }) => to === "try@example.mn")).toEqual([]);
    const queued = await db().execute(sql`SELECT 1 FROM mailer.messages WHERE state = 'queued'`);
    expect(queued).toHaveLength(0);
  });

  test("of a template uses its values, and refuses links to other sites", async () => {
    const { actor: admin } = await anAdmin();
    const what = { template: "passwordReset" as const, params: { minutes: 17, name: "Naran" } };
    expect(await sendTestEmail(admin, "try@example.mn", "en", what)).toEqual({ ok: true });
    expect(received.at(-1)?.raw).toContain("17 minutes");
    const wrong: Array<Record<string, string | number>> = [
      { url: "https://evil.example/" },
      { minutes: "x" },
      { wild: 1 },
    ];
    for (const params of wrong) {
      const answer = await sendTestEmail(admin, "try@example.mn", "en", {
        template: "passwordReset",
        params,
      });
      expect(answer).toEqual({ ok: false, code: "VALIDATION" });
    }
  });
});

describe("a template's design", () => {
  test("applies to every later mail, and has versions", async () => {
    const { actor: admin } = await anAdmin();
    const look = {
      ...defaultCustomizations,
      primaryColor: "#15803d",
      buttonTextEn: "Off we go",
      subjectEn: "Hello {{name}}",
    };
    const stale = { ...admin, authenticatedAt: new Date(Date.now() - 11 * 60_000) };
    expect(await customizeEmail(stale, "welcome", look, 0)).toEqual({ ok: false, code: "REAUTH_REQUIRED" });
    expect(await customizeEmail(admin, "welcome", look, 0)).toEqual({ ok: true, version: 1 });
    expect(await customizeEmail(admin, "welcome", look, 1)).toEqual({ ok: true, version: 1 });
    expect(await emailTemplate(admin, "welcome")).toMatchObject({
      template: { version: 1, savedBy: admin.displayName, customizations: look },
    });
    await runInTransaction((tx) =>
      sendMail(tx, {
        template: "welcome",
        to: "new@example.mn",
        language: "en",
        data: { name: "Bat", url: "/chat" },
      }),
    );
    await drainJobs();
    const welcome = received.find(({ to }) => to === "new@example.mn")?.raw;
    expect(welcome).toContain("Subject: Hello Bat");
    expect(welcome).toContain("Off we go");
    expect(welcome).toContain("#15803d");
    const { entries } = await listEntries({ userId: admin.userId });
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: "mail_template_saved",
        data: { before: 0, after: 1, changed: "subjectEn,primaryColor,buttonTextEn" },
      }),
    );
  });

  test("saved by two at once is saved by one, and the other is told", async () => {
    const [{ actor: one }, { actor: other }] = [await anAdmin(), await anAdmin()];
    const answers = await Promise.all([
      customizeEmail(one, "passwordReset", { ...defaultCustomizations, fontSize: 14 }, 0),
      customizeEmail(other, "passwordReset", { ...defaultCustomizations, fontSize: 18 }, 0),
    ]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => !ok)).toEqual({
      ...{ ok: false, code: "TEMPLATE_CHANGED", params: { version: 1 }, current: { version: 1 } },
    } as never);
    expect(
      await customizeEmail(other, "passwordReset", { ...defaultCustomizations, fontSize: 19 }, 1),
    ).toMatchObject({
      version: 2,
    });
  });

  test("cannot be changed or removed once saved", async () => {
    await customizeEmail((await anAdmin()).actor, "transactionCompletion", {
      ...defaultCustomizations,
      fontSize: 13,
    });
    for (const statement of [
      sql`UPDATE mailer.template_versions SET user_id = 1`,
      sql`DELETE FROM mailer.template_versions`,
    ]) {
      await expect((async () => await db().execute(statement))()).rejects.toThrow();
    }
  });
});
