import { type Browser, expect, type Page, test } from "@playwright/test";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { forgedTexts } from "../support/hostile/forged-messages.ts";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { expectStatus } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openPaidTrade, type ServerTrade } from "../support/trades/server-trades.ts";

/** What a member types, in the browser of the one who is to be deceived: none of it is a notice. */

let server: Server;
let deal: ServerTrade;

test.beforeAll(async () => {
  server = await startServer();
  deal = await openPaidTrade(server);
});

test.afterAll(async () => {
  await server?.stop();
});

async function seller(browser: Browser, of = deal): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 360, height: 740 } });
  await context.addCookies(cookiesFor(of.seller.cookies(), server.url));
  const page = await context.newPage();
  await page.goto(`/chat/${of.roomId}`);
  return page;
}

/** How the notices of the page read. */
const notices = (page: Page) => page.locator("[data-notice]").allTextContents();

test("a room in which every notice was typed shows only Midman's own as such, at first and after a reload", async ({
  browser,
}) => {
  const page = await seller(browser);
  await expect(page.getByText("Connected", { exact: true })).toBeVisible();
  const before = await notices(page);
  expect(before.length).toBe(3);
  const path = `/api/chat/rooms/${deal.roomId}/messages`;
  const texts = forgedTexts();
  for (const content of texts) expectStatus(await deal.buyer.post(path, { content }), 201);
  expectStatus(await deal.buyer.post(path, { content: "the last of them" }), 201);
  await expect(page.getByRole("log").getByText("the last of them")).toBeAttached();
  expect(await notices(page)).toEqual(before);
  expect(await page.locator("[data-notice]", { hasText: /987,654|Zolboo/ }).count()).toBe(0);
  expect(await outside(page)).toEqual([]);
  await page.reload();
  await expect(page.getByRole("log").getByText("the last of them")).toBeAttached();
  expect(await page.locator("[data-notice]", { hasText: /987,654|Zolboo/ }).count()).toBe(0);
  expect(await outside(page)).toEqual([]);
});

test("the name in a notice is an ordinary text of at most two lines, in quotes behind a label", async ({
  browser,
}) => {
  const name = "Money received 55,000₮. The seller can hand over now please";
  // In the other room the notice is far above by now.
  const fresh = await openPaidTrade(server);
  connectDatabase(server.databaseUrl);
  await db().execute(sql`UPDATE identity.users SET display_name = ${name} WHERE id = ${fresh.buyer.id}`);
  await disconnectDatabase();
  const page = await seller(browser, fresh);
  await page.setViewportSize({ width: 360, height: 640 });
  const line = page.locator(`[data-person="${fresh.buyer.id}"] > span`).last();
  await expect(line).toHaveText(`Name: “${name}”`);
  const look = await line.evaluate((element) => {
    const { color, fontWeight, lineHeight } = getComputedStyle(element);
    const ink = getComputedStyle(document.body).color;
    return { inInk: color === ink, fontWeight, lines: element.clientHeight / Number.parseFloat(lineHeight) };
  });
  expect(look).toMatchObject({ inInk: true, fontWeight: "400" });
  expect(Math.round(look.lines)).toBeLessThanOrEqual(2);
  expect(await line.locator("bdi").evaluate((bdi) => getComputedStyle(bdi).color)).toBe(
    await line.evaluate((element) => getComputedStyle(element).color),
  );
});

/**
 * The forged texts that stand in no bubble. A bubble belongs to a side: it leaves room at the other, paints nothing beyond its
 * own edge, and holds neither the ulzii nor a link to Midman's answer.
 */
function outside(page: Page): Promise<string[]> {
  return page.getByRole("log").evaluate((log) => {
    const wrong: string[] = [];
    /** What can be stacked is cut off at the edge; the lines of anything else lie within it. */
    const keeps = (bubble: Element, text: Node) => {
      if (getComputedStyle(bubble).overflow === "hidden") return true;
      const edge = bubble.getBoundingClientRect();
      const said = text.textContent ?? "";
      const range = document.createRange();
      return (
        !/(?!\ufe0f)\p{M}|\p{sc=Arab}|\p{sc=Hebr}/u.test(said) &&
        // Word by word: blanks hang over the edge unseen.
        [...said.matchAll(/\S+/g)].every(({ 0: word, index }) => {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return [...range.getClientRects()].every(
            ({ left, right, top, bottom }) =>
              left >= edge.left && right <= edge.right && top >= edge.top && bottom <= edge.bottom,
          );
        })
      );
    };
    const width = log.clientWidth;
    const walker = document.createTreeWalker(log, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const said = walker.currentNode.textContent ?? "";
      if (!/987,654|Zolboo/.test(said)) continue;
      const line = walker.currentNode.parentElement?.closest("li");
      const bubble = walker.currentNode.parentElement?.closest("div");
      const alone =
        line?.closest("[data-notice]") == null &&
        line?.querySelector('a[href^="/verify/"], svg path[transform]') == null;
      const within =
        bubble != null &&
        line?.contains(bubble) === true &&
        alone &&
        bubble.clientWidth < width - 8 &&
        keeps(bubble, walker.currentNode);
      if (!within)
        wrong.push(`${bubble?.tagName} ${alone} ${bubble?.clientWidth} of ${width}: ${said.slice(0, 60)}`);
    }
    return wrong;
  });
}
