import { expect, type Page, test } from "@playwright/test";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { person, signUp } from "./people.ts";

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

const dialog = (page: Page) => page.getByRole("dialog");
const historyLength = (page: Page) => page.evaluate(() => history.length);

test("a dialog opens over its page, keeps the focus, and gives it back", async ({ browser }) => {
  const page = await person(browser, server.url, true);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/");
  await signUp(page, "dialog.person", "Dialog Person");
  await page.waitForURL(/\/chat$/);
  await page.evaluate(() => {
    document.documentElement.dataset.same = "";
  });
  const opener = page.getByRole("link", { name: "Join Room" });
  const before = await historyLength(page);

  for (const close of ["Escape", "Cancel", "Back"]) {
    await test.step(`closed by ${close}`, async () => {
      await opener.click();
      await expect(dialog(page)).toBeVisible();
      await expect(page).toHaveURL(/dialog=join/);
      await expect(dialog(page).getByRole("textbox")).toBeFocused();
      // Whatever is behind it cannot be reached.
      for (let stop = 0; stop < 6; stop++) {
        await page.keyboard.press("Tab");
        expect(
          await page.evaluate(() => document.activeElement?.closest("main > :not([data-dialogs])")),
        ).toBeNull();
      }
      if (close === "Escape") await page.keyboard.press("Escape");
      else if (close === "Back") await page.goBack();
      else await dialog(page).getByRole("link", { name: close }).click();
      await expect(dialog(page)).toHaveCount(0);
      await expect(page).toHaveURL(/\/chat$/);
      await expect(opener).toBeFocused();
    });
  }
  expect(await historyLength(page)).toBe(before + 1);

  await test.step("wrong input is said inside it, and the right one leads on in its place", async () => {
    await page.getByRole("link", { name: "Create Room" }).first().click();
    await dialog(page).getByRole("button", { name: "Create Room" }).click();
    await expect(dialog(page).getByLabel("Room name")).toBeFocused();
    await expect(dialog(page).getByLabel("Room name")).toHaveAttribute("aria-invalid", "true");
    await expect(page.locator("html")).toHaveAttribute("data-same", "");
    await dialog(page).getByLabel("Room name").fill("Over the page");
    await dialog(page).getByRole("button", { name: "Create Room" }).click();
    await expect(page).toHaveURL(/\/chat\/\d+$/);
    await page.goBack();
    await expect(page).toHaveURL(/\/chat$/);
  });

  await test.step("an address opens it as well, and closing stays on the page", async () => {
    await page.goto("/chat?dialog=join");
    const entries = await historyLength(page);
    await expect(dialog(page).getByRole("textbox")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toHaveCount(0);
    await expect(page).toHaveURL(/\/chat$/);
    expect(await historyLength(page)).toBe(entries);
  });

  await test.step("a room that is deleted leaves the list, with a toast that leaves by itself", async () => {
    await page.goto("/chat");
    await page.goto("/chat?dialog=delete&room=1");
    await dialog(page).getByRole("button").click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByText("Over the page")).toHaveCount(0);
    const toast = page.locator("[data-toast=success]");
    await expect(toast).toHaveCount(1);
    await expect(toast).toHaveCount(0);
  });
});

test("without scripts a dialog is a card of its page", async ({ browser }) => {
  const page = await person(browser, server.url, false);
  await page.goto("/");
  await signUp(page, "card.person", "Card Person");
  // Until its stylesheet has come, the page also shows the buttons of a wide window.
  await page.waitForURL(/\/chat$/);
  await page.getByRole("link", { name: "Join Room" }).click();
  await expect(page).toHaveURL(/dialog=join/);
  await expect(page.getByLabel("Invite code")).toBeVisible();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/\/chat$/);
});
