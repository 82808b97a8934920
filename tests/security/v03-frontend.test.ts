import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Answer, collectAnswers } from "../support/api/collect-answers.ts";
import { expectStatus } from "../support/people/registered-people.ts";
import { startBehindTls } from "../support/server/behind-tls.ts";
import type { Server } from "../support/server/midman-server.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import { findSourcesWith, productSources } from "../support/sources/product-sources.ts";

/** What browsers are told with every answer: policies, types, cookies. ASVS V3.2 to V3.4. */

let plain: SharedServer;
let secure: Server;
/** Every kind of answer, as people get it who come by https. */
let answers: Answer[];

beforeAll(async () => {
  plain = await sharedServer();
  secure = await startBehindTls(plain);
  answers = await collectAnswers(plain, secure);
}, 240_000);

afterAll(() => secure?.kill());

const called = (what: string): Answer => {
  const found = answers.find((answer) => answer.what === what);
  if (found === undefined) throw new Error(`no answer is called ${what}`);
  return found;
};

/** What `of` says of each answer, as pairs of its name and that; compared as a whole, so that a failure names the answer. */
const each = <T>(of: (answer: Answer) => T, among = answers): Array<[string, T]> =>
  among.map((answer) => [answer.what, of(answer)]);
const all = <T>(wanted: T, among = answers): Array<[string, T]> => among.map(({ what }) => [what, wanted]);

/** A policy by its directives. */
const directives = ({ headers }: Answer): Map<string, string> =>
  new Map(
    (headers.get("content-security-policy") ?? "").split(";").map((part) => {
      const [name = "", ...values] = part.trim().split(" ");
      return [name, values.join(" ")];
    }),
  );

test("the responses below are the intended ones", () => {
  const kinds = Object.groupBy(answers, ({ status }) => `${Math.floor(status / 100)}xx`);
  expect(kinds["5xx"] ?? []).toEqual([]);
  expect(answers.length).toBeGreaterThan(50);
  for (const what of ["a picture", "the evidence as an archive", "the log as CSV", "the preview of a mail"]) {
    expect([what, called(what).status]).toEqual([what, 200]);
  }
});

describe("how a response may be interpreted", () => {
  test("3.2.1 responses are not shown as something else: files are downloads or sandboxed, calls are data, and none is executed", () => {
    const downloads = answers.filter(({ headers }) =>
      headers.get("content-disposition")?.startsWith("attachment;"),
    );
    expect(downloads.map(({ what }) => what).sort()).toEqual([
      "a template as a file",
      "one's own data as a file",
      "the evidence as an archive",
      "the log as CSV",
      "transfers as CSV",
    ]);
    for (const what of ["a picture", "a small picture", "the preview of a mail"]) {
      expect([what, directives(called(what)).has("sandbox")]).toEqual([what, true]);
      expect(directives(called(what)).get("sandbox")).not.toContain("allow-scripts");
      expect(directives(called(what)).get("sandbox")).not.toContain("allow-same-origin");
    }
    const calls = answers.filter(({ path }) => path.startsWith("/api/") && !path.includes("evidence"));
    const types = each(({ headers }) => headers.get("content-type")?.split(";")[0], calls);
    expect(types).toEqual(all("application/json", calls));
    // Another site that embeds an answer gets nothing.
    expect(each(({ headers }) => headers.get("cross-origin-resource-policy"))).toEqual(all("same-origin"));
  });

  test("3.4.4 nosniff on every response", () => {
    expect(each(({ headers }) => headers.get("x-content-type-options"))).toEqual(all("nosniff"));
  });
});

