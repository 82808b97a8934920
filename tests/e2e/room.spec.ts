import { type Browser, expect, type Page, test } from "@playwright/test";
import { type Server, startServer } from "../support/server.ts";
import { hear, joinRoom, openRoom, person, say, signUp } from "./people.ts";

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

async function pair(browser: Browser, tag: string): Promise<[seller: Page, buyer: Page]> {
  const seller = await person(browser, server.url, true);
  const buyer = await person(browser, server.url, true);
  await seller.goto("/");
  await signUp(seller, `seller.${tag}`, "Sarnai Seller");
  await openRoom(seller, `Account ${tag}`);
  await joinRoom(seller, buyer, `buyer.${tag}`);
  return [seller, buyer];
}

test("what is written while the server is away is kept, then sent once and in order", async ({ browser }) => {
  const [seller, buyer] = await pair(browser, "away");
  await expect(seller.getByText("Connected", { exact: true })).toBeVisible();
  await say(seller, "before");
  await hear(buyer, "before", true);

  const { databaseUrl, dataDir, port } = server;
  await server.kill();
  await expect(seller.getByText("Reconnecting…")).toBeVisible();
  await say(seller, "first");
  await say(seller, "second");
  await expect(seller.getByRole("button", { name: "Not sent. Press to try again." })).toHaveCount(2);

  const again = await startServer({ databaseUrl, dataDir, port });
  try {
    await seller.getByRole("button", { name: "Not sent. Press to try again." }).first().click();
    await expect(seller.getByText("Connected", { exact: true })).toBeVisible({ timeout: 20_000 });
    await expect(seller.getByRole("button", { name: "Not sent. Press to try again." })).toHaveCount(0);
    for (const page of [seller, buyer]) {
      await expect(page.getByRole("log").getByText(/^(before|first|second)$/)).toHaveText(
        ["before", "first", "second"],
        { timeout: 20_000 },
      );
    }
    await seller.reload();
    await expect(seller.getByRole("log").getByText(/^(before|first|second)$/)).toHaveCount(3);
  } finally {
    await again.stop();
    await server.stop();
    server = await startServer();
  }
});

test("the newest message stays in sight when the window shrinks, and whoever reads further up stays there", async ({
  browser,
}) => {
  const [seller] = await pair(browser, "shrinks");
  await seller.setViewportSize({ width: 360, height: 740 });
  await say(seller, `${"a line\n".repeat(20)}the end`);
  const log = seller.getByRole("log");
  const below = () => log.evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop);
  await expect.poll(below).toBeLessThan(2);
  await seller.setViewportSize({ width: 360, height: 400 });
  await expect.poll(() => log.evaluate((box) => box.clientHeight)).toBeLessThan(250);
  await expect.poll(below).toBeLessThan(2);
  await log.evaluate((box) => box.scrollTo(0, 0));
  await seller.setViewportSize({ width: 360, height: 500 });
  await expect.poll(() => log.evaluate((box) => box.clientHeight)).toBeGreaterThan(240);
  expect(await log.evaluate((box) => box.scrollTop)).toBe(0);
});

test("an impatient double press makes one payment request", async ({ browser }) => {
  const [seller, buyer] = await pair(browser, "twice");
  await seller.reload();
  await seller.getByLabel("Price in ₮").fill("100000");
  await seller.getByRole("button", { name: "Review" }).click();
  await seller.getByRole("button", { name: "Create request" }).dblclick();
  await expect(seller.locator('[data-status="initiated"]')).toBeVisible();
  await expect(buyer.locator('[data-notice="paymentRequested"]')).toHaveCount(1);
  await expect(seller.locator('[data-notice="paymentRequested"]')).toHaveCount(1);
});

test("a refused form comes back in Mongolian, filled in, with what is wrong beside its fields", async ({
  browser,
}) => {
  const context = await browser.newContext({
    baseURL: server.url,
    locale: "mn-MN",
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await page.goto("/?tab=register");
  await expect(page.locator("html")).toHaveAttribute("lang", "mn");
  await page.getByLabel("Хэрэглэгчийн нэр").fill("болд");
  await page.getByLabel("Харагдах нэр").fill("Б");
  await page.getByLabel("Имэйл").fill("bold@example.mn");
  await page.getByLabel("Нууц үг", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Бүртгүүлэх" }).click();

  const name = page.getByLabel("Харагдах нэр");
  await expect(name).toHaveAccessibleDescription("Харагдах нэр дор хаяж 2 тэмдэгт байх ёстой");
  await expect(name).toBeFocused();
  await expect(page.getByLabel("Хэрэглэгчийн нэр")).toHaveValue("болд");
  await expect(page.getByLabel("Имэйл")).toHaveValue("bold@example.mn");
  await expect(page.getByLabel("Нууц үг", { exact: true })).toHaveValue("");

  await name.fill("Болд");
  await page.getByLabel("Нууц үг", { exact: true }).fill("урт нууц үг энэ");
  await page.getByRole("button", { name: "Бүртгүүлэх" }).click();
  await expect(page.getByRole("heading", { name: "Чат өрөөнүүд", level: 1 })).toBeVisible();
});

test("who signs out in one tab is out of the room in the other", async ({ browser }) => {
  const room = await person(browser, server.url, true);
  await room.goto("/");
  await signUp(room, "seller.out", "Sarnai Seller");
  await openRoom(room, "Two tabs");
  await expect(room.getByText("Connected", { exact: true })).toBeVisible();

  const other = await room.context().newPage();
  await other.goto("/chat");
  await other.locator("summary:visible", { hasText: "Menu" }).click();
  await other.getByRole("button", { name: "Sign out" }).filter({ visible: true }).click();
  await expect(other.getByText("Logged out")).toBeVisible();
  await expect(room).toHaveURL(/\/\?next=/);
  await expect(room.getByText("Please log in to access this page")).toBeVisible();
});
