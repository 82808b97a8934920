import { expect, test } from "@playwright/test";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { makeLogoFolder, plainPicture } from "../support/trades/bank-logo-folder.ts";
import { requestPayment } from "../support/trades/server-trades.ts";
import { openTrade, person } from "./people.ts";

/** The banks' logos on the buttons by which a buyer pays on a phone. */

let server: Server;
let folder: ReturnType<typeof makeLogoFolder>;

test.beforeAll(async () => {
  const red = await plainPicture(200, 200, "#f00").png().toBuffer();
  folder = makeLogoFolder({ "khanbank.png": red, "sono.png": red });
  server = await startServer({ environment: { BANK_LOGOS_DIR: folder.path } });
});

test.afterAll(async () => {
  await server?.stop();
  folder?.remove();
});

test("a phone paints a bank's logo in the place of its initial, also behind More banks", async ({
  browser,
}) => {
  const { buyer, roomId } = await requestPayment(server);
  const page = await person(browser, server.url, true);
  await page.context().addCookies(cookiesFor(buyer.cookies(), server.url));
  await page.goto(`/chat/${roomId}`);
  await expect(page.getByText("Connected", { exact: true })).toBeAttached({ timeout: 15_000 });
  await openTrade(page);

  const logo = page.locator("[data-bank-app=khanbank]:visible img");
  await expect(logo).toBeVisible();
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(96);
  const button = page.locator("[data-bank-app=khanbank]:visible");
  await expect(button).toHaveText("Khan Bank");
  await expect(button).toHaveAccessibleName("Khan Bank");
  const initial = page.locator("[data-bank-app=tdbbank]:visible");
  await expect(initial).toHaveText("TTDB");
  for (const mark of [logo, initial.locator("span")])
    expect(await mark.boundingBox()).toMatchObject({ width: 28, height: 28 });

  await page.getByText("More banks").click();
  const another = page.locator("[data-bank-app=sono]:visible img");
  await another.scrollIntoViewIfNeeded();
  await expect.poll(() => another.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(96);
  await page.context().close();
});
