import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { type Language, translateText } from "#locales";
import { quoteTrade } from "#modules/escrow";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { expectStatus, type Person, registerPerson } from "../support/people/registered-people.ts";
import { secureUrl, startBehindTls } from "../support/server/behind-tls.ts";
import type { Client, Reply } from "../support/server/http-client.ts";
import { type Server, startServer, testAdministrator } from "../support/server/midman-server.ts";
import { alerts, formOf, location, newcomer, plain, refused, toast, typedIn } from "./auth-pages.fixture.ts";

/** Signing in and up, forgetting, and the fee calculator, as a browser without script sends and reads them. */

let server: Server;
let strict: Server;
let known: Person;

beforeAll(async () => {
  server = await startServer();
  strict = await startServer({ environment: { FEE_POLICY: "terms", THROTTLE_FACTOR: "1" } });
  known = await registerPerson(server, "Known Person");
}, 240_000);

afterAll(async () => {
  await server?.stop();
  await strict?.stop();
});

const languages = ["en", "mn"] as const;
const visitor = (language: Language = "en") => server.client({ "Accept-Language": language });

/** A form as a browser posts it. */
function post(who: Client, path: string, fields: Record<string, string>): Promise<Reply> {
  const body = new URLSearchParams(fields).toString();
  return who.send("POST", path, body, { "Content-Type": "application/x-www-form-urlencoded" });
}

