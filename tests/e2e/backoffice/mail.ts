import { expect, type Page } from "@playwright/test";
import type { TestMailServer } from "../../support/services/mail-server.ts";
import { expectToast } from "./expect-toast.ts";

const words = "Look at your finished trade";
const colour = { hex: "#0f766e", rgb: "rgb(15, 118, 110)" };

/** Gives a mail other words and another colour, sees both in the preview before anything is saved, and receives them. */
export async function dressMail(page: Page, post: TestMailServer): Promise<void> {
  const to = "desk@example.mn";
  await page.goto("/admin/email");
  await page.getByRole("link", { name: "Transaction completed" }).click();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const part = (name: string) => page.locator("label", { hasText: name }).click();
  await part("Content");
  await page.getByLabel("Button text in English").fill(words);
  await part("Colors");
  await page.getByLabel("Button colour").fill(colour.hex);
  await page.getByRole("button", { name: "In English" }).click();
  const shown = page.frameLocator('iframe[name="mail"]').locator("td:has(> a.mail-button)");
  await expect(shown).toHaveText(words);
  await expect(shown).toHaveCSS("background-color", colour.rgb);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expectToast(page, "Template customizations saved successfully!");
  await page.getByLabel("Send to").fill(to);
  await page.getByRole("button", { name: "Send in English" }).click();
  await expectToast(page, "Test email sent successfully!");
  const [mail, ...more] = await post.of(to);
  expect(more).toEqual([]);
  expect(mail?.html).toContain(words);
  expect(mail?.html).toContain(colour.hex);
  expect(mail?.text).toContain(words);
}
