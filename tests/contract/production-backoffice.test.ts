import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { Secret, TOTP } from "otpauth";
import { translateText } from "#locales";
import { postForm, readToastAfter } from "../support/pages/post-form.ts";
import { expectStatus, signInAdministrator } from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { freePort, type Server, startServer } from "../support/server/midman-server.ts";

/** Where real money moves, the back office opens only to administrators with a second factor. */

setDefaultTimeout(60_000);

let server: Server;
let admin: Client;

beforeAll(async () => {
  // A provider is configured, and nobody listens there: nothing here asks it.
  const provider = `http://127.0.0.1:${await freePort()}/v2`;
  const access = { QPAY_BASE_URL: provider, QPAY_USERNAME: "m", QPAY_PASSWORD: "m", QPAY_INVOICE_CODE: "M" };
  server = await startServer({ environment: { ...access, ALLOW_SANDBOX: "false" } });
  admin = await signInAdministrator(server);
}, 240_000);

afterAll(() => server?.stop());

const pages = [
  "/admin",
  "/admin/payouts?state=sent",
  "/admin/users",
  "/admin/activity-logs.csv",
  "/admin/email",
];
const calls = ["/api/admin/stats", "/api/admin/users", "/api/admin/payouts", "/api/admin/nothing-here"];
const setUpFor = (page: string) => `/settings/second-factor?next=${encodeURIComponent(page)}`;

test("without a second factor every page leads to setting one up, and every call says so", async () => {
  for (const page of pages) {
    const answer = await admin.get(page);
    const said = translateText("en", "errors.SECOND_FACTOR_SETUP_REQUIRED");
    expect(await readToastAfter(admin, answer)).toEqual([setUpFor(page), said]);
  }
  const refused = { code: "SECOND_FACTOR_SETUP_REQUIRED", message: expect.any(String) };
  for (const call of calls) {
    const answer = await admin.get(call);
    expect([call, answer.status]).toEqual([call, 403]);
    expect(answer.body).toMatchObject(refused);
  }
  const halt = await admin.post("/api/admin/money/halt", { reason: "a look", on: true });
  expect(halt.status).toBe(403);
  expect(halt.body).toMatchObject(refused);
  expect((await postForm(admin, "/admin/money", { form: "halt" })).headers.get("location")).toBe(
    setUpFor("/admin/money"),
  );
});

test("their own account stays accessible, and errors are as usual", async () => {
  for (const page of ["/settings", "/profile", "/chat"]) expectStatus(await admin.get(page), 200);
  expect((await server.client().get("/api/admin/stats")).body.code).toBe("AUTH_REQUIRED");
});

test("once set up, they continue where they wanted to go; once removed, it is required again", async () => {
  const here = setUpFor("/admin/payouts?state=sent");
  const page = expectStatus(await admin.get(here), 200);
  expect(page.text).toContain(translateText("en", "settings.setup.required").replaceAll("'", "&#x27;"));
  expect((await postForm(admin, here, { form: "begin" })).headers.get("location")).toBe(here);
  const secret = /data-copy="([A-Z2-7]{32})"/.exec((await admin.get(here)).text)?.[1] ?? "";
  while (Date.now() % 30_000 > 25_000) await Bun.sleep(200);
  const code = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  const done = expectStatus(await postForm(admin, here, { form: "confirm", code: code(-1) }), 200);
  expect(done.text).toContain('href="/admin/payouts?state=sent"');
  expectStatus(await admin.get("/admin/payouts?state=sent"), 200);
  expectStatus(await admin.get("/api/admin/stats"), 200);
  const off = { form: "off", password: "the one who pays out", code: code(0) };
  expectStatus(await postForm(admin, "/settings/second-factor/off", off), 303);
  expect((await admin.get("/admin")).headers.get("location")).toBe(setUpFor("/admin"));
  expect((await admin.get("/api/admin/stats")).body.code).toBe("SECOND_FACTOR_SETUP_REQUIRED");
});
