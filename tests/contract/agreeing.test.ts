import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { consentVersions } from "#forms/identity";
import { type Language, translateText } from "#locales";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { postForm, readToastAfter } from "../support/pages/post-form.ts";
import { agreeToFirstVersion } from "../support/people/consents.ts";
import { expectStatus, registerPerson, signInAdministrator } from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openPaidTrade } from "../support/trades/server-trades.ts";
import { alerts, location, plain, toast } from "./auth-pages.fixture.ts";

/** Somebody who agreed to an earlier version of the terms and the privacy policy, as a browser without script and a program see Midman. */

let server: Server;
beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
}, 240_000);
afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

/** Somebody signed in who signed up under the first version. */
async function earlier(language: Language = "en") {
  const client = () => server.client({ "Accept-Language": language });
  const person = await registerPerson({ client });
  await agreeToFirstVersion(server.databaseUrl, person.id);
  return person;
}

const agreePath = (next: string) => `/agree?next=${encodeURIComponent(next)}`;
const agree = (who: Client, next: string, versions: Record<string, string> = consentVersions) =>
  postForm(who, agreePath(next), versions);

test("no page opens before they agree, except the documents, support and the ways to leave", async () => {
  const person = await earlier();
  for (const path of ["/chat", "/profile", "/settings", "/chat/1", "/report?room=1"])
    expect([path, location(await person.get(path))]).toEqual([path, agreePath(path)]);
  expect(location(await person.get("/history"))).toBe("/agree?next=%2Fhistory");
  const lost = await postForm(person, "/settings", { form: "theme" });
  expect(await readToastAfter(person, lost)).toEqual([
    "/agree?next=%2Fsettings",
    translateText("en", "guards.stepFirst"),
  ]);
  for (const path of ["/terms-of-service", "/privacy-policy", "/faq", "/support", "/settings/delete"])
    expect([path, (await person.get(path)).status]).toEqual([path, 200]);
  const file = await postForm(person, "/settings/data", {});
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  expect(JSON.parse(file.text).consents).toHaveLength(2);
  expect(location(await postForm(person, "/logout", {}))).toBe("/");
});

test("they may delete their account instead", async () => {
  const person = await earlier();
  const { password, username } = person;
  const gone = await postForm(person, "/settings/delete", {
    form: "delete",
    password,
    confirmation: username,
  });
  expect([gone.status, location(gone)]).toEqual([303, "/"]);
  expect((await person.get("/api/auth/user")).status).toBe(401);
});

for (const language of ["en", "mn"] as const)
  test(`the page says in ${language} what changed, and one press leads on`, async () => {
    const person = await earlier(language);
    const said = (key: string, values = {}) => translateText(language, key, values);
    const page = plain((await person.get(agreePath("/profile"))).text);
    for (const key of ["auth.agree.title", "auth.agree.lead", "auth.agree.money"])
      expect(page).toContain(said(key));
    for (const of of ["terms", "privacy"] as const)
      expect(page).toContain(said(`auth.agree.${of}Changes.${consentVersions[of]}`));
    for (const to of ["/terms-of-service", "/privacy-policy", "/settings/delete", "/support"])
      expect(page).toContain(`href="${to}"`);
    const done = await agree(person, "/profile");
    expect([done.status, location(done)]).toEqual([303, "/profile"]);
    expect(toast((await person.get("/profile")).text)).toBe(said("identity.documentsAgreed"));
    expect(location(await person.get(agreePath("/profile")))).toBe("/profile");
    const again = await agree(person, "/profile");
    expect([again.status, location(again)]).toEqual([303, "/profile"]);
  });

test("what the page showed before a newer version came is not agreed to", async () => {
  const person = await earlier();
  const old = await agree(person, "/chat", { terms: "2025-05-12", privacy: consentVersions.privacy });
  expect([old.status, alerts(old.text)]).toEqual([
    422,
    [translateText("en", "validation.documentsOutdated")],
  ]);
  expect(plain(old.text)).toContain(`name="terms" value="${consentVersions.terms}"`);
  expect(location(await person.get("/chat"))).toBe(agreePath("/chat"));
});

test("the API refuses with the page's address, and a call agrees", async () => {
  const person = await earlier();
  const refused = await person.get("/api/chat/rooms");
  expect(refused.status).toBe(403);
  expect<unknown>(refused.body).toEqual({
    code: "CONSENT_REQUIRED",
    message: translateText("en", "errors.CONSENT_REQUIRED"),
    page: `${server.url}/agree`,
  });
  const wrong = await person.post("/api/auth/agree", { ...consentVersions, terms: "2025-05-12" });
  expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([422, ["terms"]]);
  expectStatus(await person.post("/api/auth/agree", consentVersions), 200);
  expectStatus(await person.get("/api/chat/rooms"), 200);
  expectStatus(await person.post("/api/auth/agree", consentVersions), 200);
  const entries = await db().execute(
    sql`SELECT 1 FROM audit.entries WHERE action = 'documents_agreed' AND user_id = ${person.id}`,
  );
  expect(entries).toHaveLength(1);
  expect((await server.client().post("/api/auth/agree", consentVersions)).body.code).toBe("AUTH_REQUIRED");
});

test("a room's socket is closed with a code of its own; the trade goes on with its deadlines", async () => {
  const { seller, buyer, roomId, id } = await openPaidTrade(server);
  await agreeToFirstVersion(server.databaseUrl, buyer.id);
  const url = `${server.url.replace("http", "ws")}/ws?roomId=${roomId}&userId=${buyer.id}`;
  const closed = new Promise<number>((resolve) => {
    const socket = new WebSocket(url, { headers: { Cookie: buyer.cookies(), Origin: server.url } } as never);
    socket.onclose = ({ code }) => resolve(code);
  });
  expect(await closed).toBe(4402);
  expectStatus(await seller.post(`/api/transactions/${id}/hand-over`, { note: "Here it is" }), 200);
  const running = await db().execute<{ kind: string }>(
    sql`SELECT kind FROM escrow.deadlines WHERE trade_id = ${id} AND state = 'running' ORDER BY kind`,
  );
  expect(running.map(({ kind }) => kind)).toEqual(["admin_review", "buyer_finish"]);
  expect((await buyer.post(`/api/transactions/${id}/complete`, {})).body.code).toBe("CONSENT_REQUIRED");
});

test("an administrator is asked too, and then comes to the page they opened", async () => {
  const admin = await signInAdministrator(server);
  const { body } = await admin.get("/api/auth/user");
  await agreeToFirstVersion(server.databaseUrl, body.id);
  expect(location(await admin.get("/admin/payouts"))).toBe(agreePath("/admin/payouts"));
  expect((await admin.get("/api/admin/stats")).body.code).toBe("CONSENT_REQUIRED");
  expect(location(await agree(admin, "/admin/payouts"))).toBe("/admin/payouts");
  expectStatus(await admin.get("/admin/payouts"), 200);
});

test("a visitor who opens the page is sent to sign in", async () => {
  expect(location(await server.client().get("/agree"))).toBe("/");
});
