import { expect } from "@playwright/test";
import { test, viewer } from "./viewing.ts";
import type { RoomState } from "./world.ts";

const states: RoomState[] = [
  "talk",
  "requested",
  "waiting",
  "part",
  "held",
  "received",
  "settlement",
  "completed",
  "cancelled",
  "disputed",
];

test("on a phone one writes without scrolling, wherever the trade stands", async ({ browser, world }) => {
  const { page, open, close } = await viewer(browser, world, false);
  for (const state of states) {
    for (const as of ["seller", "buyer"] as const) {
      const at = `/chat/${world.rooms[state].id}`;
      await open({ name: state, route: "chat/:id", at, as }, { language: "mn", theme: "light" });
      await expect(page.locator("#composer"), `${state}, ${as}`).toBeInViewport({ ratio: 1 });
      expect((await page.getByRole("log").boundingBox())?.height, `${state}, ${as}`).toBeGreaterThan(150);
    }
  }
  await close();
});
