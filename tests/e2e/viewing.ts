import {
  type Browser,
  type BrowserContext,
  test as base,
  expect,
  type Page,
  type Request,
} from "@playwright/test";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { stillMoment } from "../support/programs/still-clock.ts";
import type { Screen } from "./screens/screen.ts";
import { makeWorld, type World } from "./world.ts";

export const languages = ["mn", "en"] as const;
const themes = ["light", "dark"] as const;

/** Every language in every theme. */
export const looks = languages.flatMap((language) => themes.map((theme) => ({ language, theme })));
export type Look = (typeof looks)[number];

/**
 * A test with what its worker shares, made when the first test asks for it: the world, which is one server on a clock that stands, and
 * one window for all screens, because each window of a new context costs a renderer process.
 */
export const test = base.extend<object, { world: World; screenViewer: Viewer }>({
  world: [
    async ({ browser }, use) => {
      expect(browser.isConnected()).toBe(true);
      const world = await makeWorld();
      await use(world);
      await world.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  screenViewer: [
    async ({ browser, world }, use) => {
      const shared = await viewer(browser, world);
      await use(shared);
      await shared.close();
    },
    { scope: "worker" },
  ],
});

/** One window in which screens are looked at one after the other. */
export type Viewer = {
  page: Page;
  /** Opens a screen in a look, does what it asks for, and lets everything come to rest. */
  open(screen: Screen, look: Look): Promise<void>;
  /** Lets everything come to rest again after the window changed. */
  rest(): Promise<void>;
  /** What went wrong since the screen was opened: errors on the console, requests that failed. */
  faults(): string[];
  close(): Promise<void>;
};

/** How a window looks at the world: with script and masked unless said, and in so many pixels to one of CSS. */
export type Sight = { script?: boolean; masked?: boolean; pixels?: number };

/** A window of a browser on the world, its clock standing as the server's does. */
export async function viewer(
  browser: Browser,
  world: World,
  { script = true, masked = script, pixels = 1 }: Sight = {},
): Promise<Viewer> {
  const context = await browser.newContext({
    baseURL: world.server.url,
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: pixels,
    reducedMotion: "reduce",
    javaScriptEnabled: script,
  });
  if (script) await context.clock.setFixedTime(stillMoment);
  // The headless shell refuses notifications; most people were never asked.
  if (script) {
    await context.addInitScript(() =>
      Object.defineProperty(Notification, "permission", { get: () => "default" }),
    );
  }
  const page = await context.newPage();
  const heard = listen(page);
  const rest = async () => {
    if (!script) return;
    await halt(page, heard.awaited);
    if (masked) await page.evaluate(mask);
  };
  return {
    page,
    rest,
    faults: () => heard.faults,
    close: () => context.close(),
    open: async (screen, look) => {
      heard.begin(screen.status ?? 200);
      if (page.url() !== "about:blank") await leave(page);
      await dress(context, world, screen, look);
      await world.unread();
      await page.goto(typeof screen.at === "string" ? screen.at : screen.at(world));
      await screen.act?.(page, world);
      await rest();
      expect(heard.status, `the answer's status at ${page.url()}`).toBe(screen.status ?? 200);
    },
  };
}

function listen(page: Page) {
  const heard = {
    faults: [] as string[],
    status: 0,
    expected: 200,
    /** What the page's scripts fetch and have no answer to yet. */
    awaited: new Set<Request>(),
    begin(expected: number) {
      heard.faults = [];
      heard.awaited.clear();
      heard.expected = expected;
    },
  };
  page.on("console", (message) => {
    // The browser notes the answer of a refused form as an error; whoever opened the screen expects that answer.
    const refused = heard.expected >= 400 && message.text().includes(`status of ${heard.expected}`);
    // A mail is shown in a sandbox, where nothing runs: neither what Playwright itself would, before it takes a picture.
    const inSandbox = /^Blocked script execution in '[^']*\/preview\b/.test(message.text());
    if (message.type() === "error" && !refused && !inSandbox) heard.faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => heard.faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (request.resourceType() === "fetch") heard.awaited.add(request);
  });
  page.on("requestfinished", (request) => heard.awaited.delete(request));
  page.on("requestfailed", (request) => {
    heard.awaited.delete(request);
    // What a page leaves behind as another is opened is cut short by the browser itself.
    const why = request.failure()?.errorText ?? "";
    if (why !== "net::ERR_ABORTED") heard.faults.push(`request: ${request.url()} ${why}`);
  });
  page.on("response", (response) => {
    const request = response.request();
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) {
      if (response.status() < 300 || response.status() > 399) heard.status = response.status();
    } else if (response.status() >= 400) heard.faults.push(`answer: ${request.url()} ${response.status()}`);
  });
  return heard;
}

