import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { type Language, translateText } from "#locales";
import { paths } from "../../app/paths.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { postForm, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { expectStatus, registerPerson, signInAdministrator } from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openPaidTrade } from "../support/trades/server-trades.ts";

/** The nightly proofs of the ledger and the log, as the desk sees them: scripts off, in both languages. */

let server: Server;
let admin: Client;
const languages = ["en", "mn"] as const;

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
  await openPaidTrade(server);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

/** What a page says to an administrator in a language. */
async function said(path: string, language: Language): Promise<string> {
  const asked = { "Accept-Language": language };
  return visibleText(expectStatus(await admin.send("GET", path, undefined, asked), 200).text);
}

/** Presses "verify now" and waits until the job has kept what came of it. */
async function pressed(
  page: string,
  table: "payments.ledger_checks" | "audit.checks",
): Promise<string | null> {
  const count = async () => {
    const [row] = await db().execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM ${sql.raw(table)}`);
    return row?.n ?? 0;
  };
  const before = await count();
  const [, toast] = await readToastAfter(admin, await postForm(admin, page, { form: "verify" }));
  for (let i = 0; i < 200 && (await count()) === before; i++) await Bun.sleep(50);
  expect(await count()).toBe(before + 1);
  return toast;
}

const asReplica = (statement: ReturnType<typeof sql>) =>
  db().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(statement);
  });

const alarms = async () =>
  expectStatus(await admin.get("/api/admin/queue"), 200).body.alarms as unknown as object[];

describe("the ledger", () => {
  test("is shown as unverified before the first time, and as balanced with its sums after a button", async () => {
    for (const language of languages) {
      expect(await said(paths.adminMoney, language)).toContain(
        translateText(language, "admin.ledger.unverified"),
      );
    }
    expect(await pressed(paths.adminMoney, "payments.ledger_checks")).toBe(
      translateText("en", "admin.ledger.verifying"),
    );
    for (const language of languages) {
      const page = await said(paths.adminMoney, language);
      expect(page).toContain(translateText(language, "admin.ledger.whole"));
      expect(page).toMatch(
        new RegExp(`${translateText(language, "admin.ledger.sum.received")}\\s+110,000 ₮`),
      );
      expect(page).toMatch(new RegExp(`${translateText(language, "admin.ledger.sum.held")}\\s+110,000 ₮`));
    }
    expect(await alarms()).toEqual([]);
  });

  test("is verified for administrators only", async () => {
    const member = await registerPerson(server);
    const { status, headers } = await postForm(member, paths.adminMoney, { form: "verify" });
    expect([status, headers.get("location")]).toEqual([303, expect.stringContaining(paths.adminLogin)]);
  });

  test("that is broken comes first in the work queue, names what is wrong, mails the administrators and is in the server's log", async () => {
    await asReplica(sql`UPDATE payments.balances SET balance = balance + 1`);
    await pressed(paths.adminMoney, "payments.ledger_checks");
    expect(await alarms()).toEqual([{ of: "ledger", state: "broken", since: expect.any(String) }]);
    for (const language of languages) {
      const page = await said(paths.adminMoney, language);
      expect(page).toContain(translateText(language, "admin.ledger.broken"));
      expect(page).toContain(translateText(language, "admin.ledger.problem.BALANCE_DIFFERS"));
      const desk = await said(paths.admin, language);
      expect(desk).toContain(translateText(language, "admin.work.alarm.ledger.broken"));
    }
    const { text: html } = expectStatus(await admin.get(paths.admin), 200);
    expect(/data-task="(\w+)"/.exec(html)?.[1]).toBe("alarm");
    expect(html).toContain(`href="${paths.adminLedger}"`);
    expect(server.output()).toContain("the ledger is broken");
    const mails = await db().execute<{ recipient: string }>(
      sql`SELECT recipient FROM mailer.messages WHERE template = 'brokenAlarm'`,
    );
    expect(mails.map(({ recipient }) => recipient)).toContain("admin@midman.example");
  });

  test("that balances again is no alarm any more", async () => {
    await asReplica(sql`UPDATE payments.balances SET balance = balance - 1`);
    await pressed(paths.adminMoney, "payments.ledger_checks");
    expect(await alarms()).toEqual([]);
  });
});

describe("both", () => {
  test("are shown as unverified for more than a day and a half, until someone verifies them", async () => {
    await pressed(paths.adminActivityLogs, "audit.checks");
    await asReplica(sql`UPDATE payments.ledger_checks SET at = at - interval '37 hours'`);
    await asReplica(sql`UPDATE audit.checks SET at = at - interval '37 hours'`);
    expect(await alarms()).toMatchObject([
      { of: "ledger", state: "missing" },
      { of: "log", state: "missing" },
    ]);
    for (const language of languages) {
      expect(await said(paths.adminMoney, language)).toContain(
        translateText(language, "admin.ledger.missing"),
      );
      expect(await said(paths.adminActivityLogs, language)).toContain(
        translateText(language, "admin.logs.missing"),
      );
      const desk = await said(paths.admin, language);
      expect(desk).toContain(translateText(language, "admin.work.alarm.ledger.missing"));
      expect(desk).toContain(translateText(language, "admin.work.alarm.log.missing"));
    }
    await pressed(paths.adminMoney, "payments.ledger_checks");
    await pressed(paths.adminActivityLogs, "audit.checks");
    expect(await alarms()).toEqual([]);
  });

  test("a log that was altered is in the work queue until it is restored", async () => {
    await asReplica(sql`UPDATE audit.entries SET user_id = coalesce(user_id, 0) + 1`);
    await pressed(paths.adminActivityLogs, "audit.checks");
    expect(await alarms()).toMatchObject([{ of: "log", state: "broken" }]);
    for (const language of languages) {
      expect(await said(paths.adminActivityLogs, language)).toContain(
        translateText(language, "admin.logs.broken"),
      );
    }
    expect(server.output()).toContain("the log is broken");
    await asReplica(sql`UPDATE audit.entries SET user_id = nullif(user_id - 1, 0)`);
  });
});
