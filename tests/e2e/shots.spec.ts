import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, expect, type Page } from "@playwright/test";
import routes from "../../app/routes.ts";
import { fontFingerprint } from "../support/pages/font-fingerprint.ts";
import { findEnlargedProblems } from "./enlarged.ts";
import { approve, approvedFolder, compare, pictureOf, show, take, windows } from "./pictures.ts";
import { unseen } from "./screens/unseen.ts";
import { screens } from "./screens.ts";
import { misshapen } from "./shape.ts";
import { findUsabilityProblems } from "./usable.ts";
import { type Look, looks, test } from "./viewing.ts";

// How every screen looks and whether everybody can use it. `bun run shots:approve` takes the approved pictures. The check compares with them
// where fonts and browser are those that they were taken with; elsewhere it says that it did not.

test.describe.configure({ mode: "parallel" });
/**
 * The check opens each screen once, in a language and theme that change from screen to screen, in all three windows. `approve` keeps the
 * picture of each screen, `look` writes every screen in every language, theme and window to test-results/shots. Neither runs axe.
 */
const mode = (["approve", "look"] as const).find((one) => one === process.env.SHOTS) ?? "check";
const comparing = mode === "check";
const printFile = join(approvedFolder, "fonts.txt");
const approvedPrint = existsSync(printFile) ? readFileSync(printFile, "utf8").trim() : undefined;

test("every route has a screen, or a reason for having none", () => {
  const there = routes.map(({ path }) => path ?? "/");
  const known = new Set([...screens.map(({ route }) => route), ...Object.keys(unseen)]);
  expect(there.filter((path) => !known.has(path))).toEqual([]);
  expect([...known].filter((path) => !there.includes(path))).toEqual([]);
});

test("every screen has one approved picture, and every approved picture is of a screen that exists", () => {
  const wanted = new Set(
    screens.map(({ name }, index) => {
      const { look, window } = approvedViewOf(index);
      return pictureOf(name, look, window.width);
    }),
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
  test(`${screen.name} looks as approved and can be used by everybody`, async ({
    browser,
    world,
    screenViewer,
  }) => {
    const print = await printOf(browser, world.server.url);
    const comparable = approvedPrint === undefined || print === approvedPrint;
    if (comparing && !comparable) {
      const description = `the pictures were taken with ${approvedPrint}, this machine is ${print}`;
      test.info().annotations.push({ type: "pictures not compared", description });
    }
    const { page, open, rest, faults } = screenViewer;
    const wrong: string[] = [];
    for (const { look, widths, window: axeWindow } of viewsOf(index)) {
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
        await page.setViewportSize(axeWindow);
        wrong.push(...(await findUsabilityProblems(page)).map((what) => `${at} ${axeWindow.width}: ${what}`));
        wrong.push(...(await findEnlargedProblems(page, screen)).map((what) => `${at} 320: ${what}`));
      }
      wrong.push(...faults().map((what) => `${at}: ${what}`));
    }
    expect(wrong).toEqual([]);
  });
}

/** Languages and themes by turns, so that neighbouring screens are pictured in different ones. */
const lookTurns: readonly Look[] = [
  { language: "mn", theme: "light" },
  { language: "en", theme: "dark" },
  { language: "en", theme: "light" },
  { language: "mn", theme: "dark" },
];

/** The one approved picture of a screen: its look and window change from screen to screen. */
function approvedViewOf(index: number): { look: Look; window: (typeof windows)[number] } {
  const [look, window] = [lookTurns[index % lookTurns.length], windows[index % windows.length]];
  if (!look || !window) throw new Error("a list of turns is empty");
  return { look, window };
}

/** The looks that a screen is opened in, each with the widths that are pictured and the window that axe runs in. */
function viewsOf(index: number) {
  const { look, window } = approvedViewOf(index);
  if (mode !== "look") return [{ look, widths: [window.width], window }];
  return looks.map((one) => ({ look: one, widths: windows.map(({ width }) => width), window: windows[0] }));
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
