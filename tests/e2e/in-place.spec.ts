import { type Browser, expect, type Page, test } from "@playwright/test";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { formOf } from "../support/pages/form-of.ts";
import { expectStatus } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openPaidTrade } from "../support/trades/server-trades.ts";
import { person, twoIn } from "./people.ts";

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

/** Two people in a room, wide enough to show the trade beside the conversation. */
async function twoWide(browser: Browser, script = true) {
  const pages = await twoIn(browser, server, script);
  for (const page of pages) await page.setViewportSize({ width: 1280, height: 800 });
  return pages;
}

/** Marks the document and counts the history: both stay as they are as long as nothing is loaded. */
async function mark(page: Page): Promise<() => Promise<void>> {
  const length = await page.evaluate(() => {
    document.documentElement.dataset.same = "";
    return history.length;
  });
  const address = page.url();
  return async () => {
    await expect(page.locator("html")).toHaveAttribute("data-same", "");
    expect(await page.evaluate(() => history.length)).toBe(length);
    expect(page.url()).toBe(address);
  };
}

/** The seller's payment request, as far as its review. */
async function fillRequest(seller: Page, amount = "100000"): Promise<void> {
  const form = formOf(seller, "create-trade");
  await form.locator("[name=amount]").fill(amount);
  await form.locator("[name=goods]").selectOption({ index: 1 });
  await form.locator("button:not([type=button])").click();
}

function countLoadedScripts(): number {
  const { inPlace = "" } = document.querySelector<HTMLElement>("[data-in-place]")?.dataset ?? {};
  return performance.getEntriesByName(new URL(inPlace, location.href).href).length;
}

const review = (page: Page) => page.locator("form[data-review]");
const toasts = (page: Page) => page.locator("[data-toast]");

test("a payment request is corrected, reviewed, edited and made without leaving the page", async ({
  browser,
}) => {
  const [seller, buyer] = await twoWide(browser);
  const untouched = await mark(seller);

  await test.step("a wrong amount is said beside its field, which has the focus", async () => {
    await fillRequest(seller, "none");
    const amount = formOf(seller, "create-trade").locator("[name=amount]");
    await expect(amount).toHaveAttribute("aria-invalid", "true");
    await expect(amount).toBeFocused();
    await expect(amount).toHaveValue("none");
    await untouched();
  });

  await test.step("the review takes the focus, and leads back to the filled form", async () => {
    await fillRequest(seller);
    await expect(review(seller).getByRole("heading")).toBeFocused();
    await review(seller).locator("button[name=edit]").click();
    await expect(formOf(seller, "create-trade").locator("[name=amount]")).toHaveValue("100000");
    await fillRequest(seller);
    await untouched();
  });

  await test.step("confirming answers with a toast and the focus on what is next", async () => {
    await review(seller).locator("button").first().click();
    await expect(review(seller)).toHaveCount(0);
    await expect(toasts(seller)).toHaveCount(1);
    await expect(seller.locator("#trade-panel [data-status]")).toBeVisible();
    expect(await seller.evaluate(() => document.activeElement !== document.body)).toBe(true);
    await untouched();
    await expect(buyer.locator("#trade-panel [data-status]")).toBeVisible();
  });
});

test("a double press posts once, and Back leaves the room in one step", async ({ browser }) => {
  const [seller] = await twoWide(browser);
  const room = seller.url();
  await seller.goto("/history");
  await seller.goto(room);
  await expect(seller.getByText("Connected", { exact: true })).toBeVisible();
  await fillRequest(seller);
  let posts = 0;
  seller.on("request", (request) => {
    if (request.method() === "POST" && request.url() === room) posts++;
  });
  await review(seller).locator("button").first().dblclick();
  await expect(seller.locator("#trade-panel [data-status]")).toBeVisible();
  await expect(review(seller)).toHaveCount(0);
  expect(posts).toBe(1);
  await seller.goBack();
  await expect(seller).toHaveURL(/\/history$/);
});

test("without a network the form stays filled in, and the toast sends it again", async ({ browser }) => {
  const [seller] = await twoWide(browser);
  const untouched = await mark(seller);
  // The script comes when the page is first used.
  await formOf(seller, "create-trade").locator("[name=amount]").focus();
  await expect.poll(() => seller.evaluate(countLoadedScripts)).toBe(1);
  await seller.context().setOffline(true);
  await fillRequest(seller);
  const retry = seller.locator("[data-toast=error] [data-retry]");
  await expect(retry).toBeVisible();
  await expect(formOf(seller, "create-trade").locator("[name=amount]")).toHaveValue("100000");
  await seller.context().setOffline(false);
  await retry.click();
  await expect(review(seller)).toBeVisible();
  await expect(toasts(seller)).toHaveCount(0);
  await untouched();
});

