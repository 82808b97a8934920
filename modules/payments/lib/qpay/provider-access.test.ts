import { afterEach, beforeAll, expect, test } from "bun:test";
import { config, overrideConfig } from "#config";
import {
  callbackOrigin,
  isSandboxServing,
  providerAccess,
  sandboxMerchant,
  sandboxOrigin,
  setSandboxOrigin,
} from "./provider-access.ts";

const configured = {
  QPAY_BASE_URL: "https://merchant.qpay.example/v2/",
  QPAY_USERNAME: "shop",
  QPAY_PASSWORD: "secret",
  QPAY_INVOICE_CODE: "SHOP_INVOICE",
};
const unset = Object.fromEntries(Object.keys(configured).map((name) => [name, undefined]));
const before = { ...unset, ...config() };
beforeAll(() => setSandboxOrigin(undefined));
afterEach(() => {
  setSandboxOrigin(undefined);
  overrideConfig(before);
});

test.each([
  ["0.0.0.0", "http://127.0.0.1:4000"],
  ["::", "http://[::1]:4000"],
  ["fd00::5", "http://[fd00::5]:4000"],
  ["192.0.2.1", "http://192.0.2.1:4000"],
  ["localhost", "http://localhost:4000"],
])("a server that listens on %s reaches itself at %s", (HOST, origin) => {
  overrideConfig({ HOST, PORT: 4_000 });
  expect(sandboxOrigin()).toBe(origin);
});

test("the address where a server really listens takes precedence over the setting", () => {
  setSandboxOrigin("http://127.0.0.1:5001/");
  expect(sandboxOrigin()).toBe("http://127.0.0.1:5001");
});

test("the provider is the configured one, even if the sandbox is allowed, and calls back at the public address", () => {
  overrideConfig({ ...configured, ALLOW_SANDBOX: true, PUBLIC_URL: "https://midman.example/" });
  expect(providerAccess()).toEqual({
    baseUrl: "https://merchant.qpay.example/v2",
    username: "shop",
    password: "secret",
    invoiceCode: "SHOP_INVOICE",
  });
  expect(callbackOrigin()).toBe("https://midman.example");
  expect(isSandboxServing()).toBe(false);
});

test("without one it is the allowed sandbox, which calls back where the server listens", () => {
  overrideConfig({ ALLOW_SANDBOX: true, PUBLIC_URL: "https://midman.example" });
  setSandboxOrigin("http://127.0.0.1:5001");
  expect(providerAccess()).toEqual({ baseUrl: "http://127.0.0.1:5001/sandbox/qpay/v2", ...sandboxMerchant });
  expect(callbackOrigin()).toBe("http://127.0.0.1:5001");
});

test.each(["QPAY_USERNAME", "QPAY_PASSWORD", "QPAY_INVOICE_CODE", "QPAY_BASE_URL"] as const)(
  "a provider without its %s does not count, and without an allowed sandbox there is none",
  (name) => {
    overrideConfig({ ...configured, ALLOW_SANDBOX: false, [name]: undefined });
    expect(providerAccess()).toBeNull();
  },
);
