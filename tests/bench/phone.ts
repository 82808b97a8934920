/** bench:phone: what a cheap phone on a slow link has to load, and what Lighthouse says of it. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "@playwright/test";
import { screens } from "../e2e/screens.ts";
import { makeWorld, type World } from "../e2e/world.ts";
import { lighthouse, type Scores } from "./phone/lighthouse.ts";
import { coldLoad, type Load, largestPaint, shiftOf, type Visit } from "./phone/load.ts";
import { type Page, report } from "./phone/report.ts";
import { machine, median } from "./support/results.ts";

const rounds = 5;
const program = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
const executablePath = existsSync(program) ? program : chromium.executablePath();
const languages = ["mn", "en"] as const;
/** Without it the run is short: bytes and shifts only. */
const whole = !process.argv.includes("--short");
/** Names of pages to look at alone; nothing is written down then. */
const named = process.argv.slice(2).filter((word) => !word.startsWith("--"));

const about = machine();
const world = await makeWorld();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const pages = pagesOf(world).filter(({ name }) => named.length === 0 || named.includes(name));
  const measured: Array<{ page: Page; load: Load; shift: number; scores?: Scores | Error }> = [];
  for (const page of pages) {
    const load = await coldLoad(browser, page.visit);
    const { total: shift } = await shiftOf(browser, page.visit);
    const scores = whole
      ? await lighthouse(page, { rounds, executablePath }).catch((error: Error) => error)
      : undefined;
    measured.push({ page, load, shift, ...(scores && { scores }) });
    console.info(page.name, page.visit.language, load, shift, scores);
  }
  const slow = pages.filter(({ name, visit }) => /^(landing|room)$/.test(name) && visit.language === "mn");
  const paints = whole ? await paintsOf(browser, slow) : [];
  console.info(paints);
  if (whole && named.length === 0) report({ about, measured, paints, rounds, browser: browser.version() });
} finally {
  await browser.close();
  await world.stop();
}

/** Every public page in both languages; the list of rooms, a room and the back office as who may see them. */
function pagesOf({ server, people, rooms }: World): Page[] {
  const open = screens
    .filter(({ public: open }) => open)
    .flatMap(({ name, at }) => {
      const path = typeof at === "string" ? at : at(world);
      return languages.map((language) => ({ name, open: true, visit: { url: server.url + path, language } }));
    });
  const closed = (name: string, path: string, cookies: string): Page => ({
    name,
    open: false,
    visit: { url: server.url + path, language: "mn", cookies },
  });
  return [
    ...open,
    closed("chat", "/chat", people.seller.cookies()),
    closed("room", `/chat/${rooms.waiting.id}`, people.buyer.cookies()),
    closed("admin", "/admin", people.admin.cookies()),
  ];
}

/** When the largest part of a page stands, with all it has and as bare HTML, the two in turn. */
async function paintsOf(browser: Browser, pages: Array<{ name: string; visit: Visit }>) {
  const found: Array<{ name: string; full: number[]; bare: number[]; ratio: number }> = [];
  for (const { name, visit } of pages) {
    const [full, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      full.push(await largestPaint(browser, visit, false));
      bare.push(await largestPaint(browser, visit, true));
    }
    found.push({ name, full, bare, ratio: median(full) / median(bare) });
  }
  return found;
}
