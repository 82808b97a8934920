import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Secret, TOTP } from "otpauth";
import { translateText } from "#locales";
import { connectDatabase, disconnectDatabase } from "../../db/client.ts";
import { errorOf, postForm, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { ageLogins, expectStatus, type Person, registerPerson } from "../support/people/registered-people.ts";
import type { Client, Reply } from "../support/server/http-client.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";

/** The life of a second factor by pages and forms, without scripts. */

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
  connectDatabase(server.databaseUrl);
}, 240_000);

afterAll(() => disconnectDatabase());

const setUp = "/settings/second-factor";
const renew = "/settings/second-factor/codes";
const off = "/settings/second-factor/off";
const here = "/settings#factor";

/** The code of the step that is `steps` from now. Not in a step's last moments: it would be another's when it arrives. */
async function codeOf(secret: string, steps: number): Promise<string> {
  while (Date.now() % 30_000 > 25_000) await Bun.sleep(200);
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
}

const codesOn = ({ text: html }: Reply) =>
  [...html.matchAll(/<li[^>]*>([A-Z2-7]{4}(?:-[A-Z2-7]{4}){5})<\/li>/g)].map(([, code]) => code ?? "");

const secretOn = ({ text: html }: Reply) => /data-copy="([A-Z2-7]{32})"/.exec(html)?.[1] ?? "";

/** Begins at the page of settings and reads the key from the page that it leads to. */
async function begun(who: Client): Promise<string> {
  expect((await postForm(who, setUp, { form: "begin" })).headers.get("location")).toBe(setUp);
  return secretOn(expectStatus(await who.get(setUp), 200));
}

/** Somebody whose second factor was turned on with the code of the step before this one. */
async function withFactor(): Promise<{ person: Person; secret: string; codes: string[] }> {
  const person = await registerPerson(server);
  const secret = await begun(person);
  const page = await postForm(person, setUp, { form: "confirm", code: await codeOf(secret, -1) });
  return { person, secret, codes: codesOn(expectStatus(page, 200)) };
}

