import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { translateText } from "#locales";
import { paths } from "../../app/paths.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { errorOf, postForm, readFieldValue, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import {
  expectStatus,
  makeRoomPair,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openPaidTrade, type ServerTrade } from "../support/trades/server-trades.ts";

/** The administrators' list of people and each one's page, and the calls beside them. */

let server: Server;
let admin: Client;
let deal: ServerTrade;
let person: Person;

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
  [deal, person] = await Promise.all([openPaidTrade(server), registerPerson(server, "Solongo Bat")]);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

const said = (key: string, params = {}) => translateText("en", key, params);
const page = async (path: string) => expectStatus(await admin.get(path), 200);

/** The administrator's password was given eleven minutes ago. */
async function staleLogin(): Promise<void> {
  await db().execute(sql`
    UPDATE identity.sessions SET authenticated_at = now() - interval '11 minutes'
    WHERE user_id = (SELECT id FROM identity.users WHERE username = 'admin')`);
}

describe("/admin/users", () => {
  test("searches, counts and pages, with its state in the address", async () => {
    const first = await page(`${paths.adminUsers}?sort=name`);
    const found = visibleText((await page(`${paths.adminUsers}?q=${person.username}`)).text);
    expect(found).toContain(said("admin.users.found", { total: "1" }));
    for (const what of [person.username, "Solongo Bat", person.email]) expect(found).toContain(what);
    expect(first.text).toContain(`href="${paths.adminUser(person.id)}"`);
    expect(first.text).toContain(`href="${paths.adminUser(person.id)}?do=delete#step-delete-user"`);
    const nobody = visibleText((await page(`${paths.adminUsers}?q=nobody&show=deleted`)).text);
    expect(nobody).toContain(said("admin.users.none"));
    await page(`${paths.adminUsers}?show=x&sort=y&before=z&q=%00&limit=0`);
  });

  test("returns an array with counts to the API, page by page", async () => {
    const reply = expectStatus(await admin.get("/api/admin/users?limit=2"), 200);
    expect(reply.list).toHaveLength(2);
    const next = /<([^>]+)>; rel="next"/.exec(reply.headers.get("link") ?? "")?.[1] ?? "";
    const following = expectStatus(await admin.get(next), 200).list;
    expect(following.map(({ id }) => id)).not.toContain(reply.list[1]?.id);
    const [seller] = expectStatus(
      await admin.get(`/api/admin/users?search=${deal.seller.username}`),
      200,
    ).list;
    expect(seller).toMatchObject({ id: deal.seller.id, email: deal.seller.email, transactionCount: 1 });
    expect(JSON.stringify(reply.list)).not.toMatch(/argon2|password_?hash/i);
  });
});

