import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { supportedLanguages, translateText } from "#locales";
import { paths } from "../../app/paths.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { errorOf, postForm, readFieldValue, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { plantGrant, setRight } from "../support/people/administrator-rights.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { findBookFaults } from "../support/trades/trade-books.ts";

/** QPay's settlements to our bank account: entered by one administrator and confirmed by a second, by their page and by their calls. */

setDefaultTimeout(60_000);

let server: Server;
let first: Client;
let second: Person;
/** Made an administrator by the first one just now: with them one pair of eyes. */
let related: Person;
let outsider: Person;

const grant = (who: Person, yes: boolean) => setRight(who.id, yes);

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  first = await signInAdministrator(server);
  [second, related, outsider] = await Promise.all([
    registerPerson(server),
    registerPerson(server),
    registerPerson(server),
  ]);
  await Promise.all([grant(second, true), grant(related, true)]);
  await plantGrant(related.id);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

const at = paths.adminSettlements;
const call = "/api/admin/settlements";
const page = async (who: Client, query = "") => expectStatus(await who.get(`${at}${query}`), 200).text;
const enter = (who: Client, fields: Record<string, string>) =>
  postForm(who, at, { form: "settlement", ...fields });

type Listed = {
  waiting: Array<{ id: number; own: boolean; obstacle: string | null }>;
  recorded: Array<{ id: number; bankReference: string; received: number; cost: number }>;
  next: number | null;
  laidAside: Array<{ id: number; reason: string }>;
};
const listed = async (who: Client, query = "") =>
  expectStatus(await who.get(`${call}${query}`), 200).body as unknown as Listed;

const journals = async () =>
  (await db().execute(sql`SELECT id FROM payments.journals WHERE kind = 'settlement'`)).length;

test("someone who is not an administrator sees no page and reaches no call, even if they were one", async () => {
  const demoted = await registerPerson(server);
  await grant(demoted, true);
  expectStatus(await demoted.get(at), 200);
  await grant(demoted, false);
  const seen = { bankReference: "NOBODY", received: 990, cost: 10 };
  for (const [who, status] of [
    [server.client(), 401],
    [outsider, 403],
    [demoted, 403],
  ] as const) {
    const got = await who.get(at);
    expect([got.status, got.text]).toEqual([303, ""]);
    const posted = await enter(who, { bankReference: "NOBODY", received: "990", cost: "10" });
    expect(posted.headers.get("location")).toStartWith(paths.adminLogin);
    expect((await who.get(call)).status).toBe(status);
    expect((await who.post(call, seen)).status).toBe(status);
    expect((await who.post(`${call}/1/lay-aside`, { reason: "x" })).status).toBe(status);
  }
  expect(await db().execute(sql`SELECT id FROM payments.settlements`)).toHaveLength(0);
});

