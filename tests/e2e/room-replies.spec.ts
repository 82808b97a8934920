import { expect, type Page, test } from "@playwright/test";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { hear, person, say, twoIn } from "./people.ts";

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

const bubble = (page: Page, words: string) =>
  page.getByRole("log").getByRole("listitem").filter({ hasText: words });

const menuOf = (page: Page) => page.getByRole("dialog");

test("a message is replied to from its menu, and its text is copied; the quote leads back to it", async ({
  browser,
}) => {
  const [seller, buyer] = await twoIn(browser, server);
  await buyer.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await say(seller, "80. I hand over the email too.");
  await hear(buyer, "80. I hand over the email too.", true);

  await bubble(buyer, "80.").getByLabel("More about this message").click();
  await expect(menuOf(buyer)).toContainText("Messages can't be changed or deleted. They are your proof.");
  await expect(menuOf(buyer).getByRole("link", { name: "Report" })).toBeVisible();
  await menuOf(buyer).getByRole("button", { name: "Copy text" }).click();
  await expect(menuOf(buyer)).toHaveCount(0);
  expect(await buyer.evaluate(() => navigator.clipboard.readText())).toBe("80. I hand over the email too.");

  // By keys alone: the button of the message, the first action, and the composer has the focus.
  await bubble(buyer, "80.").getByLabel("More about this message").focus();
  await buyer.keyboard.press("Enter");
  await expect(menuOf(buyer).getByRole("button", { name: "Reply", exact: true })).toBeFocused();
  await buyer.keyboard.press("Enter");
  await expect(buyer.getByLabel("Write a message")).toBeFocused();
  await expect(buyer.getByRole("link", { name: "Cancel the reply" })).toBeVisible();
  const steps = await buyer.evaluate(() => history.length);
  await say(buyer, "Then I take it");
  await expect(buyer.getByRole("link", { name: "Cancel the reply" })).toHaveCount(0);
  for (const page of [seller, buyer])
    await expect(bubble(page, "Then I take it").locator("a[data-quote]")).toContainText("80. I hand over");

  await bubble(seller, "Then I take it").locator("a[data-quote]").click();
  await expect(bubble(seller, "80.").first()).toBeInViewport();
  expect(await buyer.evaluate(() => history.length)).toBe(steps);
  await seller.reload();
  await expect(bubble(seller, "Then I take it").locator("a[data-quote]")).toContainText("80. I hand over");
});

test("a finger that rests on a message opens its actions, and Midman's notices have none", async ({
  browser,
}) => {
  const [seller, buyer] = await twoIn(browser, server);
  await say(seller, "hold me");
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 360, height: 740 },
    locale: "en-US",
    hasTouch: true,
    isMobile: true,
  });
  await context.addCookies(await buyer.context().cookies());
  const phone = await context.newPage();
  await phone.goto(new URL(buyer.url()).pathname);
  const press = async (words: string) => {
    const box = await bubble(phone, words).getByText(words).last().boundingBox();
    if (box === null) throw new Error("nothing to press");
    const touch = await context.newCDPSession(phone);
    const at = { x: box.x + 8, y: box.y + 8 };
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
    return async () => {
      await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    };
  };
  const release = await press("hold me");
  await expect(menuOf(phone)).toBeVisible();
  await release();
  await expect(menuOf(phone)).toBeVisible();
  await menuOf(phone).getByRole("button", { name: "Close" }).click();
  await expect(menuOf(phone)).toHaveCount(0);
  await expect(phone.locator("li", { hasText: "joined" }).locator("summary[data-actions]")).toHaveCount(0);
  await context.close();
});

test("without script a link opens the composer with the quote, and the reply shows it", async ({
  browser,
}) => {
  const [seller, buyer] = await twoIn(browser, server);
  await say(seller, "no script needed");
  await hear(buyer, "no script needed", true);
  const plain = await person(browser, server.url, false);
  await plain.context().addCookies(await buyer.context().cookies());
  await plain.goto(new URL(buyer.url()).pathname);
  await bubble(plain, "no script needed").getByLabel("More about this message").click();
  await bubble(plain, "no script needed").getByRole("link", { name: "Reply" }).click();
  await expect(plain.getByRole("link", { name: "Cancel the reply" })).toBeVisible();
  await plain.getByLabel("Write a message").fill("right");
  await plain.getByRole("button", { name: "Send" }).click();
  const quote = bubble(plain, "right").locator("a[data-quote]");
  await expect(quote).toContainText("no script needed");
  await quote.click();
  await expect(plain).toHaveURL(/\?at=\d+#m\d+$/);
  await expect(bubble(plain, "no script needed").first()).toBeInViewport();
  await hear(seller, "right", true);
});
