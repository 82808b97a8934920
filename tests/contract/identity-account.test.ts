import { beforeAll, describe, expect, test } from "bun:test";
import { expectStatus, type Person, registerPerson } from "../support/people/registered-people.ts";
import {
  beginCodeLogin,
  codeOf,
  type Factor,
  factorPath,
  turnFactorOn,
} from "../support/people/second-factor.ts";
import type { Client } from "../support/server/http-client.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import { bankInfo, buyerContact, openPaidTrade, type ServerTrade } from "../support/trades/server-trades.ts";

/** What people do with their own account, over HTTP: second factor, devices, choices, data, and going. */

let server: SharedServer;
let deal: ServerTrade;

beforeAll(async () => {
  server = await sharedServer();
  deal = await openPaidTrade(server);
}, 240_000);

const ticketName = "midman-login=";

/** Somebody whose second factor was turned on with the code of the step before this one. */
async function withFactor(): Promise<Person & Factor> {
  const person = await registerPerson(server);
  return { ...person, ...(await turnFactorOn(person)) };
}

const asked = (person: Person) => beginCodeLogin(server.client(), person);

const signedIn = async (browser: Client) => (await browser.get("/api/auth/session")).body.isAuthenticated;

describe("the second factor", () => {
  test("is required after the password; the ticket is in a cookie that no script reads, and nowhere else", async () => {
    const person = await withFactor();
    const browser = server.client();
    const { username, password } = person;
    const reply = await browser.post("/api/auth/login", { username, password });
    expect(reply.status).toBe(401);
    expect(Object.keys(reply.body).sort()).toEqual(["code", "message"]);
    const [cookie = "", ...others] = reply.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toStartWith(ticketName);
    for (const part of ["HttpOnly", "SameSite=Lax", "Path=/", "Expires="]) expect(cookie).toContain(part);
    expect(await signedIn(browser)).toBe(false);
    const wrong = await browser.post("/api/auth/second-factor", { code: "000000" });
    expect([wrong.status, wrong.body.code]).toEqual([422, "SECOND_FACTOR_WRONG"]);
    expect(wrong.body.fields.code?.[0]).toStartWith("This code is wrong");
    const right = await browser.post("/api/auth/second-factor", { code: await codeOf(person.secret, 0) });
    expect(right.body).toMatchObject({ success: true, message: "Login successful" });
    expect(browser.cookies()).not.toContain(ticketName);
    expect(await signedIn(browser)).toBe(true);
    expect((await browser.get("/api/auth/user")).body).toMatchObject({ username, secondFactor: true });
  });

  test("accepts no code twice, and no code without this browser's ticket", async () => {
    const person = await withFactor();
    const [first, second] = [await asked(person), await asked(person)];
    const code = await codeOf(person.secret, 0);
    const stranger = await server.client().post("/api/auth/second-factor", { code });
    expect([stranger.status, stranger.body.code]).toEqual([401, "SIGN_IN_EXPIRED"]);
    expectStatus(await first.post("/api/auth/second-factor", { code }), 200);
    const replayed = await second.post("/api/auth/second-factor", { code });
    expect([replayed.status, replayed.body.code]).toEqual([422, "SECOND_FACTOR_WRONG"]);
    expect(await signedIn(second)).toBe(false);
  });

  test("accepts a recovery code once, however it is typed", async () => {
    const person = await withFactor();
    const [first, second] = [await asked(person), await asked(person)];
    const code = ` ${person.recovery[0]?.toLowerCase().replaceAll("-", " ")} `;
    expectStatus(await first.post("/api/auth/second-factor", { code }), 200);
    const again = await second.post("/api/auth/second-factor", { code });
    expect([again.status, again.body.code]).toEqual([422, "SECOND_FACTOR_WRONG"]);
    const standing = expectStatus(await first.get(factorPath), 200);
    expect(standing.body).toMatchObject({ on: true, recoveryCodesLeft: 9, pending: false });
    expect(standing.headers.get("cache-control")).toBe("no-store");
  });

  test("sent twice at once signs in once", async () => {
    const person = await withFactor();
    const browser = await asked(person);
    const code = await codeOf(person.secret, 0);
    const replies = await Promise.all([1, 2, 3].map(() => browser.post("/api/auth/second-factor", { code })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  test("is protected against a page of another site", async () => {
    const person = await withFactor();
    const evil = { Origin: "https://evil.example" };
    for (const [method, path] of [
      ["DELETE", factorPath],
      ["DELETE", "/api/users/me/sessions"],
      ["PATCH", "/api/users/me/notifications"],
      ["DELETE", "/api/users/me"],
    ] as const) {
      const reply = await person.send(method, path, {}, evil);
      expect([path, reply.status, reply.body.code]).toEqual([path, 403, "BAD_ORIGIN"]);
    }
    expect((await person.get(factorPath)).body).toMatchObject({ on: true });
  });
});

describe("signed-in devices", () => {
  test("are only one's own: another's id looks missing", async () => {
    const [person, other] = [await registerPerson(server), await registerPerson(server)];
    const [theirs] = expectStatus(await other.get("/api/users/me/sessions"), 200).list;
    const gone = await person.delete(`/api/users/me/sessions/${theirs?.sessionId}`);
    const nothing = await person.delete("/api/users/me/sessions/99999999");
    expect(gone.status).toBe(404);
    expect(gone.text).toBe(nothing.text);
    expect(await signedIn(other)).toBe(true);
  });

  test("have names, and are signed out one by one or all others at once", async () => {
    const person = await registerPerson(server);
    const { username, password } = person;
    const agent =
      "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36";
    const phones = [1, 2, 3].map(() => server.client({ "User-Agent": agent }));
    for (const phone of phones)
      expectStatus(await phone.post("/api/auth/login", { username, password }), 200);
    const listed = expectStatus(await person.get("/api/users/me/sessions"), 200).list;
    const own = listed.filter(({ current }) => current);
    const elsewhere = listed.filter(({ browser, system }) => browser === "Chrome" && system === "Android");
    expect([listed.length, own.length, elsewhere.length]).toEqual([4, 1, 3]);
    expectStatus(await person.delete(`/api/users/me/sessions/${elsewhere[0]?.sessionId}`), 200);
    const states = await Promise.all(phones.map(signedIn));
    expect(states.filter((state) => state)).toHaveLength(2);
    expect(expectStatus(await person.delete("/api/users/me/sessions"), 200).body).toMatchObject({ ended: 2 });
    expect(await Promise.all(phones.map(signedIn))).toEqual([false, false, false]);
    expect(await signedIn(person)).toBe(true);
  });
});

test("notification preferences are saved, and omitted ones stay", async () => {
  const person = await registerPerson(server);
  const path = "/api/users/me/notifications";
  expect((await person.get(path)).body).toMatchObject({
    reminders: true,
    roomActivity: true,
    requests: true,
  });
  expectStatus(await person.patch(path, { requests: false }), 200);
  const saved = expectStatus(await person.patch(path, { reminders: false }), 200).body;
  expect(saved.notifications).toEqual({ reminders: false, roomActivity: true, requests: false });
  expect((await person.get(path)).body).toMatchObject({ reminders: false, requests: false });
});

test("one's data is a file with one's own things, and no contact details of the other side", async () => {
  const { seller, buyer, id } = deal;
  expectStatus(await seller.post(`/api/transactions/${id}/bank-info`, bankInfo), 200);
  expectStatus(await buyer.post(`/api/transactions/${id}/bank-info`, buyerContact), 200);
  expectStatus(
    await buyer.post(`/api/transactions/${id}/messages`, { content: "words of the buyer" }),
    200,
    201,
  );
  expectStatus(
    await seller.post(`/api/transactions/${id}/messages`, { content: "words of the seller" }),
    200,
    201,
  );
  const file = expectStatus(await buyer.get("/api/users/me/data"), 200);
  expect(file.headers.get("content-type")).toStartWith("application/json");
  expect(file.headers.get("cache-control")).toBe("no-store");
  expect(file.headers.get("content-disposition")).toMatch(
    /^attachment; filename="midman-data-\d{4}-\d{2}-\d{2}\.json"$/,
  );
  expect(file.body).toMatchObject({
    profile: { username: buyer.username, email: buyer.email },
    rooms: [{ id: deal.roomId, role: "buyer" }],
    transactions: [{ id, role: "buyer", gross: 110_000 }],
    informationGiven: [{ transactionId: id, kind: "contact", phoneNumber: buyerContact.phoneNumber }],
  });
  expect(file.text).toContain("words of the buyer");
  const foreign = [seller.email, seller.username, "words of the seller"];
  for (const part of [...foreign, bankInfo.accountNumber, bankInfo.phoneNumber, bankInfo.email]) {
    expect(file.text, part).not.toContain(part);
  }
  for (const secret of ["argon2", buyer.password]) expect(file.text).not.toContain(secret);
});

describe("deleting one's own account", () => {
  test("is refused while money is held", async () => {
    const { buyer } = deal;
    const body = { password: buyer.password, confirmation: buyer.username };
    const reply = await buyer.send("DELETE", "/api/users/me", body);
    expect([reply.status, reply.body.code]).toEqual([409, "MONEY_HELD"]);
    expect(await signedIn(buyer)).toBe(true);
  });

  test("needs the name and the password; sent twice it happens once, and every device is signed out", async () => {
    const person = await registerPerson(server);
    const { username, password } = person;
    const elsewhere = server.client();
    expectStatus(await elsewhere.post("/api/auth/login", { username, password }), 200);
    const wrong = await person.send("DELETE", "/api/users/me", { password, confirmation: "somebody" });
    expect([wrong.status, wrong.body.code]).toEqual([422, "CONFIRMATION_MISMATCH"]);
    const body = { password, confirmation: username };
    const replies = await Promise.all([1, 2].map(() => person.send("DELETE", "/api/users/me", body)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused.every(({ status }) => status >= 400 && status < 500)).toBe(true);
    for (const browser of [person, elsewhere]) expect(await signedIn(browser)).toBe(false);
    const gone = await server.client().post("/api/auth/login", { username, password });
    expect([gone.status, gone.body.code]).toEqual([401, "INVALID_CREDENTIALS"]);
  });
});
