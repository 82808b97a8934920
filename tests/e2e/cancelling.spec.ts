import { type Browser, expect, type Page, test } from "@playwright/test";
import { translateText } from "#locales";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { formOf } from "../support/pages/form-of.ts";
import { expectStatus } from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openPaidTrade, type ServerTrade } from "../support/trades/server-trades.ts";
import { person } from "./people.ts";
import { findUsabilityProblems } from "./usable.ts";

// What a person sees of a request to cancel, on a phone: the answer is one of two buttons, and declining is one press.

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

type Language = "en" | "mn";

/** A trade whose buyer asks to cancel. */
async function askedTrade(): Promise<ServerTrade> {
  const deal = await openPaidTrade(server);
  expectStatus(await deal.buyer.post(callOf(deal, "cancel"), { agreesTo: null }), 200);
  return deal;
}

const callOf = ({ id }: ServerTrade, path: string) => `/api/transactions/${id}/${path}`;

type Reader = { language?: Language; script?: boolean };

async function look(browser: Browser, who: Client, address: string, reader: Reader = {}): Promise<Page> {
  const { language = "en", script = true } = reader;
  const page = await person(browser, server.url, script);
  const cookies = cookiesFor(who.cookies(), server.url).filter(({ name }) => name !== "midman-language");
  await page
    .context()
    .addCookies([...cookies, { name: "midman-language", value: language, url: server.url }]);
  await page.goto(address);
  return page;
}

const declineOf = (page: Page) => formOf(page, "decline-cancel").getByRole("button");
const toasts = (page: Page) => page.locator("[data-toast]");
const noticesOf = (page: Page, language: Language) =>
  page.locator("li[data-notice=cancelDeclinedBySeller]", {
    hasText: translateText(language, "notices.cancelDeclinedBySeller"),
  });

for (const language of ["mn", "en"] as const) {
  for (const script of [true, false]) {
    const how = `${language}, ${script ? "with" : "without"} scripts`;
    test(`a request is declined by one press, and the trade goes on (${how})`, async ({ browser }) => {
      const deal = await askedTrade();
      const seller = await look(browser, deal.seller, `/chat/${deal.roomId}/trade`, { language, script });
      const next = seller.locator("#next");
      await expect(next).toContainText(translateText(language, "trade.cancelAsked"));
      await expect(next.locator("summary")).toHaveText(translateText(language, "trade.agreeCancel"));
      await expect(declineOf(seller)).toHaveText(translateText(language, "trade.declineCancel"));
      const width = await seller.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(360);
      if (script) expect(await findUsabilityProblems(seller)).toEqual([]);

      await declineOf(seller).click();
      await expect(toasts(seller)).toContainText(translateText(language, "toast.done.decline-cancel"));
      await expect(declineOf(seller)).toHaveCount(0);
      await expect(next).not.toContainText(translateText(language, "trade.agreeCancel"));
      const buyer = await look(browser, deal.buyer, `/chat/${deal.roomId}`, { language, script });
      await expect(noticesOf(buyer, language)).toHaveCount(1);
      await buyer.goto(`/chat/${deal.roomId}/trade`);
      await expect(formOf(buyer, "cancel")).toHaveCount(1);
    });
  }
}

test("two quick presses decline once, and the asker's open room says so", async ({ browser }) => {
  const deal = await askedTrade();
  const buyer = await look(browser, deal.buyer, `/chat/${deal.roomId}`);
  await expect(buyer.getByText("Waiting for the seller to answer.")).toBeVisible();
  const seller = await look(browser, deal.seller, `/chat/${deal.roomId}/trade`);
  await declineOf(seller).dblclick();
  await expect(toasts(seller)).toContainText("The cancellation request was declined");
  await expect(noticesOf(buyer, "en")).toHaveCount(1);
  await expect(buyer.getByText("Waiting for the seller to answer.")).toHaveCount(0);
  await buyer.reload();
  await expect(noticesOf(buyer, "en")).toHaveCount(1);
});

test("a press on an old page does not decline a later request", async ({ browser }) => {
  const deal = await askedTrade();
  const seller = await look(browser, deal.seller, `/chat/${deal.roomId}/trade`, { script: false });
  expectStatus(await deal.buyer.post(callOf(deal, "withdraw-cancel")), 200);
  expectStatus(await deal.buyer.post(callOf(deal, "cancel"), { agreesTo: null }), 200);
  await declineOf(seller).click();
  await expect(toasts(seller)).toContainText("The cancellation request has changed");
  await expect(declineOf(seller)).toBeVisible();
  await declineOf(seller).click();
  await expect(toasts(seller)).toContainText("The cancellation request was declined");
});
