import { expect, type Page, test } from "@playwright/test";
import { type Server, startServer, testAdministrator } from "../support/server/midman-server.ts";
import {
  giveBank,
  hear,
  joinRoom,
  openRoom,
  openTrade,
  person,
  press,
  say,
  signUp,
  until,
  untilStatus,
} from "./people.ts";
import { proveBooks } from "./prove.ts";

// As most people have it, pages change with a movement; elsewhere the tests go without.
test.use({ contextOptions: { reducedMotion: "no-preference" } });

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

for (const script of [true, false]) {
  test(`a whole trade through the pages, scripts ${script ? "on" : "off"}`, async ({ browser }) => {
    const tag = script ? "js" : "nojs";
    const [seller, buyer, admin] = await Promise.all([
      person(browser, server.url, script),
      person(browser, server.url, script),
      person(browser, server.url, script),
    ]);

    await test.step("register, open a room, invite and join", async () => {
      await seller.goto("/");
      await signUp(seller, `seller.${tag}`, "Sarnai Seller");
      await openRoom(seller, `Account ${tag}`);
      await joinRoom(seller, buyer, `buyer.${tag}`);
    });

    await test.step("talk", async () => {
      await arrived(seller, "Bold Buyer", script);
      await say(seller, "The account is level 80");
      await hear(buyer, "The account is level 80", script);
      await say(buyer, "I take it");
      await hear(seller, "I take it", script);
    });

    const code = await test.step("agree, pay and see it confirmed", async () => {
      await request(seller, script);
      await pay(buyer, script);
      await untilStatus(seller, "payment_confirmed", script);
      await untilStatus(buyer, "payment_confirmed", script);
      await expect(buyer.locator('[data-notice="paymentConfirmed"]')).toHaveCount(1);
      return (await seller.locator("[data-code]").textContent()) ?? "";
    });

    await test.step("hand over and confirm, the buyer first", async () => {
      await giveBank(seller);
      await seller.locator("summary", { hasText: "Hand the item over another way" }).click();
      await seller.getByRole("button", { name: "I've handed over the item" }).click();
      if (!script) await buyer.reload();
      await press(buyer, "Confirm completion", "Yes, release 100,000 ₮ to Sarnai Seller");
      await untilStatus(buyer, "exchange_completed", script);
      if (!script) await seller.reload();
      await press(seller, "Confirm completion", "Yes, all done: pay me 100,000 ₮");
      await untilStatus(seller, "settlement_pending", script);
    });

    await test.step("the administrator pays out", async () => {
      await payOut(admin, code, tag);
      await untilStatus(seller, "completed", script);
    });

    await proveBooks(server.databaseUrl, server.dataDir);
  });
}

/** With script whoever joins appears by themselves. */
async function arrived(page: Page, name: string, script: boolean): Promise<void> {
  const seat = page.locator("#room-bar").getByText(name, { exact: true });
  if (script) await expect(seat).toBeVisible();
  else await until(page, () => seat.isVisible());
}

/** Each side's figure is seen before anybody commits: with script while the price is typed, always in the review. */
async function request(page: Page, script: boolean): Promise<void> {
  await openTrade(page);
  const price = page.getByLabel("Price in ₮");
  const review = page.locator("form[data-review]");
  await price.fill("0");
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByText("Please enter a valid payment amount")).toBeVisible();
  await expect(page.getByText("Please choose the kind of item")).toBeVisible();
  await price.fill("100000");
  await page.getByLabel("Kind of item").selectOption("account");
  if (script) {
    await expect(page.getByText("Buyer pays 100,000 ₮, seller gets 90,000 ₮")).toBeVisible();
  }
  await page.getByRole("button", { name: "Review" }).click();
  await expect(review).toContainText("110,000 ₮");
  await review.getByRole("button", { name: "Edit" }).click();
  await expect(price).toHaveValue("100000");
  await page.getByRole("button", { name: "Review" }).click();
  await review.getByRole("button", { name: "Create request: the buyer pays 110,000 ₮" }).click();
  await untilStatus(page, "payment_initiated", true);
  await expect(page.locator("#trade-panel")).toContainText("110,000 ₮");
}

async function pay(page: Page, script: boolean): Promise<void> {
  await untilStatus(page, "payment_initiated", script);
  await openTrade(page);
  const qr = page.getByAltText("QR code to pay 110,000 ₮");
  await expect(qr).toBeVisible();
  await expect
    .poll(() => qr.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(100);
  if (script) return payInApp(page);
  const room = page.url();
  await page.getByRole("link", { name: "Pay in the sandbox" }).click();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByText("Paid in the sandbox")).toBeVisible();
  await page.goto(room);
}

/** Pays where no callback comes from, and comes back: the page itself looks for the payment. */
async function payInApp(page: Page): Promise<void> {
  const at = await page.getByRole("link", { name: "Pay in the sandbox" }).getAttribute("href");
  const paid = await page.request.post(at ?? "", { data: { callback: false } });
  expect(paid.status()).toBe(200);
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    const confirmed = page.locator('[data-status="payment_confirmed"]:visible').first();
    await expect(confirmed).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
}

async function payOut(page: Page, code: string, tag: string): Promise<void> {
  await page.goto("/admin");
  await expect(page.getByText("Admin authentication required")).toBeVisible();
  await page.getByLabel("Username").fill(testAdministrator.username);
  await page.getByLabel("Password", { exact: true }).fill(testAdministrator.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Back office" })).toBeVisible();
  const task = page.locator('[data-task="payout"]').filter({ hasText: code });
  await task.getByRole("link", { name: "Open the payout" }).click();
  await expect(page.getByText("5012345678")).toBeVisible();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByLabel("Bank transfer reference").fill(`TRF-${tag}-1`);
  await page.getByLabel("Type the amount").fill("100,000");
  await page.getByRole("button", { name: "I have sent 100,000 ₮" }).click();
  await expect(page.getByText("Recorded as sent")).toBeVisible();
  await expect(page.getByRole("main").getByText("Completed", { exact: true }).first()).toBeVisible();
}