describe("setting up a second factor", () => {
  test("shows QR code, key and account on an uncached page, and checks the code beside its field", async () => {
    for (const language of ["en", "mn"] as const) {
      const person = await registerPerson({ client: () => server.client({ "Accept-Language": language }) });
      const secret = await begun(person);
      expect(secret).toHaveLength(32);
      const page = await person.get(setUp);
      expect(page.headers.get("cache-control")).toBe("no-store");
      expect(page.text).toContain('src="data:image/png;base64,');
      expect(page.text).toContain(secret.match(/.{4}/g)?.join(" ") ?? "no secret");
      expect(page.text).toContain(`otpauth://totp/Midman:${person.username}?`);
      const wrongly = async (code: string) => {
        const answer = await postForm(person, setUp, { form: "confirm", code });
        expect([answer.status, secretOn(answer)]).toEqual([422, secret]);
        return errorOf(answer, "confirm-code");
      };
      expect(await wrongly("")).toBe(translateText(language, "validation.secondFactorDigits"));
      expect(await wrongly("AAAA-BBBB-CCCC-DDDD")).toBe(
        translateText(language, "validation.secondFactorDigits"),
      );
      const stranger = await codeOf(new Secret({ size: 20 }).base32, 0);
      expect(await wrongly(stranger)).toBe(translateText(language, "errors.SECOND_FACTOR_WRONG"));
    }
  });

  test("shows ten recovery codes in that one response, and nowhere afterwards", async () => {
    const { person, secret, codes } = await withFactor();
    expect(new Set(codes).size).toBe(10);
    const again = await postForm(person, setUp, { form: "confirm", code: await codeOf(secret, 0) });
    expect(await readToastAfter(person, again)).toEqual([
      here,
      translateText("en", "errors.SECOND_FACTOR_ON"),
    ]);
    for (const page of ["/settings", setUp, renew]) {
      const { text: html } = expectStatus(await person.get(page), 200);
      for (const once of [...codes, secret]) expect(html).not.toContain(once);
    }
    const kept = Buffer.from(person.cookies().replaceAll(/[^;]*=/g, ""), "base64url").toString("latin1");
    for (const once of [...codes, secret]) {
      expect(person.cookies() + kept + server.output()).not.toContain(once);
    }
    const beginning = await postForm(person, setUp, { form: "begin" });
    expect(await readToastAfter(person, beginning)).toEqual([
      here,
      translateText("en", "errors.SECOND_FACTOR_ON"),
    ]);
  });

  test("offers the codes as a file with nothing else", async () => {
    const { person, codes } = await withFactor();
    const path = "/settings/second-factor/codes/file";
    const file = await postForm(person, path, { codes: codes.join(" ") });
    expect(file.status).toBe(200);
    expect(file.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(file.headers.get("content-disposition")).toStartWith("attachment");
    expect(file.headers.get("cache-control")).toBe("no-store");
    expect(file.text).toContain(`\r\n\r\n${codes.join("\r\n")}\r\n`);
    for (const wrong of ["", codes.slice(1).join(" "), `${codes.join(" ")}\nclick here`, "x".repeat(200)]) {
      expect((await postForm(person, path, { codes: wrong })).status).toBe(404);
    }
    expect((await postForm(server.client(), path, { codes: codes.join(" ") })).status).toBe(303);
  });

  test("needs a fresh login, and then continues with the same key", async () => {
    const person = await registerPerson(server);
    await ageLogins(person);
    const confirm = `/settings/confirm?next=${encodeURIComponent(setUp)}`;
    expect((await postForm(person, setUp, { form: "begin" })).headers.get("location")).toBe(confirm);
    expect((await person.get(setUp)).headers.get("location")).toBe(confirm);
    const back = await postForm(person, confirm, { password: person.password });
    expect(back.headers.get("location")).toBe(setUp);
    const secret = await begun(person);
    await ageLogins(person);
    const code = await codeOf(secret, 0);
    expect((await postForm(person, setUp, { form: "confirm", code })).headers.get("location")).toBe(confirm);
    await postForm(person, confirm, { password: person.password });
    expect(secretOn(await person.get(setUp))).toBe(secret);
  });
});

describe("an active second factor", () => {
  test("is required when signing in by the pages", async () => {
    const { person, secret } = await withFactor();
    const browser = server.client();
    const { username, password } = person;
    const asked = await postForm(browser, "/?next=%2Fsettings", { form: "login", username, password });
    expect(asked.status).toBe(303);
    expect((await browser.get("/settings")).status).toBe(303);
    const entry = asked.headers.get("location") ?? "";
    const entered = await postForm(browser, entry, { code: await codeOf(secret, 0) });
    expect(entered.headers.get("location")).toBe("/settings");
    expect((await browser.get("/settings")).text).toContain(translateText("en", "settings.state.on"));
  });

  test("is required to confirm oneself and to change the password, with errors at each field", async () => {
    const { person, codes } = await withFactor();
    const confirm = "/settings/confirm?next=%2Fsettings";
    const { password } = person;
    const none = await postForm(person, confirm, { password });
    expect(errorOf(none, "confirm-code")).toBe(translateText("en", "errors.SECOND_FACTOR_REQUIRED"));
    const wrong = await postForm(person, confirm, { password, code: "AAAA AAAA AAAA AAAA" });
    expect(errorOf(wrong, "confirm-code")).toBe(translateText("en", "errors.SECOND_FACTOR_WRONG"));
    const fresh = { newPassword: "a new pass phrase", confirmPassword: "a new pass phrase" };
    const change = { form: "password", currentPassword: password, ...fresh };
    const withoutCode = await postForm(person, "/settings", change);
    expect(errorOf(withoutCode, "password-code")).toBe(translateText("en", "errors.SECOND_FACTOR_REQUIRED"));
    const [first = "", second = ""] = codes;
    expect((await postForm(person, confirm, { password, code: first.toLowerCase() })).status).toBe(303);
    const changed = await postForm(person, "/settings", { ...change, code: second });
    expect(changed.headers.get("location")).toBe("/settings#password");
    expect((await person.get("/settings")).text).toContain(
      translateText("en", "settings.factor.left", { left: 8 }),
    );
  });

  test("is required again for a repeated confirmation: the password alone opens nothing", async () => {
    const { person, codes } = await withFactor();
    const { username, password } = person;
    const stale = person.cookies();
    const confirm = "/settings/confirm?next=%2Fsettings%23data";
    const press = { username, password, code: codes[0] ?? "" };
    expect((await postForm(person, confirm, press)).status).toBe(303);
    const browser = server.client({ Cookie: stale });
    const again = await postForm(browser, confirm, press);
    expect(again.headers.get("location")).toBe("/sign-in/code?next=%2Fsettings%23data");
    expect(again.headers.getSetCookie().join()).not.toContain("session=");
    expect((await browser.get("/settings")).status).toBe(303);
  });

  test("replaces the recovery codes with new ones; a warning appears when few are left", async () => {
    const { person, codes } = await withFactor();
    const [old = ""] = codes;
    const fresh = codesOn(expectStatus(await postForm(person, renew, { form: "renew" }), 200));
    expect(new Set([...codes, ...fresh]).size).toBe(20);
    const confirm = "/settings/confirm?next=%2Fsettings";
    const { password } = person;
    const wrong = await postForm(person, confirm, { password, code: old });
    expect(errorOf(wrong, "confirm-code")).toBe(translateText("en", "errors.SECOND_FACTOR_WRONG"));
    const few = translateText("en", "settings.factor.few");
    for (const [at, code] of fresh.slice(0, 7).entries()) {
      expect([at, visibleText((await person.get("/settings")).text).includes(few)]).toEqual([at, false]);
      expect((await postForm(person, confirm, { password, code })).status).toBe(303);
    }
    expect(visibleText((await person.get("/settings")).text)).toContain(few);
    await ageLogins(person);
    const to = `/settings/confirm?next=${encodeURIComponent(renew)}`;
    expect((await person.get(renew)).headers.get("location")).toBe(to);
    expect((await postForm(person, renew, { form: "renew" })).headers.get("location")).toBe(to);
  });

  test("is turned off only with password and code, however fresh the login, and ends immediately", async () => {
    const { person, secret, codes } = await withFactor();
    const { password, username } = person;
    const none = await postForm(person, off, { form: "off" });
    expect(errorOf(none, "off-password")).toBe(translateText("en", "validation.passwordRequired"));
    const half = await postForm(person, off, { form: "off", password });
    expect(errorOf(half, "off-code")).toBe(translateText("en", "errors.SECOND_FACTOR_REQUIRED"));
    const wrong = await postForm(person, off, {
      form: "off",
      password: "not this one",
      code: codes[0] ?? "",
    });
    expect(errorOf(wrong, "off-password")).toBe(translateText("en", "errors.PASSWORD_WRONG"));
    expect(wrong.text).not.toContain(codes[0] ?? "no code");
    const answer = await postForm(person, off, { form: "off", password, code: await codeOf(secret, 0) });
    expect(await readToastAfter(person, answer)).toEqual([
      here,
      translateText("en", "identity.secondFactorOff"),
    ]);
    expect((await person.get(off)).headers.get("location")).toBe(here);
    expect((await person.get(renew)).headers.get("location")).toBe(here);
    expect(await readToastAfter(person, await postForm(person, renew, { form: "renew" }))).toEqual([
      here,
      translateText("en", "errors.SECOND_FACTOR_OFF"),
    ]);
    expectStatus(await server.client().post("/api/auth/login", { username, password }), 200);
  });

  test("is required to delete the account", async () => {
    const { person, codes } = await withFactor();
    const fields = { confirmation: person.username, password: person.password };
    const none = await postForm(person, "/settings/delete", fields);
    expect(errorOf(none, "delete-code")).toBe(translateText("en", "errors.SECOND_FACTOR_REQUIRED"));
    const gone = await postForm(person, "/settings/delete", { ...fields, code: codes[0] ?? "" });
    expect(await readToastAfter(person, gone)).toEqual(["/", translateText("en", "identity.accountDeleted")]);
  });
});
