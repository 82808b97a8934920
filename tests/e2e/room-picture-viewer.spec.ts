import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { twoIn } from "./people.ts";

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

/** Sends pictures of these widths from the page's dialog, the first one with the caption. */
async function sendPictures(page: Page, widths: number[], caption: string): Promise<void> {
  const files = await Promise.all(
    widths.map(async (width) => ({
      name: `${width}.png`,
      mimeType: "image/png",
      buffer: await sharp({ create: { width, height: 500, channels: 3, background: "#2a7" } })
        .png()
        .toBuffer(),
    })),
  );
  await page.locator('input[type="file"][multiple]').setInputFiles(files);
  await page.getByLabel("Caption (optional)").fill(caption);
  await page.getByRole("dialog").getByRole("button", { name: /^Send/ }).click();
  await expect(page.locator('a[data-picture] img[src^="/chat/"]')).toHaveCount(widths.length);
}

const viewer = (page: Page) => page.getByRole("dialog", { name: "Picture" });
const shown = (page: Page) => viewer(page).getByRole("img");
const zoomOf = (page: Page) =>
  shown(page).evaluate((image) => new DOMMatrix(getComputedStyle(image).transform).a);
const entries = (page: Page) => page.evaluate(() => history.length);

/** A swipe of one finger from the middle of the window. */
async function swipe(context: BrowserContext, page: Page, x: number, y = 0): Promise<void> {
  const session = await context.newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: { x: number; y: number }[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", { x: 180, y: 370 });
  for (const share of [0.3, 0.6, 1]) await touch("touchMove", { x: 180 + x * share, y: 370 + y * share });
  await touch("touchEnd");
  await session.detach();
}

test("a press opens a picture over the window; keys, buttons and Back leave no step in the history", async ({
  browser,
}) => {
  const [seller, buyer] = await twoIn(browser, server);
  await sendPictures(seller, [900, 700, 600], "The first");
  const link = buyer.getByRole("link", { name: "The first" });
  const before = await entries(buyer);
  const at = buyer.url();
  await link.click();
  await expect(viewer(buyer)).toBeVisible();
  await expect(shown(buyer)).toHaveAttribute("alt", "The first");
  await expect(shown(buyer)).toHaveJSProperty("naturalWidth", 900);
  await expect(viewer(buyer).getByText("1 of 3")).toBeVisible();
  const box = await viewer(buyer).boundingBox();
  expect([box?.width, box?.height]).toEqual([360, 740]);
  await expect(viewer(buyer).getByRole("button", { name: "Previous picture" })).toBeHidden();
  await buyer.keyboard.press("ArrowRight");
  await expect(shown(buyer)).toHaveJSProperty("naturalWidth", 700);
  await viewer(buyer).getByRole("button", { name: "Next picture" }).click();
  await expect(viewer(buyer).getByText("3 of 3")).toBeVisible();
  await expect(viewer(buyer).getByRole("button", { name: "Close" })).toBeFocused();
  await buyer.keyboard.press("+");
  await expect.poll(() => zoomOf(buyer)).toBeCloseTo(1.5);
  await buyer.keyboard.press("0");
  await expect.poll(() => zoomOf(buyer)).toBe(1);

  const download = buyer.waitForEvent("download");
  await viewer(buyer).getByRole("link", { name: "Download the picture" }).click();
  expect((await download).suggestedFilename()).toMatch(/^midman-\d{4}-\d\d-\d\d-\d+\.webp$/);

  await buyer.keyboard.press("Escape");
  await expect(viewer(buyer)).toBeHidden();
  await expect(link).toBeFocused();
  await expect(buyer).toHaveURL(at);
  await expect.poll(() => buyer.evaluate(() => history.state?.midmanViewer)).toBeUndefined();

  await buyer.keyboard.press("Enter");
  await expect(viewer(buyer)).toBeVisible();
  await buyer.goBack();
  await expect(viewer(buyer)).toBeHidden();
  await expect(link).toBeFocused();
  expect(await entries(buyer)).toBeLessThanOrEqual(before + 1);
  await expect(buyer).toHaveURL(at);

  // A page that is loaded again while the viewer is open has no step that does nothing.
  await link.click();
  await expect(viewer(buyer)).toBeVisible();
  await buyer.reload();
  await expect.poll(() => buyer.evaluate(() => history.state?.midmanViewer)).toBeUndefined();
});

test("fingers zoom and swipe; a swipe down closes", async ({ browser }) => {
  const [seller, buyer] = await twoIn(browser, server);
  await sendPictures(seller, [900, 700], "Two");
  const context = await browser.newContext({
    ...{ storageState: await buyer.context().storageState(), baseURL: server.url, locale: "en-US" },
    ...{ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  });
  const phone = await context.newPage();
  await phone.goto(buyer.url());
  await phone.getByRole("link", { name: "Two" }).tap();
  await expect(shown(phone)).toHaveJSProperty("naturalWidth", 900);
  await swipe(context, phone, -150);
  await expect(viewer(phone).getByText("2 of 2")).toBeVisible();
  await swipe(context, phone, 150);
  await expect(viewer(phone).getByText("1 of 2")).toBeVisible();
  await phone.touchscreen.tap(180, 370);
  await phone.touchscreen.tap(180, 370);
  await expect.poll(() => zoomOf(phone)).toBeCloseTo(2.5);
  // An enlarged picture moves, and stays.
  await swipe(context, phone, -150);
  await expect(viewer(phone).getByText("1 of 2")).toBeVisible();
  await phone.touchscreen.tap(100, 300);
  await phone.touchscreen.tap(100, 300);
  await expect.poll(() => zoomOf(phone)).toBe(1);
  await swipe(context, phone, 0, 250);
  await expect(viewer(phone)).toBeHidden();
  await context.close();
});

test("a picture whose viewer cannot be loaded opens as its own page", async ({ browser }) => {
  const [seller] = await twoIn(browser, server);
  await sendPictures(seller, [300], "Alone");
  await seller.route("**/assets/picture-viewer-*", (route) => route.abort());
  await seller.getByRole("link", { name: "Alone" }).click();
  await expect(seller).toHaveURL(/\/images\/[0-9a-f-]{36}$/);
});
