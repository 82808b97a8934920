import { describe, expect, test } from "bun:test";
import "../../../tests/support/environment.ts";
import { safeNextPath } from "./page-context.ts";
import { withoutLanguage } from "./preference-cookies.ts";
import { readToast, type Toast, toastCookie } from "./toast-cookie.ts";

describe("the target of a sign-in", () => {
  test.each([
    ["/chat/7", "/chat/7"],
    ["/chat?dialog=create&x=1#form", "/chat?dialog=create&x=1#form"],
    // Returning to an address after a form must not take a seat, under any spelling of the address.
    ["/chat?invite=ABC&x=1#form", "/i/ABC"],
    ["/CHAT/?a=1&invite=A%2FB", "/i/A%2FB"],
    ["/%63hat?invite=", "/i/"],
    ["/admin/../chat", "/chat"],
    ["/чат", "/%D1%87%D0%B0%D1%82"],
    ["/a b", "/a%20b"],
    ["/%2F%2Fevil.example", "/%2F%2Fevil.example"],
    ["/@evil.example", "/@evil.example"],
    ["/?next=https://evil.example", "/?next=https://evil.example"],
  ])("%j is accepted: %j", (next, path) => {
    expect(safeNextPath(next, "/fallback")).toBe(path);
    expect(() => new Headers({ Location: safeNextPath(next, "/fallback") })).not.toThrow();
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
  ])("%j is replaced by the home page", (next) => {
    expect(safeNextPath(next, "/fallback")).toBe("/fallback");
  });
});

test.each([
  ["/faq?lang=mn", "/faq"],
  ["/faq?a=1&lang=mn&b=2#x", "/faq?a=1&b=2#x"],
  ["/faq?language=mn", "/faq?language=mn"],
  ["/?lang", "/"],
  ["/chat", "/chat"],
])("the language of %j is removed: %j", (path, without) => {
  expect(withoutLanguage(path)).toBe(without);
});

describe("a toast stored in a cookie", () => {
  const named = (toast: Toast, path: string) => toastCookie(toast, path).split(";")[0] ?? "";
  const read = (carried: string, path = "/") =>
    readToast(new Request(`http://localhost${path}`, { headers: { cookie: carried } }));
  const gone = (pair: string) => `${pair.split("=")[0]}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`;
  const kept = (pair: string) => `${pair}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`;
  const key = named({ kind: "info", key: "toast.left" }, "/").split("=")[0];
  const reading = (value: string) => read(`${key}=${value}`).toast;
  const packed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const out: Toast = { kind: "success", key: "toast.loggedOut" };
  const guarded: Toast = { kind: "error", key: "guards.authRequired" };

  test("comes back unchanged, whatever its key", () => {
    for (const key of ["guards.authRequired", "toast.done.mark-paid", "errors.THROTTLED"]) {
      const toast: Toast = { kind: "info", key, params: { seconds: 5 } };
      expect(read(named(toast, "/")).toast).toEqual(toast);
    }
  });

  test("belongs to its page: a page loaded in another tab neither shows nor removes it", () => {
    const carried = `${named(out, "/")}; ${named(guarded, "/?next=%2Fchat%2F7")}`;
    expect(read(carried).toast).toEqual(out);
    expect(read(carried, "/?next=%2Fchat%2F7").toast).toEqual(guarded);
    expect(read(carried).cleared).toEqual([gone(carried)]);
    expect(read(carried, "/chat/7/panel")).toMatchObject({ toast: null, cleared: [] });
  });

  test("of two toasts for one page the later is shown, and both are removed", () => {
    const [first, second] = [named(out, "/"), named(guarded, "/")];
    expect(read(`${second}; ${first}`).toast).toEqual(guarded);
    expect(read(`${first}; ${second}; midman-theme=dark`).cleared.toSorted()).toEqual([
      gone(first),
      gone(second),
    ]);
    expect(read("midman-theme=dark")).toMatchObject({ toast: null, cleared: [] });
  });

  test("follows a redirect of its page, whose own toast wins", () => {
    const carried = named(out, "/");
    const [taken, onward] = read(carried).takenTo("http://localhost/chat?room=1");
    expect(taken).toBe(gone(carried));
    const there = onward?.split(";")[0] ?? "";
    expect(onward).toBe(kept(there));
    expect(read(there, "/chat?room=1").toast).toEqual(out);
    expect(read(`${there}; ${named(guarded, "/chat?room=1")}`, "/chat?room=1").toast).toEqual(guarded);
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
  ])("%s is ignored", (value) => {
    expect(reading(value)).toBeNull();
  });
});
