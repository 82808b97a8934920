import type { Browser, CDPSession, Page } from "@playwright/test";
import { cookiesFor } from "../../support/pages/browser-cookies.ts";
import { rateFor } from "../support/slowness.ts";

/** A phone: Enter breaks the line there, and Ctrl+Enter sends. */
const phone = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  hasTouch: true,
  locale: "en-US",
};
/** Wide enough to show the trade beside the conversation. */
const wide = { viewport: { width: 1280, height: 800 }, locale: "en-US" };
/** Longer than what a step sets in motion in its room: the frame, and the parts that are fetched on it. */
const quietMs = 1_200;

export interface OpenRoom {
  page: Page;
  cdp: CDPSession;
  /** So many times as long work took on this page; 1 if its processor is not slowed. */
  slowed: number;
}

/** Opens a room in a browser of its own, until it is connected; `slowness` slows its processor so many times. */
export async function openRoom(
  browser: Browser,
  visit: { url: string; cookie: string; slowness?: number; isWide?: boolean },
): Promise<OpenRoom & AsyncDisposable> {
  const context = await browser.newContext(visit.isWide ? wide : phone);
  await context.addCookies(cookiesFor(visit.cookie, visit.url));
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const { rate, measured: slowed } =
    visit.slowness === undefined ? { rate: 1, measured: 1 } : await rateFor(page, cdp, visit.slowness);
  await page.goto(visit.url);
  await page.getByText("Connected", { exact: true }).waitFor();
  await page.evaluate(`window.whenPainted = ${whenPainted}`);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate });
  return { page, cdp, slowed, [Symbol.asyncDispose]: () => context.close() };
}

/** In the page: when what has just changed was painted, as milliseconds since 1970. */
function whenPainted(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
      port2.postMessage(null);
    });
  });
}

/**
 * Writes messages by the keyboard and returns, for each, when Enter was pressed, when the writer's own bubble was painted, and when the
 * reader's was, in milliseconds since 1970.
 */
export async function sendMessages(writer: Page, readers: readonly Page[], count: number) {
  const sent: Array<{ pressed: number; painted: number; read: number[] }> = [];
  await writer.locator("#composer").focus();
  for (let turn = 0; turn < count; turn++) {
    const words = `Message ${turn}: is the mail address part of it?`;
    await writer.keyboard.type(words);
    const shown = await Promise.all([writer, ...readers].map((page) => watchBubble(page, words)));
    await writer.keyboard.press("Control+Enter");
    const [own, ...read] = await Promise.all(shown.map((of) => of()));
    if (own !== undefined) sent.push({ ...own, read: read.map(({ painted }) => painted) });
    await writer.waitForTimeout(150);
  }
  return sent;
}

type Bubble = { pressed: number; painted: number };

/** Begins to wait for a bubble with these words; the function that it returns waits until it is painted. */
async function watchBubble(page: Page, words: string): Promise<() => Promise<Bubble>> {
  const watch = await page.evaluateHandle((words) => {
    const log = document.querySelector("[role=log]");
    let pressed = 0;
    const note = ({ key, timeStamp }: KeyboardEvent) => {
      if (key === "Enter") pressed = performance.timeOrigin + timeStamp;
    };
    document.addEventListener("keydown", note, true);
    const { whenPainted } = window as unknown as { whenPainted: () => Promise<number> };
    return {
      bubble: new Promise<{ pressed: number; painted: number }>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!log?.lastElementChild || !log.textContent?.includes(words)) return;
          observer.disconnect();
          document.removeEventListener("keydown", note, true);
          void whenPainted().then((painted) => resolve({ pressed, painted }));
        });
        if (log) observer.observe(log, { childList: true, subtree: true, characterData: true });
      }),
    };
  }, words);
  return () => watch.evaluate(({ bubble }) => bubble);
}

/**
 * Presses the button of a form so many times and returns, for each, the time (ms) until its answer was painted, and the requests that were
 * made until then.
 */
export async function pressInPlace(page: Page, form: string, count: number) {
  const pressed: Array<{ ms: number; requests: number }> = [];
  for (let turn = 0; turn < count; turn++) {
    pressed.push(await page.evaluate(pressOnce, form));
    await page.waitForTimeout(quietMs);
  }
  return pressed;
}

/** In the page: `data-posts` counts a form that is sent, and its answer, which is shown in the same task. */
async function pressOnce(name: string): Promise<{ ms: number; requests: number }> {
  const form = [...document.querySelectorAll("form")].find(
    (one) => one.querySelector<HTMLInputElement>("input[name=form]")?.value === name,
  );
  const button = form?.querySelector<HTMLElement>("button:not([type=button])");
  if (!button) throw new Error(`no form ${name}`);
  performance.clearResourceTimings();
  const { whenPainted } = window as unknown as { whenPainted: () => Promise<number> };
  const before = Number(document.documentElement.dataset.posts ?? 0);
  const painted = new Promise<number>((resolve) => {
    const observer = new MutationObserver(() => {
      if (Number(document.documentElement.dataset.posts) < before + 2) return;
      observer.disconnect();
      void whenPainted().then(resolve);
    });
    observer.observe(document.documentElement, { attributeFilter: ["data-posts"] });
  });
  const from = performance.timeOrigin + performance.now();
  button.click();
  const ms = (await painted) - from;
  return { ms, requests: performance.getEntriesByType("resource").length };
}
