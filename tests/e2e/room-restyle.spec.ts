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
  // What happens besides, such as an earlier message that is marked as read, may fall into one of them.
  const largest: number[] = [];
  for (const text of ["one more", "another", "and the last"])
    largest.push(await findLargestRestyle(seller, () => say(seller, text)));
  expect(Math.min(...largest)).toBeGreaterThan(0);
  expect(Math.min(...largest), `of ${all} elements of the conversation`).toBeLessThan(all / 10);
});

/**
 * For how many elements the browser computed a style at once during `act`, at most, by its own trace. Their sum would depend on how many
 * frames an animation has, and so on the load of the machine.
 */
async function findLargestRestyle(page: Page, act: () => Promise<void>): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("a page without a browser");
  await browser.startTracing(page, { categories: ["devtools.timeline", "blink", "blink.user_timing"] });
  await act();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const passes = trace.traceEvents
    .filter((event) => event.name === "UpdateLayoutTree" || event.name === "RecalculateStyles")
    .map((event) => event.args?.elementCount ?? 0);
  return Math.max(0, ...passes);
}

type TraceEvent = { name: string; args?: { elementCount?: number } };
