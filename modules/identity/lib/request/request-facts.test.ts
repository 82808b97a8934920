import { afterEach, describe, expect, test } from "bun:test";
import "../../../../tests/support/environment.ts";
import { config, overrideConfig } from "#config";
import { languageOf, originOf, requestIdOf } from "./request-facts.ts";
import { sessionClearCookie, sessionCookieName, sessionSetCookie, sessionTokenOf } from "./session-cookie.ts";

const { PUBLIC_URL, TRUST_PROXY } = config();
afterEach(() => overrideConfig({ PUBLIC_URL, TRUST_PROXY }));

const request = (headers: Record<string, string> = {}) => new Request("http://localhost/x", { headers });

describe("the source of a request", () => {
  test("a forwarded address counts only behind a trusted proxy, and then the last one", () => {
    const forwarded = request({ "x-forwarded-for": "1.1.1.1, 198.51.100.7" });
    overrideConfig({ TRUST_PROXY: false });
    expect(originOf(forwarded, "192.0.2.1").ip).toBe("192.0.2.1");
    overrideConfig({ TRUST_PROXY: true });
    expect(originOf(forwarded, "192.0.2.1").ip).toBe("198.51.100.7");
    expect(originOf(request({ "x-forwarded-for": "1.1.1.1, <script>" }), "2001:db8::1").ip).toBe(
      "2001:db8::1",
    );
    expect(originOf(request(), undefined).ip).toBe("0.0.0.0");
  });

  test("the device is the browser's own description, cut", () => {
    expect(originOf(request({ "user-agent": "x".repeat(500) })).device).toBe("x".repeat(200));
    expect(originOf(request()).device).toBe("");
  });

  test.each([
    [{}, "en"],
    [{ "accept-language": "mn" }, "mn"],
    [{ "accept-language": "mn-MN,mn;q=0.9,en;q=0.8" }, "mn"],
    [{ "accept-language": "de-DE,mn;q=0.5" }, "mn"],
    [{ "accept-language": "de-DE,en;q=0.4,mn;q=0.5" }, "mn"],
    [{ "accept-language": "en;q=0.9,mn;q=0.9" }, "en"],
    [{ "accept-language": "mn;q=0,en;q=0.1" }, "en"],
    [{ "accept-language": "mn;q=0" }, "en"],
    [{ "accept-language": "mn;q=nonsense" }, "en"],
    [{ "accept-language": ";;,,q=1" }, "en"],
    [{ "accept-language": "*" }, "en"],
    [{ "accept-language": "en", cookie: "midman-language=mn" }, "mn"],
    [{ "accept-language": "mn", cookie: "a=b; midman-language=en" }, "en"],
    [{ "accept-language": "mn", cookie: "midman-language=xx" }, "mn"],
  ] as const)("%p gives %s", (headers, language) => {
    expect(languageOf(request(headers))).toBe(language);
  });

  test.each([
    ["GET", "?lang=mn", "mn"],
    ["HEAD", "?a=b&lang=mn-MN", "mn"],
    ["GET", "?lang=de", "en"],
    ["GET", "?lang=", "en"],
    ["POST", "?lang=mn", "en"],
  ] as const)(
    "%s %s takes precedence over the cookie when it reads and names Midman's own",
    (method, query, language) => {
      const headers = { cookie: "midman-language=en", "accept-language": "mn" };
      expect(languageOf(new Request(`http://localhost/x${query}`, { method, headers }))).toBe(language);
    },
  );

  test("a request has one id, which an untrusted caller does not choose", () => {
    const given = { "x-request-id": "chosen-by-caller" };
    overrideConfig({ TRUST_PROXY: false });
    const one = request(given);
    expect(requestIdOf(one)).toBe(requestIdOf(one));
    expect(requestIdOf(one)).not.toBe("chosen-by-caller");
    overrideConfig({ TRUST_PROXY: true });
    expect(requestIdOf(request(given))).toBe("chosen-by-caller");
    expect(requestIdOf(request({ "x-request-id": "a b\tc" }))).not.toContain(" ");
  });
});

describe("the session cookie", () => {
  const token = "t".repeat(43);
  const expires = new Date("2026-12-01T00:00:00Z");

  test("on http is plain, HttpOnly and Lax", () => {
    overrideConfig({ PUBLIC_URL: "http://midman.example", TRUST_PROXY: false });
    expect(sessionSetCookie(token, expires)).toBe(
      `midman-session=${token}; Path=/; HttpOnly; SameSite=Lax; Expires=Tue, 01 Dec 2026 00:00:00 GMT`,
    );
    expect(sessionClearCookie()).toBe("midman-session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
  });

  test("on https is Secure and bound to the host, and no other name is read", () => {
    overrideConfig({ PUBLIC_URL: "https://midman.example" });
    expect(sessionSetCookie(token, expires)).toStartWith(
      `__Host-midman-session=${token}; Path=/; HttpOnly; SameSite=Lax; Secure`,
    );
    expect(sessionTokenOf(request({ cookie: `__Host-midman-session=${token}` }))).toBe(token);
    expect(sessionTokenOf(request({ cookie: `midman-session=${token}` }))).toBeUndefined();
  });

  test("is bound to the host behind a trusted proxy with https, not by an untrusted header", () => {
    const proxied = request({ "x-forwarded-proto": "https" });
    overrideConfig({ PUBLIC_URL: undefined, TRUST_PROXY: true });
    expect(sessionCookieName(proxied)).toBe("__Host-midman-session");
    overrideConfig({ TRUST_PROXY: false });
    expect(sessionCookieName(proxied)).toBe("midman-session");
  });

  test.each([["short"], ["x".repeat(44)], [`${"x".repeat(42)}"`], [""], ["%00".repeat(20)]])(
    "%p is not a token",
    (value) => {
      overrideConfig({ PUBLIC_URL: "http://midman.example" });
      expect(sessionTokenOf(request({ cookie: `midman-session=${value}` }))).toBeUndefined();
    },
  );
});