describe("cookies", () => {
  /** Every cookie that is set or taken back, by all of the ways in and out. */
  async function cookiesSet(): Promise<string[]> {
    const browser = secure.client({ "X-Forwarded-Proto": "https", Accept: "text/html" });
    const form = (path: string, fields: Record<string, string>) =>
      browser.send("POST", path, new URLSearchParams(fields).toString(), {
        "Content-Type": "application/x-www-form-urlencoded",
      });
    const username = `cookie${crypto.randomUUID().slice(0, 8)}`;
    const account = { username, password: "a long enough one", displayName: "Cookie", avatarInitials: "" };
    const replies = [
      await browser.get("/"),
      await browser.get("/chat"),
      await browser.get("/faq?lang=mn"),
      await form("/preferences", { language: "en", theme: "dark", back: "/faq" }),
      // An address that is registered already leads to the other form, with what was typed.
      await form("/?tab=register", { form: "register", ...account, email: "admin@midman.example" }),
      await form("/?tab=register", { form: "register", ...account, email: `${username}@example.mn` }),
      await browser.get("/chat"),
      await form("/logout", {}),
      await browser.post("/api/auth/login", { username, password: account.password }),
      await browser.post("/api/auth/logout"),
    ];
    return replies.flatMap(({ headers }) => headers.getSetCookie());
  }

  let set: string[];
  const named = (part: string) => set.filter((line) => line.includes(part) && !/Max-Age=0/.test(line));

  beforeAll(async () => {
    set = [...(await cookiesSet()), ...answers.flatMap(({ headers }) => headers.getSetCookie())];
    for (const name of ["session", "flash", "look", "language", "theme", "typed"]) {
      expect([name, named(`midman-${name}`).length > 0]).toEqual([name, true]);
    }
  });

  test("3.3.1 cookies are Secure, with a prefix: every one that is set on https", () => {
    const loose = set.filter((line) => !/; Secure(;|$)/.test(line) || !/^__(Host|Secure)-/.test(line));
    expect(loose).toEqual([]);
  });

  test("3.3.2 cookies have SameSite for their purpose: Lax, so that no form of another site sends them", () => {
    expect(set.filter((line) => !/; SameSite=Lax(;|$)/.test(line))).toEqual([]);
  });

  test("3.3.3 cookies have the __Host- prefix, and neither Domain nor a path, which it forbids", () => {
    const wrong = set.filter((line) => !line.startsWith("__Host-midman-") || /; Domain=/i.test(line));
    expect(wrong).toEqual([]);
    expect(set.filter((line) => !/; Path=\/(;|$)/.test(line))).toEqual([]);
  });

  test("3.3.4 secret cookies are HttpOnly and nowhere else: no page, call, address or header repeats the session", async () => {
    const secret = set.filter((line) => /midman-(session|typed|flash|ticket|sign-in)/.test(line));
    expect(secret.filter((line) => !/; HttpOnly(;|$)/.test(line))).toEqual([]);
    const person = plain.client();
    const username = `token${crypto.randomUUID().slice(0, 8)}`;
    const account = { username, password: "a long enough one", displayName: "Token", avatarInitials: "" };
    const email = `${username}@example.mn`;
    const registered = expectStatus(await person.post("/api/auth/register", { ...account, email }), 200, 201);
    const token = /midman-session=([\w-]{43})/.exec(person.cookies())?.[1] ?? "none";
    expect(token).toHaveLength(43);
    const read = ["/chat", "/settings", "/api/auth/user", "/api/auth/session", "/api/users/me/sessions"];
    const shown = (await Promise.all(read.map(person.get))).map((reply) => expectStatus(reply, 200));
    for (const reply of [registered, ...shown]) {
      expect(reply.text).not.toContain(token);
      const others = [...reply.headers].filter(([name]) => name !== "set-cookie");
      expect(JSON.stringify(others)).not.toContain(token);
    }
  });
});

