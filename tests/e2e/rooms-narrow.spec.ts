import { expect } from "@playwright/test";
import { waitUntilUnattended } from "./screens/acts.ts";
import { languages, test } from "./viewing.ts";

/** The list of rooms on a narrow phone. */

for (const language of languages) {
  for (const who of ["seller", "buyer"] as const) {
    test(`in ${language} the ${who}'s rows name the person and the state in whole words, eight of them to a window`, async ({
      screenViewer,
    }) => {
      const { page } = screenViewer;
      await page.setViewportSize({ width: 360, height: 740 });
      const list = { name: "chat", route: "chat", at: "/chat", as: who, act: waitUntilUnattended };
      await screenViewer.open(list, { language, theme: "light" });
      const { heights, cut, named, times, wordless } = await page.evaluate(readRows);
      expect(cut).toEqual([]);
      expect(wordless).toEqual([]);
      expect(named).toBeGreaterThan(14);
      expect(times).toBeGreaterThan(3);
      // Without the banner of the demo mode, the window has 530 px for rows.
      expect(Math.max(...heights)).toBeLessThanOrEqual(67);
    });
  }
}

/** Run in the page: what of a row's name, state and time does not show whole, and the rows that have no word for a trade's state. */
function readRows() {
  const cut: Array<string | null> = [];
  const wordless: string[] = [];
  let [named, times] = [0, 0];
  const rows = [...document.querySelectorAll("#rooms li")];
  for (const row of rows) {
    const edge = (row.querySelector("summary svg")?.getBoundingClientRect().left ?? 0) + 1;
    // A chip without a word to see is clipped to one pixel by what is around it.
    const states = [...row.querySelectorAll("[data-state], [data-money]")].filter((state) =>
      [state, state.parentElement].every((one) => (one?.clientWidth ?? 0) > 1),
    );
    const names = [...row.querySelectorAll("[data-person]")];
    const left = [...row.querySelectorAll("[data-left]")];
    named += names.length;
    times += left.length;
    if (row.hasAttribute("data-status") && !states.some(({ textContent }) => textContent?.trim()))
      wordless.push(row.id);
    const outside = [...names, ...states, ...left].filter((one) => one.getBoundingClientRect().right > edge);
    const clipped = [...names, ...states].filter(
      (one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight,
    );
    cut.push(...[...outside, ...clipped].map(({ textContent }) => textContent));
  }
  const heights = rows.map((row) => row.getBoundingClientRect().height);
  return { heights, cut, named, times, wordless };
}

for (const language of languages) {
  test(`in ${language} a row of the history names the person, the item and the state in whole words, eight of them to a window`, async ({
    screenViewer,
  }) => {
    const { page } = screenViewer;
    await page.setViewportSize({ width: 360, height: 740 });
    const list = { name: "history", route: "history", at: "/history", as: "seller" as const };
    await screenViewer.open(list, { language, theme: "light" });
    const rows = await page.locator("li[data-code]").evaluateAll((all) =>
      all.map((row) => {
        const { height, bottom } = row.getBoundingClientRect();
        const parts = ["[data-person]", "[data-item]", "[data-state]"].map((part) => row.querySelector(part));
        const hasRoom = (part: Element | null) => (part?.getBoundingClientRect().width ?? 0) > 50;
        return {
          height,
          nameless: parts.some((part) => !part?.textContent?.trim() || !hasRoom(part)),
          cut:
            (parts[2]?.getBoundingClientRect().bottom ?? bottom) >= bottom ||
            row.scrollWidth > row.clientWidth,
        };
      }),
    );
    expect(rows.length).toBeGreaterThan(7);
    expect(rows.filter(({ nameless, cut }) => nameless || cut)).toEqual([]);
    expect(Math.max(...rows.map(({ height }) => height))).toBeLessThanOrEqual(67);
  });
}

test("a phone held sideways with an open keyboard shows the composer and the last message", async ({
  screenViewer,
  world,
}) => {
  const { page } = screenViewer;
  await page.setViewportSize({ width: 740, height: 360 });
  const talk = { name: "talk", route: "chat/:id", at: `/chat/${world.rooms.talk.id}`, as: "buyer" } as const;
  await screenViewer.open(talk, { language: "mn", theme: "light" });
  await page.locator("#composer").focus();
  await page.setViewportSize({ width: 740, height: 180 });
  await expect(page.locator("body")).toHaveAttribute("data-low", "");
  await expect(page.locator("#composer")).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("log").getByText("Үнэ тохирлоо")).toBeInViewport({ ratio: 0.9 });
  await page.setViewportSize({ width: 740, height: 360 });
  await expect(page.locator("body")).not.toHaveAttribute("data-low", "");
});