describe("the page", () => {
  test("says that nothing was recorded yet, and is linked from the treasury", async () => {
    for (const language of supportedLanguages) {
      const html = await page(first, `?lang=${language}`);
      for (const key of ["title", "lead", "nothing", "receivedHint", "costHint"] as const) {
        expect(visibleText(html)).toContain(translateText(language, `admin.settlements.${key}`));
      }
      expect(visibleText(html)).not.toContain(translateText(language, "admin.settlements.waiting"));
    }
    expect(expectStatus(await first.get(`${paths.adminMoney}?lang=en`), 200).text).toContain(`href="${at}"`);
  });

  test("shows errors beside each field, in the reader's language, and keeps the input", async () => {
    for (const language of supportedLanguages) {
      expectStatus(await first.get(`${at}?lang=${language}`), 200);
      const wrong = expectStatus(await enter(first, { bankReference: " ", received: "12.5", cost: "" }), 422);
      expect(errorOf(wrong, "settlement-bankReference")).toBe(
        translateText(language, "validation.bankReference"),
      );
      expect(errorOf(wrong, "settlement-received")).toBe(translateText(language, "validation.settled"));
      expect(errorOf(wrong, "settlement-cost")).toBe(translateText(language, "validation.settled"));
      expect(readFieldValue(wrong, "settlement-received")).toBe("12.5");
    }
    expectStatus(await first.get(`${at}?lang=en`), 200);
  });

  test("accepts an administrator's entry, shows nobody its figures, and records it once a second one enters the same", async () => {
    const seen = { bankReference: "qpay-77", received: "1,980,000", cost: "20,000" };
    expect(await readToastAfter(first, await enter(first, seen))).toEqual([
      at,
      translateText("en", "escrow.settlementProposed"),
    ]);
    expect(visibleText(await page(first))).toContain(translateText("en", "admin.settlements.yoursHint"));
    const html = await page(second);
    expect(visibleText(html)).toContain(translateText("en", "admin.settlements.othersHint"));
    const list = expectStatus(await second.get(paths.adminWork("settlement")), 200).text;
    expect(list).toContain(`href="${at}"`);
    const log = expectStatus(
      await second.get(`${paths.adminActivityLogs}?action=settlement.proposed`),
      200,
    ).text;
    expect(visibleText(log)).toContain(translateText("en", "actions.settlement.proposed"));
    const queue = expectStatus(await second.get("/api/admin/queue"), 200).text;
    const said = [html, list, log].map(visibleText).concat(queue, JSON.stringify(await listed(second)));
    for (const words of said) {
      expect(words).not.toMatch(/qpay-77/i);
      expect(words).not.toMatch(/1,?980,?000/);
    }
    expect(await journals()).toBe(0);

    const differing = expectStatus(await enter(second, { ...seen, cost: "20,001" }), 409);
    expect(errorOf(differing, "settlement")).toBe(translateText("en", "errors.PROPOSAL_DIFFERS"));
    expect(readFieldValue(differing, "settlement-bankReference")).toBe("qpay-77");
    expect(readFieldValue(differing, "settlement-received")).toBe("1,980,000");
    expect(await readToastAfter(second, await enter(second, seen))).toEqual([
      at,
      translateText("en", "escrow.settlementRecorded"),
    ]);
    expect((await readToastAfter(first, await enter(first, seen)))[1]).toBe(
      translateText("en", "escrow.settlementRecorded"),
    );
    expect(await journals()).toBe(1);
    const recorded = visibleText(await page(first));
    for (const words of ["QPAY-77", "1,980,000 ₮", "20,000 ₮"]) expect(recorded).toContain(words);
    expect(recorded).not.toContain(translateText("en", "admin.settlements.nothing"));
    const other = expectStatus(await enter(second, { ...seen, received: "5" }), 409);
    expect(errorOf(other, "settlement")).toBe(translateText("en", "errors.SETTLEMENT_CONFLICT"));
    expect(expectStatus(await second.get(paths.adminWork("settlement")), 200).text).not.toContain(
      `href="${at}"`,
    );
  });

  test("discards an entry with a reason, and says who may not confirm one", async () => {
    expectStatus(await enter(first, { bankReference: "QPAY-78", received: "990", cost: "0" }), 303);
    for (const language of supportedLanguages) {
      const html = visibleText(await page(related, `?lang=${language}`));
      expect(html).toContain(translateText(language, "errors.FOUR_EYES_RELATED"));
    }
    const [waiting] = (await listed(second)).waiting;
    const fields = { form: "lay-aside", settlement: String(waiting?.id) };
    const empty = expectStatus(await postForm(second, at, { ...fields, reason: " " }), 422);
    expect(errorOf(empty, `lay-aside-${waiting?.id}-reason`)).toBe(
      translateText("en", "validation.reasonMissing"),
    );
    const done = await postForm(second, at, { ...fields, reason: "Of another account" });
    expect(await readToastAfter(second, done)).toEqual([
      at,
      translateText("en", "escrow.settlementLaidAside"),
    ]);
    const html = await page(first);
    expect(visibleText(html)).toContain("Of another account");
    expect(html).not.toContain('value="lay-aside"');
    expectStatus(await postForm(second, at, { form: "nonsense" }), 404);
  });

  test("asks for a fresh login, and keeps what was typed", async () => {
    const stale = await signInAdministrator(server);
    const back = () =>
      db().execute(sql`
        UPDATE identity.sessions SET authenticated_at = authenticated_at - interval '11 minutes'
        WHERE id = (SELECT max(id) FROM identity.sessions)`);
    await back();
    const answer = await enter(stale, { bankReference: "STALE", received: "990", cost: "0" });
    const kept = expectStatus(answer, 403).text;
    expect(kept).toContain('value="STALE"');
    expect(kept).toContain(`href="${paths.adminLogin}"`);
    const called = await stale.post(call, { bankReference: "STALE", received: 990, cost: 0 });
    expect(called.body.code).toBe("REAUTH_REQUIRED");
    expect((await listed(second)).waiting).toEqual([]);
  });
});

