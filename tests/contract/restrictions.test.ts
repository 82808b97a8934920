import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { dayInWords, daysAfter, formatDay } from "#format";
import { supportedLanguages, translateText } from "#locales";
import { paths } from "../../app/paths.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { postForm } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { threeAdministrators } from "../support/people/administrators.ts";
import {
  expectStatus,
  makeRoomPair,
  type Person,
  registerPerson,
} from "../support/people/registered-people.ts";
import { beginCodeLogin, codeOf, turnFactorOn } from "../support/people/second-factor.ts";
import { type Client, createHttpClient } from "../support/server/http-client.ts";
import { type Server, startServers } from "../support/server/midman-server.ts";
import { openRoomSocket } from "../support/server/room-sockets.ts";
import { startRedis, type TestRedis } from "../support/services/redis.ts";
import { openPaidTrade } from "../support/trades/server-trades.ts";

/** Limited and suspended people, at two instances that Redis joins. */

setDefaultTimeout(120_000);

let redis: TestRedis;
let servers: Server[];
let one: Server;
let two: Server;
let first: Client;
let second: Person;
let related: Person;

beforeAll(async () => {
  redis = await startRedis();
  servers = await startServers(2, { redisUrl: redis.url });
  [one, two] = servers as [Server, Server];
  connectDatabase(one.databaseUrl);
  ({ first, second, related } = await threeAdministrators(one));
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  for (const server of servers ?? []) await server.stop();
  await redis?.stop();
});

const ahead = (days: number) => daysAfter(formatDay(new Date()), days);
const decision = (parts: object = {}) => ({
  ...{ kind: "suspend", cause: "fraud", note: "Two reports", until: ahead(7) },
  ...parts,
});
const of = ({ id }: Pick<Person, "id">) => `/api/admin/users/${id}/restriction`;
const restrict = async (person: Person, parts: object = {}) =>
  expectStatus(await first.post(of(person), decision(parts)), 200);
/** The number of a person's latest restriction. */
async function latest(person: Person): Promise<number> {
  const { restrictions } = expectStatus(await first.get(`${of(person)}s`), 200).body as unknown as {
    restrictions: Array<{ id: number }>;
  };
  return restrictions[0]?.id ?? 0;
}
const signIn = (server: Server, { username, password }: Person) =>
  server.client().post("/api/auth/login", { username, password });

