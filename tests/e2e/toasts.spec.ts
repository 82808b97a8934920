import { expect, type Page, test } from "@playwright/test";
import { formOf } from "../support/pages/form-of.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { twoIn } from "./people.ts";

/** Where toasts lie on a phone. */

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

/** Run in the page: what must stay in reach and is covered by a toast, by its words. A keyboard leaves too little for what is next as well. */
function readCovered(hasKeyboard: boolean): string[] {
  const toasts = [...document.querySelectorAll("[data-toast]")].map((toast) => toast.getBoundingClientRect());
  const kept = document.querySelectorAll(
    `#trade-head, ${hasKeyboard ? "" : "#trade-title, "}#room-bar, #room-strip, #composer, :is(a, button).bg-brand, :is(input, textarea):focus`,
  );
  if (toasts.length !== 1) return [`${toasts.length} toasts`];
  const outside = toasts.filter(({ top, bottom }) => top < 0 || bottom > innerHeight);
  if (outside.length > 0) return ["a toast lies outside the window"];
  const isSheetOpen = document.querySelector("[aria-modal=true]") !== null;
  return [...kept]
    .filter((one) => !one.closest("[data-toasts]") && (!isSheetOpen || one.closest("#room-trade")))
    .filter((one) => {
      const box = one.getBoundingClientRect();
      return box.height > 0 && toasts.some(({ top, bottom }) => box.top < bottom && box.bottom > top);
    })
    .map((one) => one.id || (one.textContent ?? ""));
}

const createForm = (page: Page) => formOf(page, "create-trade");

async function fillRequest(page: Page): Promise<void> {
  await createForm(page).locator("[name=amount]").fill("100000");
  await createForm(page).locator("[name=goods]").selectOption({ index: 1 });
  await createForm(page).locator("button:not([type=button])").click();
}

/** Lets the toast find its place. */
const settle = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

for (const language of ["mn", "en"] as const) {
  for (const height of [740, 640]) {
    test(`in ${language} at 360 × ${height} a toast covers neither title nor button nor composer, with and without a keyboard`, async ({
      browser,
    }) => {
      const [seller] = await twoIn(browser, server);
      await seller.context().addCookies([{ name: "midman-language", value: language, url: server.url }]);
      await seller.setViewportSize({ width: 360, height });
      await seller.reload();
      await seller.locator('#room-strip a[href$="/trade"]').last().click();
      const sheet = seller.getByRole("dialog");
      await expect(sheet).toBeVisible();
      await createForm(seller).locator("[name=amount]").focus();

      await test.step("an error of the sheet, while the keyboard is open and after", async () => {
        // The script comes when the page is first used.
        await seller.waitForFunction(() => {
          const { inPlace = "" } = document.querySelector<HTMLElement>("[data-in-place]")?.dataset ?? {};
          return performance.getEntriesByName(new URL(inPlace, location.href).href).length > 0;
        });
        await seller.context().setOffline(true);
        await fillRequest(seller);
        const retry = seller.locator("[data-toast=error] [data-retry]");
        await expect(retry).toBeVisible();
        await settle(seller);
        expect(await seller.evaluate(readCovered, false)).toEqual([]);
        await createForm(seller).locator("[name=amount]").focus();
        await seller.setViewportSize({ width: 360, height: height - 300 });
        await settle(seller);
        expect(await seller.evaluate(readCovered, true)).toEqual([]);
        await seller.setViewportSize({ width: 360, height });
        await seller.context().setOffline(false);
        await retry.click();
      });

      await test.step("what the answer says in the sheet", async () => {
        await seller.locator("form[data-review] button").first().click();
        await expect(seller.locator("#trade-panel [data-status]")).toBeVisible();
        await settle(seller);
        expect(await seller.evaluate(readCovered, false)).toEqual([]);
      });

      await test.step("and over the conversation, also while its reader writes", async () => {
        await seller.goBack();
        await expect(sheet).toHaveCount(0);
        await settle(seller);
        expect(await seller.evaluate(readCovered, false)).toEqual([]);
        await seller.locator("#composer").focus();
        await seller.setViewportSize({ width: 360, height: height - 300 });
        await settle(seller);
        expect(await seller.evaluate(readCovered, true)).toEqual([]);
      });
      await seller.context().close();
    });
  }
}
