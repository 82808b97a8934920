import { expect, type Page } from "@playwright/test";

/** What the page before left word of. */
export async function told(page: Page, words: string | RegExp): Promise<void> {
  await expect(page.locator("[data-toasts]")).toHaveText(words);
}
