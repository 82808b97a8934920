import { expect, type Locator, type Page, test } from "@playwright/test";
import { unpackMessage } from "#format";
import { translateText } from "#locales";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { formOf } from "../support/pages/form-of.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import type { Begun, FormCase } from "./forms/form-case.ts";
import { forms } from "./forms.ts";

// Every form with scripts off, in both languages: empty, wrong, right and once more. What was typed comes back (passwords do
// not), each message stands by its field and is read with it, and the first wrong field has the focus.

type Language = "mn" | "en";
type Values = Record<string, string>;

let server: Server;
/** The window in which forms are tried, and a second one of the same person; every form is tried in these two, because each window costs a process. */
let page: Page;
let twin: Page;

// A server for each worker: in one file after the other this one, the longest, would keep a worker waiting for the other.
test.describe.configure({ mode: "parallel" });
test.use({ actionTimeout: 15_000 });

test.beforeAll(async ({ browser }) => {
  server = await startServer();
  const context = await browser.newContext({
    baseURL: server.url,
    javaScriptEnabled: false,
    viewport: { width: 360, height: 740 },
  });
  page = await context.newPage();
  twin = await context.newPage();
});

test.afterAll(async () => {
  await page?.context().close();
  await server?.stop();
});

for (const entry of forms) {
  test(`${entry.name}: empty, wrong, right and twice`, async () => {
    const begun = await entry.begin(server);
    await signIn(begun.who);
    for (const language of ["mn", "en"] as const) {
      await speak(language);
      await page.goto(begun.at);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      const title = await page.title();
      await unfold(formOfCase(page, entry));
      if (entry.empty !== undefined) await tryOut(page, entry, language, { says: entry.empty, values: {} });
      for (const trial of entry.wrong ?? []) await tryOut(page, entry, language, trial);
      expect(await page.title()).toBe(title);
    }
    await twin.goto(begun.at);
    await sendRight(page, entry, begun);
    await sendAgain(twin, entry, begun, "en");
  });
}

/** Puts somebody's session into the browser, or nobody's, in the place of everything that was there. */
async function signIn(who: Client | undefined): Promise<void> {
  await page.context().clearCookies();
  await page.context().addCookies(cookiesFor(who?.cookies() ?? "", server.url));
}

function speak(language: Language): Promise<void> {
  return page.context().addCookies([{ name: "midman-language", value: language, url: server.url }]);
}

function formOfCase(page: Page, { form }: FormCase): Locator {
  if (!form) return page.locator('main form[method="post"]').first();
  return formOf(page, form).first();
}

/** Opens what a form is folded into. */
async function unfold(form: Locator): Promise<void> {
  const folds = form.locator("xpath=ancestor::details[not(@open)]");
  for (let open = await folds.count(); open > 0; open--) await folds.first().locator("> summary").click();
}

/** What has to be known of fields before they are filled in, read at once; `typed` are those that a person finds. */
function readFields(fields: Element[]) {
  return (fields as HTMLInputElement[]).map((field) => ({
    name: field.name,
    kind: field.getAttribute("type") ?? field.tagName,
    choice: field.getAttribute("value"),
    content: field.value,
    typed: field.getAttribute("tabindex") !== "-1",
    usable: field.checkVisibility() && !field.disabled && !field.readOnly,
  }));
}

/** Sends the form with these values, all other fields empty; answers the status of what comes back. */
async function send(page: Page, form: Locator, values: Values): Promise<number> {
  await unfold(form);
  const fields = form.locator("input:not([type=hidden]), textarea, select");
  for (const [index, { name, kind, choice, content, typed, usable }] of (
    await fields.evaluateAll(readFields)
  ).entries()) {
    const field = fields.nth(index);
    const wanted = values[name];
    if (kind === "radio") {
      if (choice === wanted) await field.check();
    } else if (kind === "SELECT") {
      if (wanted !== undefined) await field.selectOption(wanted);
    } else if (kind === "checkbox") {
      if (wanted === "on") await field.check();
    } else if (typed) {
      expect(usable, `${name} can be filled in`).toBe(true);
      if (content !== (wanted ?? "")) await field.fill(wanted ?? "");
    }
  }
  // The page that follows, or the answer that a script shows in its place.
  const answered = page.waitForResponse((response) => {
    const request = response.request();
    const shown = request.isNavigationRequest() || "midman-in-place" in request.headers();
    return shown && response.status() !== 204 && (response.status() < 300 || response.status() > 399);
  });
  await form.locator("button:not([type=button])").last().click();
  return (await answered).status();
}

type Trial = { values: Values; says: Record<string, string>; status?: number };

async function tryOut(page: Page, entry: FormCase, language: Language, trial: Trial): Promise<void> {
  const form = formOfCase(page, entry);
  expect(await send(page, form, trial.values), "its status").toBe(trial.status ?? 422);
  await said(form, language, trial.says);
  for (const [name, value] of Object.entries(trial.values)) {
    const field = form.locator(`[name="${name}"]:not([type=hidden]):not([type=radio])`);
    if ((await field.count()) === 0) continue;
    const secret = (await field.getAttribute("type")) === "password";
    const once = (await field.getAttribute("autocomplete")) === "one-time-code";
    await expect(field, `what was typed into ${name}`).toHaveValue(secret || once ? "" : value);
  }
}

/** Each message stands by its field, and the first of them has the focus. */
async function said(form: Locator, language: Language, says: Record<string, string>): Promise<void> {
  for (const [name, key] of Object.entries(says)) {
    const message = unpackMessage(key);
    const words = translateText(language, message.key, message.params);
    if (name === "") {
      const whole = form.getByRole("alert").filter({ hasText: words });
      await expect(whole).toBeFocused();
      continue;
    }
    const field = form.locator(`[name="${name}"]:not([type=hidden])`).first();
    await expect(field, `the message of ${name}`).toHaveAccessibleDescription(new RegExp(escaped(words)));
    await expect(field).toHaveAttribute("aria-invalid", "true");
  }
  const wrong = form.locator('[aria-invalid="true"]');
  if (!("" in says)) {
    await expect(wrong).toHaveCount(Object.keys(says).length);
    await expect(wrong.first()).toBeFocused();
  }
}

const escaped = (words: string) => words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

async function sendRight(page: Page, entry: FormCase, { right }: Begun): Promise<void> {
  expect(await send(page, formOfCase(page, entry), right), "the right form's status").toBe(200);
  await lookOver(page, entry);
  await expect(page).toHaveURL(entry.leads);
}

/** Says yes to what was typed, where it is shown once more. */
async function lookOver(page: Page, { lookedOver }: FormCase): Promise<void> {
  if (!lookedOver) return;
  const review = page.locator("form[data-review]");
  await expect(review.getByRole("heading")).toBeFocused();
  await review.getByRole("button").first().click();
  await expect(review).toHaveCount(0);
}

/** The form as another window has had it open all along, sent when it was sent already. */
async function sendAgain(page: Page, entry: FormCase, begun: Begun, language: Language): Promise<void> {
  const form = formOfCase(page, entry);
  const status = await send(page, form, begun.right);
  // What was done meanwhile is not asked again.
  if ((await page.locator("form[data-review]").count()) > 0) await lookOver(page, entry);
  if (entry.again instanceof RegExp) await expect(page).toHaveURL(entry.again);
  else {
    expect(status).toBe(entry.again.status);
    if ("says" in entry.again) await said(form, language, entry.again.says);
    else await expect(page.getByText(translateText(language, entry.again.tells))).toBeVisible();
  }
}
