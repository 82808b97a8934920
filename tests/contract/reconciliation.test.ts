import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { supportedLanguages, translateText } from "#locales";
import { paths } from "../../app/paths.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { errorOf, postForm, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { setRight } from "../support/people/administrator-rights.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import {
  bankInfo,
  openPaidTrade,
  payAt,
  requestPayment,
  type ServerTrade,
} from "../support/trades/server-trades.ts";

/** The desk's money pages: a day against the provider, the halt switch, suspense and the transfers as a file. */

const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
const tomorrow = new Date(Date.now() + 32 * 3_600_000).toISOString().slice(0, 10);

let server: Server;
let admin: Client;
let paid: ServerTrade;
let missed: ServerTrade;
let outsider: Person;

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
  [paid, missed, outsider] = await Promise.all([
    openPaidTrade(server),
    requestPayment(server),
    registerPerson(server),
  ]);
  // The bank takes the money and the callback is lost.
  await payAt(missed.buyer, missed.invoiceId, { callback: false });
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

const grant = (who: Person, yes: boolean) => setRight(who.id, yes);
const run = () => postForm(admin, paths.adminReconciliation, { form: "reconcile", day: today });
const pageOf = async (day = today) => expectStatus(await admin.get(paths.adminReconciliationOf(day)), 200);

type Difference = { id: number; cause: string; state: string; transaction: { id: number } | null };
async function differences(): Promise<Difference[]> {
  const { body } = expectStatus(await admin.get(`/api/admin/reconciliation?day=${today}`), 200);
  return body.differences as Difference[];
}

const pages = [paths.adminReconciliation, paths.adminMoney, `${paths.adminTransfers}?day=${today}`];
const calls: Array<["GET" | "POST", string, unknown?]> = [
  ["GET", "/api/admin/reconciliation"],
  ["POST", "/api/admin/reconciliation", { day: today }],
  ["POST", "/api/admin/differences/1/resolve", { note: "x" }],
  ["POST", "/api/admin/differences/1/ask"],
  ["GET", "/api/admin/money"],
  ["POST", "/api/admin/money/halt", { on: true, reason: "x" }],
];

describe("someone who is not an administrator", () => {
  test("sees no page, gets no file and reaches no call, even if they were one", async () => {
    const demoted = await registerPerson(server);
    await grant(demoted, true);
    expectStatus(await demoted.get(paths.adminMoney), 200);
    await grant(demoted, false);
    const refused: Array<[Client, number]> = [
      [server.client(), 401],
      [outsider, 403],
      [demoted, 403],
    ];
    for (const [who, status] of refused) {
      for (const path of pages) {
        const reply = await who.get(path);
        expect([path, reply.status]).toEqual([path, 303]);
        expect(reply.headers.get("location")).toStartWith(paths.adminLogin);
        expect(reply.text).toBe("");
      }
      for (const path of pages.slice(0, 2)) {
        const reply = await postForm(who, path, { form: "halt", reason: "x", word: "HALT", day: today });
        expect(reply.headers.get("location")).toStartWith(paths.adminLogin);
      }
      for (const [method, path, body] of calls) {
        const reply = await who.send(method, path, body);
        expect([path, reply.status]).toEqual([path, status]);
      }
    }
    const halts = await db().execute(sql`SELECT halted, changed_by FROM payments.halt`);
    expect(halts).toMatchObject([{ halted: false, changed_by: null }]);
    expect(await db().execute(sql`SELECT id FROM payments.reconciliation_runs`)).toHaveLength(0);
  });
});

