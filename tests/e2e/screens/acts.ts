import { expect, type Locator, type Page } from "@playwright/test";
import { supportedLanguages, translateText } from "#locales";
import { formOf } from "../../support/pages/form-of.ts";
import type { World } from "../world.ts";
import type { Screen } from "./screen.ts";

// What screens of several areas share: their addresses, and what is done on a page before it is looked at.

/** The page of a room; `rest` is what follows its number in the address. */
export const room =
  (state: keyof World["rooms"], rest = "") =>
  ({ rooms }: World) =>
    `/chat/${rooms[state].id}${rest}`;

/** The page that an invitation to a room leads to. */
export const invited =
  (state: "alone" | "talk") =>
  ({ invites }: World) =>
    `/i/${invites[state]}`;

/** Fills fields of a form, told apart by its hidden field `form`, and sends it. */
export const post =
  (form: string, fields: Record<string, string>): Screen["act"] =>
  async (page) => {
    const shown = formOf(page, form);
    await filled(page, shown, fields);
  };

/** Fills in and sends the only form of a page that is no preference. */
export const send =
  (fields: Record<string, string>): Screen["act"] =>
  (page) =>
    filled(page, page.locator('main form[method="post"]').first(), fields);

async function filled(page: Page, form: Locator, fields: Record<string, string>) {
  // A form may be in a row that opens.
  await form.evaluate((element) => {
    const row = element.closest("details");
    if (row !== null) row.open = true;
  });
  for (const [name, value] of Object.entries(fields)) {
    const field = form.locator(`[name="${name}"]`);
    if ((await field.evaluate((element) => element.tagName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
  await Promise.all([
    page.waitForEvent("load"),
    submitAsPage(form.locator("button:not([type=button])").last()),
  ]);
}

/** Sends a form as a browser without scripts does: the answer is a page, also where a script would answer in place. */
async function submitAsPage(button: Locator): Promise<void> {
  await button.evaluate((pressed) => {
    const { form, name, value } = pressed as HTMLButtonElement;
    if (form === null) throw new Error("the button has no form");
    if (name !== "") {
      const chosen = Object.assign(document.createElement("input"), { type: "hidden", name, value });
      form.append(chosen);
    }
    HTMLFormElement.prototype.submit.call(form);
  });
}

/** A text of the catalogues in either language. */
export const told = (key: string) => new RegExp(`^(${inEither(key)})$`);
const inEither = (key: string) =>
  supportedLanguages.map((language) => translateText(language, key)).join("|");

/** The room's script has spoken with the server, and knows that nobody but the reader is there any more. */
export const connected: Screen["act"] = async (page) => {
  // On a phone the trade's page hides the conversation, which says so.
  await page.getByText(told("room.connected")).waitFor({ state: "attached" });
  const here = page.locator('#room-seats [data-presence="online"]');
  await expect(here.filter({ has: page.locator("[data-busy]") })).toHaveCount(1);
  await expect(here).toHaveCount(1);
};

/** Nobody of the listed people is there any more: a test that ran before may have left its presence, which lasts for a minute. */
export const waitUntilUnattended: Screen["act"] = async (page) => {
  await expect(async () => {
    const present = page.locator("main li [data-presence]");
    if ((await present.count()) > 0) await page.reload();
    await expect(present).toHaveCount(0, { timeout: 1_000 });
  }).toPass({ timeout: 90_000, intervals: [2_000] });
};
