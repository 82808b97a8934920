import { describe, expect, test } from "bun:test";
import "../../tests/support/environment.ts";
import { flashCookie, readFlash, type Toast } from "./flash.ts";
import { safeNext } from "./pages.ts";
import { withoutLanguage } from "./preference.ts";

describe("where a sign-in leads", () => {
  test.each([
    ["/chat/7", "/chat/7"],
    ["/chat?invite=ABC&x=1#form", "/chat?invite=ABC&x=1#form"],
    ["/admin/../chat", "/chat"],
    ["/чат", "/%D1%87%D0%B0%D1%82"],
    ["/a b", "/a%20b"],
    ["/%2F%2Fevil.example", "/%2F%2Fevil.example"],
    ["/@evil.example", "/@evil.example"],
    ["/?next=https://evil.example", "/?next=https://evil.example"],
  ])("%j is ours: %j", (next, path) => {
    expect(safeNext(next, "/fallback")).toBe(path);
    expect(() => new Headers({ Location: safeNext(next, "/fallback") })).not.toThrow();
  });

  test.each([
    [null],
    [undefined],
    [""],
    ["chat"],
    ["//evil.example"],
    ["///evil.example"],
    ["/\\evil.example"],
    ["\\\\evil.example"],
    ["/\t/evil.example"],
    ["/\n/evil.example"],
    [" //evil.example"],
    ["/..//evil.example"],
    ["/./\u0000/evil.example"],
    ["/.//evil.example"],
    ["/chat/..//evil.example"],
    ["/%2e%2e//evil.example"],
    ["https://evil.example"],
    ["HTTPS:evil.example"],
    ["javascript:alert(1)"],
    ["data:text/html,x"],
    ["/chat\r\nSet-Cookie: a=b"],
    [`/${"x".repeat(3_000)}`],
  ])("%j leads nowhere but home", (next) => {
    expect(safeNext(next, "/fallback")).toBe("/fallback");
  });
});

test.each([
  ["/faq?lang=mn", "/faq"],
  ["/faq?a=1&lang=mn&b=2#x", "/faq?a=1&b=2#x"],
  ["/faq?language=mn", "/faq?language=mn"],
  ["/?lang", "/"],
  ["/chat", "/chat"],
])("the language of %j is taken out: %j", (path, without) => {
  expect(withoutLanguage(path)).toBe(without);
});

describe("a toast in a cookie", () => {
  const reading = (value: string) =>
    readFlash(new Request("http://localhost/", { headers: { cookie: `midman-flash-1=${value}` } })).toast;
  const packed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

  test("comes back as it was left, whatever its key is called", () => {
    for (const key of ["guards.authRequired", "toast.done.mark-paid", "errors.THROTTLED"]) {
      const toast: Toast = { kind: "info", key, params: { seconds: 5 } };
      const value = /midman-flash-[0-9a-f-]+=([^;]*)/.exec(flashCookie(toast))?.[1] ?? "";
      expect(reading(value)).toEqual(toast);
    }
  });

  test("of two tabs' toasts the later is shown, and each page takes away only what it came with", () => {
    const pair = (key: string) => flashCookie({ kind: "info", key }).split(";")[0] ?? "";
    const [first, second] = [pair("toast.loggedOut"), pair("guards.authRequired")];
    const read = (carried: string) =>
      readFlash(new Request("http://localhost/", { headers: { cookie: carried } }));
    expect(read(`${second}; ${first}`).toast?.key).toBe("guards.authRequired");
    expect(read(`${first}; midman-theme=dark`).cleared).toEqual([
      `${first.split("=")[0]}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`,
    ]);
    expect(read("midman-theme=dark")).toEqual({ toast: null, cleared: [] });
  });

  test.each([
    [packed({ kind: "info", key: "no.such.text" })],
    [packed({ kind: "info", key: "<script>" })],
    [packed({ kind: "loud", key: "toast.left" })],
    [packed({ kind: "info", key: "toast.left", params: { a: {} } })],
    [packed({ kind: "info", key: "toast.left", params: { a: "x".repeat(300) } })],
    [packed(null)],
    [packed([])],
    ["%%%"],
    ["bnVsbA"],
    [""],
  ])("%s says nothing", (value) => {
    expect(reading(value)).toBeNull();
  });
});
