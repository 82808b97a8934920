import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { translateText } from "#locales";
import { paths } from "../../app/paths.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { postForm } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { setRight } from "../support/people/administrator-rights.ts";
import {
  expectStatus,
  makeRoomPair,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openPaidTrade, requestPayment, type ServerTrade } from "../support/trades/server-trades.ts";

/** What people report of each other and of codes, over the API and by forms without scripts, and what administrators make of it. */

setDefaultTimeout(120_000);

let server: Server;
let admin: Client;

/** The same database with throttles as strict as they are for people. */
let strict: Server;

beforeAll(async () => {
  server = await startServer({ environment: { TRUST_PROXY: "true" } });
  const { databaseUrl, dataDir } = server;
  strict = await startServer({
    ...{ databaseUrl, dataDir },
    environment: { TRUST_PROXY: "true", THROTTLE_FACTOR: "1" },
  });
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await strict?.stop();
  await server?.stop();
});

let addresses = 0;
/** Somebody not signed in, from an address of their own unless told otherwise. */
const visitor = (ip = `198.51.${100 + (++addresses % 100)}.${addresses % 250}`, at = server) =>
  at.client({ "X-Forwarded-For": ip });

const words = "They asked me to pay for a phone that I never saw";
const ofCode = (code: string, parts: object = {}) => ({
  ...{ about: "code", code, happened: "other_payment", words },
  ...parts,
});
const codeOf = async (deal: ServerTrade) =>
  String(expectStatus(await deal.buyer.get(`/api/transactions/${deal.id}`), 200).body.transactionCode);
const file = async (who: Client, body: object) =>
  expectStatus(await who.post("/api/reports", body), 201).body;

type View = {
  id: number;
  number: string;
  held: boolean;
  suspect: boolean;
  message: { text: string } | null;
  reporter: { id: number } | null;
  person: { id: number; restriction: string | null } | null;
  email: string | null;
  transaction: { code: string } | null;
  resolved: { note: string } | null;
};
async function seen(number: unknown, show = "open"): Promise<View> {
  const all = expectStatus(await admin.get(`/api/admin/reports?show=${show}&limit=100`), 200)
    .list as unknown as View[];
  const found = all.find((one) => one.number === number);
  if (found === undefined) throw new Error(`no report ${number}`);
  return found;
}
/** How many administrators were written to of a report. */
async function mailsOf(id: number): Promise<number> {
  const rows = await db().execute(
    sql`SELECT id FROM mailer.messages WHERE template = 'adminTask' AND key LIKE ${`report:${id}:%`}`,
  );
  return rows.length;
}
const isHeld = async (deal: ServerTrade) =>
  expectStatus(await deal.buyer.get(`/api/transactions/${deal.id}`), 200).body.onHold === true;

