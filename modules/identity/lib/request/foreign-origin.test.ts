import { afterEach, expect, test } from "bun:test";
import "../../../../tests/support/environment.ts";
import { config, overrideConfig, publicUrl } from "#config";
import { isForeignOrigin } from "./foreign-origin.ts";

const { PUBLIC_URL, TRUST_PROXY } = config();
afterEach(() => overrideConfig({ PUBLIC_URL, TRUST_PROXY }));

const host = "chat.example";
const foreign = (headers: Record<string, string>) => isForeignOrigin(new Headers({ host, ...headers }));

test("Midman's own pages and programs may open sockets", () => {
  expect(foreign({ origin: "https://chat.example" })).toBe(false);
  expect(foreign({ origin: new URL(publicUrl()).origin })).toBe(false);
  expect(foreign({})).toBe(false);
  expect(foreign({ "sec-fetch-site": "same-origin" })).toBe(false);
});

test("pages of other sites may not, however they name themselves", () => {
  for (const origin of [
    "https://evil.example",
    "https://chat.example.evil.example",
    "https://chat.example:444",
    "ftp://chat.example",
    "null",
    "",
  ]) {
    expect([origin, foreign({ origin })]).toEqual([origin, true]);
  }
  expect(foreign({ "sec-fetch-site": "same-site" })).toBe(true);
});

test("a page from plain http is foreign to a site with TLS, by PUBLIC_URL or the trusted proxy", () => {
  const clear = { origin: "http://chat.example" };
  const tls = { "x-forwarded-proto": "http, https" };
  overrideConfig({ PUBLIC_URL: "https://chat.example", TRUST_PROXY: false });
  expect(foreign(clear)).toBe(true);
  expect(foreign({ ...clear, "x-forwarded-proto": "http" })).toBe(true);
  expect(foreign({ origin: "https://chat.example" })).toBe(false);
  overrideConfig({ PUBLIC_URL: "http://midman.example" });
  expect(foreign(clear)).toBe(false);
  expect(foreign({ ...clear, ...tls })).toBe(false);
  overrideConfig({ TRUST_PROXY: true });
  expect(foreign({ ...clear, ...tls })).toBe(true);
  expect(foreign({ ...clear, "x-forwarded-proto": "http" })).toBe(false);
});

test("a null origin of a page without a referrer is Midman's own if the browser says so", () => {
  expect(foreign({ origin: "null", "sec-fetch-site": "same-origin" })).toBe(false);
  for (const site of ["cross-site", "same-site", "none"]) {
    expect([site, foreign({ origin: "null", "sec-fetch-site": site })]).toEqual([site, true]);
  }
  // A named origin is judged by its name.
  expect(foreign({ origin: "https://evil.example", "sec-fetch-site": "same-origin" })).toBe(true);
});
