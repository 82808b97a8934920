import type { CDPSession, Page } from "@playwright/test";
import { median } from "./results.ts";

const rounds = 12;
const settleMs = 200;

/**
 * The throttling rate at which a page's work takes `times` as long, and how much longer it took when tried: what a browser is
 * asked for and what comes of it differ by a quarter on a machine of two cores. The page must be empty, and is left unslowed.
 */
export async function rateFor(
  page: Page,
  cdp: CDPSession,
  times: number,
): Promise<{ rate: number; measured: number }> {
  let rate = times;
  let measured = await slownessAt(page, cdp, rate);
  for (let turn = 0; turn < 2; turn++) {
    rate = 1 + ((rate - 1) * (times - 1)) / (measured - 1);
    measured = await slownessAt(page, cdp, rate);
  }
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  return { rate, measured };
}

/** How much longer work takes at this rate, the two measured in turn. */
async function slownessAt(page: Page, cdp: CDPSession, rate: number): Promise<number> {
  const took: Record<"bare" | "slowed", number[]> = { bare: [], slowed: [] };
  for (let round = 0; round < rounds; round++) {
    took.bare.push(await workAt(page, cdp, 1));
    took.slowed.push(await workAt(page, cdp, rate));
  }
  return median(took.slowed) / median(took.bare);
}

/** Some script and some layout, in ms. */
async function workAt(page: Page, cdp: CDPSession, rate: number): Promise<number> {
  await cdp.send("Emulation.setCPUThrottlingRate", { rate });
  await Bun.sleep(settleMs);
  const all = await page.evaluate(() =>
    Array.from({ length: 9 }, () => {
      const from = performance.now();
      let sum = 0;
      for (let step = 0; step < 600_000; step++) sum = (sum * 31 + step) | 0;
      document.body.replaceChildren(
        ...Array.from({ length: 300 }, (_, at) => {
          const line = document.createElement("p");
          line.textContent = `${at} ${sum}`;
          return line;
        }),
      );
      document.body.getBoundingClientRect();
      return performance.now() - from;
    }),
  );
  await page.evaluate(() => document.body.replaceChildren());
  return median(all);
}
