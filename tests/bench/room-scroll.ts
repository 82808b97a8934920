import type { Browser, CDPSession, Page } from "@playwright/test";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { rateFor } from "./support/slowness.ts";

/** How long a task of the page took, in ms; shorter ones than 50 ms browsers do not tell. */
export interface Scrolled {
  /** Messages that stood in the page at the end. */
  messages: number;
  tasks: number[];
  seconds: number;
  /** So many times as long work took on this page. */
  slowed: number;
}

const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

/**
 * In CSS pixels a second. `looking`: eight times the height of a phone's conversation, by who looks for something far back.
 * `flinging`: the fastest that Android lets a thumb fling (ViewConfiguration: maximum fling velocity, in dp), without a rest.
 */
export const speeds = { looking: 2_500, flinging: 8_000 };

/** A phone's processor against the bench's. */
const slowness = 4;

interface Visit {
  url: string;
  cookie: string;
  /** Messages. */
  wanted: number;
  speed: number;
}

/**
 * Opens a room on a phone whose processor is slowed four times, and scrolls up by the wheel until `wanted` messages are there;
 * then down again through all of them.
 */
export async function scrollThrough(browser: Browser, visit: Visit): Promise<Scrolled> {
  const context = await browser.newContext({ ...phone, locale: "en-US" });
  try {
    await context.addCookies(cookiesFor(visit.cookie, visit.url));
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    const { rate, measured: slowed } = await rateFor(page, cdp, slowness);
    await page.goto(visit.url);
    await page.getByText("Connected", { exact: true }).waitFor();
    await cdp.send("Emulation.setCPUThrottlingRate", { rate });
    return { ...(await measured(page, cdp, visit)), slowed };
  } finally {
    await context.close();
  }
}

async function measured(page: Page, cdp: CDPSession, { wanted, speed }: Visit) {
  // Held once: looking for it by its role walks through the whole page, and would be measured with it.
  const log = await page.getByRole("log").elementHandle();
  if (log === null) throw new Error("no conversation");
  await page.getByLabel("Write a message").scrollIntoViewIfNeeded();
  const box = await log.boundingBox();
  // The box may reach above the window; its lower end is in it.
  const y = (box?.y ?? 0) + (box?.height ?? 0) - 60;
  await page.evaluate(() => {
    const seen = window as unknown as { tasks: number[] };
    seen.tasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.tasks.push(duration);
    }).observe({ type: "longtask" });
  });
  const from = performance.now();
  const count = () => log.evaluate((list) => list.getElementsByTagName("li").length);
  const scroll = (up: boolean) =>
    cdp.send("Input.synthesizeScrollGesture", {
      x: 180,
      y,
      yDistance: up ? 4_000 : -4_000,
      speed,
      gestureSourceType: "mouse",
    });
  for (let turn = 0; turn < 200 && (await count()) < wanted; turn++) await scroll(true);
  const messages = await count();
  const atEnd = () => log.evaluate((list) => Math.abs(list.scrollTop) < 2);
  // Down again through what was laid out before.
  for (let turn = 0; turn < 200 && !(await atEnd()); turn++) await scroll(false);
  const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
  return { messages, tasks, seconds: (performance.now() - from) / 1_000 };
}
