import { type Browser, expect, type Page, test } from "@playwright/test";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { expectStatus, makeRoomPair } from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { payAt } from "../support/trades/server-trades.ts";
import { person } from "./people.ts";

// What a step of the trade says before it is taken.

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

const client = () => server.client({ "Accept-Language": "en" });

async function look(browser: Browser, who: Client, address: string): Promise<Page> {
  const page = await person(browser, server.url, true);
  await page.context().addCookies(cookiesFor(who.cookies(), server.url));
  await page.goto(address);
  return page;
}

/** A trade of this kind of goods, with its QR. */
async function request(goods: string, description?: string) {
  const pair = await makeRoomPair({ client });
  const asked = { chatRoomId: pair.roomId, amount: 100_000, goods, description };
  const { id } = expectStatus(await pair.seller.post("/api/transactions", asked), 201).body;
  const invoice = await pair.buyer.post("/api/qpay/invoices", { transactionId: id });
  return {
    ...pair,
    id,
    invoiceId: String(expectStatus(invoice, 200).body.invoiceId),
    at: `/chat/${pair.roomId}/trade`,
  };
}

test("the buyer reads what is bought and what the sum is made of before the QR; the seller's QR is folded", async ({
  browser,
}) => {
  const { seller, buyer, at } = await request("account", "Genshin, level 58");
  const buyers = await look(browser, buyer, at);
  const purchase = buyers.locator("#next [data-purchase]");
  for (const said of ["Genshin, level 58", "game account", "100,000 ₮", "10,000 ₮", "110,000 ₮"])
    await expect(purchase).toContainText(said);
  const qr = buyers.getByAltText("QR code to pay 110,000 ₮");
  await expect(qr).toBeVisible();
  const [above, below] = [await purchase.boundingBox(), await qr.boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  const sellers = await look(browser, seller, at);
  const folded = sellers.getByAltText("QR code to pay 110,000 ₮");
  await expect(folded).toBeAttached();
  await expect(folded).toBeHidden();
  await sellers.locator("#next summary", { hasText: "Show the QR code" }).click();
  await expect(folded).toBeVisible();
});

test("an item of a game is handed over in the game, with the vault second; an account by the vault first", async ({
  browser,
}) => {
  const handOver = (page: Page) =>
    page.locator("#next").getByRole("button", { name: "I've handed over the item" });
  const vaultCard = (page: Page) => page.locator("#next").getByRole("link", { name: "Add sign-in details" });
  for (const [goods, first, second] of [
    ["item", handOver, vaultCard],
    ["account", vaultCard, handOver],
  ] as const) {
    const deal = await request(goods);
    await payAt(deal.buyer, deal.invoiceId);
    const page = await look(browser, deal.seller, deal.at);
    await expect(page.locator('#room-trade [data-status="payment_confirmed"]')).toBeVisible();
    await expect(first(page)).toBeVisible();
    await expect(second(page)).toBeHidden();
  }
});

test("a countdown has one form and one width, as it comes and while it runs", async ({ browser }) => {
  const { buyer, at } = await request("key");
  const page = await person(browser, server.url, false);
  await page.context().addCookies(cookiesFor(buyer.cookies(), server.url));
  await page.goto(at);
  const form = async (shown: Page) =>
    (await shown.locator("#room-trade [data-countdown]").allTextContents()).map((left) =>
      left.replaceAll(/\d/g, "0"),
    );
  const sent = await form(page);
  expect(sent).toContain("00:00:00");
  expect(sent).toContain("00:00");
  const live = await look(browser, buyer, at);
  const first = live.locator("#room-trade [data-countdown]").first();
  const before = [await first.textContent(), (await first.boundingBox())?.width];
  await expect(first).not.toHaveText(before[0] as string);
  expect(await form(live)).toEqual(sent);
  expect((await first.boundingBox())?.width).toBe(before[1] as number);
});

test("a section that is opened at the edge of the window scrolls into view", async ({ browser }) => {
  const { seller, at } = await request("account");
  for (const reducedMotion of ["reduce", "no-preference"] as const) {
    const page = await look(browser, seller, at);
    await page.emulateMedia({ reducedMotion });
    const area = page.locator(".room-trade-scroll");
    const summary = page.locator("#trade-endings summary").first();
    // The section's head stands at the lower edge: what it opens would be out of sight.
    await page.setViewportSize({ width: 360, height: 420 });
    await summary.evaluate((head) => {
      const place = head.closest(".room-trade-scroll");
      if (place === null) throw new Error("no sheet");
      place.scrollTop += head.getBoundingClientRect().bottom - place.getBoundingClientRect().bottom;
    });
    const before = await area.evaluate((place) => place.scrollTop);
    await summary.click();
    await expect(page.locator("#trade-endings form").first()).toBeInViewport({ ratio: 1 });
    expect(await area.evaluate((place) => place.scrollTop)).toBeGreaterThan(before);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  }
});