describe("a suspension", () => {
  test("closes sockets, devices and calls at both instances within a second", async () => {
    const { seller, buyer, roomId } = await makeRoomPair(one);
    const device = two.client();
    expectStatus(
      await device.post("/api/auth/login", { username: buyer.username, password: buyer.password }),
      200,
    );
    const here = await openRoomSocket(buyer.cookies(), one.url, roomId, buyer.id);
    const there = await openRoomSocket(device.cookies(), two.url, roomId, buyer.id);
    const other = await openRoomSocket(seller.cookies(), two.url, roomId, seller.id);
    expectStatus(await device.get("/api/auth/user"), 200);

    const began = performance.now();
    await restrict(buyer);
    const answered = performance.now();
    const closed = await Promise.all(
      [here, there].map(async ({ closed }) => ({ code: await closed, ms: performance.now() - began })),
    );
    for (const { code, ms } of closed) {
      expect(code).toBe(4401);
      expect(ms).toBeLessThan(1_000);
    }
    const calls = await Promise.all([
      buyer.get(`/api/chat/rooms/${roomId}`),
      device.get(`/api/chat/rooms/${roomId}`),
      device.post(`/api/chat/rooms/${roomId}/messages`, { content: "still here" }),
    ]);
    expect(calls.map(({ status }) => status)).toEqual([401, 401, 401]);
    const ms = performance.now() - began;
    expect(ms).toBeLessThan(1_500);
    console.log(
      `suspended: answered after ${Math.round(answered - began)} ms, sockets closed after ${closed.map((it) => Math.round(it.ms)).join(" and ")} ms, calls refused by ${Math.round(ms)} ms`,
    );
    // The other side stays.
    expectStatus(await seller.post(`/api/chat/rooms/${roomId}/messages`, { content: "Hello" }), 200, 201);
    expect(other.heard.length).toBeGreaterThan(0);
    other.end();
  });

  test("also applies to a sign-in that waits for its code, even if an older version opened it", async () => {
    const person = await registerPerson(one);
    const { secret } = await turnFactorOn(person);
    const browser = await beginCodeLogin(two.client(), person);
    const [waits] = await db().execute<{ ticket: object }>(
      sql`SELECT to_jsonb(t) AS ticket FROM identity.login_tickets t WHERE user_id = ${person.id}`,
    );
    await restrict(person);
    await db().execute(sql`
      INSERT INTO identity.login_tickets
      SELECT * FROM jsonb_populate_record(NULL::identity.login_tickets, ${JSON.stringify(waits?.ticket)}::jsonb)`);
    const reply = await browser.post("/api/auth/second-factor", { code: await codeOf(secret, 0) });
    expect([reply.status, reply.body.code]).toEqual([403, "ACCOUNT_SUSPENDED"]);
  });

  test("is explained to someone with the password, at either login, with a link to Support", async () => {
    const person = await registerPerson(one);
    await restrict(person, { cause: "impersonation" });
    const reply = await signIn(two, person);
    expect([reply.status, reply.body.code]).toEqual([403, "ACCOUNT_SUSPENDED"]);
    expect(reply.body.message).toContain(dayInWords(ahead(7), "en"));
    const wrong = await signIn(two, { ...person, password: "not the one" });
    expect([wrong.status, wrong.body.code]).toEqual([401, "INVALID_CREDENTIALS"]);
    const { username, password } = person;
    const page = await postForm(two.client(), paths.landing, { form: "login", username, password });
    expect(page.status).toBe(403);
    expect(visibleText(page.text)).toContain(
      visibleText(translateText("en", "identity.suspended.until.impersonation", { until: ahead(7) })),
    );
    expect(page.text).toContain(`href="${paths.support}?topic=account#write"`);
    expectStatus(await two.client().get(`${paths.support}?topic=account`), 200);
  });

  test("is explained to the browser it signed out, with the unsent text, until it is lifted", async () => {
    const { buyer, seller, roomId } = await makeRoomPair(one);
    await restrict(buyer, { cause: "abuse" });
    const said = translateText("en", "identity.suspended.until.abuse", { until: ahead(7) });
    for (const path of [paths.room(roomId), paths.chat, paths.history]) {
      expect((await buyer.get(path)).headers.get("location")).toBe(paths.suspended);
    }
    const page = expectStatus(await buyer.get(paths.suspended), 403);
    expect(visibleText(page.text)).toContain(visibleText(said));
    expect(visibleText(page.text)).toContain(translateText("en", "auth.suspendedTitle"));
    expect(visibleText(page.text)).toContain(translateText("en", "auth.suspendedHelp"));
    expect(page.text).toContain(`href="${paths.support}?topic=account#write"`);
    const words = "I sent it <b>yesterday</b>";
    const posted = await postForm(buyer, paths.room(roomId), { form: "message", content: words });
    expect([posted.status, posted.headers.get("location")]).toEqual([307, paths.suspended]);
    // A browser follows a 307 with the same form.
    const back = await postForm(buyer, paths.suspended, { form: "message", content: words });
    expect([back.status, visibleText(back.text).includes(visibleText(said))]).toEqual([403, true]);
    expect(back.text).toContain("I sent it &lt;b&gt;yesterday&lt;/b&gt;</textarea>");
    const bank = {
      form: "bank-info",
      accountName: "Bat Dorj",
      accountNumber: "5000123456",
      password: "hidden",
    };
    const typed = await postForm(buyer, paths.suspended, bank);
    expect(typed.status).toBe(403);
    for (const value of [bank.accountName, bank.accountNumber, translateText("en", "info.accountNumber")])
      expect(visibleText(typed.text)).toContain(value);
    expect(typed.text).not.toContain("hidden<");
    // Nobody else is told anything, nor does the old cookie open anything.
    for (const other of [seller, two.client()]) {
      expect((await other.get(paths.suspended)).headers.get("location")).toBe(paths.landing);
    }
    expectStatus(await first.post(`${of(buyer)}/lift`, { note: "It was somebody else" }), 200);
    expect((await buyer.get(paths.room(roomId))).headers.get("location")).toStartWith(
      `${paths.landing}?next=`,
    );
  });

  test("does not affect an open trade, its money and the other side's dispute", async () => {
    const deal = await openPaidTrade(one);
    await restrict(deal.seller);
    const room = expectStatus(await deal.buyer.get(`/api/chat/rooms/${deal.roomId}/messages`), 200).text;
    expect(room).toContain(translateText("en", "notices.sellerAway").replace("\n", " "));
    expect(room).not.toMatch(/suspend|fraud|Two reports/i);
    await restrict(deal.seller, { note: "Three reports" });
    await restrict(deal.seller, { kind: "limit" });
    const codes = (
      expectStatus(await deal.buyer.get(`/api/chat/rooms/${deal.roomId}/messages`), 200)
        .body as unknown as Array<{
        notice?: { code: string };
      }>
    ).flatMap(({ notice }) => notice?.code ?? []);
    // Told once, however often the suspension is changed.
    expect(codes.filter((code) => /Away|Back/.test(code))).toEqual(["sellerAway", "sellerBack"]);
    const trade = expectStatus(await deal.buyer.get(`/api/transactions/${deal.id}`), 200).body;
    expect(trade.status).toBe("payment_confirmed");
    expectStatus(
      await deal.buyer.post(`/api/transactions/${deal.id}/dispute`, { reason: "Nobody answers" }),
      200,
      201,
    );
  });

  test("is lifted, and the person signs in again", async () => {
    const person = await registerPerson(one);
    await restrict(person);
    expectStatus(await first.post(`${of(person)}/lift`, { note: "It was somebody else" }), 200);
    expectStatus(await signIn(two, person), 200);
    const history = expectStatus(await first.get(`${of(person)}s`), 200).body;
    expect(history.restrictions).toMatchObject([
      { kind: "suspend", inForce: false, ended: { how: "lifted", note: "It was somebody else" } },
    ]);
  });

  test("applies only to other people who are not administrators, and says so", async () => {
    const code = async (id: number, parts: object = {}) => {
      const { status, body } = await first.post(of({ id }), decision(parts));
      return [status, body.code];
    };
    const own = expectStatus(await first.get("/api/auth/user"), 200).body;
    expect(await code(Number(own.id))).toEqual([403, "OWN_ACCOUNT"]);
    expect(await code(second.id)).toEqual([409, "ADMIN_ACCOUNT"]);
    expect(await code(9_999_999)).toEqual([404, "USER_NOT_FOUND"]);
    const person = await registerPerson(one);
    expect(await code(person.id, { until: ahead(-1) })).toEqual([422, "VALIDATION"]);
    expect(await code(person.id, { cause: "because" })).toEqual([422, "VALIDATION"]);
    for (const path of [`${of({ id: 9_999_999 })}/lift`, `${of({ id: 9_999_999 })}/confirm`]) {
      const { body } = await first.post(path, { note: "x", restriction: 1 });
      expect(body.code).toBe("USER_NOT_FOUND");
    }
    expect((await first.get(`${of({ id: 9_999_999 })}s`)).body.code).toBe("USER_NOT_FOUND");
  });
});

