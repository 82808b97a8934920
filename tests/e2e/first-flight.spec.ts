import { type Browser, expect } from "@playwright/test";
import { coldLoad, shiftOf, targets } from "../bench/phone/load.ts";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { screens } from "./screens.ts";
import { languages, test } from "./viewing.ts";
import type { World } from "./world.ts";

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
      expect((await shiftOf(browser, { url, language })).moves).toEqual([]);
    });
  }
}

for (const language of languages) {
  test(`a room does not shift as its scripts take over (${language})`, async ({ browser, world }) => {
    const url = `${world.server.url}/chat/${world.rooms.waiting.id}`;
    // Somebody who was there before has a time at which they were last seen. The browser's clock is years behind the server's.
    await visitRoom(browser, url, world.people);
    const shift = await shiftOf(browser, { url, language, cookies: world.people.buyer.cookies() });
    expect(shift.moves).toEqual([]);
  });
}

/** The seller opens a room and leaves it, until the buyer's page says when they were last there. */
async function visitRoom(browser: Browser, url: string, { seller, buyer }: World["people"]): Promise<void> {
  const sellersPresence = async () => {
    const html = await (await fetch(url, { headers: { cookie: buyer.cookies() } })).text();
    return html.match(/data-seen="\d[^"]*" data-presence="(\w+)"/)?.[1];
  };
  const context = await browser.newContext();
  await context.addCookies(cookiesFor(seller.cookies(), url));
  await (await context.newPage()).goto(url);
  await expect.poll(sellersPresence).toBe("online");
  await context.close();
  await expect.poll(sellersPresence).toBe("offline");
}
