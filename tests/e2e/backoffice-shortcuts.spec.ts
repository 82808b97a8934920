import { expect, type Page, test } from "@playwright/test";
import { formatDay } from "#format";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { expectStatus, registerPerson, signInAdministrator } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openPaidTrade } from "../support/trades/server-trades.ts";

// The keyboard of the back office: rows, search, the list of keys and the palette, and how the single keys are turned off.

let server: Server;
let cookies: ReturnType<typeof cookiesFor>;
let code: string;

test.beforeAll(async () => {
  server = await startServer();
  const client = () => server.client({ "Accept-Language": "en" });
  const admin = await signInAdministrator({ client });
  cookies = cookiesFor(admin.cookies(), server.url);
  const deals = [
    await openPaidTrade({ client }),
    await openPaidTrade({ client }),
    await openPaidTrade({ client }),
  ];
  const [first, second] = deals;
  code = String((await first?.buyer.get(`/api/transactions/${first.id}`))?.body.transactionCode);
  expectStatus(await admin.post(`/api/admin/transactions/${second?.id}/cancel`), 200);
  expectStatus(await admin.post("/api/admin/reconciliation", { day: formatDay(new Date()) }), 200);
  await registerPerson({ client }, "Solongo Bat");
});

test.afterAll(async () => {
  await server?.stop();
});

test.beforeEach(async ({ context }) => {
  await context.addCookies([...cookies, { name: "midman-language", value: "en", url: server.url }]);
});

const at = (path: string) => `${server.url}${path}`;
const rowWithFocus = (page: Page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll("[data-row]")];
    return rows.findIndex((row) => row.contains(document.activeElement));
  });
const palette = (page: Page) => page.getByRole("combobox", { name: "Go to" });
const options = (page: Page) => page.getByRole("dialog", { name: "Go to" }).getByRole("option");
const option = (page: Page, name: string) => options(page).and(page.getByRole("option", { name }));
const list = (page: Page) => page.getByRole("dialog", { name: "Keyboard shortcuts" });

/** The script has come as soon as its button can be seen. */
async function openPalette(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: "Go to …" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeFocused();
}

test("j and k move through the rows, and Enter opens the focused one", async ({ page }) => {
  await page.goto(at("/admin/transactions"));
  for (const [key, row] of [
    ["k", 0],
    ["j", 1],
    ["j", 2],
    ["j", 2],
    ["k", 1],
  ] as const) {
    await page.keyboard.press(key);
    expect(await rowWithFocus(page)).toBe(row);
  }
  const link = page.locator("[data-row]").nth(1).getByRole("link", { name: /^View/ });
  await expect(link).toBeFocused();
  expect(await link.evaluate((element) => element.matches(":focus-visible"))).toBe(true);
  const to = (await link.getAttribute("href")) ?? "";
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at(to));
});

test("every list has rows to move through", async ({ page }) => {
  for (const path of [
    ...["/admin", "/admin/payouts", "/admin/transactions", "/admin/users", "/admin/activity-logs"],
    ...["/admin/activity-logs?view=table", `/admin/reconciliation?day=${formatDay(new Date())}`],
  ]) {
    await page.goto(at(path));
    await expect(page.locator("[data-row]").first(), path).toBeVisible();
    for (let row = 0; row < (await page.locator("[data-row]").count()); row++) {
      await page.keyboard.press("j");
      expect(await rowWithFocus(page), path).toBe(row);
    }
  }
});

test("a Cyrillic keyboard has the same keys in the same places", async ({ page }) => {
  await page.goto(at("/admin/users"));
  const press = (key: string, keyCode: string, parts = {}) =>
    page.evaluate(
      ([key, keyCode, parts]) => {
        const event = { key, code: keyCode, bubbles: true, cancelable: true, ...parts } as const;
        document.body.dispatchEvent(new KeyboardEvent("keydown", event as KeyboardEventInit));
      },
      [key, keyCode, parts] as const,
    );
  await press("р", "KeyJ", { isComposing: true });
  expect(await rowWithFocus(page)).toBe(-1);
  await press("р", "KeyJ");
  expect(await rowWithFocus(page)).toBe(0);
  await press("л", "KeyK", { ctrlKey: true });
  await expect(palette(page)).toBeFocused();
});