describe("/admin/users/{id}", () => {
  test("shows the person, their actions ten by ten, and their transactions with their role", async () => {
    const first = await page(paths.adminUser(deal.seller.id));
    for (const what of ["Seller One", `@${deal.seller.username}`, deal.seller.email]) {
      expect(visibleText(first.text)).toContain(what);
    }
    for (let n = 0; n < 12; n++) {
      expectStatus(
        await deal.seller.post(`/api/chat/rooms/${deal.roomId}/messages`, { content: "Hello" }),
        200,
        201,
      );
    }
    const entries = async (path: string) => (await page(path)).text.match(/id="entry-\d+"/g) ?? [];
    const ten = await page(paths.adminUser(deal.seller.id));
    expect(ten.text.match(/id="entry-\d+"/g)).toHaveLength(10);
    const more = /href="([^"#]*entries=20)#entry-\d+"/.exec(ten.text)?.[1] ?? "";
    expect((await entries(more.replaceAll("&amp;", "&"))).length).toBeGreaterThan(12);
    const dealt = await page(`${paths.adminUser(deal.seller.id)}?tab=transactions`);
    expect(dealt.text).toContain(`href="${paths.adminTransaction(deal.id)}"`);
    expect(visibleText(dealt.text)).toContain(said("roles.seller"));
    const none = await page(`${paths.adminUser(person.id)}?tab=transactions`);
    expect(visibleText(none.text)).toContain("No transactions found for this user.");
    const call = expectStatus(await admin.get(`/api/admin/users/${deal.buyer.id}/transactions`), 200).list;
    expect(call).toMatchObject([{ id: deal.id, role: "buyer" }]);
    expect(expectStatus(await admin.get(`/api/admin/users/${deal.buyer.id}`), 200).body).toMatchObject({
      username: deal.buyer.username,
      transactionCount: 1,
    });
  });

  test("shows User Not Found, and so do the calls", async () => {
    const reply = expectStatus(await admin.get(paths.adminUser(999_999)), 404);
    expect(visibleText(reply.text)).toContain("User Not Found");
    for (const path of ["", "/transactions"]) {
      const call = await admin.get(`/api/admin/users/999999${path}`);
      expect([call.status, call.body.code]).toEqual([404, "USER_NOT_FOUND"]);
    }
    expect((await admin.delete("/api/admin/users/999999")).status).toBe(404);
  });

  test("changes a profile, keeps invalid input, and shows before and after", async () => {
    const at = paths.adminUser(person.id);
    const typed = { form: "edit", displayName: "Solongo Dorj", phoneNumber: "12", bankAccount: "5001002003" };
    const wrong = expectStatus(await postForm(admin, at, typed), 422);
    expect(errorOf(wrong, "edit-phoneNumber")).toBe(said("validation.phone"));
    expect(readFieldValue(wrong, "edit-displayName")).toBe("Solongo Dorj");
    const right = await postForm(admin, at, { ...typed, phoneNumber: "99112233" });
    expect(await readToastAfter(admin, right)).toEqual([at, "Profile updated"]);
    const after = visibleText((await page(at)).text);
    expect(after).toContain(said("admin.users.change", { before: "Solongo Bat", after: "Solongo Dorj" }));
  });

  test("asks for a fresh login before it changes anything, and returns", async () => {
    const at = paths.adminUser(person.id);
    await staleLogin();
    expect(visibleText((await page(at)).text)).toContain(said("admin.users.fresh"));
    const forms: Array<Record<string, string>> = [
      { form: "make-admin" },
      { form: "sign-out" },
      { form: "factor-off" },
      { form: "edit", displayName: "Anybody Else", phoneNumber: "", bankAccount: "" },
      { form: "delete-user", confirmation: person.username },
    ];
    for (const form of forms) {
      const reply = expectStatus(await postForm(admin, at, form), 303);
      expect(reply.headers.get("location")).toBe(`${paths.adminLogin}?next=${encodeURIComponent(at)}`);
    }
    const call = await admin.delete(`/api/admin/users/${person.id}`);
    expect([call.status, call.body.code]).toEqual([403, "REAUTH_REQUIRED"]);
    admin = await signInAdministrator(server);
    expect(visibleText((await page(at)).text)).toContain("Solongo Dorj");
    expect((await person.get("/api/auth/user")).status).toBe(200);
  });

  test("keeps the input about a suspension and its end while a fresh login is asked for", async () => {
    const at = paths.adminUser(person.id);
    await staleLogin();
    const until = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    const typed = {
      kind: "limit",
      cause: "abuse",
      until,
      note: "Three people wrote to Support",
      forGood: "on",
    };
    const turned = expectStatus(await postForm(admin, at, { form: "restrict", ...typed }), 403);
    expect(errorOf(turned, "restrict")).toBe(said("errors.REAUTH_REQUIRED"));
    expect(visibleText(turned.text)).toContain(said("admin.staleGo"));
    expect(readFieldValue(turned, "restrict-until")).toBe(until);
    expect(turned.text).toContain(">Three people wrote to Support</textarea>");
    expect(turned.text).toMatch(/<option[^>]*(?:value="abuse"[^>]*selected|selected[^>]*value="abuse")/);
    expect(turned.text).toMatch(/<input[^>]*name="kind"[^>]*checked=""[^>]*value="limit"/);
    expect(turned.text).toMatch(/<input[^>]*name="forGood"[^>]*checked=""/);
    admin = await signInAdministrator(server);
    expectStatus(await postForm(admin, at, { form: "restrict", ...typed }), 303);
    await staleLogin();
    const lift = { form: "lift", note: "Support has answered them" };
    const kept = expectStatus(await postForm(admin, at, lift), 403);
    expect(errorOf(kept, "lift")).toBe(said("errors.REAUTH_REQUIRED"));
    expect(kept.text).toContain(">Support has answered them</textarea>");
    admin = await signInAdministrator(server);
    expectStatus(await postForm(admin, at, lift), 303);
  });

  test("deletes nobody whose name is not typed, nobody with money held, and confirms otherwise", async () => {
    const leaver = await registerPerson(server, "Leaving Soon");
    const at = paths.adminUser(leaver.id);
    const wrong = expectStatus(
      await postForm(admin, at, { form: "delete-user", confirmation: "admin" }),
      422,
    );
    expect(errorOf(wrong, "delete-user-confirmation")).toBe(said("validation.otherUsername"));
    expect(visibleText(wrong.text)).toContain("Failed to delete user.");
    const holder = paths.adminUser(deal.buyer.id);
    const typed = { form: "delete-user", confirmation: deal.buyer.username };
    const held = expectStatus(await postForm(admin, holder, typed), 409);
    expect(errorOf(held, "delete-user")).toBe(said("errors.MONEY_HELD"));
    const refused = await admin.delete(`/api/admin/users/${deal.buyer.id}`);
    expect([refused.status, refused.body.code]).toEqual([409, "MONEY_HELD"]);
    const right = await postForm(admin, at, { form: "delete-user", confirmation: leaver.username });
    expect(await readToastAfter(admin, right)).toEqual([paths.adminUsers, "User deleted"]);
    const gone = visibleText((await page(at)).text);
    expect(gone).toContain(said("admin.users.deletedName", { id: leaver.id }));
    for (const personal of [leaver.username, leaver.email, "Leaving Soon"])
      expect(gone).not.toContain(personal);
    const another = await registerPerson(server, "By A Call");
    const call = expectStatus(await admin.delete(`/api/admin/users/${another.id}`), 200);
    expect(call.body).toMatchObject({ success: true, message: "User deleted" });
    expect((await another.get("/api/auth/user")).status).toBe(401);
  });
});

