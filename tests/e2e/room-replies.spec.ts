import { expect, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { makePdf } from "../support/hostile/pdfs.ts";
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

const pictureIn = (page: Page, alt: string) =>
  page
    .getByRole("log")
    .getByRole("listitem")
    .filter({ has: page.locator(`img[alt="${alt}"][src^="/chat/"]`) });

const cancelReply = (page: Page) => page.getByRole("link", { name: "Cancel the reply" });

async function replyTo(page: Page, words: string): Promise<void> {
  await bubble(page, words).first().getByLabel("More about this message").click();
  await menuOf(page).getByRole("button", { name: "Reply", exact: true }).click();
  await expect(cancelReply(page)).toBeVisible();
}

const screenshot = async (name: string) => ({
  ...{ name, mimeType: "image/png" },
  buffer: await sharp({ create: { width: 64, height: 48, channels: 3, background: "#2a7" } })
    .png()
    .toBuffer(),
});

test("pictures and a PDF are sent as the reply, the first with the quote, and after a lost connection and a reload too", async ({
  browser,
}) => {
  const [seller, buyer] = await twoIn(browser, server);
  await say(seller, "Show me the payment");
  await hear(buyer, "Show me the payment", true);
  await replyTo(buyer, "Show me the payment");
  const chooser = buyer.locator('input[type="file"][multiple]');
  const dialog = buyer.getByRole("dialog");
  const pdf = { name: "receipt.pdf", mimeType: "application/pdf", buffer: makePdf() };
  await chooser.setInputFiles([await screenshot("a.png"), pdf]);
  await expect(dialog).toContainText("Show me the payment");
  await dialog.getByLabel("Caption").fill("Paid");
  await dialog.getByRole("button", { name: "Send" }).click();
  for (const page of [seller, buyer]) {
    await expect(pictureIn(page, "Paid").locator("a[data-quote]")).toContainText("Show me the payment");
    await expect(bubble(page, ".pdf")).toBeVisible();
    await expect(bubble(page, ".pdf").locator("a[data-quote]")).toHaveCount(0);
  }
  await expect(cancelReply(buyer)).toHaveCount(0);

  // A reply that is cancelled in the dialog: the picture is sent without a quote.
  await replyTo(buyer, "Show me the payment");
  await chooser.setInputFiles([await screenshot("b.png")]);
  await dialog.getByLabel("Caption").fill("No reply");
  await dialog.getByRole("link", { name: "Cancel the reply" }).click();
  await expect(dialog.getByRole("heading")).toBeFocused();
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(pictureIn(seller, "No reply")).toBeVisible();
  await expect(pictureIn(seller, "No reply").locator("a[data-quote]")).toHaveCount(0);

  // The upload fails; the page is loaded again, and it still is that reply.
  await replyTo(buyer, "Show me the payment");
  const images = "**/api/chat/rooms/*/images";
  await buyer.route(images, (route) => route.abort());
  await chooser.setInputFiles([pdf]);
  await dialog.getByRole("button", { name: "Send" }).click();
  const waiting = bubble(buyer, "PDF").last();
  await expect(waiting).toContainText("Show me the payment");
  await buyer.reload();
  await expect(bubble(buyer, "PDF").last()).toContainText("Show me the payment");
  await buyer.unroute(images);
  await expect(bubble(seller, ".pdf")).toHaveCount(2, { timeout: 40_000 });
  await expect(bubble(seller, ".pdf").last().locator("a[data-quote]")).toContainText("Show me the payment");
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
  await bubble(plain, "no script needed").first().getByLabel("More about this message").click();
  await bubble(plain, "no script needed").first().getByRole("link", { name: "Reply" }).click();
  await plain.locator("summary[aria-label='Send a picture or PDF']").click();
  await plain.getByLabel("Caption").fill("as asked");
  await plain.locator('input[type="file"]').setInputFiles([await screenshot("a.png")]);
  await plain.getByRole("button", { name: "Send a picture or PDF" }).click();
  for (const page of [plain, seller])
    await expect(pictureIn(page, "as asked").locator("a[data-quote]")).toContainText("no script needed");
  await expect(plain.getByRole("link", { name: "Cancel the reply" })).toHaveCount(0);
  const quote = bubble(plain, "right").locator("a[data-quote]");
  await expect(quote).toContainText("no script needed");
  await quote.click();
  await expect(plain).toHaveURL(/\?at=\d+#m\d+$/);
  await expect(bubble(plain, "no script needed").first()).toBeInViewport();
  await hear(seller, "right", true);
});