describe("a day compared with the provider", () => {
  test("shows both totals, the difference in plain words of either language, and the next step", async () => {
    expect(visibleText((await pageOf()).text)).toContain(translateText("en", "admin.recon.notYet"));
    const answer = await run();
    expect(await readToastAfter(admin, answer)).toEqual([
      paths.adminReconciliationOf(today),
      translateText("en", "escrow.reconciled"),
    ]);
    for (const language of supportedLanguages) {
      const said = visibleText(
        expectStatus(await admin.get(`${paths.adminReconciliationOf(today)}&lang=${language}`), 200).text,
      );
      for (const key of [
        "cause.missing_here.title",
        "cause.missing_here.next",
        "nextStep",
        "ask",
        "resolve",
      ]) {
        expect(said).toContain(translateText(language, `admin.recon.${key}`));
      }
      expect(said).toContain("220,000 ₮");
      expect(said).toContain("110,000 ₮");
    }
    expectStatus(await admin.get(`${paths.adminReconciliation}?lang=en`), 200);
    expect(await differences()).toMatchObject([
      { cause: "missing_here", state: "open", transaction: { id: missed.id } },
    ]);
  });

  test("cannot be resolved by an administrator for their own trade", async () => {
    const [one] = await differences();
    await grant(missed.seller, true);
    const path = `/api/admin/differences/${one?.id}`;
    expect((await missed.seller.post(`${path}/resolve`, { note: "Mine" })).body.code).toBe("OWN_TRADE");
    expect((await missed.seller.post(`${path}/ask`)).body.code).toBe("OWN_TRADE");
    await grant(missed.seller, false);
    expect(await differences()).toMatchObject([{ state: "open" }]);
  });

  test("checking the provider books what is paid, and the next run closes the difference", async () => {
    const [one] = await differences();
    const asked = await postForm(admin, paths.adminReconciliationOf(today), {
      form: "ask",
      difference: String(one?.id),
    });
    expect(await readToastAfter(admin, asked)).toEqual([
      paths.adminReconciliationOf(today),
      translateText("en", "escrow.differenceAsked"),
    ]);
    const { body } = expectStatus(await missed.buyer.get(`/api/transactions/${missed.id}`), 200);
    expect(body.status).toBe("payment_confirmed");
    expectStatus(await run(), 303);
    expect(await differences()).toMatchObject([{ id: one?.id, state: "vanished" }]);
    expect(visibleText((await pageOf()).text)).toContain(translateText("en", "admin.recon.agrees"));
  });

  test("a difference is resolved once, with a note, and everything is in the log", async () => {
    const odd = await requestPayment(server);
    await payAt(odd.buyer, odd.invoiceId, { callback: false, currency: "USD" });
    expectStatus(await run(), 303);
    const one = (await differences()).find(({ state }) => state === "open");
    expect(one?.cause).toBe("uncountable");
    const at = paths.adminReconciliationOf(today);
    const resolve = (note: string) =>
      postForm(admin, at, { form: "resolve", difference: String(one?.id), note });
    const empty = expectStatus(await resolve(" "), 422);
    expect(errorOf(empty, `resolve-${one?.id}-note`)).toBe(translateText("en", "validation.found"));
    const done = await resolve("The payer took it back");
    expect(await readToastAfter(admin, done)).toEqual([at, translateText("en", "escrow.differenceResolved")]);
    expectStatus(await resolve("A second word"), 303);
    const said = visibleText((await pageOf()).text);
    expect(said).toContain("The payer took it back");
    expect(said).not.toContain("A second word");
    const log = await db().execute<{ action: string; n: string }>(
      sql`SELECT action, count(*) n FROM audit.entries WHERE action LIKE 'reconciliation.%' GROUP BY action ORDER BY action`,
    );
    expect([...log]).toMatchObject([
      { action: "reconciliation.asked", n: "1" },
      { action: "reconciliation.resolved", n: "1" },
      { action: "reconciliation.run", n: "3" },
    ]);
  });

  test("a future day is refused, and an invalid one counts as yesterday", async () => {
    expect((await admin.post("/api/admin/reconciliation", { day: tomorrow })).body.code).toBe("DAY_AHEAD");
    for (const day of ["2026-02-30", "soon", "", "1999-01-01"]) {
      const reply = await admin.post("/api/admin/reconciliation", { day });
      expect([day, reply.status]).toEqual([day, 422]);
      expectStatus(
        await admin.get(`${paths.adminReconciliation}?day=${encodeURIComponent(day)}&before=x`),
        200,
      );
    }
  });

  test("a provider that does not answer is reported and recorded", async () => {
    expectStatus(
      await admin.post("/sandbox/qpay/behave", { operation: "list", fail: 500, nextCalls: "all" }),
      200,
    );
    const [, toast] = await readToastAfter(admin, await run());
    expect(toast).toBe(translateText("en", "errors.PROVIDER_UNAVAILABLE"));
    expect(visibleText((await pageOf()).text)).toContain(
      translateText("en", "admin.recon.failure.PROVIDER_UNAVAILABLE"),
    );
    expectStatus(await admin.post("/sandbox/qpay/behave", { reset: true }), 200);
  });
});

const deskPages = [
  ...[paths.admin, paths.adminPayouts, paths.adminMoney, paths.adminReconciliation, paths.adminTransactions],
  ...[paths.adminUsers, paths.adminActivityLogs, paths.adminEmail, paths.adminEmailEdit("welcome")],
];