describe("a form that is refused", () => {
  for (const language of languages) {
    for (const { what, path, body, status, says } of refused) {
      test(`${what}: shows it beside the fields in ${language}, keeps the input but no password`, async () => {
        const reply = await post(visitor(language), path, body);
        expect(reply.status).toBe(status);
        expect(alerts(reply.text)).toEqual(says.map((key) => translateText(language, key)));
        const { form, password, ...kept } = body;
        const shown = form === undefined ? plain(reply.text) : formOf(reply.text, form);
        for (const [name, value] of Object.entries(kept))
          expect([name, typedIn(shown, name)]).toEqual([name, value]);
        if (password) expect(reply.text).not.toContain(password);
      });
    }
  }

  test("has the agreed texts", () => {
    const said = (key: string) => translateText("en", key);
    expect(said("validation.username")).toBe("Username must be at least 3 characters");
    expect(said("validation.password")).toBe("Password must be at least 6 characters");
    expect(said("validation.displayName")).toBe("Display name must be at least 2 characters");
    expect(said("validation.email")).toBe("Please enter a valid email address");
    expect(said("validation.avatarInitials")).toBe("Avatar initials must be 1-2 characters");
    expect(said("validation.passwordsDontMatch")).toBe("Passwords don't match");
    expect(said("validation.usernameRequired")).toBe("Username is required");
    expect(said("validation.passwordRequired")).toBe("Password is required");
    expect(said("errors.INVALID_CREDENTIALS")).toBe("Invalid username or password");
    expect(said("errors.ADMIN_CREDENTIALS")).toBe("Invalid admin credentials");
  });

  test("says in words when to try again, as the header does in seconds", async () => {
    const who = strict.client();
    const ask = () => post(who, "/?dialog=forgot-password", { form: "forgot", email: "often@example.mn" });
    for (let i = 0; i < 5; i++) expect((await ask()).status).toBe(303);
    const reply = await ask();
    expect(reply.status).toBe(429);
    const seconds = Number(reply.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(60);
    expect(seconds).toBeLessThanOrEqual(3600);
    expect(alerts(reply.text)[0]).toMatch(/^Too many attempts\. Try again in (1 hour|\d+ minutes?)\.$/);
    expect(typedIn(formOf(reply.text, "forgot"), "email")).toBe("often@example.mn");
  });
});

describe("signing up", () => {
  test("continues, signed in, with the initials in capitals; again the name is taken", async () => {
    const who = visitor();
    const typed = { ...newcomer(), avatarInitials: " bd " };
    const reply = await post(who, "/?tab=register", typed);
    expect([reply.status, location(reply)]).toEqual([303, "/chat"]);
    expect((await who.get("/api/auth/user")).body).toMatchObject({
      avatarInitials: "BD",
      email: typed.email,
    });
    expect(location(await who.get("/?next=/history"))).toBe("/history");

    const again = await post(visitor(), "/?tab=register", { ...typed, email: `other.${typed.email}` });
    expect([again.status, alerts(again.text)]).toEqual([
      409,
      ["This username is already taken. Choose another one."],
    ]);
    expect(typedIn(formOf(again.text, "register"), "displayName")).toBe("Bold Dorj");
  });

  test("links to the consent texts, and tells password managers which field is which", async () => {
    for (const language of languages) {
      const form = formOf((await visitor(language).get("/?tab=register")).text, "register");
      expect(form).toContain('href="/terms-of-service"');
      expect(form).toContain('href="/privacy-policy"');
      for (const name of ["username", "name", "email", "new-password"])
        expect(form.match(new RegExp(`autoComplete="${name}"`, "gi"))?.length).toBe(1);
      expect(form).toMatch(/maxLength="2"/i);
    }
    const login = formOf((await visitor().get("/")).text, "login");
    expect(login).toMatch(/autoComplete="username webauthn"[^>]* name="username"/i);
    expect(login).toMatch(/autoComplete="current-password"/i);
  });

  for (const language of languages) {
    test(`with a registered address leads to the filled sign-in form, and loses nothing (${language})`, async () => {
      const who = visitor(language);
      const typed = { ...newcomer(), email: known.email.toUpperCase(), avatarInitials: "БД" };
      const reply = await post(who, "/?tab=register&next=%2Fchat%3Finvite%3DABCDEFGHIJ", typed);
      expect([reply.status, location(reply)]).toEqual([303, "/?next=%2Fi%2FABCDEFGHIJ#auth"]);

      const landed = (await who.get("/?next=%2Fi%2FABCDEFGHIJ")).text;
      expect(toast(landed)).toBe(translateText(language, "toast.emailExists"));
      expect(typedIn(formOf(landed, "login"), "username")).toBe(typed.email);
      const forgot = (await who.get("/?dialog=forgot-password")).text;
      expect(toast(forgot)).toBeUndefined();
      expect(typedIn(formOf(forgot, "forgot"), "email")).toBe(typed.email);
      const back = formOf((await who.get("/?tab=register")).text, "register");
      for (const name of ["username", "displayName", "email", "avatarInitials"] as const)
        expect(typedIn(back, name)).toBe(typed[name]);
      expect(typedIn(back, "password")).toBe("");

      const login = { form: "login", username: typed.email, password: known.password };
      const entered = await post(who, "/?next=%2Fchat%3Finvite%3DABCDEFGHIJ", login);
      expect([entered.status, location(entered)]).toEqual([303, "/i/ABCDEFGHIJ"]);
      expect(who.cookies()).not.toContain("midman-typed");
    });
  }

  test("shows “Email Already Exists” in the agreed words", () => {
    const said = translateText("en", "toast.emailExists");
    expect(said).toStartWith("Email Already Exists: This email is already registered");
    expect(said).toContain("Forgot");
  });
});

describe("signing in", () => {
  test("works by name or address, and twice", async () => {
    const who = visitor();
    for (const username of [known.username, ` ${known.username.toUpperCase()} `, known.email]) {
      const reply = await post(who, "/", { form: "login", username, password: known.password });
      expect([reply.status, location(reply)]).toEqual([303, "/chat"]);
    }
  });

  test("remembers where the person was going through every tab, and never leads to another site", async () => {
    const guarded = await visitor().get("/chat?invite=ABCDEFGHIJ");
    const at = location(guarded);
    expect(at).toBe("/?next=%2Fi%2FABCDEFGHIJ");
    for (const extra of ["", "&tab=register", "&dialog=forgot-password"]) {
      const page = plain((await visitor().get(`${at}${extra}`)).text);
      const links = [...page.matchAll(/(?:href|action)="(\/\?[^"]*)"/g)].map(([, link = ""]) => link);
      const panel = links.filter((link) => link.includes("next="));
      expect(panel.length).toBeGreaterThanOrEqual(3);
      expect(plain(page)).toMatch(/<main.*tab=register&next=[^"]*#auth"[^>]*>Sign up<\/a>.*<footer/s);
      expect(panel.every((link) => link.includes("next=%2Fi%2FABCDEFGHIJ"))).toBe(true);
    }
    const login = { form: "login", username: known.username, password: known.password };
    for (const evil of ["//evil.example", "https://evil.example", "/\\evil.example"]) {
      const reply = await post(visitor(), `/?next=${encodeURIComponent(evil)}`, login);
      expect(location(reply)).toBe("/chat");
    }
  });

  test("of administrators says so, and returns to where they were going", async () => {
    const page = plain((await visitor().get("/admin/login")).text);
    expect(page).toContain("Return to Home Page");
    expect(page).toContain("Every attempt to sign in here is logged.");
    const who = visitor();
    const reply = await post(who, "/admin/login?next=%2Fadmin%2Ftransactions%2F1", { ...testAdministrator });
    expect([reply.status, location(reply)]).toEqual([303, "/admin/transactions/1"]);
    expect(toast((await who.get("/admin/transactions/1")).text)).toBe("Login successful");
  });
});

/** Turns a second factor on; the code of the app `steps` from now. */
async function withFactor() {
  const person = await registerPerson(server, "Two Steps");
  const { secret } = expectStatus(await person.post("/api/users/me/second-factor"), 200).body;
  const code = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(String(secret)), digits: 6, period: 30 }).generate({
      timestamp: Date.now() + steps * 30_000,
    });
  const on = expectStatus(await person.post("/api/users/me/second-factor/confirm", { code: code(-1) }), 200);
  return { ...person, code, recovery: on.body.recoveryCodes as string[] };
}