test("the room's bar shows the whole name of the person, and in a wide window that of the room", async ({
  screenViewer,
  world,
}) => {
  const { page } = screenViewer;
  for (const [width, names] of [
    [360, ["Сарнай Ганбат"]],
    [1024, ["Сарнай Ганбат", "· Худалдагч", "Twitch суваг, 12 мянган дагагчтай"]],
  ] as const) {
    await page.setViewportSize({ width, height: 740 });
    const talk = {
      name: "talk",
      route: "chat/:id",
      at: `/chat/${world.rooms.talk.id}`,
      as: "buyer",
    } as const;
    await screenViewer.open(talk, { language: "mn", theme: "light" });
    await page.evaluate(() => {
      const word = document.querySelector("#room-bar [data-presence-word]");
      if (word !== null) word.textContent = "сүүлд орсон: өнөөдөр 14:05";
    });
    const seen = await page.locator("#room-bar [data-presence-word]").boundingBox();
    expect((seen?.x ?? width) + (seen?.width ?? width)).toBeLessThan(width - 44);
    for (const name of names) {
      const height = await page
        .locator("#room-bar")
        .getByText(name, { exact: true })
        .evaluate((one) => one.scrollHeight - one.clientHeight);
      expect(height, name).toBeLessThanOrEqual(1);
    }
  }
});

for (const language of languages) {
  test(`in ${language} the second line of the room's bar shows whole parts, and the menu what it has no room for`, async ({
    screenViewer,
    world,
  }) => {
    const { page } = screenViewer;
    const seen: string[][] = [];
    for (const width of [320, 360, 412]) {
      await page.setViewportSize({ width, height: 740 });
      const held = {
        name: "held",
        route: "chat/:id",
        at: `/chat/${world.rooms.held.id}`,
        as: "seller",
      } as const;
      await screenViewer.open(held, { language, theme: "light" });
      for (const word of [
        undefined,
        language === "mn" ? "сүүлд орсон: өчигдөр 14:05" : "last seen yesterday 14:05",
      ]) {
        const { shown, cut } = await page.locator("#room-bar [data-whole-parts]").evaluate(readParts, word);
        expect(cut).toEqual([]);
        seen.push(shown);
      }
    }
    const [presence, role] = language === "mn" ? ["офлайн", "· Худалдан авагч"] : ["offline", "· Buyer"];
    expect(seen[2]).toEqual([presence, role]);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator("#room-bar summary").click();
    const menu = page.locator("#room-menu");
    await expect(menu.getByText(`${role?.slice(2)} · Genshin Impact бүртгэл, 58 түвшин`)).toBeInViewport({
      ratio: 1,
    });
  });
}

/** Run in the page: the parts of a line that its reader sees, and those of them that are not whole; `word` becomes the person's presence. */
function readParts(line: Element, word: string | undefined) {
  const presence = line.querySelector("[data-presence-word]");
  if (presence && word !== undefined) presence.textContent = word;
  const edge = line.getBoundingClientRect();
  const parts = [...line.children].filter(({ clientWidth }) => clientWidth !== 1);
  const boxes = parts.map((part) => ({ box: part.getBoundingClientRect(), text: part.textContent ?? "" }));
  const visible = boxes.filter(({ box }) => box.top < edge.bottom - 1);
  const cut = visible.filter(({ box }) => box.bottom > edge.bottom + 1 || box.right > edge.right + 1);
  return { shown: visible.map(({ text }) => text), cut: cut.map(({ text }) => text) };
}
