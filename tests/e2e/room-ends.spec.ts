import { type Browser, expect, type Page, test } from "@playwright/test";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { expectStatus, signInAdministrator } from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import {
  bankInfo,
  openDisputedTrade,
  openPaidTrade,
  refundAccount,
  type ServerTrade,
} from "../support/trades/server-trades.ts";
import { person } from "./people.ts";

// How a trade that has ended looks in its room: to each side its own part, no step that is still to come, no empty card.

let server: Server;
let admin: Client;

test.beforeAll(async () => {
  server = await startServer();
  admin = await signInAdministrator(server);
});

test.afterAll(async () => {
  await server?.stop();
});

const client = () => server.client({ "Accept-Language": "mn" });

async function lookAtTrade(browser: Browser, who: Client, { roomId }: ServerTrade): Promise<Page> {
  const page = await person(browser, server.url, true);
  await page
    .context()
    .addCookies([
      ...cookiesFor(who.cookies(), server.url),
      { name: "midman-language", value: "mn", url: server.url },
    ]);
  await page.goto(`/chat/${roomId}/trade`);
  await expect(page.locator("#next [data-status]")).toBeVisible();
  return page;
}

/** What is wrong with the sheet: cards and open rows without content, text that is cut off at the side, a current step. */
const findFaults = (page: Page) =>
  page.locator("#room-trade").evaluate((sheet) => {
    const faults: string[] = [];
    for (const card of sheet.querySelectorAll<HTMLElement>(".rounded-card, details[open] > :not(summary)"))
      if (card.textContent.trim() === "" && card.offsetHeight > 0)
        faults.push(`empty: ${card.outerHTML.slice(0, 90)}`);
    const { right } = sheet.getBoundingClientRect();
    for (const one of sheet.querySelectorAll<HTMLElement>("td *, dd, li, p, summary *"))
      if (one.getBoundingClientRect().right > right + 1) faults.push(`cut off: ${one.textContent}`);
    for (const step of sheet.querySelectorAll("[aria-current=step]"))
      faults.push(`current: ${step.textContent}`);
    return faults;
  });

const offersAnother = (page: Page) => page.locator('#next a[href*="dialog=create"]');

async function expectEnd(
  page: Page,
  { money, sum, another }: { money: string; sum: string; another: boolean },
): Promise<void> {
  await expect(page.locator("#next [data-money]")).toHaveAttribute("data-money", money);
  await expect(page.locator("#next [data-status]")).toContainText(sum);
  expect(await findFaults(page)).toEqual([]);
  await expect(offersAnother(page)).toHaveCount(another ? 1 : 0);
  await expect(page.locator("#room-trade")).not.toContainText("Баталгаажаагүй");
}

const settle = async ({ id }: ServerTrade) => {
  const bankReference = `FT${crypto.randomUUID().slice(0, 10).toUpperCase()}`;
  expectStatus(await postAsShown(admin, `/api/admin/transactions/${id}/settle`, { bankReference }), 200);
};

test("a trade whose buyer received the goods another way: no step is left", async ({ browser }) => {
  const deal = await openPaidTrade({ client });
  const at = `/api/transactions/${deal.id}`;
  expectStatus(await deal.seller.post(`${at}/bank-info`, bankInfo), 200, 201);
  expectStatus(await deal.buyer.post(`${at}/complete`), 200);
  expectStatus(await deal.seller.post(`${at}/complete`), 200);
  await settle(deal);
  const buyer = await lookAtTrade(browser, deal.buyer, deal);
  await expectEnd(buyer, { money: "released", sum: "110,000", another: true });
  const seller = await lookAtTrade(browser, deal.seller, deal);
  await expectEnd(seller, { money: "released", sum: "100,000", another: true });
});

test("a refund: another trade is offered once the money is back", async ({ browser }) => {
  const deal = await openPaidTrade({ client });
  const at = `/api/transactions/${deal.id}`;
  expectStatus(await deal.seller.post(`${at}/cancel`), 200);
  expectStatus(await deal.buyer.post(`${at}/cancel`), 200);
  const seller = await lookAtTrade(browser, deal.seller, deal);
  await expectEnd(seller, { money: "refunding", sum: "110,000", another: false });
  expectStatus(await deal.buyer.post(`${at}/refund-destination`, refundAccount), 200);
  const buyer = await lookAtTrade(browser, deal.buyer, deal);
  await expectEnd(buyer, { money: "refunding", sum: "110,000", another: false });
  await settle(deal);
  for (const page of [seller, buyer]) {
    await expect(offersAnother(page)).toHaveCount(1);
    await expectEnd(page, { money: "returned", sum: "110,000", another: true });
  }
});

test("a split: each side reads its own part", async ({ browser }) => {
  const deal = await openDisputedTrade({ client });
  const ruling = { ruling: "split", refundAmount: 40_000, sum: 40_000, reason: "Half of it worked" };
  expectStatus(await postAsShown(admin, `/api/admin/transactions/${deal.id}/rule`, ruling), 200);
  const account = `/api/transactions/${deal.id}/refund-destination`;
  expectStatus(await deal.buyer.post(account, refundAccount), 200);
  const buyer = await lookAtTrade(browser, deal.buyer, deal);
  const seller = await lookAtTrade(browser, deal.seller, deal);
  await expect(buyer.locator("#next [data-status]")).toContainText("40,000");
  await expect(seller.locator("#next [data-status]")).toContainText("60,000");
  await settle(deal);
  await settle(deal);
  await expect(offersAnother(seller)).toHaveCount(1);
  await expect(offersAnother(buyer)).toHaveCount(1);
  await expectEnd(buyer, { money: "returned", sum: "40,000", another: true });
  await expectEnd(seller, { money: "released", sum: "60,000", another: true });
});
