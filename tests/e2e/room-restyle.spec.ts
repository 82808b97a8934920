import { expect, type Page, test } from "@playwright/test";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { say, twoIn } from "./people.ts";

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

test("a new message makes the browser compute the style of few elements", async ({ browser }) => {
  const [seller] = await twoIn(browser, server);
  for (let line = 11; line <= 30; line++) await say(seller, `line ${line}.`);
  const all = await seller.locator("[role=log] *").count();
  const restyled = await countRestyled(seller, () => say(seller, "one more"));
  expect(restyled).toBeGreaterThan(0);
  expect(restyled, `of ${all} elements of the conversation`).toBeLessThan(all / 3);
});

/** How many elements the browser computed a style for during `act`, by its own trace. */
async function countRestyled(page: Page, act: () => Promise<void>): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("a page without a browser");
  await browser.startTracing(page, { categories: ["devtools.timeline", "blink", "blink.user_timing"] });
  await act();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return trace.traceEvents
    .filter((event) => event.name === "UpdateLayoutTree" || event.name === "RecalculateStyles")
    .reduce((sum, event) => sum + (event.args?.elementCount ?? 0), 0);
}

type TraceEvent = { name: string; args?: { elementCount?: number } };
