import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { readBuiltScripts } from "../support/pages/built-scripts.ts";
import { newerCallsIn, newerStylesIn } from "../support/pages/newer-features.ts";
import { makeRoomPair } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";

// The oldest browsers (config/browser-floor.ts), and those below them. No test drives them: what they lack is looked for in what was built,
// or taken away from the browser that there is. `other-engines.spec.ts` drives newer ones of the same engines.

const assets = join(import.meta.dirname, "..", "..", "build", "client", "assets");

// A server of its own: what is written here must not be in the pictures of the world that a worker's other files share.
let server: Server;
let room: Awaited<ReturnType<typeof makeRoomPair>>;

test.beforeAll(async () => {
  server = await startServer();
  room = await makeRoomPair({ client: () => server.client({ "Accept-Language": "en" }) });
});

test.afterAll(() => server?.stop());

test("no built script calls what the oldest browsers lack", () => {
  const found = readBuiltScripts().flatMap(({ name, text }) =>
    newerCallsIn(text).map((call) => `${name}: ${call}`),
  );
  expect(found).toEqual([]);
  expect(newerCallsIn("const a = /(?<!b)c/u; a.toSorted();")).toHaveLength(2);
});

test("no built stylesheet relies on what the oldest browsers lack", () => {
  const sheets = readdirSync(assets).filter((name) => name.endsWith(".css"));
  expect(sheets).toHaveLength(3);
  const found = sheets.flatMap((name) =>
    newerStylesIn(readFileSync(join(assets, name), "utf8")).map((style) => `${name}: ${style}`),
  );
  expect(found).toEqual([]);
  const planted =
    "a{height:100dvh}b{height:100vh;height:100dvh}c{rotate:1deg}d{& e{top:0}}@media (width>=3rem){a{top:0}}a:has(b){display:none}";
  expect(newerStylesIn(planted)).toHaveLength(5);
});

/** A window of the buyer on the room, in a browser that `lacks` something. */
async function openRoomWith(browser: Browser, lacks: () => void): Promise<Page> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 360, height: 740 },
  });
  await context.addCookies(cookiesFor(`${room.buyer.cookies()}; midman-language=en`, server.url));
  await context.addInitScript(lacks);
  const page = await context.newPage();
  await page.goto(`/chat/${room.roomId}`);
  return page;
}

const stillLine = (page: Page) => page.getByRole("link", { name: "Live updates are off" });

const lacking = {
  "that lacks a call below the floor": () => {
    Reflect.deleteProperty(Array.prototype, "at");
  },
  "in which the conversation fails while it is drawn": () => {
    Array.prototype.at = () => {
      throw new Error("planted");
    };
  },
};
for (const [name, lacks] of Object.entries(lacking)) {
  test(`a browser ${name} keeps the server's conversation and its form, and says so`, async ({ browser }) => {
    const page = await openRoomWith(browser, lacks);
    await expect(stillLine(page)).toBeVisible();
    await expect(page.getByRole("log").getByRole("listitem").first()).toBeVisible();
    const words = `Still here ${name.length}`;
    await page.getByLabel("Write a message").fill(words);
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByRole("log").getByText(words)).toHaveCount(1);
    await page.context().close();
  });
}

test("a browser that refuses its storage runs every script", async ({ browser }) => {
  const page = await openRoomWith(browser, () => {
    for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("The operation is insecure.", "SecurityError");
        },
      });
    }
  });
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.reload();
  await expect(page.getByText("Connected")).toHaveCount(1);
  await expect(page.locator("[data-still]")).toBeHidden();
  await page.getByLabel("Write a message").fill("Without storage");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("log").getByText("Without storage")).toHaveCount(1);
  expect(errors).toEqual([]);
  await page.context().close();
});

test("a browser without cascade layers shows plain, readable pages", async ({ browser }) => {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  await context.addCookies(cookiesFor(`${room.buyer.cookies()}; midman-language=en`, server.url));
  for (const path of ["/faq", "/chat", `/chat/${room.roomId}`]) {
    await page.goto(path);
    await page.evaluate(withoutLayers);
    const look = await page.evaluate(() => ({
      layers: [...document.styleSheets]
        .filter((sheet) => !sheet.disabled)
        .flatMap((sheet) => [...sheet.cssRules])
        .filter((rule) => rule instanceof CSSLayerBlockRule).length,
      overflow: document.documentElement.scrollWidth - innerWidth,
      padding: Number.parseFloat(getComputedStyle(document.body).paddingLeft),
      largestIcon: Math.max(
        0,
        ...[...document.querySelectorAll("svg")].map((svg) => svg.getBoundingClientRect().width),
      ),
      small: [...document.querySelectorAll("button, input:not([type=hidden]), select")]
        .map((control) => control.getBoundingClientRect())
        .filter(({ width, height }) => width > 1 && height > 0 && height < 20).length,
    }));
    expect(look, path).toMatchObject({ layers: 0, padding: 16, small: 0 });
    expect(look.overflow, `${path}: wider than the window`).toBeLessThanOrEqual(0);
    expect(look.largestIcon, `${path}: an icon as large as its place`).toBeLessThanOrEqual(48);
  }
  await context.close();
});

/** Leaves of the page's styles what a browser without layers applies: not their blocks, but what asks for their absence. */
async function withoutLayers(): Promise<void> {
  const texts: string[] = [];
  for (const sheet of [...document.styleSheets]) {
    for (const rule of [...sheet.cssRules]) {
      if (rule instanceof CSSLayerBlockRule || rule instanceof CSSLayerStatementRule) continue;
      if (rule instanceof CSSSupportsRule && rule.conditionText.includes("text-emphasis")) {
        texts.push(...[...rule.cssRules].map(({ cssText }) => cssText));
      } else texts.push(rule.cssText);
    }
  }
  const plain = new CSSStyleSheet();
  plain.replaceSync(texts.join("\n"));
  for (const sheet of [...document.styleSheets]) sheet.disabled = true;
  document.adoptedStyleSheets = [plain];
}
