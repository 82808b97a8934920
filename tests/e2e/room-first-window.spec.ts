import { expect } from "@playwright/test";
import { languages, test, viewer } from "./viewing.ts";
import type { RoomState } from "./world.ts";

/** The conversation shows at least so much of itself, in CSS pixels: a few lines. */
const least = 150;

/** Where most stands over it, it shows less. */
const crowded: RoomState[] = ["failed", "disputed", "handedOver", "sealed", "unsealed", "read"];
const leastCrowded = 130;

test("on a phone the composer is visible without scrolling, in every state of the trade", async ({
  browser,
  world,
}) => {
  const { page, open, close } = await viewer(browser, world, { script: false });
  // In a room of one there is nobody to write to: its first window holds the invite.
  const states = (Object.keys(world.rooms) as RoomState[]).filter((state) => state !== "alone");
  for (const language of languages) {
    for (const state of states) {
      for (const as of ["seller", "buyer"] as const) {
        const at = `/chat/${world.rooms[state].id}`;
        await open({ name: state, route: "chat/:id", at, as }, { language, theme: "light" });
        const which = `${state}, ${as}, ${language}`;
        await expect(page.locator("#composer"), which).toBeInViewport({ ratio: 1 });
        const wanted = crowded.includes(state) ? leastCrowded : least;
        expect((await page.getByRole("log").boundingBox())?.height, which).toBeGreaterThan(wanted);
      }
    }
  }
  await close();
});
