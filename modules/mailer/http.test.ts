import { afterAll, beforeAll, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { config, overrideConfig } from "#config";
import { runInTransaction } from "#db/client";
import { drainJobs } from "#db/jobs";
import { useDatabase } from "../../tests/support/database/test-database.ts";
import { mailerRoutes } from "./http.ts";
import { listMail, readMail, sendMail } from "./index.ts";
import { templateSamples } from "./lib/templates/template-samples.ts";
import type { KeptMail } from "./views.ts";

useDatabase();
const before = config();
afterAll(() => overrideConfig(before));

const app = new Elysia()
  .onRequest(({ set }) => {
    Object.assign(set.headers, {
      "Content-Security-Policy": "default-src 'none'",
      "X-Frame-Options": "DENY",
    });
  })
  .use(mailerRoutes);
const get = (path: string) => app.handle(new Request(`http://localhost${path}`));

beforeAll(async () => {
  overrideConfig({ SMTP_URL: undefined, ALLOW_SANDBOX: true, PUBLIC_URL: "https://midman.example" });
  await runInTransaction(async (tx) => {
    const { welcome, passwordReset } = templateSamples;
    await sendMail(tx, { template: "welcome", to: "Bat@example.com", language: "en", data: welcome });
    await sendMail(tx, {
      template: "passwordReset",
      to: "saraa@example.com",
      language: "mn",
      data: passwordReset,
    });
  });
  await drainJobs();
});

test("without an SMTP server mail is kept, newest first, and found by its recipient", async () => {
  const all = await listMail();
  expect(all).toMatchObject({ ok: true, mails: [{ to: "saraa@example.com" }, { to: "Bat@example.com" }] });
  const response = await get("/sandbox/mail.json?to=bat%40example.com");
  const mails = (await response.json()) as KeptMail[];
  expect(mails).toMatchObject([
    {
      from: "Midman <accounts@midman.example>",
      to: "Bat@example.com",
      subject: "Welcome to Midman",
      links: ["https://midman.example/verify?token=abc"],
    },
  ]);
});

test("a mail's HTML comes alone, in a sandbox, and only our own pages may frame it", async () => {
  const [mail] = (await (await get("/sandbox/mail.json")).json()) as KeptMail[];
  const response = await get(`/sandbox/mail/${mail?.id}/html`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("content-security-policy")).toStartWith("sandbox allow-popups");
  expect(response.headers.get("content-security-policy")).not.toContain("allow-scripts");
  expect(response.headers.get("x-frame-options")).toBe("SAMEORIGIN");
  expect(await response.text()).toStartWith('<!doctype html>\n<html lang="mn">');
});

test("there is no mailbox without ALLOW_SANDBOX, nor beside a real provider", async () => {
  const [mail] = (await (await get("/sandbox/mail.json")).json()) as KeptMail[];
  const id = mail?.id ?? 0;
  const refused = { ok: false as const, code: "NOT_FOUND" as const };
  for (const settings of [
    { ALLOW_SANDBOX: false },
    { ALLOW_SANDBOX: true, QPAY_BASE_URL: "https://merchant.example/v2" },
  ]) {
    overrideConfig(settings);
    expect(await listMail()).toEqual(refused);
    expect(await readMail(id)).toEqual(refused);
    for (const path of [`/sandbox/mail/${id}/html`, "/sandbox/mail.json"]) {
      expect(await (await get(path)).json()).toEqual(refused);
    }
  }
  overrideConfig({ ALLOW_SANDBOX: true, QPAY_BASE_URL: undefined });
});

test("a mail that is not there is not found", async () => {
  for (const id of [999_999, 0, -1, 1.5, Number.NaN, 2 ** 80]) {
    expect(await readMail(id)).toEqual({ ok: false, code: "NOT_FOUND" });
  }
  expect(await (await get("/sandbox/mail.json?to=%00")).json()).toEqual([]);
});
