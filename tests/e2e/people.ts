import { type Browser, expect, type Page } from "@playwright/test";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { makeRoomPair } from "../support/people/registered-people.ts";
import type { Server } from "../support/server/midman-server.ts";

/** What Messenger's own browser says that it is. */
export const messengerAgents = {
  android:
    "Mozilla/5.0 (Linux; Android 13; SM-A135F; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 [FB_IAB/Orca-Android;FBAV/485.0.0.0;]",
  ios: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/MessengerForiOS;FBAV/484.0.0;FBDV/iPhone12,1]",
} as const;

/** Somebody with a browser of their own; without a user agent it is Chromium's. */
export async function person(
  browser: Browser,
  url: string,
  script: boolean,
  userAgent?: string,
): Promise<Page> {
  const context = await browser.newContext({
    ...(userAgent !== undefined && { userAgent }),
    baseURL: url,
    javaScriptEnabled: script,
    viewport: { width: 360, height: 740 },
    locale: "en-US",
  });
  return context.newPage();
}

/** Signs up on the landing page; ends wherever the page leads. */
export async function signUp(page: Page, username: string, displayName: string): Promise<void> {
  await page.getByRole("link", { name: "Sign up" }).last().click();
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Display name").fill(displayName);
  await page.getByLabel("Email").fill(`${username}@example.mn`);
  await page.getByLabel("Password", { exact: true }).fill("a long enough secret");
  await page.getByRole("button", { name: "Sign up" }).click();
}

/** Loads the page again until it shows `what`: how a person without script waits. */
export async function until(page: Page, what: () => Promise<boolean>): Promise<void> {
  await expect(async () => {
    await page.reload();
    expect(await what()).toBe(true);
  }).toPass({ timeout: 30_000, intervals: [300, 500, 1_000] });
}

/** Waits for the trade's state in the panel; with script it comes by itself, without one the page is loaded again. */
export async function untilStatus(page: Page, status: string, script: boolean): Promise<void> {
  const shown = page.locator(`[data-status="${status}"]:visible`).first();
  if (script) await expect(shown).toBeVisible({ timeout: 15_000 });
  else await until(page, () => shown.isVisible());
}

/** Opens the trade: a sheet over the conversation, and without script a page; on a wide window it is there. */
export async function openTrade(page: Page): Promise<void> {
  const trade = page.locator("#room-trade");
  if (!(await trade.isVisible())) {
    await page.locator("#room-strip").getByRole("link", { name: "Payment and next steps" }).click();
  }
  await expect(trade).toBeVisible();
}

/** Goes back from the trade to the conversation. */
export async function openTalk(page: Page): Promise<void> {
  const back = page.getByRole("link", { name: "Back to the conversation" });
  if (await back.isVisible()) await back.click();
  await expect(page.getByRole("log")).toBeVisible();
}

/** Opens a row of the trade, unless it is open or its form is the next step. */
export async function openRow(page: Page, label: string): Promise<void> {
  await openTrade(page);
  const row = page.locator("details:not([open]) > summary", { hasText: label });
  if (await row.isVisible()) await row.click();
}

/** Opens a step that is asked twice, and says yes; the button that does it says what follows. */
export async function press(page: Page, label: string, yes: string): Promise<void> {
  await openTrade(page);
  await page.locator("summary", { hasText: label }).click();
  await page.getByRole("button", { name: yes }).click();
}

/** The seller's account in the room, looked over and sent. */
export async function giveBank(page: Page): Promise<void> {
  await openRow(page, "Your bank account");
  await page.getByLabel("Account holder's name").fill("Sarnai Seller");
  await page.getByLabel("Bank", { exact: true }).fill("Khan Bank");
  await page.getByLabel("Account number").fill("5012345678");
  await page.getByLabel("Phone").fill("99112233");
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("button", { name: "Confirm & Submit" }).click();
  await expect(page.locator("#trade-panel")).toContainText("5012345678", { timeout: 20_000 });
}

/** Opens a room from the empty list; ends in it. */
export async function openRoom(page: Page, name: string): Promise<void> {
  await page.waitForURL(/\/chat$/);
  await expect(page.getByText("You don't have any chat rooms yet")).toBeVisible();
  await page.getByRole("link", { name: "Create Room" }).click();
  await page.getByLabel("Room name").fill(name);
  await page.getByRole("button", { name: "Create Room" }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
}

/** The invitation's page leads through the sign-up, and its button into the room. */
export async function joinRoom(inviter: Page, page: Page, username: string): Promise<void> {
  const room = inviter.url();
  const link = (await inviter.locator("output", { hasText: "/i/" }).textContent()) ?? "";
  expect(link).toContain("/i/");
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "An invite to trade" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Sign up" }).click();
  await signUp(page, username, "Bold Buyer");
  await page.getByRole("button", { name: "Join the room" }).click();
  await expect(page).toHaveURL(room);
  await inviter.goto(room);
}

/** Says something in the room; ends once it stands in the conversation. */
export async function say(page: Page, words: string): Promise<void> {
  await openTalk(page);
  await page.getByLabel("Write a message").fill(words);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("log").getByText(words)).toHaveCount(1);
}

/** Waits for what the other side said. */
export async function hear(page: Page, words: string, script: boolean): Promise<void> {
  const heard = page.getByRole("log").getByText(words);
  if (script) await expect(heard).toHaveCount(1);
  else await until(page, () => heard.isVisible());
}

/** Two people in a room of their own, signed in by the API, each at their browser; the buyer's may run no script. */
export async function twoIn(
  browser: Browser,
  server: Server,
  script = true,
): Promise<[seller: Page, buyer: Page]> {
  const client = () => server.client({ "Accept-Language": "en" });
  const { roomId, ...clients } = await makeRoomPair({ client });
  const enter = async (who: "seller" | "buyer", runs: boolean) => {
    const page = await person(browser, server.url, runs);
    await page.context().addCookies(cookiesFor(clients[who].cookies(), server.url));
    await page.goto(`/chat/${roomId}`);
    if (runs) await expect(page.getByText("Connected", { exact: true })).toBeVisible();
    return page;
  };
  return Promise.all([enter("seller", true), enter("buyer", script)]);
}