describe("the halt switch", () => {
  const halt = (word: string, reason = "The bank was broken into") =>
    postForm(admin, paths.adminMoney, { form: "halt", reason, word });

  test("asks for a reason and the word, turns the switch, shows who and why on the page and in a banner, and resumes", async () => {
    const wrong = expectStatus(await halt("stop", ""), 422);
    expect(errorOf(wrong, "halt-word")).toBe(translateText("en", "validation.haltWord"));
    expect(errorOf(wrong, "halt-reason")).toBe(translateText("en", "validation.reasonMissing"));
    expect(await readToastAfter(admin, await halt("halt"))).toEqual([
      paths.adminMoney,
      translateText("en", "escrow.moneyHalted"),
    ]);
    const said = visibleText(expectStatus(await admin.get(paths.adminMoney), 200).text);
    expect(said).toContain(translateText("en", "admin.moneyDesk.halted"));
    expect(said).toContain("The bank was broken into");
    for (const desk of deskPages) {
      const html = expectStatus(await admin.get(desk), 200).text;
      expect([desk, html.split(translateText("en", "admin.moneyDesk.halted")).length - 1]).toEqual([desk, 1]);
    }
    expect((await admin.get("/settings")).text).not.toContain(translateText("en", "admin.moneyDesk.halted"));
    const resume = { form: "resume", reason: "All clear", word: "үргэлжлүүл" };
    const again = await postForm(admin, paths.adminMoney, resume);
    expect(await readToastAfter(admin, again)).toEqual([
      paths.adminMoney,
      translateText("en", "escrow.moneyResumed"),
    ]);
    expect(visibleText((await pageOf()).text)).not.toContain(translateText("en", "admin.moneyDesk.halted"));
  });

  test("asks for a fresh login, and keeps what was typed", async () => {
    const stale = await signInAdministrator(server);
    await db().execute(
      sql`UPDATE identity.sessions SET authenticated_at = authenticated_at - interval '11 minutes'`,
    );
    const answer = await postForm(stale, paths.adminMoney, { form: "halt", reason: "Why", word: "HALT" });
    const kept = expectStatus(answer, 403).text;
    expect(kept).toContain("Why");
    expect(kept).toContain(`href="${paths.adminLogin}"`);
    expect((await stale.post("/api/admin/money/halt", { on: true, reason: "x" })).body.code).toBe(
      "REAUTH_REQUIRED",
    );
    expect(await db().execute(sql`SELECT halted FROM payments.halt`)).toMatchObject([{ halted: false }]);
    admin = await signInAdministrator(server);
  });
});

test("money without a trade is listed with its amount, its payer's bank, its trade and its refund", async () => {
  await payAt(paid.buyer, paid.invoiceId, { amount: 7_777 });
  for (let tries = 0; tries < 100; tries++) {
    if (visibleText(expectStatus(await admin.get(paths.adminMoney), 200).text).includes("7,777 ₮")) break;
    await Bun.sleep(100);
  }
  const { body } = expectStatus(await admin.get("/api/admin/money"), 200);
  expect(body.suspense).toMatchObject([
    { amount: 7_777, payerBank: "050000", transaction: { id: paid.id }, refund: { state: "due" } },
  ]);
  const said = visibleText(expectStatus(await admin.get(paths.adminMoney), 200).text);
  for (const part of ["7,777 ₮", "Khan Bank", translateText("en", "admin.noDestination")])
    expect(said).toContain(part);
});

test("the day's transfers are a file that no spreadsheet executes, and the download is logged", async () => {
  const { seller, buyer, id } = missed;
  const evil = {
    ...bankInfo,
    accountNumber: "0050123456",
    accountName: '=HYPERLINK("http://evil.example","x")',
  };
  expectStatus(await seller.post(`/api/transactions/${id}/bank-info`, evil), 200, 201);
  expectStatus(await buyer.post(`/api/transactions/${id}/complete`), 200);
  expectStatus(await seller.post(`/api/transactions/${id}/complete`), 200);
  expectStatus(
    await postAsShown(admin, `/api/admin/transactions/${id}/settle`, { bankReference: "KHAN-77" }),
    200,
  );
  const file = expectStatus(await admin.get(`${paths.adminTransfers}?day=${today}`), 200);
  expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(file.headers.get("content-disposition")).toBe(`attachment; filename="transfers-${today}.csv"`);
  expect(file.headers.get("cache-control")).toBe("no-store");
  const lines = file.text
    .replace(/^\ufeff/, "")
    .trimEnd()
    .split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil.example"",""x"")"`);
  expect(lines[1]).toContain("payout,100000,10000,Khan Bank");
  expect(lines[1]).toContain('"=""0050123456"""');
  expect(lines[1]).toContain('"=""KHAN-77"""');
  const log = sql`SELECT data FROM audit.entries WHERE action = 'money.exported'`;
  expect(await db().execute(log)).toMatchObject([{ data: { transfers: 1 } }]);
  for (const [headers, status] of [
    [{ "Sec-Purpose": "prefetch" }, 503],
    [{ "Sec-Fetch-Site": "cross-site" }, 303],
  ] as const) {
    const reply = await admin.send("GET", `${paths.adminTransfers}?day=${today}`, undefined, headers);
    expect([reply.status, reply.text]).toEqual([status, ""]);
  }
  expect(await db().execute(log)).toHaveLength(1);
  const none = await admin.get(`${paths.adminTransfers}?day=x`);
  expect(none.headers.get("location")).toBe(paths.adminMoney);
});
