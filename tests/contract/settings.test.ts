import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { translateText } from "#locales";
import { connectDatabase, disconnectDatabase } from "../../db/client.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { expectMatch } from "../support/expect-match.ts";
import { errorOf, postForm, readFieldValue, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import {
  ageLogins,
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { startServer } from "../support/server/midman-server.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import { openPaidTrade, refundAccount, type ServerTrade } from "../support/trades/server-trades.ts";

/** Profile and settings as a browser without scripts uses them: each form empty, wrong, right, twice, in both languages. */

let server: SharedServer;
let me: Person;
let deal: ServerTrade;

beforeAll(async () => {
  server = await sharedServer();
  connectDatabase(server.databaseUrl);
  me = await registerPerson(server, "Bat Erdene");
  deal = await openPaidTrade(server);
}, 240_000);

afterAll(() => disconnectDatabase());

const both = ["en", "mn"] as const;
type Language = (typeof both)[number];

/** The same person in another browser, which speaks that language. */
async function signedIn(
  { username, password }: Person,
  language: Language,
  device = "test",
): Promise<Client> {
  const browser = server.client({ "Accept-Language": language, "User-Agent": device });
  expectStatus(await browser.post("/api/auth/login", { username, password }), 200);
  return browser;
}

const settings = (form: string, fields: Record<string, string> = {}) =>
  ["/settings", { form, ...fields }] as const;

test("a signed-out person is sent to sign in and returns; no page of the settings is cached", async () => {
  const pages = [
    "/profile",
    "/settings",
    "/settings/confirm?next=%2Fsettings",
    "/settings/second-factor",
    "/settings/second-factor/off",
    "/settings/second-factor/codes",
    "/settings/delete",
  ];
  for (const page of pages) {
    const stranger = server.client();
    const [to, said] = await readToastAfter(stranger, await stranger.get(page));
    expect([to, said]).toEqual([
      `/?next=${encodeURIComponent(page)}`,
      translateText("en", "guards.authRequired"),
    ]);
    expect((await postForm(server.client(), page)).status).toBe(303);
  }
  for (const page of ["/profile", "/settings", "/settings/second-factor", "/settings/delete"]) {
    expect((await me.get(page)).headers.get("cache-control")).toBe("no-store");
  }
});

test("a form from another site, an invalid or unknown one changes nothing", async () => {
  for (const page of ["/profile", "/settings", "/settings/second-factor", "/settings/second-factor/codes"]) {
    for (const form of ["", "nonsense", "constructor", "__proto__", "toString"]) {
      expect([page, form, (await postForm(me, page, { form })).status]).toEqual([page, form, 404]);
    }
    expect((await me.send("POST", page, "{", { "Content-Type": "text/plain" })).status).toBe(400);
    const foreign = {
      Origin: "https://elsewhere.example",
      "Content-Type": "application/x-www-form-urlencoded",
    };
    expect((await me.send("POST", page, "form=theme&theme=dark", foreign)).status).toBe(403);
  }
});

describe("the profile", () => {
  test("shows the person, and saves phone number and account", async () => {
    const page = await me.get("/profile");
    for (const shown of [
      "Bat Erdene",
      `@${me.username}`,
      me.email,
      translateText("en", "profile.unconfirmed"),
    ]) {
      expect(page.text).toContain(shown);
    }
    const right = { form: "profile", phoneNumber: "+82 10-1234-5678", bankAccount: "5012345678" };
    for (const fields of [right, right]) {
      const answer = await postForm(me, "/profile", fields);
      expect(await readToastAfter(me, answer)).toEqual(["/profile", "Profile updated"]);
    }
    const saved = await me.get("/profile");
    expect(readFieldValue(saved, "profile-phoneNumber")).toBe("+82 10-1234-5678");
    expect(readFieldValue(saved, "profile-bankAccount")).toBe("5012345678");
  });

  test("a wrong phone number stays in its field with the message beside it, in both languages", async () => {
    for (const language of both) {
      const browser = await signedIn(me, language);
      const wrong = { form: "profile", phoneNumber: "12<3", bankAccount: "MN 1" };
      const page = await postForm(browser, "/profile", wrong);
      expect(page.status).toBe(422);
      expect(errorOf(page, "profile-phoneNumber")).toBe(translateText(language, "validation.phone"));
      expect(readFieldValue(page, "profile-phoneNumber")).toBe("12<3");
      expect(readFieldValue(page, "profile-bankAccount")).toBe("MN 1");
    }
    expect(readFieldValue(await me.get("/profile"), "profile-bankAccount")).toBe("5012345678");
  });

  test("empty fields are cleared, missing ones are kept", async () => {
    await postForm(me, "/profile", { form: "profile", phoneNumber: "99112233", bankAccount: "1" });
    await postForm(me, "/profile", { form: "profile", phoneNumber: "" });
    const { body } = await me.get("/api/auth/user");
    expect([body.phoneNumber, body.bankAccount]).toEqual([null, "1"]);
  });
});

describe("language and theme", () => {
  test("are saved with the person and the browser, and confirmed in the chosen language", async () => {
    const browser = await signedIn(me, "en");
    const answer = await postForm(browser, ...settings("language", { language: "mn" }));
    expect(await readToastAfter(browser, answer)).toEqual([
      "/settings#language",
      translateText("mn", "settings.saved"),
    ]);
    expect((await browser.get("/api/auth/user")).body.language).toBe("mn");
    expect((await browser.get("/settings")).text).toContain('<html lang="mn"');
    const dark = await postForm(browser, ...settings("theme", { theme: "dark" }));
    expect((await readToastAfter(browser, dark))[0]).toBe("/settings#theme");
    expect((await browser.get("/settings")).text).toContain('<html lang="mn" class="dark"');
  });

  test("an empty or unknown choice is refused at its field", async () => {
    for (const language of both) {
      const browser = await signedIn(me, language);
      for (const wrong of [{}, { language: "xx" }, { theme: "xx" }] as Array<Record<string, string>>) {
        for (const form of ["language", "theme"]) {
          const page = await postForm(browser, ...settings(form, wrong));
          expect(page.status).toBe(422);
          expect(errorOf(page, `${form}-${form}`)).toBe(translateText(language, `validation.${form}`));
        }
      }
    }
  });
});

describe("the password", () => {
  test("needs the current one and the new one twice, with errors at each field", async () => {
    for (const language of both) {
      const browser = await signedIn(me, language);
      const said = async (fields: Record<string, string>) => {
        const page = await postForm(browser, ...settings("password", fields));
        expect(page.status).toBe(422);
        expect(page.text).not.toContain("not this one");
        expect(page.text).toMatch(/<details open=""[^>]*>(?:(?!<\/details>).)*name="currentPassword"/s);
        return (name: string) => errorOf(page, `password-${name}`);
      };
      const none = await said({});
      expect(none("currentPassword")).toBe(translateText(language, "validation.passwordRequired"));
      expect(none("newPassword")).toBe(translateText(language, "validation.password"));
      const fresh = { newPassword: "a new pass phrase", confirmPassword: "a new pass phrase" };
      const differ = await said({ ...fresh, currentPassword: "not this one", confirmPassword: "another" });
      expect(differ("confirmPassword")).toBe(translateText(language, "validation.passwordsDontMatch"));
      const wrong = await said({ ...fresh, currentPassword: "not this one" });
      expect(wrong("currentPassword")).toBe(translateText(language, "errors.PASSWORD_WRONG"));
      const common = { currentPassword: me.password, newPassword: "password", confirmPassword: "password" };
      expect((await said(common))("newPassword")).toBe(translateText(language, "validation.passwordCommon"));
    }
  });

  test("when changed, signs out every other device and keeps this one", async () => {
    const person = await registerPerson(server);
    const other = await signedIn(person, "en");
    const fields = { newPassword: "a new pass phrase", confirmPassword: "a new pass phrase" };
    const form = settings("password", { ...fields, currentPassword: person.password });
    const answer = await postForm(person, ...form);
    expect(await readToastAfter(person, answer)).toEqual([
      "/settings#password",
      translateText("en", "settings.password.changed"),
    ]);
    expect((await other.get("/settings")).status).toBe(303);
    const twice = await postForm(person, ...form);
    expect(errorOf(twice, "password-currentPassword")).toBe(translateText("en", "errors.PASSWORD_WRONG"));
    expect((await person.get("/settings")).status).toBe(200);
  });
});

describe("a form sent twice without scripts, with the cookie that the first one replaced", () => {
  /** The browser drops the first answer; the second press goes out with the cookies of the first. */
  async function twice(person: Person, path: string, fields: Record<string, string>) {
    const [first, second] = [await signedIn(person, "en"), server.client({ "Accept-Language": "en" })];
    const cookies = { Cookie: first.cookies(), "Content-Type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ username: person.username, ...fields }).toString();
    expect((await first.send("POST", path, body, cookies)).status).toBe(303);
    return { browser: second, stale: cookies, answer: await second.send("POST", path, body, cookies) };
  }

  test("a change of password or its confirmation ends signed in; the replaced cookie opens nothing", async () => {
    const confirm = ["/settings/confirm?next=%2Fsettings%23data", "/settings#data"] as const;
    for (const [path, to] of [
      ["/settings", "/settings#password"],
      ["/change-password", "/chat"],
      confirm,
    ] as const) {
      const person = await registerPerson(server);
      const changed = {
        currentPassword: person.password,
        newPassword: "other word",
        confirmPassword: "other word",
      };
      const fields: Record<string, string> =
        path === confirm[0] ? { password: person.password } : { form: "password", ...changed };
      const { browser, stale, answer } = await twice(person, path, fields);
      expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 303, to]);
      expect((await browser.get("/api/auth/user")).body.username).toBe(person.username);
      expect((await server.client().send("GET", "/api/auth/user", undefined, stale)).status).toBe(401);
    }
  });

  test("a wrong or missing password leads to the sign-in like for any visitor", async () => {
    const wrong: Record<string, string>[] = [{ password: "not the word", username: me.username }, {}];
    for (const fields of wrong) {
      const answer = await postForm(server.client(), "/settings/confirm?next=%2Fsettings", fields);
      expect(answer.headers.get("location")).toStartWith("/?next=%2Fsettings%2Fconfirm");
      expect(answer.headers.getSetCookie().join()).not.toContain("session=");
    }
  });
});

test("the verification link is sent again, up to a limit", async () => {
  const paced = await startServer({ databaseUrl: server.databaseUrl, environment: { THROTTLE_FACTOR: "1" } });
  try {
    const browser = paced.client();
    expectStatus(
      await browser.post("/api/auth/login", { username: me.username, password: me.password }),
      200,
    );
    for (let sent = 0; sent < 5; sent++) {
      const told = await readToastAfter(browser, await postForm(browser, ...settings("verification")));
      expect(told).toEqual(["/settings#email", translateText("en", "identity.verificationSent")]);
    }
    const page = await postForm(browser, ...settings("verification"));
    expect(page.status).toBe(429);
    expectMatch(Object.fromEntries(page.headers), {
      "retry-after": expect.stringMatching(/^[1-9]/),
    });
    expect(errorOf(page, "verification")).toMatch(/\d/);
  } finally {
    await paced.stop();
  }
}, 120_000);

describe("signed-in devices", () => {
  const phone = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36";
  const idsOn = ({ text: html }: { text: string }) =>
    [...html.matchAll(/id="device-(\d+)"/g)].map(([, id]) => id ?? "");

  test("are listed by name; one is signed out after a confirmation, and no other", async () => {
    const person = await registerPerson(server);
    const other = await signedIn(person, "en", phone);
    const page = await person.get("/settings");
    expect(page.text).toContain("Chrome, Android");
    const [latest = ""] = idsOn(page);
    const asked = await person.get(`/settings?device=${latest}`);
    expect(asked.text).toContain(translateText("en", "settings.devices.sure"));
    expect((await other.get("/settings")).status).toBe(200);
    const form = settings("device", { session: /name="session" value="(\d+)"/.exec(asked.text)?.[1] ?? "" });
    expect(await readToastAfter(person, await postForm(person, ...form))).toEqual([
      "/settings#devices",
      translateText("en", "identity.sessionRevoked"),
    ]);
    expect((await other.get("/settings")).status).toBe(303);
    const twice = await readToastAfter(person, await postForm(person, ...form));
    expect(twice[1]).toBe(translateText("en", "errors.SESSION_NOT_FOUND"));
    expect(visibleText((await person.get("/settings")).text)).toContain(
      translateText("en", "settings.devices.only"),
    );
  });

  test("of someone else are not found, like a missing one; an invalid number is a 404", async () => {
    const theirs = idsOn(await me.get("/settings"))[0] ?? "";
    const person = await registerPerson(server);
    for (const session of [theirs, "999999999"]) {
      const told = await readToastAfter(person, await postForm(person, ...settings("device", { session })));
      expect(told).toEqual(["/settings#devices", translateText("en", "errors.SESSION_NOT_FOUND")]);
      expect((await person.get(`/settings?device=${session}`)).text).not.toContain(
        translateText("en", "settings.devices.sure"),
      );
    }
    expect((await me.get("/settings")).status).toBe(200);
    for (const session of ["", "abc", "-1", "1e3"]) {
      expect((await postForm(person, ...settings("device", { session }))).status).toBe(404);
    }
  });

  test("are all signed out at once, repeatedly; one's own is a sign-out", async () => {
    const person = await registerPerson(server);
    const others = [await signedIn(person, "en"), await signedIn(person, "mn")];
    expect((await person.get("/settings?device=others")).text).toContain(
      translateText("en", "settings.devices.othersSure"),
    );
    for (let press = 0; press < 2; press++) {
      const told = await readToastAfter(person, await postForm(person, ...settings("others")));
      expect(told).toEqual(["/settings#devices", translateText("en", "identity.sessionsRevoked")]);
    }
    for (const other of others) expect((await other.get("/settings")).status).toBe(303);
    const [own = ""] = idsOn(await person.get("/settings"));
    const out = await readToastAfter(person, await postForm(person, ...settings("device", { session: own })));
    expect(out).toEqual(["/", translateText("en", "toast.loggedOut")]);
    expect((await person.get("/settings")).status).toBe(303);
  });
});

test("optional mails can be chosen; an unticked box means no", async () => {
  const person = await registerPerson(server);
  const choices = async () => (await person.get("/api/users/me/notifications")).body;
  for (const form of [settings("notifications", { requests: "on" }), settings("notifications")]) {
    const told = await readToastAfter(person, await postForm(person, ...form));
    expect(told).toEqual(["/settings#notifications", translateText("en", "identity.notificationsSaved")]);
    const requests = "requests" in form[1];
    expect(await choices()).toMatchObject({ reminders: false, roomActivity: false, requests });
    const ticked = [
      ...(await person.get("/settings")).text.matchAll(
        /<input type="checkbox"[^>]*id="notifications-[^>]*checked/g,
      ),
    ];
    expect(ticked).toHaveLength(requests ? 1 : 0);
  }
});

describe("my data", () => {
  test("is an uncached file, and only for a form of Midman's", async () => {
    const file = await postForm(deal.buyer, "/settings/data");
    expect(file.status).toBe(200);
    expect(file.headers.get("cache-control")).toBe("no-store");
    expect(file.headers.get("content-disposition")).toMatch(
      /^attachment; filename="midman-data-[\d-]{10}\.json"$/,
    );
    expect(file.body.profile).toMatchObject({ username: deal.buyer.username, email: deal.buyer.email });
    expect(file.text).not.toContain(deal.seller.email);
    expect((await deal.buyer.get("/settings/data")).headers.get("location")).toBe("/settings#data");
  });

  test("needs a fresh login: asked for once, and then back to the page", async () => {
    const person = await registerPerson(server);
    await ageLogins(person);
    const asked = await postForm(person, "/settings/data");
    const confirm = "/settings/confirm?next=%2Fsettings%23data";
    expect([asked.status, asked.headers.get("location")]).toEqual([303, confirm]);
    for (const language of both) {
      const browser = await signedIn(person, language);
      const none = await postForm(browser, confirm);
      expect([none.status, errorOf(none, "confirm-password")]).toEqual([
        422,
        translateText(language, "validation.passwordRequired"),
      ]);
      const wrong = await postForm(browser, confirm, { password: "not this one" });
      expect(errorOf(wrong, "confirm-password")).toBe(translateText(language, "errors.PASSWORD_WRONG"));
      expect(wrong.text).not.toContain("not this one");
    }
    const right = await postForm(person, confirm, { password: person.password });
    expect((await readToastAfter(person, right))[0]).toBe("/settings#data");
    expect((await postForm(person, "/settings/data")).status).toBe(200);
  });

  test("never returns to another site", async () => {
    for (const next of ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example"]) {
      const path = `/settings/confirm?next=${encodeURIComponent(next)}`;
      const { headers } = await postForm(me, path, { password: me.password });
      expect(headers.get("location")).toBe("/settings");
    }
  });
});

describe("deletion", () => {
  const page = "/settings/delete";

  test("needs one's username and password, with errors at each field", async () => {
    for (const language of both) {
      const browser = await signedIn(me, language);
      const none = await postForm(browser, page);
      expect(none.status).toBe(422);
      expect(errorOf(none, "delete-confirmation")).toBe(
        translateText(language, "validation.usernameRequired"),
      );
      expect(errorOf(none, "delete-password")).toBe(translateText(language, "validation.passwordRequired"));
      const other = await postForm(browser, page, { confirmation: "someone", password: me.password });
      expect(errorOf(other, "delete-confirmation")).toBe(
        translateText(language, "errors.CONFIRMATION_MISMATCH"),
      );
      expect(readFieldValue(other, "delete-confirmation")).toBe("someone");
      const wrong = await postForm(browser, page, { confirmation: me.username, password: "not this one" });
      expect(errorOf(wrong, "delete-password")).toBe(translateText(language, "errors.PASSWORD_WRONG"));
      expect(wrong.text).not.toContain("not this one");
    }
    expect((await me.get("/settings")).status).toBe(200);
  });

  test("is refused while money is held, with a link to its room; then allowed, and the session is gone", async () => {
    const { buyer, id, roomId } = deal;
    const fields = { confirmation: buyer.username, password: buyer.password };
    const held = await postForm(buyer, page, fields);
    expect([held.status, errorOf(held, "delete")]).toEqual([409, translateText("en", "errors.MONEY_HELD")]);
    expect(held.text).toContain(`href="/chat/${roomId}"`);

    const admin = await signInAdministrator(server);
    expectStatus(await admin.post(`/api/admin/transactions/${id}/cancel`), 200);
    expect((await buyer.get(page)).text).toContain(`href="/chat/${roomId}"`);
    expectStatus(await buyer.post(`/api/transactions/${id}/refund-destination`, refundAccount), 200);
    expectStatus(
      await postAsShown(admin, `/api/admin/transactions/${id}/settle`, { bankReference: `S-${id}` }),
      200,
    );

    expect((await buyer.get(page)).text).not.toContain(`href="/chat/${roomId}"`);
    const gone = await readToastAfter(buyer, await postForm(buyer, page, fields));
    expect(gone).toEqual(["/", translateText("en", "identity.accountDeleted")]);
    expect((await buyer.get("/settings")).status).toBe(303);
    expect((await postForm(buyer, page, fields)).headers.get("location")).toBe(
      `/?next=${encodeURIComponent(page)}`,
    );
    const again = server.client();
    const { username, password } = buyer;
    expect((await again.post("/api/auth/login", { username, password })).status).toBe(401);
  });
});