describe("the second step", () => {
  test("asks for the code, remembers the target, and accepts an authenticator code", async () => {
    const person = await withFactor();
    const who = visitor();
    const login = { form: "login", username: person.username, password: person.password };
    const begun = await post(who, "/?next=%2Fhistory", login);
    expect([begun.status, location(begun)]).toEqual([303, "/sign-in/code?next=%2Fhistory"]);
    expect((await who.get("/api/auth/session")).body.isAuthenticated).toBe(false);

    const at = location(begun);
    const page = plain((await who.get(at)).text);
    expect(page).toMatch(/inputMode="numeric" autoComplete="one-time-code"/i);
    const empty = await post(who, at, { code: "" });
    expect([empty.status, alerts(empty.text)]).toEqual([
      422,
      [translateText("en", "validation.secondFactorCode")],
    ]);
    const wrong = await post(who, at, { code: "000000" });
    expect([wrong.status, alerts(wrong.text)]).toEqual([
      422,
      [translateText("en", "errors.SECOND_FACTOR_WRONG")],
    ]);
    const right = await post(who, at, { code: ` ${person.code(0).replace(/^.../, "$& ")} ` });
    expect([right.status, location(right)]).toEqual([303, "/history"]);
    expect((await who.get("/api/auth/session")).body.isAuthenticated).toBe(true);

    const twice = await post(who, at, { code: person.code(1) });
    expect([twice.status, location(twice)]).toEqual([303, "/?next=%2Fhistory#auth"]);
  });

  test("accepts a recovery code once", async () => {
    const person = await withFactor();
    const login = { form: "login", username: person.username, password: person.password };
    const once = person.recovery[0] ?? "";
    for (const [status, where] of [
      [303, "/chat"],
      [422, ""],
    ] as const) {
      const who = visitor("mn");
      const begun = await post(who, "/", login);
      const page = plain((await who.get(`${location(begun)}&recovery`)).text);
      expect(page).toContain(translateText("mn", "auth.code.recoveryLabel"));
      expect(page).not.toMatch(/inputMode="numeric" autoComplete="one-time-code"/i);
      const reply = await post(who, `${location(begun)}&recovery`, { code: once });
      expect([reply.status, location(reply)]).toEqual([status, where]);
    }
  });

  test("without a sign-in before it returns to the right form, and says why", async () => {
    for (const [next, door] of [
      ["/history", "/?next=%2Fhistory#auth"],
      ["/admin", "/admin/login?next=%2Fadmin"],
      ["/administer", "/?next=%2Fadminister#auth"],
    ] as const) {
      const who = visitor("mn");
      const reply = await who.get(`/sign-in/code?next=${encodeURIComponent(next)}`);
      expect([reply.status, location(reply)]).toEqual([303, door]);
      expect(toast((await who.get(door.replace("#auth", ""))).text)).toBe(
        translateText("mn", "errors.SIGN_IN_EXPIRED"),
      );
    }
  });
});