describe("a stranger who knows a code", () => {
  test("reports it without an account, and the money stops until an administrator has looked", async () => {
    const deal = await openPaidTrade(server);
    const { number } = await file(visitor(), ofCode(await codeOf(deal), { email: "bat@example.mn" }));
    expect(number).toMatch(/^RP-/);
    expect(await seen(number)).toMatchObject({
      ...{ held: true, reporter: null, person: null, email: "bat@example.mn" },
      transaction: { code: await codeOf(deal) },
    });
    expect(await isHeld(deal)).toBe(true);
    const { id } = await seen(number);
    expect(await mailsOf(id)).toBeGreaterThan(0);
  });

  test("stops a trade once, whoever they are, and not again once an administrator has resolved it", async () => {
    const deal = await openPaidTrade(server);
    const code = await codeOf(deal);
    await file(visitor(), ofCode(code));
    const { holds } = expectStatus(await admin.get(`/api/admin/transactions/${deal.id}/holds`), 200)
      .body as unknown as {
      holds: Array<{ id: number }>;
    };
    const resolved = { outcome: "dismissed", note: "The buyer is the payer" };
    expectStatus(await admin.post(`/api/admin/holds/${holds[0]?.id}/resolve`, resolved), 200);
    const { number } = await file(visitor(), ofCode(code));
    const member = await registerPerson(server);
    const second = await file(member, ofCode(code));
    expect([(await seen(number)).held, (await seen(second.number)).held]).toEqual([false, false]);
  });

  test("stops three trades a day from one network, and further reports are still stored", async () => {
    const deals = await Promise.all(Array.from({ length: 4 }, () => openPaidTrade(server)));
    const who = visitor("203.0.113.7", strict);
    const held: boolean[] = [];
    for (const deal of deals)
      held.push((await seen((await file(who, ofCode(await codeOf(deal)))).number)).held);
    expect(held).toEqual([true, true, true, false]);
  });

  test("stops nothing where no money is held, nor for other reasons than money", async () => {
    const [unpaid, paid] = [await requestPayment(server), await openPaidTrade(server)];
    const first = await file(visitor(), ofCode(await codeOf(unpaid)));
    const second = await file(visitor(), ofCode(await codeOf(paid), { happened: "abuse" }));
    expect([(await seen(first.number)).held, (await seen(second.number)).held]).toEqual([false, false]);
    expect([await isHeld(unpaid), await isHeld(paid)]).toEqual([false, false]);
  });

  test("learns of no room and no person, and an invalid report is refused", async () => {
    const { roomId, buyer } = await makeRoomPair(server);
    const about = { about: "person", roomId, personId: buyer.id, happened: "fraud", words };
    const refused = await visitor().post("/api/reports", about);
    expect([refused.status, refused.body.code]).toEqual([401, "AUTH_REQUIRED"]);
    const none = await visitor().post("/api/reports", ofCode("MM-00000000"));
    expect([none.status, none.body.code]).toEqual([404, "REPORT_SUBJECT_NOT_FOUND"]);
    const outsider = await registerPerson(server);
    for (const body of [
      about,
      { ...about, about: "message", messageId: 1 },
      { ...about, personId: outsider.id },
    ]) {
      expect((await outsider.post("/api/reports", body)).body.code).toBe("REPORT_SUBJECT_NOT_FOUND");
    }
    const short = await visitor().post("/api/reports", ofCode("MM-00000000", { words: "short" }));
    expect([short.status, short.body.code]).toEqual([422, "VALIDATION"]);
  });

  test("is throttled for missing codes in the form as in verification", async () => {
    const guesser = visitor("203.0.113.60", strict);
    const statuses: number[] = [];
    for (let n = 0; n < 61; n++) {
      const path = n % 2 === 0 ? paths.reportCode("MM-00000000") : paths.verify("MM-00000000");
      statuses.push((await guesser.get(path)).status);
    }
    expect([...new Set(statuses.slice(0, 60))]).toEqual([404]);
    const busy = await guesser.get(paths.reportCode("MM-00000000"));
    expect([statuses.at(-1), busy.status]).toEqual([429, 429]);
    expect(Number(busy.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(visibleText(busy.text)).toContain(translateText("en", "pages.throttled"));
    const code = await codeOf(await requestPayment(server));
    expectStatus(await guesser.get(paths.reportCode(code)), 200);
  });

  test("counts once however often the form is sent, and is throttled", async () => {
    const code = await codeOf(await requestPayment(server));
    const who = visitor("203.0.113.99", strict);
    const body = ofCode(code, { clientId: crypto.randomUUID() });
    const first = await file(who, body);
    expect(expectStatus(await who.post("/api/reports", body), 200).body.number).toBe(first.number);
    const statuses: number[] = [];
    for (let n = 0; n < 25; n++) statuses.push((await who.post("/api/reports", ofCode(code))).status);
    expect(statuses.at(0)).toBe(201);
    expect(statuses.at(-1)).toBe(429);
  });

  test("that is a bot is stored, nobody is notified, and nothing stops", async () => {
    const deal = await openPaidTrade(server);
    const body = ofCode(await codeOf(deal), { website: "http://spam.example" });
    const { number } = await file(visitor(), body);
    const { suspect, held, id } = await seen(number);
    expect({ suspect, held }).toEqual({ suspect: true, held: false });
    expect(await mailsOf(id)).toBe(0);
  });
});

describe("a member", () => {
  test("reports the other's message, which is stored as it was, and the person", async () => {
    const { seller, buyer, roomId } = await makeRoomPair(server);
    const said = "Send the money to my own account";
    const { id: messageId } = expectStatus(
      await seller.post(`/api/chat/rooms/${roomId}/messages`, { content: said }),
      200,
      201,
    ).body;
    const message = { about: "message", roomId, messageId, happened: "fraud", words };
    const one = await file(buyer, message);
    expect(await seen(one.number)).toMatchObject({
      message: { text: said },
      reporter: { id: buyer.id },
      person: { id: seller.id, restriction: null },
    });
    const two = await file(buyer, { about: "person", roomId, personId: seller.id, happened: "abuse", words });
    expect(await seen(two.number)).toMatchObject({ message: null, person: { id: seller.id } });
    // One's own words are nobody else's.
    expect((await seller.post("/api/reports", message)).body.code).toBe("REPORT_SUBJECT_NOT_FOUND");
    const data = expectStatus(await buyer.get("/api/users/me/data"), 200).body as unknown as {
      reports: object[];
    };
    expect(data.reports).toHaveLength(2);
  });

  test("who is a party stops the money once per trade", async () => {
    const deal = await openPaidTrade(server);
    const about = {
      about: "person",
      roomId: deal.roomId,
      personId: deal.seller.id,
      happened: "fraud",
      words,
    };
    const first = await file(deal.buyer, about);
    const again = await file(deal.buyer, { ...about, words: `${words} at all` });
    const other = await file(deal.seller, { ...about, personId: deal.buyer.id });
    const held = [first, again, other].map(async ({ number }) => (await seen(number)).held);
    expect(await Promise.all(held)).toEqual([true, false, true]);
    expect(await isHeld(deal)).toBe(true);
  });
});

test("a member who must change their password first reports nothing before", async () => {
  const code = await codeOf(await requestPayment(server));
  const member = await registerPerson(server);
  await db().execute(sql`UPDATE identity.users SET must_change_password = true WHERE id = ${member.id}`);
  const refused = await member.post("/api/reports", ofCode(code));
  expect([refused.status, refused.body.code]).toEqual([403, "PASSWORD_CHANGE_REQUIRED"]);
  const page = expectStatus(await member.get(paths.reportCode(code)), 303);
  expect(page.headers.get("location")).toBe(paths.changePassword);
});

describe("administrators", () => {
  test("find it in their work queue, read it and resolve it with a note; a party of it cannot", async () => {
    const { seller, buyer, roomId } = await makeRoomPair(server);
    const about = { about: "person", roomId, personId: seller.id, happened: "fraud", words };
    const { number } = await file(buyer, about);
    const { id } = await seen(number);
    const work = visibleText(expectStatus(await admin.get(paths.adminWork("report")), 200).text);
    expect(work).toContain(String(number));
    await setRight(seller.id, true);
    const own = await seller.post(`/api/admin/reports/${id}/resolve`, { note: "Nothing" });
    expect([own.status, own.body.code]).toEqual([403, "OWN_REPORT"]);
    const none = await admin.post("/api/admin/reports/999999/resolve", { note: "Nothing" });
    expect([none.status, none.body.code]).toEqual([404, "NOT_FOUND"]);
    expectStatus(await admin.post(`/api/admin/reports/${id}/resolve`, { note: "Talked to both" }), 200);
    expectStatus(await admin.post(`/api/admin/reports/${id}/resolve`, { note: "Again" }), 200);
    expect((await seen(number, "resolved")).resolved).toMatchObject({ note: "Talked to both" });
    const next = expectStatus(await admin.get("/api/admin/reports?limit=1"), 200).headers.get("link") ?? "";
    expect(next).toContain('rel="next"');
  });

  test("read and resolve it on its page, which is linked from the person's", async () => {
    const { seller, buyer, roomId } = await makeRoomPair(server);
    const about = { about: "person", roomId, personId: seller.id, happened: "impersonation", words };
    const { number } = await file(buyer, about);
    const { id } = await seen(number);
    const of = `${paths.adminReports}?person=${seller.id}`;
    expect(expectStatus(await admin.get(paths.adminUser(seller.id)), 200).text).toContain(`href="${of}"`);
    const page = visibleText(expectStatus(await admin.get(of), 200).text);
    for (const what of [String(number), words, translateText("en", "report.happened.impersonation")]) {
      expect(page).toContain(what);
    }
    const empty = await postForm(admin, of, { form: "resolve", report: String(id), note: "" });
    expect(empty.status).toBe(422);
    expectStatus(
      await postForm(admin, of, { form: "resolve", report: String(id), note: "Warned them" }),
      303,
    );
    const after = visibleText(expectStatus(await admin.get(`${of}&show=resolved`), 200).text);
    expect(after).toContain("Warned them");
    expect(visibleText(expectStatus(await admin.get(of), 200).text)).toContain(
      translateText("en", "admin.reports.none"),
    );
    expectStatus(await admin.get(`${paths.adminReports}?show=x&person=y&before=z&limit=0`), 200);
  });
});

/** Where the page's form of a report is posted to. */
const actionIn = (page: string) =>
  /<form[^>]*action="(\/report[^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");

describe("the forms", () => {
  test("report a code without scripts or an account, from the page that verifies it", async () => {
    const deal = await openPaidTrade(server);
    const code = await codeOf(deal);
    const answer = expectStatus(await visitor().get(paths.verify(code)), 200);
    const words1 = visibleText(answer.text);
    const goods = translateText("en", "trade.goods.other");
    expect(words1).toContain(translateText("en", "verify.elsewhere.title", { goods }));
    expect(words1).toContain(translateText("en", "verify.elsewhere.what"));
    const to = paths.reportCode(code);
    expect(answer.text).toContain(`href="${to}"`);
    const who = visitor();
    const form = expectStatus(await who.get(to), 200);
    expect(visibleText(form.text)).toContain(code);
    expect(actionIn(form.text)).toBe(to);
    for (const said of [
      "can put a paid transaction on hold",
      "Midman makes no payouts or refunds until an administrator has looked into it",
      "They don't see who reported it",
      "Without it we can't reach you",
    ])
      expect(visibleText(form.text)).toContain(said);
    const wrong = await postForm(who, to, { about: "code", code, words: "Too short" });
    expect(wrong.status).toBe(422);
    expect(visibleText(wrong.text)).toContain(translateText("en", "validation.reportHappened"));
    expect(visibleText(wrong.text)).toContain(translateText("en", "report.about.code", { code }));
    expect([wrong.text, actionIn(wrong.text)]).toEqual([expect.stringContaining("Too short</textarea>"), to]);
    const sent = await postForm(who, to, { about: "code", code, happened: "other_payment", words });
    expectStatus(sent, 303);
    expect(sent.headers.get("location")).toBe(paths.verify(code));
    expectStatus(await visitor().get(paths.reportCode("MM-00000000")), 404);
  });

  test("report the other person of a room, or one of their messages, and nobody else", async () => {
    const { seller, buyer, roomId } = await makeRoomPair(server);
    const { id } = expectStatus(
      await seller.post(`/api/chat/rooms/${roomId}/messages`, { content: "You fool" }),
      200,
      201,
    ).body;
    const to = paths.reportPerson(roomId, seller.id);
    expect(expectStatus(await buyer.get(paths.room(roomId)), 200).text).toContain(
      `href="${to.replace("&", "&amp;")}"`,
    );
    // The message itself leads to the form, where it is the one that is chosen; its own sender is not led there.
    const marked = paths.reportMessage(roomId, Number(id));
    const link = `href="${marked.replace("&", "&amp;")}"`;
    expect(expectStatus(await buyer.get(paths.room(roomId)), 200).text).toContain(link);
    expect(expectStatus(await seller.get(paths.room(roomId)), 200).text).not.toContain(link);
    const chosen = /<option[^>]*selected=""[^>]*>[^<]*/.exec(
      expectStatus(await buyer.get(marked), 200).text,
    )?.[0];
    expect(chosen).toContain("You fool");
    const asked = expectStatus(await buyer.get(to), 200);
    expect([visibleText(asked.text), actionIn(asked.text)]).toEqual([
      expect.stringContaining("You fool"),
      to,
    ]);
    const short = await postForm(buyer, to, { about: "person", roomId: String(roomId), words: "No" });
    expect([short.status, visibleText(short.text)]).toEqual([422, expect.stringContaining("Seller One")]);
    expect(actionIn(short.text)).toBe(to);
    expect(
      visibleText(expectStatus(await buyer.get(paths.reportMessage(roomId, Number(id))), 200).text),
    ).toContain("Seller One");
    const form = {
      about: "person",
      roomId: String(roomId),
      personId: String(seller.id),
      happened: "abuse",
      words,
    };
    const sent = expectStatus(await postForm(buyer, to, { ...form, messageId: String(id) }), 303);
    expect(sent.headers.get("location")).toBe(paths.room(roomId));
    const [latest] = await db().execute<{ message: string }>(
      sql`SELECT message FROM escrow.reports WHERE reporter_id = ${buyer.id}`,
    );
    expect(latest?.message).toBe("You fool");
    const outsider = await registerPerson(server);
    expectStatus(await outsider.get(to), 404);
    expectStatus(await visitor().get(to), 303);
    expectStatus(await buyer.get(paths.reportPerson(roomId, buyer.id)), 404);
  });
});