describe("a former administrator", () => {
  const long = "a password of twelve letters";

  test("loses sessions, sockets, pages and calls immediately", async () => {
    const { seller, roomId } = await makeRoomPair(server);
    const at = paths.adminUser(seller.id);
    const granted = await postForm(admin, at, { form: "make-admin" });
    expect(await readToastAfter(admin, granted)).toEqual([at, said("toast.user.make-admin")]);
    expect((await seller.get("/api/auth/user")).status).toBe(401);

    const browser = server.client();
    expectStatus(await browser.post("/api/auth/login", seller), 200);
    expectStatus(
      await browser.post("/api/auth/change-password", {
        currentPassword: seller.password,
        newPassword: long,
      }),
      200,
    );
    const url = `${server.url.replace("http", "ws")}/ws?roomId=${roomId}&userId=${seller.id}`;
    const socket = new WebSocket(url, {
      headers: { Cookie: browser.cookies(), Origin: server.url },
    } as never);
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    const closed = new Promise<number>((resolve) => {
      socket.onclose = ({ code }) => resolve(code);
    });
    expectStatus(await browser.get(paths.adminUsers), 200);

    const taken = await postForm(admin, at, { form: "remove-admin" });
    expect(await readToastAfter(admin, taken)).toEqual([at, said("toast.user.remove-admin")]);
    expect(await closed).toBe(4401);
    await refused(browser, 401, seller.id);

    expectStatus(await browser.post("/api/auth/login", { ...seller, password: long }), 200);
    await refused(browser, 403, seller.id);
  });

  test("gets the same as a visitor or a member, and no one is notified", async () => {
    await refused(server.client(), 401, person.id);
    await refused(person, 403, person.id);
    expect((await person.get("/api/auth/user")).status).toBe(200);
  });

  test("the last administrator stays, and nobody deletes themselves", async () => {
    const { id } = expectStatus(await admin.get("/api/auth/user"), 200).body;
    const kept = await postForm(admin, paths.adminUser(Number(id)), { form: "remove-admin" });
    expect(await readToastAfter(admin, kept)).toEqual([
      paths.adminUser(Number(id)),
      said("errors.LAST_ADMIN"),
    ]);
    const call = await admin.delete(`/api/admin/users/${id}`);
    expect([call.status, call.body.code]).toEqual([403, "OWN_ACCOUNT"]);
  });

  async function refused(who: Client, status: number, id: number): Promise<void> {
    for (const path of [paths.adminUsers, paths.adminUser(id), paths.adminUser(999_999)]) {
      const reply = expectStatus(await who.get(path), 303);
      expect(reply.headers.get("location")).toBe(`${paths.adminLogin}?next=${encodeURIComponent(path)}`);
    }
    for (const form of ["edit", "make-admin", "remove-admin", "factor-off", "sign-out", "delete-user"]) {
      const reply = expectStatus(await postForm(who, paths.adminUser(id), { form, confirmation: "x" }), 303);
      expect(reply.headers.get("location")).toStartWith(paths.adminLogin);
    }
    for (const path of ["", `/${id}`, `/${id}/transactions`, "/999999"]) {
      const reply = await who.get(`/api/admin/users${path}`);
      expect([path, reply.status]).toEqual([path, status]);
    }
    expect((await who.delete(`/api/admin/users/${id}`)).status).toBe(status);
  }
});
