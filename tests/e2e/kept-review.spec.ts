import { expect, type Page, test } from "@playwright/test";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { formOf } from "../support/pages/form-of.ts";
import type { Person } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { bankInfo, openPaidTrade } from "../support/trades/server-trades.ts";
import { person } from "./people.ts";

/** An account that a person has entered and not confirmed yet. */

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

const form = (page: Page) => formOf(page, "bank-info");
const field = (page: Page, name: string) => form(page).locator(`[name=${name}]`);
const review = (page: Page) => page.locator("form[data-review]");

/** Everything that this tab keeps, as text. */
const keptInTab = (page: Page) => page.evaluate(() => JSON.stringify({ ...sessionStorage }));

async function signInAs(page: Page, who: Person): Promise<void> {
  await page.context().clearCookies();
  await page.context().addCookies(cookiesFor(who.cookies(), server.url));
}

async function fillAccount(page: Page): Promise<void> {
  for (const closed of await page.locator("details:not([open])", { has: form(page) }).all())
    await closed.locator("> summary").click();
  for (const name of ["accountName", "bankName", "accountNumber", "phoneNumber", "email"] as const)
    await field(page, name).fill(bankInfo[name]);
  await form(page).locator("button:not([type=button])").click();
  await expect(review(page)).toBeVisible();
}

test("an account under review is in its form again after a reload or Back, and gone once it is saved", async ({
  browser,
}) => {
  const deal = await openPaidTrade(server);
  const page = await person(browser, server.url, true);
  await signInAs(page, deal.seller);
  const trade = `${server.url}/chat/${deal.roomId}/trade`;
  await page.goto(trade);
  await fillAccount(page);
  await page.reload();
  await expect(field(page, "accountNumber")).toHaveValue(bankInfo.accountNumber);
  await expect(field(page, "bankName")).toBeVisible();
  await page.goto(`${server.url}/history`);
  await page.goBack();
  await expect(field(page, "accountNumber")).toHaveValue(bankInfo.accountNumber);
  await form(page).locator("button:not([type=button])").click();
  await review(page).locator("button").first().click();
  await expect(review(page)).toHaveCount(0);
  await expect.poll(() => keptInTab(page)).not.toContain(bankInfo.accountNumber);
});

test("what one person has entered is not kept for the next one in the same tab", async ({ browser }) => {
  const deal = await openPaidTrade(server);
  const page = await person(browser, server.url, true);
  await signInAs(page, deal.seller);
  await page.goto(`${server.url}/chat/${deal.roomId}/trade`);
  await fillAccount(page);
  expect(await keptInTab(page)).toContain(bankInfo.accountNumber);
  await signInAs(page, deal.buyer);
  await page.reload();
  await expect.poll(() => keptInTab(page)).not.toContain(bankInfo.accountNumber);
});

test("an account under review leaves a tab that stays open after half an hour", async ({ browser }) => {
  const deal = await openPaidTrade(server);
  const page = await person(browser, server.url, true);
  await page.clock.install();
  await signInAs(page, deal.seller);
  await page.goto(`${server.url}/chat/${deal.roomId}/trade`);
  await fillAccount(page);
  await page.clock.fastForward("29:00");
  expect(await keptInTab(page)).toContain(bankInfo.accountNumber);
  await page.clock.fastForward("02:00");
  await expect.poll(() => keptInTab(page)).not.toContain(bankInfo.accountNumber);
});
