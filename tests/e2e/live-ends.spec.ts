import { type Browser, expect, type Page, test } from "@playwright/test";
import { translateText } from "../../locales/index.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { expectStatus, makeRoomPair, signInAdministrator } from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import {
  bankInfo,
  openDisputedTrade,
  openPaidTrade,
  payAt,
  payoutOf,
  refundAccount,
} from "../support/trades/server-trades.ts";
import { person } from "./people.ts";

// What happens elsewhere shows on an open page without a reload, and nothing that is being typed is lost.

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

const client = () => server.client({ "Accept-Language": "en" });

/** What each page has heard over its sockets. */
const heardFrames = new WeakMap<Page, string[]>();

/** Opens an address as somebody who is signed in, and marks the document: a reload would lose the mark. */
async function look(browser: Browser, who: Client, address: string): Promise<Page> {
  const page = await person(browser, server.url, true);
  await page.context().addCookies(cookiesFor(who.cookies(), server.url));
  const heard: string[] = [];
  heardFrames.set(page, heard);
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => heard.push(String(payload))));
  await page.goto(address);
  await page.evaluate(() => {
    document.documentElement.dataset.same = "";
  });
  return page;
}

const isSameDocument = (page: Page) => expect(page.locator("html")).toHaveAttribute("data-same", "");

const isConnected = (page: Page) => expect(page.getByText("Connected", { exact: true })).toBeAttached();

test("a ruling, a refund that waits and a refund that is sent show in both open rooms", async ({
  browser,
}) => {
  const admin = await signInAdministrator(server);
  const deal = await openDisputedTrade({ client });
  const at = `/chat/${deal.roomId}`;
  const pages = [await look(browser, deal.buyer, at), await look(browser, deal.seller, at)] as const;
  for (const page of pages) await isConnected(page);
  const path = `/api/admin/transactions/${deal.id}`;
  const ruling = { ruling: "refund", sum: 110_000, reason: "The password is wrong" };
  expectStatus(await postAsShown(admin, `${path}/rule`, ruling), 200);
  for (const page of pages) await expect(page.locator('#room-strip [data-status="cancelled"]')).toBeVisible();
  const [buyer] = pages;
  await expect(buyer.locator("#room-strip")).toContainText("add your account");
  expectStatus(await deal.buyer.post(`/api/transactions/${deal.id}/refund-destination`, refundAccount), 200);
  await expect(buyer.locator("#room-strip")).not.toContainText("add your account");
  const refund = await payoutOf(admin, deal);
  expectStatus(await postAsShown(admin, `/api/admin/payouts/${refund}/approve`), 200);
  expectStatus(
    await postAsShown(admin, `/api/admin/payouts/${refund}/send`, { bankReference: "FT2611281001" }),
    200,
  );
  for (const page of pages) {
    await expect(page.locator("#room-strip [data-money]")).toHaveAttribute("data-money", "returned");
    await isSameDocument(page);
  }
});

test("the vault's page follows the other person, and what is typed stays", async ({ browser }) => {
  const deal = await openPaidTrade({ client });
  const at = `/chat/${deal.roomId}/vault`;
  const [seller, buyer] = [await look(browser, deal.seller, at), await look(browser, deal.buyer, at)];
  const path = `/api/transactions/${deal.id}`;
  await expect(buyer.locator('main form:has(input[value="open"])')).toHaveCount(0);
  expectStatus(await deal.seller.post(`${path}/vault`, { login: "golden", password: "Khangai-2025!" }), 200);
  await expect(buyer.locator('main form:has(input[value="open"])')).toHaveCount(1);
  await expect(seller.locator("#vault-state dl")).toBeVisible();
  await seller.locator("main details:has(#seal) > summary").click();
  await seller.locator("main [name=login]").fill("silver");
  expectStatus(await deal.buyer.post(`${path}/vault/open`), 200);
  await expect(seller.locator("#vault-state")).toContainText("opened");
  await expect(seller.locator("main [name=login]")).toHaveValue("silver");
  for (const page of [seller, buyer]) await isSameDocument(page);
});

