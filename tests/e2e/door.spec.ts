import { type Browser, expect, type Locator, type Page, test } from "@playwright/test";
import { postForm } from "../support/pages/post-form.ts";
import { expectStatus, type Person, registerPerson } from "../support/people/registered-people.ts";
import type { Body } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { messengerAgents } from "./people.ts";

/** A stranger taps a link in Messenger: how many presses it takes to stand in the room, and to have one's money held. */

/** From the tapped link to the room, signing up included: the link, "Sign up", four fields, the form's button, "Join". */
const mostPressesToRoom = 8;
/** And from there until the money is held, at the sandbox: at most the trade, its link, and the bank's button. */
const mostPressesToMoney = 3;

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(() => server?.stop());

/** A phone whose presses are counted; a field takes one to get the keyboard, typing is not a press. */
async function phone(browser: Browser, userAgent: string, script: boolean) {
  const context = await browser.newContext({
    ...{ baseURL: server.url, javaScriptEnabled: script, locale: "en-US", userAgent },
    ...{ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  });
  const page = await context.newPage();
  let presses = 0;
  return {
    page,
    presses: () => presses,
    press: async (what: Locator) => {
      presses++;
      await what.tap();
    },
    fill: async (field: Locator, text: string) => {
      presses++;
      await field.tap();
      await field.fill(text);
    },
    /** A link in a message of Messenger: the navigation comes from another site. */
    tapLink: async (link: string) => {
      presses++;
      await page.goto(link, { referer: "https://l.messenger.com/" });
    },
  };
}

async function inviteOf(host: Person): Promise<{ id: number; link: string }> {
  const { id } = expectStatus(await host.post("/api/chat/rooms", { name: "Genshin" }), 201).body;
  const { inviteLink } = expectStatus(await host.post(`/api/chat/rooms/${id}/invite`), 200).body;
  return { id, link: inviteLink };
}

/** The seller's request on the page, which shows its QR code in the same press. */
async function requestOf(host: Person, room: number): Promise<Body> {
  const asked = { form: "create-trade", amount: "100000", feePayer: "buyer", goods: "account" };
  expectStatus(
    await postForm(host, `/chat/${room}`, { ...asked, description: "Level 58", confirmed: "1" }),
    303,
  );
  const { list } = expectStatus(await host.get(`/api/chat/rooms/${room}/transactions`), 200);
  const [trade] = list;
  expect(trade?.status).toBe("payment_initiated");
  return trade as Body;
}

async function enter(phoneOf: Awaited<ReturnType<typeof phone>>, link: string): Promise<void> {
  const { page, press, fill, tapLink } = phoneOf;
  await tapLink(link);
  await press(page.getByRole("main").getByRole("link", { name: "Sign up" }));
  const username = `guest${crypto.randomUUID().slice(0, 8)}`;
  await fill(page.getByLabel("Username"), username);
  await fill(page.getByLabel("Display name"), "Gerel Guest");
  await fill(page.getByLabel("Email"), `${username}@example.mn`);
  await fill(page.getByLabel("Password", { exact: true }), "a long enough secret");
  await press(page.getByRole("button", { name: "Sign up" }));
  await press(page.getByRole("button", { name: "Join the room" }));
  await expect(page).toHaveURL(/\/chat\/\d+$/);
}

const tradeLinkOf = (page: Page) =>
  page.locator("#room-strip").getByRole("link", { name: "Payment and next steps" });

/** The sandbox's way to pay is in the trade, which a phone may show only after a press. */
async function pay({ page, press }: Awaited<ReturnType<typeof phone>>): Promise<void> {
  const toSandbox = page.getByRole("link", { name: "Pay in the sandbox" });
  await page.reload();
  if (!(await toSandbox.isVisible())) await press(tradeLinkOf(page));
  await press(toSandbox);
  await press(page.getByRole("button", { name: "Pay", exact: true }));
}

for (const [system, userAgent] of Object.entries(messengerAgents)) {
  for (const script of [true, false]) {
    test(`from a link in Messenger on ${system} to the room and to held money, ${script ? "with" : "without"} scripts`, async ({
      browser,
    }) => {
      const host = await registerPerson(server, "Sarnai Host");
      const { id, link } = await inviteOf(host);
      const guest = await phone(browser, userAgent, script);
      await enter(guest, link);
      await expect(guest.page).toHaveURL(`${server.url}/chat/${id}`);
      expect(guest.presses(), "presses to the room").toBeLessThanOrEqual(mostPressesToRoom);
      const toRoom = guest.presses();
      const trade = await requestOf(host, id);
      await pay(guest);
      expect(guest.presses() - toRoom, "presses to held money").toBeLessThanOrEqual(mostPressesToMoney);
      await expect
        .poll(async () => (await host.get(`/api/transactions/${trade.id}`)).body.status, { timeout: 20_000 })
        .toBe("payment_confirmed");
      await guest.page.context().close();
    });
  }
}

test("the ways to pay fit the phone: intents on Android, a link to copy on an iPhone, the last bank first", async ({
  browser,
}) => {
  const host = await registerPerson(server, "Sarnai Host");
  const { id, link } = await inviteOf(host);
  const guest = await phone(browser, messengerAgents.android, true);
  const { page } = guest;
  await enter(guest, link);
  const trade = await requestOf(host, id);
  const showBanks = async () => {
    await page.goto(`/chat/${id}`);
    await tradeLinkOf(page).tap();
    await expect(page.locator("[data-bank-app]").first()).toBeVisible();
  };
  await showBanks();
  const first = page.locator("[data-bank-app]:visible").first();
  await expect(first).toHaveText(/Khan Bank/);
  expect(await first.getAttribute("href")).toMatch(
    /^intent:\/\/q\?qPay_QRcode=.*#Intent;scheme=khanbank;S\.browser_fallback_url=.*;end$/,
  );
  await expect(page.getByRole("link", { name: "Open in Chrome" })).toHaveAttribute(
    "href",
    /^intent:\/\/.*package=com\.android\.chrome;/,
  );
  // The bank's app does not open here; the press alone is remembered.
  await page.evaluate(() => document.addEventListener("click", (event) => event.preventDefault()));
  await page.locator("[data-bank-app=tdbbank]:visible").tap();
  await showBanks();
  await expect(page.locator("[data-bank-app]:visible").first()).toHaveText(/TDB/);
  const sheet = await page.request.get(`/transactions/${trade.id}/qr.png`);
  expect([sheet.status(), sheet.headers()["content-type"]]).toEqual([200, "image/png"]);
  expect(sheet.headers()["content-disposition"]).toContain(`Midman-${trade.transactionCode ?? "MM-"}`);

  const iphone = await browser.newContext({
    userAgent: messengerAgents.ios,
    locale: "en-US",
    isMobile: true,
  });
  await iphone.addCookies(await page.context().cookies());
  const other = await iphone.newPage();
  await other.goto(`${server.url}/chat/${id}`);
  await expect(other.getByText("Copy this link and open it in Safari")).toHaveCount(1);
  expect(await other.locator("[data-bank-app=khanbank]").first().getAttribute("href")).toMatch(/^khanbank:/);
  await iphone.close();
  await page.context().close();
});
