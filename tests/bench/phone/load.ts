import type { Browser, CDPSession, Page } from "@playwright/test";
import type { Language } from "#locales";
import { cookiesFor } from "../../support/pages/browser-cookies.ts";

/** Of `targets.md` "On a cheap phone", in bytes over the wire (1 KB = 1,024 bytes). */
export const targets = { flight: 14_950, script: 4 * 1024, roomScript: 75 * 1024 } as const;

/** A page to be loaded by somebody who was never there before. */
export type Visit = { url: string; language: Language; cookies?: string };

/** What came over the wire: bodies as they were packed, without the lines above them. */
export type Load = {
  documentBytes: number;
  styleBytes: number;
  scriptBytes: number;
  requests: number;
  /** Addresses of fonts, and of anything that is not the page's own origin. */
  fonts: string[];
  foreign: string[];
};

type Answer = { url: string; type: string; bytes: number };

/** Loads a page in a browser of its own, with nothing in any cache, and counts. */
export async function coldLoad(browser: Browser, visit: Visit): Promise<Load> {
  return inFreshWindow(browser, visit, async (page, cdp) => {
    const answers = new Map<string, Answer>();
    const heads = new Map<string, number>();
    cdp.on("Network.responseReceivedExtraInfo", ({ requestId, headersText }) => {
      heads.set(requestId, headersText?.length ?? 0);
    });
    cdp.on("Network.responseReceived", ({ requestId, response, type }) => {
      answers.set(requestId, { url: response.url, type, bytes: 0 });
    });
    cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const answer = answers.get(requestId);
      if (answer) answer.bytes = encodedDataLength - (heads.get(requestId) ?? 0);
    });
    // Until nothing was on its way for half a second; a socket that stays open does not count.
    await page.goto(visit.url, { waitUntil: "networkidle" });
    const all = [...answers.values()].filter(({ url }) => !url.startsWith("data:"));
    const bytes = (kind: string) =>
      all.filter(({ type }) => type === kind).reduce((sum, { bytes }) => sum + bytes, 0);
    const { origin } = new URL(visit.url);
    return {
      documentBytes: bytes("Document"),
      styleBytes: bytes("Stylesheet"),
      scriptBytes: bytes("Script"),
      requests: all.length,
      fonts: all.filter(({ type }) => type === "Font").map(({ url }) => url),
      foreign: all.filter(({ url }) => new URL(url).origin !== origin).map(({ url }) => url),
    };
  });
}

/** The phone's link of the targets: 400 Kbit/s each way, 400 ms there and back. */
export const slowLink = {
  offline: false,
  latency: 400,
  downloadThroughput: (400 * 1000) / 8,
  uploadThroughput: (400 * 1000) / 8,
};

/** What moved by itself while a page loaded: the sum of Chromium's layout shifts, and each shift in words. */
export type Shift = { total: number; moves: string[] };

type LayoutShift = PerformanceEntry & {
  value: number;
  sources: ReadonlyArray<{ node: Node | null; previousRect: DOMRect; currentRect: DOMRect }>;
};

/** What of the page moved by itself while it loaded over the slow link. */
export async function shiftOf(browser: Browser, visit: Visit): Promise<Shift> {
  return inFreshWindow(browser, visit, async (page, cdp) => {
    await cdp.send("Network.emulateNetworkConditions", slowLink);
    // A slow processor paints between the pieces in which a page arrives: there things move.
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.addInitScript(watchShifts);
    await page.goto(visit.url, { timeout: 90_000, waitUntil: "networkidle" });
    return page.evaluate(() => (window as unknown as { shift: Shift }).shift);
  });
}

/** Run in the page: notes each shift in `window.shift` at the moment it is seen. */
function watchShifts(): void {
  const shift: Shift = { total: 0, moves: [] };
  Object.assign(window, { shift });
  const place = ({ x, y, width, height }: DOMRect) =>
    `${[x, y].map(Math.round)} ${[width, height].map(Math.round).join("×")}`;
  const said = (node: Node | null) => (node?.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 60);
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as LayoutShift[]) {
      shift.total += value;
      const moved = sources.map(
        ({ node, previousRect, currentRect }) =>
          `${node?.nodeName} “${said(node)}” from ${place(previousRect)} to ${place(currentRect)}`,
      );
      shift.moves.push([value, ...moved].join("\n  "));
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** When the largest part of the page was painted, in ms, over the slow link; `bare` loads neither styles nor scripts. */
export async function largestPaint(browser: Browser, visit: Visit, bare: boolean): Promise<number> {
  const seen = bare ? await withoutStyles(visit) : visit;
  return inFreshWindow(browser, seen, async (page, cdp) => {
    if (bare) await cdp.send("Network.setBlockedURLs", { urls: ["*.css*", "*.js*"] });
    await cdp.send("Network.emulateNetworkConditions", slowLink);
    await page.goto(visit.url, { timeout: 90_000 });
    await page.waitForTimeout(500);
    return page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) =>
            resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN),
          ).observe({
            type: "largest-contentful-paint",
            buffered: true,
          });
        }),
    );
  });
}

async function inFreshWindow<T>(
  browser: Browser,
  visit: Visit,
  work: (page: Page, cdp: CDPSession) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    isMobile: true,
    deviceScaleFactor: 2,
    // What moves as it appears is part of what is measured.
    reducedMotion: "no-preference",
  });
  try {
    const worn = `${visit.cookies ?? ""}; midman-language=${visit.language}`;
    await context.addCookies(cookiesFor(worn, visit.url));
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send("Network.enable");
    await cdp.send("Network.setCacheDisabled", { cacheDisabled: true });
    return await work(page, cdp);
  } finally {
    await context.close();
  }
}

/** The visit of a browser that has had the stylesheet, whose pages only link it: blocked, it leaves the bare HTML. */
async function withoutStyles(visit: Visit): Promise<Visit> {
  const reply = await fetch(visit.url, { headers: visit.cookies ? { Cookie: visit.cookies } : {} });
  const look = /midman-look=[^;]+/.exec(reply.headers.get("set-cookie") ?? "")?.[0];
  if (look === undefined) throw new Error(`${visit.url} brought no stylesheet along`);
  return { ...visit, cookies: [visit.cookies, look].filter(Boolean).join("; ") };
}