test("/ focuses the search, and what is typed there is only typed", async ({ page }) => {
  for (const [path, label] of [
    ["/admin/transactions", "Code, description or username"],
    ["/admin/users", "Name, username, e-mail or phone"],
    ["/admin/activity-logs", "User"],
  ] as const) {
    await page.goto(at(path));
    await page.keyboard.press("/");
    const field = page.locator("main search input:visible").first();
    await expect(field, label).toBeFocused();
    await expect(field).toHaveValue("");
    await page.keyboard.type("j?k/");
    await expect(field).toHaveValue("j?k/");
    await expect(list(page)).toBeHidden();
    expect(await rowWithFocus(page)).toBe(-1);
  }
  await page.locator("body").press("Tab");
  await page.keyboard.press("Alt+j");
  await page.keyboard.press("Control+j");
  expect(await rowWithFocus(page)).toBe(-1);
});

test("? lists the keys; turned off there, they stay off until they are turned on again", async ({ page }) => {
  await page.goto(at("/admin/users"));
  await page.keyboard.press("?");
  await expect(list(page)).toBeVisible();
  await page.keyboard.press("j");
  expect(await rowWithFocus(page)).toBe(-1);
  await list(page).getByRole("checkbox", { name: "Single-key shortcuts" }).uncheck();
  await page.keyboard.press("Escape");
  await expect(list(page)).toBeHidden();
  for (const reloaded of [false, true]) {
    if (reloaded) await page.goto(at("/admin/transactions"));
    for (const key of ["j", "/", "?"]) await page.keyboard.press(key);
    await expect(list(page)).toBeHidden();
    expect(await rowWithFocus(page)).toBe(-1);
    await expect(page.locator("main search input:visible").first()).not.toBeFocused();
  }
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
  await list(page).getByRole("checkbox").check();
  await list(page).getByRole("button", { name: "Close" }).click();
  await page.locator("body").press("j");
  expect(await rowWithFocus(page)).toBe(0);
});

test("the palette reaches pages and their searches by keyboard alone", async ({ page }) => {
  await page.goto(at("/admin"));
  await openPalette(page);
  await expect(palette(page)).toBeFocused();
  await expect(option(page, "Overview")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowUp");
  await expect(option(page, "Email")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const marked = (await palette(page).getAttribute("aria-activedescendant")) ?? "";
  await expect(page.locator(`#${marked}`)).toHaveText("Transactions");
  await page.keyboard.type("recon");
  await expect(option(page, "Reconciliation")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at("/admin/reconciliation"));

  await page.getByRole("button", { name: "Go to …" }).click();
  await expect(palette(page)).toHaveValue("");
  await page.keyboard.type("Solongo & Bat");
  await expect(options(page)).toHaveText([
    /^Transactions: search\s*Solongo & Bat$/,
    /^Users: search/,
    /^Activity logs: search/,
  ]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at("/admin/users?q=Solongo%20%26%20Bat"));

  await openPalette(page);
  await page.keyboard.type(code.toLowerCase());
  await expect(options(page)).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-row]")).toHaveCount(1);
  await expect(page.locator("[data-row]")).toContainText(code);

  const before = page.url();
  await openPalette(page);
  await page.keyboard.press("Escape");
  await expect(palette(page)).toBeHidden();
  expect(page.url()).toBe(before);
});

test("the row of links scrolls by itself, and never the page", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(at("/admin/users"));
  await expect(page.getByRole("button", { name: "Go to …" })).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.getByRole("button", { name: "Go to …" }).click();
  await expect(palette(page)).toBeInViewport();
});

test("without scripts there is no button that does nothing", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  await context.addCookies(cookies);
  const page = await context.newPage();
  await page.goto(at("/admin/users"));
  await expect(page.locator("[data-opens]:visible")).toHaveCount(0);
  await expect(page.locator("dialog")).toHaveCount(0);
  await context.close();
});