test("what the buyer reads in the vault stays on the page", async ({ browser }) => {
  const deal = await openPaidTrade({ client });
  const path = `/api/transactions/${deal.id}`;
  expectStatus(await deal.seller.post(`${path}/vault`, { login: "golden", password: "Khangai-2025!" }), 200);
  const buyer = await look(browser, deal.buyer, `/chat/${deal.roomId}/vault`);
  await buyer.locator("main details:has(#open) > summary").click();
  await buyer.locator('main form:has(input[value="open"]) button').click();
  await expect(buyer.getByText("golden", { exact: true })).toBeVisible();
  const fetched: string[] = [];
  buyer.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  expectStatus(await deal.seller.post(`${path}/bank-info`, bankInfo), 200, 201);
  await expect.poll(() => heardFrames.get(buyer)?.join("\n")).toContain("info_exchange");
  await buyer.evaluate(() => fetch("/healthz"));
  expect(fetched).toContain("/healthz");
  expect(fetched).not.toContain(`/chat/${deal.roomId}/vault`);
  await expect(buyer.getByText("golden", { exact: true })).toBeVisible();
});

/** The notices of an open room by their codes; one that still asks for something ends in "?". */
async function noticesIn(page: Page): Promise<string[]> {
  const shown = await page
    .locator("li[data-notice]")
    .evaluateAll((all) =>
      all.map((one) => [one.getAttribute("data-notice") ?? "", one.textContent ?? ""] as const),
    );
  return shown.map(([code, text]) => {
    const [, ask] = translateText("en", `notices.${code}`, { total: 110_000 }).split("\n");
    return ask !== undefined && code !== "paymentConfirmed" && text.includes(ask) ? `${code}?` : code;
  });
}

test("each act of a trade is one notice, and only the latest that applies asks for something", async ({
  browser,
}) => {
  const admin = await signInAdministrator(server);
  const { seller, buyer, roomId } = await makeRoomPair({ client });
  const page = await look(browser, seller, `/chat/${roomId}`);
  await isConnected(page);
  const told = (await noticesIn(page)).map((code) => code);
  const asked = { chatRoomId: roomId, amount: 100_000, goods: "account" };
  let id = 0;
  const step = (who: Client, path: string, body?: unknown) => async () =>
    void expectStatus(await postAsShown(who, `/api/transactions/${id}/${path}`, body), 200, 201);
  const acts: Array<[says: string, act: () => Promise<void>]> = [
    [
      "paymentRequested",
      async () => {
        id = expectStatus(await seller.post("/api/transactions", asked), 201).body.id;
      },
    ],
    [
      "paymentConfirmed",
      async () => {
        const invoice = await buyer.post("/api/qpay/invoices", { transactionId: id });
        await payAt(buyer, String(expectStatus(invoice, 200).body.invoiceId));
      },
    ],
    ["bankInfoGiven", step(seller, "bank-info", bankInfo)],
    ["cancelAskedByBuyer?", step(buyer, "cancel")],
    ["cancelWithdrawnByBuyer", step(buyer, "withdraw-cancel")],
    ["cancelAskedByBuyer?", step(buyer, "cancel")],
    ["cancelWithdrawnByBuyer", step(buyer, "withdraw-cancel")],
    ["cancelAskedByBuyer?", step(buyer, "cancel")],
    [
      "cancelDeclinedBySeller",
      async () => {
        const { body } = expectStatus(await seller.get(`/api/transactions/${id}`), 200);
        const { buyer: requestedAt } = body.cancellationRequests as { buyer: string };
        await step(seller, "decline-cancel", { requestedAt })();
      },
    ],
    ["handedOver?", step(seller, "hand-over", {})],
    ["buyerConfirmed?", step(buyer, "complete")],
    ["sellerConfirmed?", step(seller, "complete")],
    [
      "settled",
      async () => {
        const path = `/api/admin/transactions/${id}/settle`;
        expectStatus(await postAsShown(admin, path, { bankReference: "FT2611281002" }), 200);
      },
    ],
  ];
  for (const [says, act] of acts) {
    await act();
    // What was asked before is asked no more.
    const before = told.map((code) => code.replace("?", ""));
    told.splice(0, told.length, ...before, says);
    await expect.poll(() => noticesIn(page)).toEqual(told);
  }
  await isSameDocument(page);
  await page.reload();
  await expect.poll(() => noticesIn(page)).toEqual(told);
});