test("what did not arrive is sent again as it was pressed, whatever the page says by then", async ({
  browser,
}) => {
  const deal = await openPaidTrade(server);
  const call = (path: string) => `/api/transactions/${deal.id}/${path}`;
  expectStatus(await deal.seller.post(call("vault"), { login: "zorigt-the-login" }), 200);
  expectStatus(await deal.buyer.post(call("cancel"), { agreesTo: null }), 200);
  const page = await person(browser, server.url, true);
  await page.context().addCookies(cookiesFor(deal.seller.cookies(), server.url));
  await page.setViewportSize({ width: 1280, height: 800 });
  const room = `${server.url}/chat/${deal.roomId}`;
  await page.goto(room);
  await expect(page.getByText("Connected", { exact: true })).toBeVisible();
  await page.route(room, (route) => (route.request().method() === "POST" ? route.abort() : route.fallback()));
  await page.locator("summary", { hasText: "Agree to cancel" }).click();
  await formOf(page, "agree-cancel").getByRole("button").click();
  const retry = page.locator("[data-toast=error] [data-retry]");
  await expect(retry).toBeVisible();
  expectStatus(await deal.buyer.post(call("withdraw-cancel")), 200);
  expectStatus(await deal.buyer.post(call("vault/open")), 200);
  expectStatus(await deal.buyer.post(call("cancel"), { agreesTo: null }), 200);
  await expect(page.getByText("The buyer has opened the vault.")).toHaveCount(1, { timeout: 15_000 });
  await page.unroute(room);
  await retry.click();
  await expect(toasts(page)).toContainText("The cancellation request has changed");
  const { body } = expectStatus(await deal.seller.get(`/api/transactions/${deal.id}`), 200);
  expect(body.status).toBe("payment_confirmed");
});

test("a server's failure is said the same way", async ({ browser }) => {
  const [seller] = await twoWide(browser);
  const room = seller.url();
  await seller.route(room, (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 503, body: "no" }) : route.fallback(),
  );
  await fillRequest(seller);
  await expect(seller.locator("[data-toast=error] [data-retry]")).toBeVisible();
  await expect(formOf(seller, "create-trade").locator("[name=amount]")).toHaveValue("100000");
  await seller.unroute(room);
  await seller.locator("[data-retry]").click();
  await expect(review(seller)).toBeVisible();
});

test("of two tabs the later step wins, and what is typed elsewhere stays", async ({ browser }) => {
  const [seller] = await twoWide(browser);
  const other = await seller.context().newPage();
  await other.setViewportSize({ width: 1280, height: 800 });
  await other.goto(seller.url());
  await fillRequest(seller);
  await expect(review(seller)).toBeVisible();
  await fillRequest(other, "200000");
  await review(other).locator("button").first().click();
  await expect(other.locator("#trade-panel [data-status]")).toBeVisible();
  await review(seller).locator("button").first().click();
  await expect(review(seller)).toHaveCount(0);
  await expect(seller.locator("#trade-panel")).toContainText("200,000 ₮");
  await expect(seller.locator("#trade-panel [data-status]")).toBeVisible();
});

/** Run in the page: how far the row of the people lies below the trade's rows, which it ends, and the width of the edge below it. */
function readPeopleFrame() {
  const [rows, people] = ["#trade-panel > :last-child", "#room-seats > *"].map((part) =>
    document.querySelector(part),
  );
  const gap = (people?.getBoundingClientRect().top ?? 0) - (rows?.getBoundingClientRect().bottom ?? 0);
  return {
    gap: Math.round(gap),
    lowerEdge: people ? Number.parseFloat(getComputedStyle(people).borderBottomWidth) : 0,
  };
}

