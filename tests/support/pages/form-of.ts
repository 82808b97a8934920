import type { Locator, Page } from "@playwright/test";

/** The forms of a page with a name, by which the server tells what is posted. */
export const formOf = (page: Page, name: string): Locator =>
  page.locator(`form:has(input[name="form"][value="${name}"])`);