describe("headers", () => {
  test("3.4.1 HSTS on every response, a year and subdomains; never if people use plain http", async () => {
    const wanted = "max-age=31536000; includeSubDomains";
    expect(each(({ headers }) => headers.get("strict-transport-security"))).toEqual(all(wanted));
    const without = await fetch(`${plain.url}/`);
    expect(without.headers.get("strict-transport-security")).toBeNull();
    await without.text();
  });

  test("3.4.2 no other origin reads responses: none is allowed by CORS, and no preflight passes", async () => {
    expect(each(({ headers }) => headers.get("access-control-allow-origin"))).toEqual(all(null));
    for (const origin of ["https://evil.example", "null", plain.url]) {
      for (const path of ["/api/auth/user", "/api/transactions", "/chat", "/api/evidence-key", "/icon.svg"]) {
        for (const method of ["GET", "OPTIONS"]) {
          const headers = { Origin: origin, "Access-Control-Request-Method": "POST" };
          const reply = await fetch(`${plain.url}${path}`, { method, headers, redirect: "manual" });
          const allowed = [...reply.headers].filter(([name]) => name.startsWith("access-control-"));
          expect([origin, path, method, allowed]).toEqual([origin, path, method, []]);
          await reply.text();
        }
      }
    }
  });

  test("3.4.3 a content policy on every response: nothing by default, own scripts only, no objects, no base", () => {
    expect(each((answer) => directives(answer).get("default-src"))).toEqual(all("'none'"));
    expect(each((answer) => directives(answer).get("object-src"))).toEqual(all("'none'"));
    expect(each((answer) => directives(answer).get("base-uri"))).toEqual(all("'none'"));
    const scripts = new Set(answers.map((answer) => directives(answer).get("script-src") ?? "'none'"));
    expect([...scripts].sort()).toEqual(["'none'", "'self'"]);
    // Only a mail, sandboxed and without scripts, may bring styles of its own.
    const unsafe = answers.filter(({ headers }) =>
      /unsafe-/.test(headers.get("content-security-policy") ?? ""),
    );
    expect(unsafe.every(({ what }) => what.startsWith("the preview of a mail"))).toBe(true);
    // And no page has a script that the policy would have to stop.
    const pages = answers.filter(({ headers }) => headers.get("content-type")?.startsWith("text/html"));
    expect(pages.length).toBeGreaterThanOrEqual(20);
    const inline = (html: string) =>
      html.match(/<script(?![^>]*\bsrc=)[^>]*>|<[a-z][^>]*\son[a-z]+=|\sstyle="/gi)?.[0] ?? null;
    const ours = pages.filter(({ what }) => !what.startsWith("the preview of a mail"));
    expect(each(({ text }) => inline(text), ours)).toEqual(all(null, ours));
  });

  test("3.4.5 a referrer policy on every response: other sites never learn an address of Midman's", () => {
    // The page in front of other sites is left for them: what stands in its own address is told to nobody.
    const policyOf = (what: string) => (what === "the page in front of other sites" ? ["no-referrer"] : ours);
    const ours = ["no-referrer", "same-origin"];
    const said = answers.map(
      ({ what, headers }) => [what, headers.get("referrer-policy") ?? "none"] as const,
    );
    expect(said.filter(([what, policy]) => !policyOf(what).includes(policy))).toEqual([]);
    expect(said.some(([, policy]) => policy === "no-referrer")).toBe(true);
    // Nor does a page's own markup say otherwise, for all of it or for one link.
    const weaker = /<meta[^>]*name="?referrer|referrerpolicy="(?!no-referrer"|same-origin")/i;
    expect(each(({ text }) => weaker.exec(text)?.[0] ?? null)).toEqual(all(null));
    expect(
      findSourcesWith(/referrerPolicy|ReferrerPolicy|name="referrer"/, productSources("app/**/*.{ts,tsx}")),
    ).toEqual([]);
  });

  test("3.4.6 no framing of any response, except of a mail by Midman's pages", () => {
    const mails = (answer: Answer) => answer.what.startsWith("the preview of a mail");
    const wanted = answers.map((answer) => [answer.what, mails(answer) ? "'self'" : "'none'"]);
    expect(each((answer) => directives(answer).get("frame-ancestors")) as unknown[]).toEqual(wanted);
  });
});