/** Takes the pointer away from the screen before, and what its scripts kept; its cookies go with the next look. */
async function leave(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    sessionStorage.clear();
    localStorage.clear();
  });
}

async function dress(context: BrowserContext, world: World, screen: Screen, look: Look): Promise<void> {
  await context.clearCookies();
  const session = world.people[screen.as ?? "visitor"].cookies();
  const worn = [session, `midman-language=${look.language}`, `midman-theme=${look.theme}`];
  await context.addCookies(cookiesFor(worn.join("; "), world.server.url));
}

/**
 * What the page does on its own ends: no fetch begins, those under way are over and their answers in place, and every
 * countdown shows what the script made of it. Else a trade's part would be drawn anew over what was masked.
 */
async function halt(page: Page, awaited: Set<Request>): Promise<void> {
  await page.evaluate(() => {
    Object.assign(window, { fetch: () => new Promise(() => {}) });
  });
  await expect.poll(() => awaited.size, { intervals: [20] }).toBe(0);
  await page.waitForFunction(() =>
    [...document.querySelectorAll("[data-countdown]")].every((left) =>
      /^\d+(:\d\d){1,2}$/.test(left.textContent ?? ""),
    ),
  );
  // Two frames: what came last is drawn, and whoever watches the size of something has heard of it.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined)))),
  );
}

/** Run in the page: what moves stands still, and what is drawn by lot is replaced by something of its own size. */
async function mask(): Promise<void> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    "*,*::before,*::after{animation:none!important;transition:none!important;caret-color:transparent!important}" +
      "html{scroll-behavior:auto!important}" +
      // What a browser passes by lies where axe takes it for, and is surely painted, only once it is laid out.
      "[role=log] *{content-visibility:visible!important}" +
      // A mail in a frame names the port of the day, and is drawn when the browser likes.
      "iframe[sandbox]{visibility:hidden!important}",
  );
  document.adoptedStyleSheets = [sheet];
  // When somebody was last in a room depends on the screens that were opened before.
  const offline = document.documentElement.lang === "mn" ? "офлайн" : "offline";
  for (const word of document.querySelectorAll("[data-presence=offline] [data-presence-word]"))
    word.textContent = offline;
  const drawn: Array<[RegExp, string]> = [
    [/MM-[0-9A-Z]{8}\b/g, "MM-7KQ2WX9A"],
    [/http:\/\/127\.0\.0\.1:\d+/g, "http://127.0.0.1:3000"],
    [/([?&](?:invite|token)=)[\w-]+/g, "$1ABCDEFGH23"],
    [/(\/i\/)[A-Z2-7]{10}\b/g, "$1ABCDEFGH23"],
    [/\b[A-Z2-7]{4}(?:[ -][A-Z2-7]{4}){3,}/g, "ABCD EFGH 2345 67AB CDEF GH23 4567 ABCD"],
    // A head of the log: as it is, in the line that is signed, its signature, and when it was sealed.
    [/\b\d+:[0-9a-f]{64}\b/g, `1200:${"3f".repeat(32)}`],
    [/(?<=^midman-head-1 \S+) \S+$/g, " 2026-03-01T10:30:00.000Z"],
    [/[\w+/]{86}==/g, `${"Qk".repeat(43)}==`],
    [
      /(?<block>Newest block: |Сүүлийн блок: )[\d,]+(?<sealed>, \p{L}+) \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/gu,
      "$<block>1,200$<sealed> 2026-03-01 18:30:00",
    ],
    [/(?<=Сүүлийнх нь: |The last one: block )\d+/gu, "34"],
    [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g, "01234567-89ab-4cde-8f01-23456789abcd"],
    // A payment's number at the sandbox.
    [/\b0\d{14}\b/g, "012345678901234"],
  ];
  const said = (text: string) => drawn.reduce((left, [lot, same]) => left.replace(lot, same), text);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode as Text;
    if (said(node.data) !== node.data) node.data = said(node.data);
  }
  // An invite's code, which may be of letters alone.
  for (const given of document.querySelectorAll("output")) {
    if (/^[A-Z2-7]{10}$/.test(given.textContent ?? "")) given.textContent = "ABCDEFGH23";
  }
  for (const number of document.querySelectorAll("[data-number]")) number.textContent = "S-7KQ2WX9A";
  for (const field of document.querySelectorAll<HTMLInputElement>("input:not([type=hidden])")) {
    if (said(field.value) !== field.value) field.value = said(field.value);
  }
  for (const code of document.querySelectorAll<HTMLImageElement>('img[src^="/qr/"], img[src^="data:"]')) {
    code.src =
      "data:image/svg+xml," +
      encodeURIComponent(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h3v3H0zM5 0h3v3H5zM0 5h3v3H0zM4 4h2v2H4z"/></svg>',
      );
  }
  await document.fonts.ready;
  await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
}
