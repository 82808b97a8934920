import { expect, test } from "@playwright/test";
import { type Server, startServer } from "../support/server/midman-server.ts";

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

for (const width of [360, 1280]) {
  test(`a link to an answer of the FAQ opens it and shows its question, without scripts, at ${width} px`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ viewport: { width, height: 740 }, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${server.url}/faq?lang=en#paid-late`);
    const question = page.locator("details", { has: page.locator("#paid-late") });
    await expect(question).toHaveAttribute("open", "");
    await expect(question.locator("summary")).toBeInViewport();
    await expect(page.locator("#paid-late")).toBeInViewport();
    await expect(page.locator(".prose details[open]")).toHaveCount(1);
    await context.close();
  });
}

test("the contents are folded on a phone and open beside the text on a wide screen", async ({ browser }) => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  const fees = page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Fees" });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${server.url}/terms-of-service?lang=en`);
  await expect(fees).toBeHidden();
  await page.getByText("Contents", { exact: true }).first().click();
  await expect(fees).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await fees.click();
  await expect(page.getByRole("heading", { name: "Fees" })).toBeInViewport();
  await expect(fees).toBeInViewport();
  await page.close();
});