test("on a phone the trade opens, answers and closes over the conversation", async ({ browser }) => {
  const [seller] = await twoIn(browser, server);
  await seller.evaluate(() => {
    document.documentElement.dataset.same = "";
  });
  const room = new URL(seller.url()).pathname;
  const before = await seller.evaluate(() => history.length);
  const opener = seller.locator(`#room-strip a[href="${room}/trade"]`).last();
  const sheet = seller.getByRole("dialog");
  await opener.focus();
  await seller.keyboard.press("Enter");
  await expect(sheet).toBeVisible();
  await expect(seller).toHaveURL(new RegExp(`${room}/trade$`));
  await fillRequest(seller, "none");
  await expect(formOf(seller, "create-trade").locator("[name=amount]")).toBeFocused();
  await fillRequest(seller);
  await expect(review(seller).getByRole("heading")).toBeFocused();
  await review(seller).locator("button").first().click();
  await expect(review(seller)).toHaveCount(0);
  await expect(toasts(seller)).toHaveCount(1);
  await expect(sheet).toBeVisible();
  expect(await seller.evaluate(readPeopleFrame)).toEqual({ gap: 0, lowerEdge: 1 });
  expect(await seller.evaluate(() => document.activeElement?.closest("#room-trade") !== null)).toBe(true);
  await expect(seller).toHaveURL(new RegExp(`${room}/trade$`));
  // The toast takes the first Escape.
  await seller.keyboard.press("Escape");
  await expect(toasts(seller)).toHaveCount(0);
  await seller.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await expect(seller).toHaveURL(new RegExp(`${room}$`));
  await expect(seller.locator("#room-strip [data-status]")).toBeVisible();
  expect(await seller.evaluate(() => document.activeElement?.closest("#room-strip") !== null)).toBe(true);
  // One entry ahead, which a new page takes the place of.
  expect(await seller.evaluate(() => history.length)).toBe(before + 1);
  await expect(seller.locator("html")).toHaveAttribute("data-same", "");
});

test("without scripts the same forms load the page", async ({ browser }) => {
  const [, buyer] = await twoWide(browser, false);
  await buyer.goto(`${buyer.url()}?dialog=leave`);
  await formOf(buyer, "leave").locator("button").first().click();
  await expect(buyer).toHaveURL(/\/chat$/);
});

test("a signed-out person's form leads to the sign-in", async ({ browser }) => {
  const [seller] = await twoWide(browser);
  await seller.context().clearCookies();
  await fillRequest(seller);
  await expect(seller).toHaveURL(/\/\?next=/);
});

test("nothing is sent in the name of another person who has signed in since, and what was typed stays", async ({
  browser,
}) => {
  const [seller, buyer] = await twoWide(browser);
  const form = formOf(seller, "create-trade");
  await form.locator("[name=amount]").fill("100000");
  await form.locator("[name=goods]").selectOption({ index: 1 });
  await seller.context().addCookies(await buyer.context().cookies());
  const untouched = await mark(seller);
  await form.locator("button:not([type=button])").click();
  await expect(toasts(seller)).toContainText("Another person has signed in here");
  await untouched();
  await expect(form.locator("[name=amount]")).toHaveValue("100000");
  await expect(review(seller)).toHaveCount(0);
});

test("another person who has signed in since does not get their parts of the room onto this page", async ({
  browser,
}) => {
  const [seller, buyer] = await twoWide(browser);
  const panel = buyer.locator("#trade-panel");
  await expect(buyer.getByText("Connected", { exact: true })).toBeVisible();
  const before = await panel.innerHTML();
  await buyer.context().addCookies(await seller.context().cookies());
  const refreshed = buyer.waitForResponse((reply) => new URL(reply.url()).pathname.endsWith("/panel"));
  await fillRequest(seller);
  await review(seller).getByRole("button", { name: "Create request" }).click();
  await expect(buyer.locator('[data-notice="paymentRequested"]')).toBeVisible();
  await (await refreshed).finished();
  await buyer.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  expect(await panel.innerHTML()).toBe(before);
});

test("if the script cannot be loaded, a pressed button still does what it says", async ({ browser }) => {
  const [seller] = await twoWide(browser);
  const script = await seller.evaluate(
    () => document.querySelector<HTMLElement>("[data-in-place]")?.dataset.inPlace ?? "",
  );
  expect(script).toMatch(/\.js$/);
  // The press waits for the script, which each of the two pages asks for once.
  const failures = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  let requests = 0;
  await seller.route(`**${script}`, async (route) => {
    await failures[requests++]?.promise;
    await route.abort();
  });
  // Not yet the load event, which would wait for the script.
  await seller.reload({ waitUntil: "domcontentloaded" });
  await fillRequest(seller);
  failures[0].resolve();
  await expect(review(seller)).toBeVisible();
  await review(seller).getByRole("button", { name: "Edit" }).click();
  failures[1].resolve();
  await expect(formOf(seller, "create-trade").locator("[name=amount]")).toHaveValue(/^100/);
  await expect(review(seller)).toHaveCount(0);
  await expect(seller.locator("[data-status]")).toHaveCount(0);
});
