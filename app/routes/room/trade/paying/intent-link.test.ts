import { expect, test } from "bun:test";
import { intentLink } from "./in-app-browser.tsx";

test("a bank's link becomes an intent of its scheme, which falls back to the page", () => {
  const page = "https://midman.example/chat/7";
  expect(intentLink("khanbank://q?qPay_QRcode=0002 01#9", page)).toBe(
    "intent://q?qPay_QRcode=0002%2001%239#Intent;scheme=khanbank;S.browser_fallback_url=https%3A%2F%2Fmidman.example%2Fchat%2F7;end",
  );
  expect(intentLink(page, page, "com.android.chrome")).toBe(
    "intent://midman.example/chat/7#Intent;scheme=https;package=com.android.chrome;S.browser_fallback_url=https%3A%2F%2Fmidman.example%2Fchat%2F7;end",
  );
});