test("the last day is the same at the sign-in, in the mail, and for administrators", async () => {
  const person = await registerPerson(one);
  await restrict(person);
  // Administrators see ISO 8601, the person reads words; visibleText() writes each space as a plain one.
  const written = (day: string) => [day, ...supportedLanguages.map((language) => dayInWords(day, language))];
  const naming = (day: string) =>
    new RegExp(`(?<!\\d)(?:${written(day).join("|").replaceAll("\u00a0", "\\s")})(?!\\d)`);
  const [last, late] = [naming(ahead(7)), naming(ahead(8))];
  const page = visibleText(expectStatus(await first.get(paths.adminUser(person.id)), 200).text);
  const signInPage = expectStatus(await signIn(two, person), 403).body.message;
  const mail = await restrictionMail(person);
  for (const said of [page, signInPage, mail]) {
    expect(said).toMatch(last);
    expect(said).not.toMatch(late);
  }
});

/** What was mailed to a person about the restriction, once it has come. */
async function restrictionMail({ email }: Person): Promise<string> {
  for (let n = 0; n < 200; n++, await Bun.sleep(50)) {
    const box = expectStatus(
      await one.client().get(`/sandbox/mail.json?to=${encodeURIComponent(email)}`),
      200,
    );
    const mails = box.body as unknown as Array<{ subject: string; text: string }>;
    const subjects = supportedLanguages.map((language) =>
      translateText(language, "mail.accountRestricted.subject"),
    );
    const found = mails.find(({ subject }) => subjects.includes(subject));
    if (found !== undefined) return found.text;
  }
  throw new Error("no mail about the restriction came");
}

