import { expect, type Page } from "@playwright/test";

/** Expects the toast that the last action left on the page. */
export async function expectToast(page: Page, words: string | RegExp): Promise<void> {
  await expect(page.locator("[data-toasts]")).toHaveText(words);
}
