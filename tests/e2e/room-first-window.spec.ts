import { expect, type Page } from "@playwright/test";
import { languages, test, viewer } from "./viewing.ts";
import type { RoomState } from "./world.ts";

/** A room on a phone is the conversation: at least so much of the window's height, in every state, role and language. */
const phones = [
  { width: 360, height: 740, share: 0.65 },
  { width: 360, height: 640, share: 0.55 },
];
const sideways = { width: 740, height: 360 };
/** What is left of a small phone's window beside its open keyboard. */
const besideKeyboard = { width: 360, height: 400 };

test("on a phone the conversation fills the window, and nothing else of the room scrolls", async ({
  browser,
  world,
}) => {
  const { page, open, close } = await viewer(browser, world, { script: false });
  // In a room of one there is nobody to write to: its first window holds the invite.
  const states = (Object.keys(world.rooms) as RoomState[]).filter((state) => state !== "alone");
  // Both have been here once, so that each bar says when the other was last seen, in every run.
  for (const as of ["buyer", "seller"] as const) {
    const at = `/chat/${world.rooms.talk.id}`;
    await open({ name: "talk", route: "chat/:id", at, as }, { language: "mn", theme: "light" });
  }
  for (const language of languages) {
    for (const state of states) {
      for (const as of ["seller", "buyer"] as const) {
        const at = `/chat/${world.rooms[state].id}`;
        await page.setViewportSize(phones[0] ?? sideways);
        await open({ name: state, route: "chat/:id", at, as }, { language, theme: "light" });
        for (const { share, ...size } of phones) {
          const which = `${state}, ${as}, ${language}, ${size.height}`;
          await page.setViewportSize(size);
          const log = await page.getByRole("log").boundingBox();
          expect.soft((log?.height ?? 0) / size.height, which).toBeGreaterThanOrEqual(share);
          await expectStillWindow(page, which);
        }
      }
    }
  }
  await close();
});

test("a room of one shows its invite, and a composer", async ({ browser, world }) => {
  const { page, open, close } = await viewer(browser, world, { script: false });
  const at = `/chat/${world.rooms.alone.id}`;
  for (const { share: _, ...size } of phones) {
    await page.setViewportSize(size);
    await open({ name: "alone", route: "chat/:id", at, as: "seller" }, { language: "mn", theme: "light" });
    await expect(page.locator("#room-invite h2")).toBeInViewport({ ratio: 1 });
    await expect(page.locator("#composer")).toBeInViewport({ ratio: 1 });
  }
  await close();
});

test("sideways and beside an open keyboard the composer and the last messages stay in sight", async ({
  browser,
  world,
}) => {
  const { page, open, close } = await viewer(browser, world, { script: false });
  const at = `/chat/${world.rooms.talk.id}`;
  await open({ name: "talk", route: "chat/:id", at, as: "seller" }, { language: "mn", theme: "light" });
  await page.setViewportSize(sideways);
  await expectStillWindow(page, "sideways");
  expect((await page.getByRole("log").boundingBox())?.height).toBeGreaterThanOrEqual(120);
  await page.setViewportSize(besideKeyboard);
  await expectStillWindow(page, "beside the keyboard");
  // Three bubbles of one line.
  expect((await page.getByRole("log").boundingBox())?.height).toBeGreaterThanOrEqual(3 * 44);
  await close();
});

/** The page itself does not scroll, nothing of it but the conversation does, and writing is possible. */
async function expectStillWindow(page: Page, which: string): Promise<void> {
  await expect(page.locator("#composer"), which).toBeInViewport({ ratio: 1 });
  const scrolled = await page.evaluate(() => {
    const over = (element: Element) => element.scrollHeight > element.clientHeight + 1;
    const shown = [...document.querySelectorAll("body *")].filter(
      (element) =>
        /auto|scroll/.test(getComputedStyle(element).overflowY) && over(element) && element.checkVisibility(),
    );
    const { scrollWidth, scrollHeight } = document.documentElement;
    return {
      page: scrollHeight > innerHeight || scrollWidth > innerWidth,
      areas: shown.filter((element) => !element.matches("[role=log], textarea")).map(({ id }) => id),
    };
  });
  expect.soft(scrolled, which).toEqual({ page: false, areas: [] });
}