describe("the API", () => {
  const seen = (bankReference: string, cost = 10) => ({ bankReference, received: 990, cost });
  const each = async (steps: Array<[Client, string, object, string?]>) => {
    for (const [who, path, body, code] of steps) {
      const reply = await who.post(`${call}${path}`, body);
      expect([path, body, reply.status < 300 ? undefined : reply.body.code]).toEqual([path, body, code]);
    }
  };

  test("record what two administrators enter alike, once, and refuse as documented", async () => {
    const proposed = expectStatus(await first.post(call, seen("CALL-1")), 200).body;
    expect([proposed.state, proposed.message]).toEqual([
      "proposed",
      translateText("en", "escrow.settlementProposed"),
    ]);
    await each([
      [first, "", seen("CALL-1")],
      [second, "", seen("CALL-1", 11), "PROPOSAL_DIFFERS"],
      [related, "", seen("CALL-1"), "FOUR_EYES_RELATED"],
    ]);
    expect(expectStatus(await second.post(call, seen("call-1 ")), 200).body).toMatchObject({
      state: "recorded",
    });
    await each([
      [second, "", seen("CALL-1")],
      [first, "", seen("CALL-1")],
      [first, "", seen("CALL-1", 11), "SETTLEMENT_CONFLICT"],
    ]);
    const { recorded, next } = await listed(first);
    expect(recorded[0]).toMatchObject({ bankReference: "CALL-1", received: 990, cost: 10 });
    expect(next).toBeNull();
    const [entry] = await db().execute<{ data: object; subject_kind: string }>(
      sql`SELECT data, subject_kind FROM audit.entries WHERE action = 'settlement.recorded' ORDER BY id DESC LIMIT 1`,
    );
    expect(entry).toMatchObject({
      subject_kind: "journal",
      data: { bankReference: "CALL-1", received: 990, cost: 10, confirmedBy: second.id },
    });
  });

  test("discard waiting entries only", async () => {
    await each([[second, "", seen("CALL-2")]]);
    const id = (await listed(second)).waiting.find(({ own }) => own)?.id ?? 0;
    const reason = { reason: "Not ours" };
    await each([
      [first, `/${id}/lay-aside`, reason],
      [first, `/${id}/lay-aside`, { reason: "Another" }],
      [first, "/999999/lay-aside", reason, "NOT_FOUND"],
    ]);
    const { laidAside, recorded } = await listed(first);
    expect(laidAside[0]).toMatchObject({ id, reason: "Not ours" });
    await each([[first, `/${recorded[0]?.id}/lay-aside`, reason, "PROPOSAL_CHANGED"]]);
  });

  test("ignore a former administrator's entry", async () => {
    await each([[second, "", seen("CALL-3")]]);
    await grant(second, false);
    await each([[first, "", seen("CALL-3"), "PROPOSER_NOT_ADMIN"]]);
    expect(visibleText(await page(first))).toContain(translateText("en", "errors.PROPOSER_NOT_ADMIN"));
    await grant(second, true);
    await each([[first, "", seen("CALL-3")]]);
  });

  test("accept only whole tugrik", async () => {
    for (const wrong of [
      { ...seen("CALL-4"), received: 0 },
      { ...seen("CALL-4"), received: 1.5 },
      { ...seen("CALL-4"), received: 1e15 },
      { ...seen("CALL-4"), cost: -1 },
      { ...seen("CALL-4"), cost: undefined },
      { ...seen("CALL-4"), bankReference: "A\u0000B" },
    ]) {
      expect((await first.post(call, wrong)).status).toBe(422);
    }
    expect((await listed(first)).waiting).toEqual([]);
  });
});

test("more than one page continues after the last one seen, and ledger and log are intact", async () => {
  for (let nth = 0; nth < 25; nth++) {
    const seen = { bankReference: `MANY-${nth}`, received: 1_000 + nth, cost: 0 };
    for (const who of [first, second]) expectStatus(await who.post(call, seen), 200);
  }
  const { recorded, next } = await listed(first);
  expect(recorded).toHaveLength(25);
  expect(await page(first)).toContain(`href="${at}?before=${next}"`);
  const older = await listed(first, `?before=${next}`);
  expect(older.recorded.map(({ bankReference }) => bankReference)).toEqual(["CALL-3", "CALL-1", "QPAY-77"]);
  const html = await page(first, `?before=${next}`);
  expect(visibleText(html)).toContain("QPAY-77");
  expect(visibleText(html)).toContain(translateText("en", "admin.settlements.newest"));
  expect(await findBookFaults()).toEqual([]);
});
