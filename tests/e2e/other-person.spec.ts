import { type BrowserContext, expect, test } from "@playwright/test";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { type Person, registerPerson } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";

// One browser, two tabs, two people, and no scripts.

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

async function signIn(context: BrowserContext, who: Person): Promise<void> {
  await context.clearCookies();
  await context.addCookies(cookiesFor(who.cookies(), server.url));
}

test("what one person filled in is not saved for another who has signed in since, and can be sent later", async ({
  browser,
}) => {
  const [bob, alice] = await Promise.all([
    registerPerson(server, "Bob Bold"),
    registerPerson(server, "Alice Anu"),
  ]);
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 360, height: 740 },
    locale: "en-US",
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await signIn(context, bob);
  await page.goto("/profile#payment");
  await page.getByLabel("Bank account").fill("5003000123");
  await signIn(context, alice);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Another person has signed in here");
  const other = await context.newPage();
  await other.goto("/profile");
  await expect(other.locator("main")).toContainText("Alice Anu");
  await expect(other.locator("main")).not.toContainText("5003000123");

  await signIn(context, bob);
  await page.getByRole("button", { name: "Send again" }).click();
  await expect(page.locator("details:has(#payment) > summary")).toContainText("5003000123");
  await context.close();
});

test("the refusal leads on as the person who is signed in", async ({ browser }) => {
  const [bob, alice] = await Promise.all([registerPerson(server), registerPerson(server, "Alice Anu")]);
  const context = await browser.newContext({
    baseURL: server.url,
    locale: "en-US",
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await signIn(context, bob);
  await page.goto("/settings");
  await signIn(context, alice);
  await page.locator('form[action="/logout"] button').first().dispatchEvent("click");
  await page.getByRole("link", { name: "Go on as Alice Anu" }).click();
  await expect(page).toHaveURL(`${server.url}/chat`);
  await context.close();
});