describe("a limited person", () => {
  test("opens and joins no room and starts no trade, and continues open ones", async () => {
    const [deal, room, invited] = await Promise.all([
      openPaidTrade(one),
      makeRoomPair(one),
      registerPerson(two),
    ]);
    for (const person of [deal.seller, room.seller]) await restrict(person, { kind: "limit" });
    const refused = async (reply: ReturnType<Client["post"]>) => {
      const { status, body } = await reply;
      return [status, body.code];
    };
    const limited = [403, "ACCOUNT_LIMITED"];
    expect(await refused(deal.seller.post("/api/chat/rooms", { name: "Another" }))).toEqual(limited);
    const mine = expectStatus(await invited.post("/api/chat/rooms", { name: "Open" }), 200, 201).body;
    const { inviteCode: code } = expectStatus(
      await invited.post(`/api/chat/rooms/${mine.id}/invite`),
      200,
    ).body;
    expect(await refused(deal.seller.post("/api/chat/join", { code }))).toEqual(limited);
    const asked = { chatRoomId: room.roomId, amount: 100_000 };
    expect(await refused(room.seller.post("/api/transactions", asked))).toEqual(limited);
    expectStatus(await deal.seller.post(`/api/transactions/${deal.id}/hand-over`), 200);
    expectStatus(
      await deal.seller.post(`/api/transactions/${deal.id}/dispute`, { reason: "The buyer is silent" }),
      200,
      201,
    );
  });

  test("is told so on every page before anything is filled in", async () => {
    const [room, invited] = await Promise.all([makeRoomPair(one), registerPerson(two)]);
    const mine = expectStatus(await invited.post("/api/chat/rooms", { name: "Open" }), 200, 201).body;
    const { inviteCode: code } = expectStatus(
      await invited.post(`/api/chat/rooms/${mine.id}/invite`),
      200,
    ).body;
    const places = {
      [paths.chat]: "dialog=create",
      [`${paths.chat}?dialog=create`]: 'value="create"',
      [`${paths.chat}?dialog=join`]: 'value="join"',
      [paths.invitation(String(code))]: translateText("en", "invitation.join"),
      [paths.room(room.roomId)]: 'value="create-trade"',
    };
    const limited = translateText("en", "errors.ACCOUNT_LIMITED", { until: ahead(7) });
    for (const [path, form] of Object.entries(places)) {
      expect(expectStatus(await room.seller.get(path), 200).text).toContain(form);
    }
    await restrict(room.seller, { kind: "limit" });
    for (const [path, form] of Object.entries(places)) {
      const page = expectStatus(await room.seller.get(path), 200).text;
      expect(page).not.toContain(form);
      expect(visibleText(page)).toContain(visibleText(limited));
    }
    // The seller whose buyer is limited fills in nothing either, and learns no more than that.
    const other = await makeRoomPair(one);
    await restrict(other.buyer, { kind: "limit" });
    const page = expectStatus(await other.seller.get(paths.room(other.roomId)), 200).text;
    expect(page).not.toContain('value="create-trade"');
    expect(visibleText(page)).toContain(translateText("en", "errors.PERSON_UNAVAILABLE"));
    expect(visibleText(page)).not.toContain(visibleText(limited));
  });

  test("cannot be part of anything new", async () => {
    const room = await makeRoomPair(one);
    await restrict(room.buyer, { kind: "limit" });
    const asked = await room.seller.post("/api/transactions", { chatRoomId: room.roomId, amount: 100_000 });
    expect([asked.status, asked.body.code]).toEqual([409, "PERSON_UNAVAILABLE"]);
    const [host, guest] = [await registerPerson(one), await registerPerson(one)];
    const opened = expectStatus(await host.post("/api/chat/rooms", { name: "Open" }), 200, 201).body;
    const { inviteCode: code } = expectStatus(
      await host.post(`/api/chat/rooms/${opened.id}/invite`),
      200,
    ).body;
    await restrict(host, { kind: "limit" });
    const joined = await guest.post("/api/chat/join", { code });
    expect([joined.status, joined.body.code]).toEqual([409, "PERSON_UNAVAILABLE"]);
  });
});

test("a permanent restriction needs a second administrator who is not related to the first", async () => {
  const person = await registerPerson(one);
  await restrict(person, { forGood: true });
  const restriction = await latest(person);
  const confirm = async (who: Client, given = restriction) => {
    const { status, body } = await who.post(`${of(person)}/confirm`, { restriction: given });
    return [status, body.code];
  };
  expect(await confirm(first)).toEqual([409, "FOUR_EYES_REQUIRED"]);
  expect(await confirm(related)).toEqual([409, "FOUR_EYES_RELATED"]);
  expect(await confirm(second, restriction + 1)).toEqual([409, "PROPOSAL_CHANGED"]);
  expectStatus(await second.post(`${of(person)}/confirm`, { restriction }), 200);
  const reply = await signIn(one, person);
  expect(reply.body.message).toBe(translateText("en", "identity.suspended.forGood.fraud"));
  const page = expectStatus(await person.get(paths.suspended), 403);
  expect(visibleText(page.text)).toContain(translateText("en", "auth.closedTitle"));
  const other = await registerPerson(one);
  await restrict(other);
  const none = await second.post(`${of(other)}/confirm`, { restriction });
  expect([none.status, none.body.code]).toEqual([409, "RESTRICTION_NOT_PROPOSED"]);
});

