import { expect } from "@playwright/test";
import { waitUntilUnattended } from "./screens/acts.ts";
import { languages, test } from "./viewing.ts";

/** The list of rooms on a narrow phone. */

for (const language of languages) {
  for (const who of ["seller", "buyer"] as const) {
    test(`in ${language} the ${who}'s rows have two lines, and the time that is left is not cut off`, async ({
      screenViewer,
    }) => {
      const { page } = screenViewer;
      await page.setViewportSize({ width: 360, height: 740 });
      const list = { name: "chat", route: "chat", at: "/chat", as: who, act: waitUntilUnattended };
      await screenViewer.open(list, { language, theme: "light" });
      const { heights, times, cut } = await page.evaluate(() => {
        const lines = [...document.querySelectorAll("#rooms li > div")];
        const times = [...document.querySelectorAll<HTMLElement>("[data-left]")];
        const cut = times.filter((time) => {
          const [box, line] = [time.getBoundingClientRect(), time.closest("p")?.getBoundingClientRect()];
          return line === undefined || box.right > line.right + 0.5 || box.width < time.scrollWidth - 1;
        });
        const heights = lines.map((line) => line.getBoundingClientRect().height);
        return { heights, times: times.length, cut: cut.map((time) => time.textContent) };
      });
      expect(times).toBeGreaterThan(3);
      expect(cut).toEqual([]);
      expect(Math.max(...heights)).toBeLessThanOrEqual(70);
    });
  }
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
    [1024, ["Сарнай Ганбат", "Худалдагч · Twitch суваг, 12 мянган дагагчтай"]],
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
        .getByText(name)
        .evaluate((one) => one.scrollHeight - one.clientHeight);
      expect(height, name).toBeLessThanOrEqual(1);
    }
  }
});
