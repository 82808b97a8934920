import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import sharp from "sharp";
import { screens } from "./screens.ts";
import { type Look, test, viewer } from "./viewing.ts";

// The pictures of docs/tour.md, one of which the README shows too. `bun run pictures` takes them again from the running program; the
// check asserts that each exists, is small and is shown, and that there is no other.

const taking = process.env.PICTURES === "take";
const root = join(import.meta.dir, "..", "..");
const folder = join(root, "docs", "pictures");
const largest = 60 * 1024;

const phone = { width: 360, height: 740, pixels: 2 } as const;
const desk = { width: 1280, height: 800, pixels: 1 } as const;

type Picture = Look & {
  /** The name of a screen (screens.ts). */
  screen: string;
  on: typeof phone | typeof desk;
  /** Selector of the element that is scrolled to the middle before the picture is taken. */
  round?: string;
};

const tour: Record<string, Picture> = {
  landing: { screen: "landing", language: "en", theme: "light", on: desk },
  "landing-phone": { screen: "landing", language: "mn", theme: "light", on: phone },
  chat: { screen: "chat", language: "mn", theme: "light", on: phone },
  "room-phone": { screen: "room-held-buyer", language: "mn", theme: "light", on: phone },
  room: { screen: "room-held-buyer", language: "en", theme: "dark", on: desk },
  pay: {
    screen: "room-waiting-buyer",
    language: "mn",
    theme: "dark",
    on: phone,
    round: '[src^="/qr/"]',
  },
  transaction: { screen: "transaction-buyer", language: "en", theme: "light", on: phone },
  vault: { screen: "vault-read", language: "mn", theme: "light", on: phone },
  settings: { screen: "settings-careful", language: "en", theme: "dark", on: phone },
  work: { screen: "admin", language: "en", theme: "light", on: desk },
  payout: { screen: "admin-payout", language: "mn", theme: "light", on: desk },
  dispute: { screen: "admin-dispute-ruling", language: "en", theme: "dark", on: desk, round: "#ruling" },
  transactions: { screen: "admin-transactions", language: "mn", theme: "light", on: desk },
};

const file = (name: string) => join(folder, `${name}.webp`);

if (taking) {
  for (const [name, picture] of Object.entries(tour)) {
    test(`${name} is taken`, async ({ browser, world }) => {
      const screen = screens.find((one) => one.name === picture.screen);
      if (screen === undefined) throw new Error(`There is no screen ${picture.screen}`);
      const { pixels, ...size } = picture.on;
      const { page, open, close } = await viewer(browser, world, { masked: false, pixels });
      await page.setViewportSize(size);
      await open(screen, picture);
      if (picture.round !== undefined) {
        await page.locator(picture.round).evaluate((part) => part.scrollIntoView({ block: "center" }));
      }
      mkdirSync(folder, { recursive: true });
      writeFileSync(file(name), await small(await page.screenshot({ animations: "disabled" })));
      await close();
    });
  }
}

test("every picture of the tour exists, is small and shown, and there is no other; the README shows one of them", () => {
  const names = Object.keys(tour).sort();
  const there = existsSync(folder) ? readdirSync(folder) : [];
  const stray = there.filter((one) => !names.includes(one.replace(".webp", "")));
  if (taking) for (const one of stray) rmSync(join(folder, one));
  else expect(stray).toEqual([]);
  expect(names.filter((name) => !existsSync(file(name)) || statSync(file(name)).size > largest)).toEqual([]);
  const shown = (document: string, pattern: RegExp) => [
    ...new Set(
      [...readFileSync(join(root, document), "utf8").matchAll(pattern)].map(([, name = ""]) => name),
    ),
  ];
  expect(shown("docs/tour.md", /(?:\(|")pictures\/([\w-]+)\.webp/g).sort()).toEqual(names);
  const inReadme = shown("README.md", /\(docs\/pictures\/([\w-]+)\.webp/g);
  expect(inReadme).toHaveLength(1);
  expect(names).toContain(inReadme[0] ?? "");
});

/** The best WebP that is small enough. */
async function small(png: Buffer): Promise<Buffer> {
  for (let quality = 90; quality >= 40; quality -= 5) {
    const picture = await sharp(png).webp({ quality, effort: 6, smartSubsample: true }).toBuffer();
    if (picture.length <= largest) return picture;
  }
  throw new Error("A picture does not become small enough");
}
