import { type Browser, expect, type Page, test } from "@playwright/test";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { registerPerson } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";

// The settings as rows: each a line with its present value, which opens to its form. Without scripts, which they do not need.

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

async function open(browser: Browser, path: string, language = "en"): Promise<Page> {
  const person = await registerPerson(server);
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 360, height: 740 },
    javaScriptEnabled: false,
  });
  const cookies = cookiesFor(person.cookies(), server.url).filter(({ name }) => name !== "midman-language");
  await context.addCookies([...cookies, { name: "midman-language", value: language, url: server.url }]);
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

const openRows = (page: Page) => page.locator("main details[open]");

test("all settings fit on less than two screens of a phone, each with its value", async ({ browser }) => {
  const page = await open(browser, "/settings", "mn");
  await expect(openRows(page)).toHaveCount(0);
  await expect(page.locator("main summary", { hasText: "Хэл" })).toContainText("Монгол");
  await expect(page.locator("main summary", { hasText: "чимээгүй цаг" })).toContainText("Унтраалттай");
  expect((await page.locator("main").boundingBox())?.height).toBeLessThan(1_100);
  await page.context().close();
});

test("an address opens the row that it names, and shows its line", async ({ browser }) => {
  const page = await open(browser, "/settings#quiet");
  await expect(openRows(page)).toHaveCount(1);
  await expect(page.getByLabel("From", { exact: true })).toBeInViewport();
  await expect(page.locator("details[open] > summary")).toBeInViewport();
  await page.context().close();
});

test("a refused form comes back open and filled in, and a saved one changes the value of its line", async ({
  browser,
}) => {
  const page = await open(browser, "/settings");
  const row = page.locator("main details", { has: page.locator("#quiet") });
  await row.locator("summary").focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("From", { exact: true }).fill("22:30");
  await page.getByRole("button", { name: "Save Messages and quiet hours" }).click();
  await expect(row).toHaveAttribute("open", "");
  await expect(page.getByLabel("From", { exact: true })).toHaveValue("22:30");
  await expect(row.getByRole("alert")).toBeVisible();
  await page.getByLabel("To", { exact: true }).fill("07:00");
  await page.getByRole("button", { name: "Save Messages and quiet hours" }).click();
  await expect(row.locator("summary")).toContainText("22:30–07:00");
  await page.context().close();
});

test("the profile's payment details are a line, which opens to their form", async ({ browser }) => {
  const page = await open(browser, "/profile");
  const row = page.locator("main details", { has: page.locator("#payment") });
  await row.locator("summary").click();
  await page.getByLabel("Phone number").fill("12");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(row).toHaveAttribute("open", "");
  await page.getByLabel("Phone number").fill("99112233");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(row).not.toHaveAttribute("open", "");
  await expect(row.locator("summary")).toContainText("99112233");
  await page.context().close();
});
