import { type BrowserContext, expect, type Page, chromium as playwright } from "@playwright/test";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { chromiumOptions } from "../support/pages/chromium-options.ts";
import { test } from "./viewing.ts";

type Fetched = { prefetchUrl: string; status: string };

/** What the browser fetches ahead for a page, by its own word. */
async function aheadOf(context: BrowserContext, page: Page): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  const line = await context.newCDPSession(page);
  line.on("Preload.prefetchStatusUpdated", ({ prefetchUrl, status }: Fetched) => {
    const { pathname, search } = new URL(prefetchUrl);
    seen.set(pathname + search, status);
  });
  await line.send("Preload.enable");
  return seen;
}

test("pages that reading does not change are prefetched: public ones on hover, members' ones on press", async ({
  world,
}) => {
  const { url } = world.server;
  const browser = await playwright.launch(chromiumOptions("whole"));
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
    const page = await context.newPage();
    const ahead = await aheadOf(context, page);

    await page.goto(`${url}/`);
    await page.locator('header a[href*="?"]').first().hover();
    const faq = page.getByRole("contentinfo").getByRole("link", { name: "FAQ" });
    await faq.hover();
    await expect.poll(() => ahead.get("/faq")).toBe("Ready");
    await faq.click();
    await page.waitForURL(/faq/);
    await expect.poll(() => ahead.get("/faq")).toBe("Success");

    await context.addCookies(cookiesFor(world.people.seller.cookies(), url));
    await page.goto(`${url}/chat?status=active`);
    const room = page.locator(`a[href="/chat/${world.rooms.talk.id}"]`).first();
    await room.hover();
    await page.mouse.down();
    await expect.poll(() => ahead.get(`/chat/${world.rooms.talk.id}`)).toBe("Ready");
    await page.mouse.up();
    await page.waitForURL(/chat\/\d+/);
    await expect.poll(() => ahead.get(`/chat/${world.rooms.talk.id}`)).toBe("Success");
    // Nothing that has a question in its address, though the pointer was on it.
    expect([...ahead.keys()].filter((path) => path.includes("?"))).toEqual([]);
  } finally {
    await browser.close();
  }
});