/** The link of the newest mail to that address that has one. */
async function mailed(address: string, path: string): Promise<string> {
  for (const from = Date.now(); Date.now() - from < 20_000; await Bun.sleep(100)) {
    const { list } = await server.client().get("/sandbox/mail.json");
    const mails = list.filter((mail) => JSON.stringify(mail).includes(address));
    const link = mails
      .map(({ text }) => new RegExp(`${path}\\?token=[\\w-]+`).exec(String(text))?.[0])
      .find(Boolean);
    if (link !== undefined) return link;
  }
  throw new Error(`no mail to ${address} with a link to ${path}`);
}

describe("a forgotten password", () => {
  for (const language of languages) {
    test(`gets the same reply with and without an account (${language})`, async () => {
      const pages: string[] = [];
      for (const email of [known.email, "nobody.at.all@example.mn"]) {
        const who = visitor(language);
        const reply = await post(who, "/?dialog=forgot-password&next=%2Fhistory", { form: "forgot", email });
        const at = "/?dialog=forgot-password&sent&next=%2Fhistory";
        expect([reply.status, location(reply)]).toEqual([303, `${at}#auth`]);
        const page = (await who.get(at)).text;
        expect(toast(page)).toBe(translateText(language, "toast.resetSent"));
        expect(plain(page)).toContain(translateText(language, "auth.forgotSent"));
        expect(typedIn(formOf(page, "forgot"), "email")).toBe(email);
        expect((await post(who, at, { form: "forgot", email })).status).toBe(303);
        pages.push(plain(page).replaceAll(email, "…"));
      }
      expect(pages[0]).toBe(pages[1]);
    });
  }

  test("is replaced by the link, once; a used link says so before anything is typed", async () => {
    const person = await registerPerson(server, "Forgetful");
    const who = visitor();
    await post(who, "/?dialog=forgot-password", { form: "forgot", email: person.email });
    const link = await mailed(person.email, "/reset-password");
    const open = await who.get(link);
    expect(open.headers.get("referrer-policy")).toBe("no-referrer");
    const token = typedIn(plain(open.text), "token") ?? "";
    expect(link).toEndWith(token);

    const send = (newPassword: string, confirmPassword: string) =>
      post(who, link, { token, newPassword, confirmPassword });
    const empty = await send("", "");
    expect([empty.status, new Set(alerts(empty.text))]).toEqual([
      422,
      new Set(["Password must be at least 6 characters"]),
    ]);
    const unlike = await send("one long secret", "another long secret");
    expect([unlike.status, alerts(unlike.text)]).toEqual([422, ["Passwords don't match"]]);
    const done = await send("one long secret", "one long secret");
    expect([done.status, location(done)]).toEqual([303, "/reset-password?done"]);
    const page = plain((await who.get("/reset-password?done")).text);
    expect(toast(page)).toBe("Password Reset Successful");
    expect(page).toContain("Sign in");
    const login = { form: "login", username: person.username, password: "one long secret" };
    expect((await post(who, "/", login)).status).toBe(303);

    const used = plain((await visitor().get(link)).text);
    expect(used).toContain("This password reset link is invalid or has expired.");
    expect(used).not.toContain('name="newPassword"');
    expect(formOf(used, "forgot")).toContain('action="/?dialog=forgot-password"');
    expect(used).toContain("Back to sign in");
    expect((await send("one more secret", "one more secret")).status).toBe(400);
  });

  test("browser forms work behind a proxy that ends TLS, and none from plain http", async () => {
    const secure = await startBehindTls(server);
    try {
      const sent = async (origin: string) => {
        const host = new URL(secureUrl).host;
        const headers = { host, origin, "x-forwarded-proto": "https", "sec-fetch-site": "same-origin" };
        const fields = { form: "forgot", email: "nobody@example.mn" };
        return (await post(secure.client(headers), "/?dialog=forgot-password", fields)).status;
      };
      expect(await sent(secureUrl)).toBe(303);
      expect(await sent("null")).toBe(303);
      expect(await sent(secureUrl.replace("https:", "http:"))).toBe(403);
      expect(await sent("https://evil.example")).toBe(403);
    } finally {
      await secure.kill();
    }
  });

  test("someone with a forbidden name chooses another before any page opens, and may sign out", async () => {
    const person = await registerPerson(server, "Zaya");
    connectDatabase(server.databaseUrl);
    await db().execute(
      sql`UPDATE identity.users SET display_name = 'Midman Support' WHERE id = ${person.id}`,
    );
    await disconnectDatabase();
    const who = visitor();
    const login = { form: "login", username: person.username, password: person.password };
    expect(location(await post(who, "/?next=%2Fhistory", login))).toBe("/history");
    for (const path of ["/chat", "/profile", "/settings", "/settings/delete"]) {
      expect([path, location(await who.get(path))]).toEqual([
        path,
        `/choose-name?next=${encodeURIComponent(path)}`,
      ]);
    }
    expect(location(await who.get("/history"))).toBe("/choose-name?next=%2Fhistory");
    const page = plain((await who.get("/choose-name?next=%2Fprofile")).text);
    expect(page).toContain("Midman Support");
    expect(page).toContain(`“User ${person.id}”`);
    expect(page).not.toContain('name="username"');
    const wrong = await post(who, "/choose-name?next=%2Fprofile", { displayName: "Хаан банк" });
    expect([wrong.status, alerts(wrong.text)]).toEqual([
      422,
      [translateText("en", "validation.nameReserved")],
    ]);
    const done = await post(who, "/choose-name?next=%2Fprofile", { displayName: "Zaya" });
    expect([done.status, location(done)]).toEqual([303, "/profile"]);
    expect(toast((await who.get("/profile")).text)).toBe("Your new name is saved");
    expect(location(await who.get("/choose-name"))).toBe("/chat");
    expect(location(await visitor().get("/choose-name"))).toBe("/");
    expect(location(await post(who, "/logout", {}))).toBe("/");
  });

  test("without a token leads to the landing page and says why", async () => {
    for (const language of languages) {
      const who = visitor(language);
      const reply = await who.get("/reset-password");
      expect([reply.status, location(reply)]).toEqual([303, "/"]);
      expect(toast((await who.get("/")).text)).toBe(translateText(language, "toast.invalidResetLink"));
    }
    expect(translateText("en", "toast.invalidResetLink")).toBe(
      "Invalid Reset Link: This password reset link is invalid or has expired.",
    );
  });

  test("a mailed address is confirmed by its link, once, signed in or not", async () => {
    const person = await registerPerson(server, "Mailed Person");
    const link = await mailed(person.email, "/verify-email");
    const first = await person.get(link);
    expect(location(first)).toBe("/chat");
    expect(toast((await person.get("/chat")).text)).toBe("Your email address is confirmed");
    const who = visitor();
    expect(location(await who.get(link))).toBe("/#auth");
    expect(toast((await who.get("/")).text)).toBe(
      "This verification link is invalid or has expired. Ask for a new one in your settings.",
    );
  });
});

