import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, expect, type Page } from "@playwright/test";
import routes from "../../app/routes.ts";
import { fontFingerprint } from "../support/pages/font-fingerprint.ts";
import { approve, approvedFolder, compare, pictureOf, show, take, windows } from "./pictures.ts";
import { isFirst, type Screen, screens, unseen } from "./screens.ts";
import { misshapen } from "./shape.ts";
import { type Rules, unusable } from "./usable.ts";
import { type Look, looks, test, viewer } from "./viewing.ts";

// Every screen as it looks and as it can be used. `bun run shots:approve` takes its pictures anew; the check compares with the
// approved ones where fonts and browser are those they were taken with, and elsewhere says that it did not.

test.describe.configure({ mode: "parallel" });
// A trace of every picture would cost more than the pictures do.
test.use({ trace: "off", screenshot: "off" });

/**
 * The check looks at each screen once, in a look that goes by turns; `all` compares with every approved picture. `approve` keeps
 * every picture as it is now, `look` lays every screen in every look whole into test-results/shots; neither asks axe.
 */
const mode = (["approve", "look", "all"] as const).find((one) => one === process.env.SHOTS) ?? "check";
const comparing = mode === "check" || mode === "all";
const printFile = join(approvedFolder, "fonts.txt");
const approvedPrint = existsSync(printFile) ? readFileSync(printFile, "utf8").trim() : undefined;

test("every route has a screen, or a reason to have none", () => {
  const there = routes.map(({ path }) => path ?? "/");
  const known = new Set([...screens.map(({ route }) => route), ...Object.keys(unseen)]);
  expect(there.filter((path) => !known.has(path))).toEqual([]);
  expect([...known].filter((path) => !there.includes(path))).toEqual([]);
});

test("every screen has its approved pictures, and every approved picture is of a screen that exists", () => {
  const wanted = new Set(
    screens.flatMap((screen, index) =>
      picturedViewsOf(screen, index).flatMap(({ look, widths }) =>
        widths.map((width) => pictureOf(screen.name, look, width)),
      ),
    ),
  );
  const there = existsSync(approvedFolder)
    ? readdirSync(approvedFolder, { recursive: true, encoding: "utf8" })
    : [];
  const stray = there.filter((file) => file.endsWith(".webp") && !wanted.has(file));
  const missing = [...wanted].filter((file) => !there.includes(file));
  if (mode === "approve") for (const file of stray) rmSync(join(approvedFolder, file));
  else expect({ stray, missing }).toEqual({ stray: [], missing: [] });
});

for (const [index, screen] of screens.entries()) {
  test(`${screen.name} looks as approved and can be used by everybody`, async ({ browser, world }) => {
    const print = await printOf(browser, world.server.url);
    const comparable = approvedPrint === undefined || print === approvedPrint;
    if (comparing && !comparable) {
      const description = `the pictures were taken with ${approvedPrint}, this machine is ${print}`;
      test.info().annotations.push({ type: "pictures not compared", description });
    }
    const { page, open, rest, faults, close } = await viewer(browser, world);
    const wrong: string[] = [];
    for (const { look, widths, asked } of viewsOf(screen, index)) {
      const at = `${screen.name} ${look.language} ${look.theme}`;
      await page.setViewportSize(windows[0]);
      await open(screen, look);
      for (const window of windows) {
        const file = pictureOf(screen.name, look, window.width);
        await page.setViewportSize(window);
        await rest();
        wrong.push(...(await misshapen(page)).map((what) => `${file}: ${what}`));
        if (widths.includes(window.width) && (!comparing || comparable)) {
          wrong.push(...(await picture(page, file)));
        }
      }
      if (comparing) {
        await page.setViewportSize(asked.window);
        wrong.push(
          ...(await unusable(page, asked.rules)).map((what) => `${at} ${asked.window.width}: ${what}`),
        );
      }
      wrong.push(...faults().map((what) => `${at}: ${what}`));
    }
    await close();
    expect(wrong).toEqual([]);
  });
}

type Window = (typeof windows)[number];
/** One look of a screen, the widths it is pictured in, and the window and rules it is asked in whether it can be used. */
type View = { look: Look; widths: number[]; asked: { window: Window; rules: Rules } };

function viewsOf(screen: Screen, index: number): View[] {
  if (mode === "look") {
    const widths = windows.map(({ width }) => width);
    return looks.map((look) => ({ look, widths, asked: { window: windows[0], rules: "all" } }));
  }
  const views = picturedViewsOf(screen, index);
  if (mode !== "check") return views;
  const turn = Math.min(index % 4, views.length - 1);
  return views
    .slice(turn, turn + 1)
    .map(({ asked, ...view }) => ({ ...view, asked: { ...asked, rules: "all" } }));
}

/**
 * The first screen of a route is pictured in both languages, by turns on a phone and on a desk, and once in the dark, which
 * changes its colours alone; a further state of it in one look and width, by turns.
 */
function picturedViewsOf(screen: Screen, index: number): View[] {
  const all = windows.map(({ width }) => width);
  const [small, middle, large] = windows;
  if (isFirst(screen)) {
    const [one, other] = index % 2 === 0 ? ([small, large] as const) : ([large, small] as const);
    const dark = index % 2 === 0 ? "mn" : "en";
    return [
      { look: { language: "mn", theme: "light" }, widths: all, asked: { window: one, rules: "all" } },
      { look: { language: "en", theme: "light" }, widths: all, asked: { window: other, rules: "words" } },
      {
        look: { language: dark, theme: "dark" },
        widths: [small.width, large.width],
        asked: { window: other, rules: "colours" },
      },
    ];
  }
  const turns = [
    { look: { language: "mn", theme: "light" }, window: small },
    { look: { language: "mn", theme: "dark" }, window: middle },
    { look: { language: "en", theme: "dark" }, window: large },
    { look: { language: "en", theme: "light" }, window: small },
  ] as const;
  return turns
    .filter((_, turn) => turn === index % turns.length)
    .map(({ look, window }) => ({ look, widths: [window.width], asked: { window, rules: "all" } }));
}

async function picture(page: Page, file: string): Promise<string[]> {
  if (mode === "approve") await approve(file, await take(page));
  else if (mode === "look") await show(file, await take(page, true));
  else {
    const said = await compare(file, await take(page));
    return said === undefined ? [] : [said];
  }
  return [];
}

let print: Promise<string> | undefined;

/** The machine's font print, taken once a worker; said aloud where it is not the one of the pictures. */
function printOf(browser: Browser, url: string): Promise<string> {
  print ??= fontFingerprint(browser, url).then((found) => {
    if (mode === "approve") {
      mkdirSync(approvedFolder, { recursive: true });
      writeFileSync(printFile, `${found}\n`);
    } else if (approvedPrint !== undefined && found !== approvedPrint) {
      console.warn(`Pictures are NOT compared: taken with ${approvedPrint}, this machine is ${found}`);
    }
    return found;
  });
  return print;
}