test("a former administrator's proposal cannot be confirmed", async () => {
  const [proposer, person] = [await registerPerson(one), await registerPerson(one)];
  await db().execute(sql`UPDATE identity.users SET is_admin = true WHERE id = ${proposer.id}`);
  expectStatus(await proposer.post(of(person), decision({ forGood: true })), 200);
  const restriction = await latest(person);
  await db().execute(sql`UPDATE identity.users SET is_admin = false WHERE id = ${proposer.id}`);
  const reply = await second.post(`${of(person)}/confirm`, { restriction });
  expect([reply.status, reply.body.code]).toEqual([409, "PROPOSER_NOT_ADMIN"]);
});

describe("the pages", () => {
  test("limit, show, propose, confirm and lift without scripts", async () => {
    const person = await registerPerson(one, "Bold Dorj");
    const at = paths.adminUser(person.id);
    const wrong = await postForm(first, at, { form: "restrict", kind: "suspend", until: ahead(3) });
    expect(wrong.status).toBe(422);
    expect(visibleText(wrong.text)).toContain(translateText("en", "validation.restrictionCause"));
    expectStatus(await postForm(first, at, { form: "restrict", ...decision(), forGood: "on" }), 303);
    const page = visibleText(expectStatus(await second.get(at), 200).text);
    for (const key of ["admin.restrict.badge.suspend", "admin.restrict.confirm", "admin.restrict.lift"]) {
      expect(page).toContain(translateText("en", key));
    }
    const work = visibleText(expectStatus(await second.get(paths.adminWork("restriction")), 200).text);
    expect(work).toContain(person.username);
    const restriction = await latest(person);
    expectStatus(
      await postForm(second, at, { form: "confirm-restriction", restriction: String(restriction) }),
      303,
    );
    const list = visibleText(expectStatus(await first.get(`${paths.adminUsers}?show=restricted`), 200).text);
    expect(list).toContain("Bold Dorj");
    expectStatus(await postForm(first, at, { form: "lift", note: "An error" }), 303);
    const after = visibleText(expectStatus(await first.get(at), 200).text);
    expect(after).toContain("An error");
    expect(
      visibleText(expectStatus(await first.get(`${paths.adminUsers}?show=restricted`), 200).text),
    ).not.toContain("Bold Dorj");
  });

  test("show a later account with the same phone number", async () => {
    const [person, later] = [await registerPerson(one), await registerPerson(one)];
    expectStatus(await person.patch("/api/users/profile", { phoneNumber: "99445566" }), 200);
    await restrict(person);
    expectStatus(await later.patch("/api/users/profile", { phoneNumber: "+976 9944 5566" }), 200);
    const page = visibleText(expectStatus(await first.get(paths.adminUser(later.id)), 200).text);
    expect(page).toContain(translateText("en", "admin.restrict.same"));
    expect(page).toContain(`@${person.username}`);
    const { same } = expectStatus(await first.get(`${of(later)}s`), 200).body;
    expect(same).toEqual([{ userId: person.id, username: person.username, kinds: ["phone"] }]);
  });

  test("make no restricted person an administrator", async () => {
    const person = await registerPerson(one);
    await restrict(person, { kind: "limit" });
    const reply = await postForm(first, paths.adminUser(person.id), { form: "make-admin" });
    expect(reply.status).toBe(303);
    const told = visibleText((await first.get(paths.adminUser(person.id))).text);
    expect(told).toContain(translateText("en", "admin.restrict.badge.limit"));
    expect(expectStatus(await first.get(`/api/admin/users/${person.id}`), 200).body.isAdmin).toBe(false);
  });
});

test("a restricted account that connects to another instance's socket stays refused", async () => {
  const { buyer, roomId } = await makeRoomPair(one);
  const cookie = buyer.cookies();
  await restrict(buyer);
  const line = await openRoomSocket(cookie, two.url, roomId, buyer.id);
  expect(await line.closed).toBe(4401);
  expect((await createHttpClient(two.url, { Cookie: cookie }).get("/api/auth/user")).status).toBe(401);
});
