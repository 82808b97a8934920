import { type Browser, expect, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { slowLink } from "../bench/phone/load.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { expectStatus, makeRoomPair, signInAdministrator } from "../support/people/registered-people.ts";
import { type Server, startAgain, startServer } from "../support/server/midman-server.ts";
import { type FaultProxy, type LineBehavior, startFaultProxy } from "../support/services/fault-proxy.ts";
import { giveBank, messengerAgents, openTrade, person, press } from "./people.ts";
import { proveBooks } from "./prove.ts";

// Two phones, 360×740, in Messenger's browser, on the link of the targets (400 Kbit/s, 400 ms): a whole conversation and trade, in which
// the server dies once and the buyer's line is cut; then a line cut in mid-send and a server that dies meanwhile. Nothing is lost, nothing doubled, and both see one order.

// Each phone has a line of its own to the server: throttled by its developer tools, Chromium 156 loses its network process, and
// every cookie with it, when a server dies.

type Phone = { page: Page; line: FaultProxy };

const slowLine: LineBehavior = {
  delayMs: slowLink.latency / 2,
  bytesPerSecond: slowLink.downloadThroughput,
};

let server: Server;
let lines: FaultProxy[] = [];

// A slow line and a busy machine: a trade of 30 s may take four times as long.
test.setTimeout(240_000);

test.beforeEach(async () => {
  server = await startServer();
});

test.afterEach(async () => {
  await Promise.all(lines.map((line) => line.close()));
  lines = [];
  await server.stop();
});

async function phone(browser: Browser, cookies: string, at: string): Promise<Phone> {
  const line = await startFaultProxy(server.url);
  lines.push(line);
  line.behave(slowLine);
  const page = await person(browser, line.url, true, messengerAgents.android);
  await page.context().addCookies(cookiesFor(cookies, line.url));
  await page.goto(at);
  await isConnected(page);
  return { page, line };
}

const isConnected = (page: Page) =>
  expect(page.getByText("Connected", { exact: true })).toBeAttached({ timeout: 40_000 });

/** Ends the server as a power cut would and starts it again; both phones connect by themselves. */
async function restartServer({ sellersPhone, buyersPhone }: Pair): Promise<void> {
  await server.kill();
  for (const { page } of [sellersPhone, buyersPhone])
    await expect(page.getByText("Connected", { exact: true })).toHaveCount(0, { timeout: 40_000 });
  server = await startAgain(server);
  for (const { page } of [sellersPhone, buyersPhone]) await isConnected(page);
}

async function twoPhones(browser: Browser) {
  const client = () => server.client({ "Accept-Language": "en" });
  const made = await makeRoomPair({ client });
  const at = `/chat/${made.roomId}`;
  const [seller, buyer] = await Promise.all([
    phone(browser, made.seller.cookies(), at),
    phone(browser, made.buyer.cookies(), at),
  ]);
  return { ...made, at, sellersPhone: seller, buyersPhone: buyer };
}

/** Writes without waiting for anything to arrive. */
async function write({ page }: Phone, words: string): Promise<void> {
  await page.getByLabel("Write a message").fill(words);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** What members said, in the order a phone shows it. */
const said = ({ page }: Phone) => page.getByRole("log").getByText(/(seller|buyer) \d+\./);
const heard = async (one: Phone) =>
  (await said(one).allTextContents()).map((words) => /(seller|buyer) \d+\./.exec(words)?.[0] ?? "");
/** What still waits on a phone. */
const waiting = ({ page }: Phone) => page.getByRole("log").getByRole("img", { name: "Sending", exact: true });

const status = ({ page }: Phone, name: string) =>
  expect(page.locator(`[data-status="${name}"]:visible`).first()).toBeVisible({ timeout: 40_000 });

test("two phones chat and trade from the first message to the payout", async ({ browser }) => {
  const pair = await twoPhones(browser);
  await test.step("write, both at once, and show a picture", () => talkAndShow(pair));
  await test.step("agree on the price, and pay", () => agreeAndPay(pair));
  await test.step("the server dies and comes back", () => restartServer(pair));
  await test.step("put the login in the vault, open it, and tick off what was done", () => sealAndOpen(pair));
  await test.step("confirm, the buyer first, and pay out", () => confirmAndPayOut(pair));
  await proveBooks(server.databaseUrl, server.dataDir);
});

type Pair = Awaited<ReturnType<typeof twoPhones>>;

async function talkAndShow({ sellersPhone, buyersPhone }: Pair): Promise<void> {
  for (let count = 1; count <= 3; count++) {
    await Promise.all([write(sellersPhone, `seller ${count}.`), write(buyersPhone, `buyer ${count}.`)]);
  }
  for (const one of [sellersPhone, buyersPhone]) await expect(said(one)).toHaveCount(6, { timeout: 40_000 });
  await expect(waiting(sellersPhone)).toHaveCount(0);
  expect(await heard(sellersPhone)).toEqual(await heard(buyersPhone));
  const read = sellersPhone.page.getByRole("log").getByRole("img", { name: "Read", exact: true });
  await expect(read).toHaveCount(3, { timeout: 40_000 });
  const picture = await sharp({ create: { width: 320, height: 240, channels: 3, background: "#2563eb" } })
    .jpeg()
    .toBuffer();
  await sellersPhone.page
    .locator('input[type="file"][multiple]')
    .setInputFiles({ name: "level.jpg", mimeType: "image/jpeg", buffer: picture });
  await sellersPhone.page.getByLabel("Caption (optional)").fill("Level 58");
  await sellersPhone.page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
  const shown = buyersPhone.page.getByRole("log").getByRole("img", { name: "Level 58" });
  await expect(shown).toBeVisible({ timeout: 30_000 });
}

async function agreeAndPay({ sellersPhone, buyersPhone }: Pair): Promise<void> {
  const [seller, buyer] = [sellersPhone.page, buyersPhone.page];
  await openTrade(seller);
  await seller.getByLabel("Price in ₮").fill("100000");
  await seller.getByLabel("Kind of item").selectOption("account");
  await seller.getByRole("button", { name: "Review" }).click();
  await seller.getByRole("button", { name: "Create request: the buyer pays 110,000 ₮" }).click();
  await status(sellersPhone, "payment_initiated");
  await status(buyersPhone, "payment_initiated");
  await openTrade(buyer);
  await expect(buyer.getByAltText("QR code to pay 110,000 ₮")).toBeVisible({ timeout: 40_000 });
  const pay = await buyer.getByRole("link", { name: "Pay in the sandbox" }).getAttribute("href");
  expect((await buyer.request.post(pay ?? "", { data: {} })).status()).toBe(200);
  for (const one of [sellersPhone, buyersPhone]) {
    await status(one, "payment_confirmed");
    await expect(one.page.locator('[data-notice="paymentConfirmed"]')).toHaveCount(1);
  }
}

async function sealAndOpen({ sellersPhone, buyersPhone, at }: Pair): Promise<void> {
  const [seller, buyer] = [sellersPhone.page, buyersPhone.page];
  await seller.goto(`${at}/vault`);
  await seller.getByLabel("Username").fill("sarnai_lvl58");
  await seller.getByLabel("Password", { exact: true }).fill("one only the buyer sees");
  await seller.getByLabel("I've checked this. The buyer can open it right away").check();
  await buyersPhone.line.refuse();
  await seller.getByRole("button", { name: "Hand over securely" }).click();
  await expect(seller.getByText("In the vault. The buyer hasn't opened it yet.")).toBeVisible({
    timeout: 40_000,
  });
  await buyersPhone.line.mend();
  buyersPhone.line.behave(slowLine);
  await expect(buyer.locator('[data-notice="handedOverByVault"]')).toHaveCount(1, { timeout: 40_000 });
  await buyer.goto(`${at}/vault`);
  await buyer.locator("summary", { hasText: "Open" }).click();
  await buyer.locator('form:has(input[value="open"])').getByRole("button").click();
  await expect(buyer.getByText("sarnai_lvl58")).toBeVisible({ timeout: 40_000 });
  for (const box of await buyer.locator("#checklist").getByRole("checkbox").all()) await box.check();
  await buyer.getByRole("button", { name: "Save" }).click();
  await expect(buyer.getByText("All three are done.")).toBeVisible({ timeout: 40_000 });
}

async function confirmAndPayOut({ sellersPhone, buyersPhone, at }: Pair): Promise<void> {
  const [seller, buyer] = [sellersPhone.page, buyersPhone.page];
  await Promise.all([seller.goto(at), buyer.goto(at)]);
  await giveBank(seller);
  await press(buyer, "Confirm completion", "Yes, release 100,000 ₮ to Seller One");
  await status(buyersPhone, "exchange_completed");
  await status(sellersPhone, "exchange_completed");
  await press(seller, "Confirm completion", "Yes, all done: pay me 100,000 ₮");
  await status(sellersPhone, "settlement_pending");
  await status(buyersPhone, "settlement_pending");
  const code = (await seller.locator("[data-code]").first().textContent()) ?? "";
  const admin = await signInAdministrator(server);
  const { list } = expectStatus(await admin.get("/api/admin/transactions"), 200);
  const trade = list.find(({ transactionCode }) => transactionCode === code);
  expectStatus(
    await postAsShown(admin, `/api/admin/transactions/${trade?.id}/settle`, { bankReference: "KHAN-1" }),
    200,
  );
  for (const one of [sellersPhone, buyersPhone]) await status(one, "completed");
}

test("a connection cut while sending and a server that dies lose nothing, duplicate nothing, and keep one order", async ({
  browser,
}) => {
  const { sellersPhone, buyersPhone, seller, roomId } = await twoPhones(browser);
  const each = 12;
  const talk = async (one: Phone, name: string, from: number, to: number) => {
    for (let count = from; count <= to; count++) await write(one, `${name} ${count}.`);
  };

  await test.step("the seller's connection is cut while both write", async () => {
    const cut = sellersPhone.line.refuse();
    await Promise.all([cut, talk(sellersPhone, "seller", 1, 4), talk(buyersPhone, "buyer", 1, 4)]);
    await sellersPhone.line.mend();
    sellersPhone.line.behave(slowLine);
  });

  await test.step("the server dies while both write, and comes back", async () => {
    const writing = [talk(sellersPhone, "seller", 5, 8), talk(buyersPhone, "buyer", 5, 8)];
    await Promise.all([server.kill(), ...writing]);
    await Promise.all([talk(sellersPhone, "seller", 9, each), talk(buyersPhone, "buyer", 9, each)]);
    server = await startAgain(server);
  });

  await test.step("everything arrives", async () => {
    for (const one of [sellersPhone, buyersPhone]) {
      await expect(said(one)).toHaveCount(2 * each, { timeout: 60_000 });
      await expect(waiting(one)).toHaveCount(0, { timeout: 60_000 });
    }
  });

  const shown = await heard(sellersPhone);
  expect(await heard(buyersPhone)).toEqual(shown);
  const { list } = expectStatus(await seller.get(`/api/chat/rooms/${roomId}/messages?limit=200`), 200);
  expect(list.filter(({ type }) => type === "text").map(({ content }) => content)).toEqual(shown);
  for (const name of ["seller", "buyer"]) {
    const own = shown.filter((words) => words.startsWith(name));
    expect(own).toEqual(Array.from({ length: each }, (_, count) => `${name} ${count + 1}.`));
  }
});
