import { type Browser, expect, type Page, test } from "@playwright/test";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { chromiumOptions } from "../support/pages/chromium-options.ts";
import { registerPerson, signInAdministrator } from "../support/people/registered-people.ts";
import { freePort, type Server, startServer } from "../support/server/midman-server.ts";
import { openSettlingTrade, payoutOf } from "../support/trades/server-trades.ts";
import { away, password } from "./backoffice/enter.ts";
import { expectToast } from "./backoffice/expect-toast.ts";

/** Passkeys as people meet them: Chromium with an authenticator of its own, which has verified whoever is there. */

test.use({ launchOptions: chromiumOptions("whole") });

let server: Server;
let at: string;

test.beforeAll(async () => {
  const port = await freePort();
  // A browser gives passkeys to a name, and to no number: the trial's own address has one.
  at = `http://localhost:${port}`;
  server = await startServer({ port, environment: { PUBLIC_URL: at } });
  connectDatabase(server.databaseUrl);
});

test.afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

/** A browser at `from`, with an authenticator that is its device's own. */
async function browserWith(browser: Browser, { from = at, width = 360, script = true } = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: from,
    viewport: { width, height: 800 },
    locale: "en-US",
    javaScriptEnabled: script,
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return page;
}

async function signedIn(page: Page, from = at) {
  const owner = await registerPerson(server, "Otgon Passkey");
  await page.context().addCookies(cookiesFor(owner.cookies(), from));
  return owner;
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto("/settings#passkeys");
  await page.getByRole("link", { name: "Add a passkey" }).click();
  await page.getByLabel("Name (optional)").fill(name);
  await page.getByRole("button", { name: "Create the passkey" }).click();
  await expectToast(page, "Passkey added");
}

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto("/");
}

test("a member adds a passkey, signs in with it, removes it, and is refused with it", async ({ browser }) => {
  const page = await browserWith(browser);
  const owner = await signedIn(page);
  await addPasskey(page, "Work phone");
  const listed = page.locator("#passkeys li");
  await expect(listed).toContainText("Work phone");
  await expect(listed).toContainText("Not used yet");

  await page.goto("/settings/passkeys/new");
  await page.getByRole("button", { name: "Create the passkey" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "already has a passkey of yours" })).toBeVisible();

  await signOut(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page).toHaveURL(/\/chat$/);
  await page.goto("/settings#passkeys");
  await expect(listed).toContainText("Last used");

  await db().execute(sql`
    UPDATE identity.sessions SET authenticated_at = now() - interval '11 minutes' WHERE user_id = ${owner.id}`);
  await listed.getByRole("link", { name: /^Remove/ }).click();
  await listed.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expectToast(page, "Thank you. You can continue.");
  await listed.getByRole("button", { name: "Remove" }).click();
  await expectToast(page, "Passkey removed");
  await expect(listed).toHaveCount(0);

  await signOut(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "We couldn't accept this passkey" })).toBeVisible();
  await page.context().close();
});

test("a payout is approved after the passkey has confirmed the person", async ({ browser }) => {
  const admin = await signInAdministrator(server);
  const payout = await payoutOf(admin, await openSettlingTrade(server));
  const page = await browserWith(browser, { width: 1280 });
  await page.goto("/admin/login");
  await password(page);
  await expect(page.getByRole("heading", { name: "Back office" })).toBeVisible();
  await addPasskey(page, "Desk key");
  await away();
  await page.goto(`/admin/payouts/${payout}`);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expectToast(page, "Confirm it's you to continue");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL(`${at}/admin/payouts/${payout}`);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.getByRole("button", { name: "Approve", exact: true })).toHaveCount(0);
  const [row] = await db().execute<{ approved: boolean }>(
    sql`SELECT approved_by IS NOT NULL AS approved FROM payments.payouts WHERE id = ${payout}`,
  );
  expect(row?.approved).toBe(true);
  await page.context().close();
});

test("someone who closes the browser's dialog is told so, and may try again", async ({ browser }) => {
  const page = await browserWith(browser);
  await page.addInitScript(() => {
    navigator.credentials.get = async () => {
      throw new DOMException("closed", "NotAllowedError");
    };
  });
  await page.goto("/");
  const button = page.getByRole("button", { name: "Sign in with a passkey" });
  await button.click();
  await expect(page.getByRole("alert").filter({ hasText: "No passkey was used." })).toBeVisible();
  await page.route("**/api/auth/passkey/options", (route) => route.abort());
  await button.click();
  await expect(page.getByRole("alert").filter({ hasText: "We couldn't reach Midman." })).toBeVisible();
  await page.context().close();
});

const without: Array<[string, (page: Page) => Promise<unknown>]> = [
  ["has no WebAuthn", (page) => page.addInitScript("delete window.PublicKeyCredential")],
  ["came by a number in place of our name", async () => {}],
];

for (const [what, prepare] of without) {
  test(`if the browser ${what}, no button is shown and the password is used`, async ({ browser }) => {
    const from = what.startsWith("came") ? server.url : at;
    const page = await browserWith(browser, { from });
    await prepare(page);
    for (const path of ["/", "/admin/login"]) {
      await page.goto(path);
      await expect(page.getByLabel("Password", { exact: true })).toBeVisible();
      await expect(page.locator("form[data-passkey]")).toBeHidden();
    }
    await signedIn(page, from);
    await page.goto("/settings/passkeys/new");
    await expect(page.getByText("This browser can't add passkeys here.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Create the passkey" })).toBeHidden();
    await page.context().close();
  });
}

test("without scripts passkeys can be renamed and removed, and none is offered", async ({ browser }) => {
  const scripted = await browserWith(browser);
  await signedIn(scripted);
  await addPasskey(scripted, "Old name");
  const page = await browserWith(browser, { script: false });
  await page.context().addCookies(await scripted.context().cookies());
  await page.goto("/settings/passkeys/new");
  // Playwright reads no text of this element, though the browser shows it.
  expect((await page.locator("main noscript").boundingBox())?.height).toBeGreaterThan(20);
  expect(await page.content()).toContain("Adding a passkey needs scripts in the browser.");
  await expect(page.locator("form[data-passkey]")).toBeHidden();
  await page.goto("/settings#passkeys");
  const listed = page.locator("#passkeys li");
  await listed.getByRole("link", { name: /^Rename/ }).click();
  await listed.getByLabel("Name").fill("");
  await listed.getByRole("button", { name: "Save the name" }).click();
  await expect(listed.getByText("This field is required")).toBeVisible();
  await listed.getByLabel("Name").fill("New name");
  await listed.getByRole("button", { name: "Save the name" }).click();
  await expectToast(page, "Name saved");
  await expect(listed).toContainText("New name");
  await listed.getByRole("link", { name: /^Remove/ }).click();
  await listed.getByRole("button", { name: "Remove" }).click();
  await expectToast(page, "Passkey removed");
  await page.context().close();
  await scripted.context().close();
});