describe("the fee calculator", () => {
  const sum = (amount: number) => `${amount.toLocaleString("en-US")} ₮`;
  const results = (page: string) =>
    [
      ...(/data-calculated="result".*?<\/dl>/s.exec(plain(page))?.[0] ?? "").matchAll(
        /<dd[^>]*>(.*?)<\/dd>/g,
      ),
    ].map(([, said]) => said);

  const figures = [
    ["standard", "buyer", 50_000, [50_000, 5_000, 55_000, 50_000]],
    ["standard", "seller", 200_000, [200_000, 15_000, 200_000, 185_000]],
    ["standard", "split", 1_000_001, [1_000_001, 55_000, 1_027_501, 972_501]],
    ["terms", "buyer", 1_000_000, [1_000_000, 70_000, 1_070_000, 1_000_000]],
    ["terms", "seller", 20_000, [20_000, 5_000, 20_000, 15_000]],
    ["terms", "split", 100_001, [100_001, 7_000, 103_501, 96_501]],
  ] as const;

  for (const [policy, payer, amount, sums] of figures) {
    test(`shows each side's figures: ${policy}, ${payer} pays, ${amount}`, async () => {
      const where = policy === "standard" ? server : strict;
      for (const typed of [String(amount), amount.toLocaleString("en-US"), `${amount} ₮`]) {
        const reply = await where.client().get(`/?amount=${encodeURIComponent(typed)}&payer=${payer}`);
        expect([reply.status, results(reply.text)]).toEqual([200, sums.map(sum)]);
        expect(typedIn(plain(reply.text), "amount")).toBe(typed);
      }
      const done = quoteTrade(amount, payer, policy);
      expect(done.ok && [amount, done.quote.fee, done.quote.buyerPays, done.quote.sellerGets]).toEqual([
        ...sums,
      ]);
    });
  }

  test("has its table of examples by the fee policy in force", async () => {
    for (const [where, policy] of [
      [server, "standard"],
      [strict, "terms"],
    ] as const) {
      const page = plain((await where.client().get("/?payer=split")).text);
      for (const amount of [20_000, 50_000, 200_000, 1_000_000]) {
        const done = quoteTrade(amount, "split", policy);
        if (!done.ok) throw new Error(done.code);
        const { fee, buyerPays, sellerGets } = done.quote;
        const row = [amount, fee, buyerPays, sellerGets].map((one) => one.toLocaleString("en-US")).join(" ");
        expect(page.replaceAll(/<[^>]+>/g, " ").replaceAll(/ +/g, " ")).toContain(` ${row} `);
      }
    }
  });

  test("shows invalid input beside the field, and keeps it", async () => {
    for (const language of languages) {
      for (const [typed, key] of [
        ...["", "0", "-5", "1e5", "1.5", "<b>", "1,50"].map((wrong) => [wrong, "errors.AMOUNT_INVALID"]),
        ["1000000000", "validation.amountMost"],
        ["5000", "errors.NET_TOO_SMALL"],
      ] as Array<[string, string]>) {
        const reply = await visitor(language).get(`/?amount=${encodeURIComponent(typed)}&payer=seller`);
        expect([typed, reply.status, alerts(reply.text)]).toEqual([
          typed,
          422,
          [translateText(language, key, { max: 999_999_999 })],
        ]);
        expect(typedIn(reply.text, "amount")).toBe(typed.replace("<", "&lt;").replace(">", "&gt;"));
        expect(results(reply.text)).toEqual([]);
      }
    }
    expect(translateText("en", "errors.AMOUNT_INVALID")).toBe(
      "Please enter a valid payment amount: whole tugrik, for example 150,000",
    );
  });

  test("keeps the chosen tab and the `next` address", async () => {
    const page = plain(
      (await visitor().get("/?tab=register&next=%2Fhistory&amount=70000&payer=seller")).text,
    );
    const form = /<form[^>]*data-calculator.*?<\/form>/s.exec(page)?.[0] ?? "";
    expect([typedIn(form, "tab"), typedIn(form, "next")]).toEqual(["register", "/history"]);
    expect(form).toMatch(/action="\/#fees"/);
    expect(formOf(page, "register")).toContain("next=%2Fhistory");
  });
});
