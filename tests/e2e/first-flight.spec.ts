import { expect } from "@playwright/test";
import { coldLoad, shiftOf, targets } from "../bench/phone/load.ts";
import { screens } from "./screens.ts";
import { languages, test } from "./viewing.ts";

// The short form of `bun run bench:phone`: every public page within the first flight of a connection, and nothing moves.

for (const screen of screens.filter((one) => one.public || one.light)) {
  for (const language of languages) {
    test(`${screen.name} fits the first round trip and does not shift (${language})`, async ({
      browser,
      world,
    }) => {
      const url = world.server.url + (typeof screen.at === "string" ? screen.at : screen.at(world));
      const load = await coldLoad(browser, { url, language });
      expect(load.documentBytes, "the document, and its look inside it, was counted").toBeGreaterThan(5000);
      expect(load.documentBytes + load.styleBytes, "HTML and CSS in bytes").toBeLessThanOrEqual(
        targets.flight,
      );
      expect(load.scriptBytes, "JavaScript in bytes").toBeLessThanOrEqual(targets.script);
      expect(load.fonts).toEqual([]);
      expect(load.foreign).toEqual([]);
      expect(await shiftOf(browser, { url, language })).toBe(0);
    });
  }
}

for (const language of languages) {
  test(`a room does not shift as its scripts take over (${language})`, async ({ browser, world }) => {
    const url = `${world.server.url}/chat/${world.rooms.waiting.id}`;
    // The time that is left is text that changes while the page loads. A few of its digits have moved by 0.00007; a line that moves is more.
    const shift = await shiftOf(browser, { url, language, cookies: world.people.buyer.cookies() });
    expect(shift).toBeLessThan(0.0005);
  });
}
