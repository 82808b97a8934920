import { expect, type Locator, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { makePdf } from "../support/hostile/pdfs.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { twoIn, until } from "./people.ts";

let server: Server;
let photo: Buffer;

test.beforeAll(async () => {
  [server, photo] = await Promise.all([startServer(), takePhoto()]);
});

test.afterAll(async () => {
  await server?.stop();
});

/** Larger than is sent, of many colours and a little noise, and lying on its side as phones take them. */
function takePhoto(): Promise<Buffer> {
  const [width, height] = [2400, 1800];
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at++) pixels[at] = (at / 997 + ((at * 7919) % 31)) & 255;
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 90 })
    .toBuffer();
}

const screenshot = () =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: "#2a7" } })
    .png()
    .toBuffer();

const text = { name: "notes.png", mimeType: "image/png", buffer: Buffer.from("only words") };

const pick = (page: Page, ...files: Parameters<Locator["setInputFiles"]>[0][]) =>
  page
    .locator('input[type="file"][multiple]')
    .setInputFiles(files.flat() as Parameters<Locator["setInputFiles"]>[0]);

const sendIn = (page: Page) => page.getByRole("dialog").getByRole("button", { name: "Send" });
const pictures = (page: Page) => page.getByRole("log").locator("img");
const arrived = (page: Page, alt: string) =>
  pictures(page).and(page.locator(`[alt="${alt}"][src^="/chat/"]`));

/** What a paste or a drop brings, made in the page. */
async function bring(page: Page, how: "paste" | "dragover" | "drop", bytes: Buffer): Promise<void> {
  await page.getByLabel("Write a message").evaluate(
    (field, { how, bytes }) => {
      const data = new DataTransfer();
      data.items.add(
        new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], "a.png", { type: "image/png" }),
      );
      const told = { bubbles: true, cancelable: true };
      field.dispatchEvent(
        how === "paste"
          ? new ClipboardEvent(how, { ...told, clipboardData: data })
          : new DragEvent(how, { ...told, dataTransfer: data }),
      );
    },
    { how, bytes: bytes.toString("base64") },
  );
}

test("a photo is previewed, made smaller, and seen by both with its caption", async ({ browser }) => {
  const [seller, buyer] = await twoIn(browser, server);
  await pick(seller, { name: "photo.jpg", mimeType: "image/jpeg", buffer: photo });
  const dialog = seller.getByRole("dialog", { name: "Send a picture or PDF" });
  await expect(dialog.getByRole("img")).toBeVisible();
  expect((await dialog.getByRole("img").boundingBox())?.height).toBeLessThanOrEqual(300);
  await expect(dialog.getByLabel("Caption (optional)")).toBeFocused();
  await dialog.getByLabel("Caption (optional)").fill("Level 58");
  const sent = seller.waitForEvent("requestfinished", (request) => request.url().endsWith("/images"));
  await seller.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  expect((await (await sent).sizes()).requestBodySize).toBeLessThan(photo.length / 2);
  for (const page of [seller, buyer]) {
    const shown = arrived(page, "Level 58");
    await expect(shown).toHaveJSProperty("complete", true);
    expect((await shown.boundingBox())?.height).toBeLessThanOrEqual(300);
    await expect(page.getByRole("log").getByText("Level 58")).toBeVisible();
  }
  const full = await buyer.getByRole("link", { name: "Level 58" }).getAttribute("href");
  const kept = await sharp(await (await buyer.request.get(full ?? "")).body()).metadata();
  // Turned upright, at most 1600 pixels long.
  expect([kept.width, kept.height, kept.orientation]).toEqual([1200, 1600, undefined]);
});

test("several at once, pasted and dropped; other files are refused with a text", async ({ browser }) => {
  const [seller, buyer] = await twoIn(browser, server);
  const png = await screenshot();
  await bring(seller, "dragover", png);
  await expect(seller.getByText("Drop the files here")).toBeVisible();
  await bring(seller, "drop", png);
  await expect(seller.getByText("Drop the files here")).toBeHidden();
  await sendIn(seller).click();
  await expect(arrived(buyer, "Picture from Seller One")).toHaveCount(1);

  await bring(seller, "paste", png);
  await sendIn(seller).click();
  await expect(arrived(buyer, "Picture from Seller One")).toHaveCount(2);

  const file = { name: "a.png", mimeType: "image/png", buffer: png };
  await pick(seller, [text, file]);
  const dialog = seller.getByRole("dialog");
  await expect(dialog.getByRole("alert")).toHaveText(/notes\.png\s*This file isn't a picture or PDF/);
  await expect(dialog.getByText("1 of 2")).toBeVisible();
  await dialog.getByRole("button", { name: "Remove notes.png" }).click();
  await expect(dialog.getByRole("alert")).toBeHidden();
  await expect(dialog.getByRole("img")).toBeVisible();
  await seller.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(pictures(seller)).toHaveCount(2);
});

test("a caption wraps at its picture's width, or at a few words where the picture is narrower", async ({
  browser,
}) => {
  const [seller, buyer] = await twoIn(browser, server);
  const caption = "Бүртгэлийн зургийг эндээс харна уу, имэйл нь хамт дагалдана";
  const make = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: "#2a7" } })
      .png()
      .toBuffer();
  for (const [at, picture] of [await make(200, 260), await make(64, 48)].entries()) {
    await pick(seller, { name: "a.png", mimeType: "image/png", buffer: picture });
    await seller.getByRole("dialog").getByRole("textbox").fill(`${caption} ${at}`);
    await sendIn(seller).click();
    for (const page of [seller, buyer]) {
      const shown = arrived(page, `${caption} ${at}`);
      await expect(shown).toBeVisible();
      const [own, bubble] = await shown.evaluate((image) => [
        image.getBoundingClientRect().width,
        image.closest("li")?.querySelector(":scope > div")?.getBoundingClientRect().width ?? 0,
      ]);
      // The bubble has 12 px at each side.
      expect(Math.round(bubble ?? 0)).toBe(Math.max(own ?? 0, 160) + 24);
    }
  }
});

test("ten at most are sent in order, each as a message, the caption with the first", async ({ browser }) => {
  const [seller, buyer] = await twoIn(browser, server);
  const coloured = async (at: number) => ({
    name: `${at}.png`,
    mimeType: "image/png",
    buffer: await sharp({ create: { width: 64, height: 40 + at, channels: 3, background: "#27a" } })
      .png()
      .toBuffer(),
  });
  await pick(seller, await Promise.all(Array.from({ length: 12 }, (_, at) => coloured(at))));
  const dialog = seller.getByRole("dialog");
  await expect(dialog.getByRole("alert")).toHaveText("You can send 10 at a time. We left out the rest.");
  await expect(dialog.getByRole("img")).toHaveCount(10);
  await dialog.getByRole("button", { name: "Remove 3.png" }).click();
  await dialog.getByLabel("Caption (optional)").fill("All of them");
  // The connection is cut in the middle of the fourth upload, and returns.
  let begun = 0;
  await seller.route("**/images", (route) => (++begun === 4 ? route.abort() : route.continue()));
  await dialog.getByRole("button", { name: "Send (9)" }).click();
  await expect(dialog).toBeHidden();
  await expect(pictures(buyer)).toHaveCount(9, { timeout: 20_000 });
  const heights = (page: Page) =>
    pictures(page).evaluateAll((all) => all.map((one) => one.getAttribute("height")));
  const order = [0, 1, 2, 4, 5, 6, 7, 8, 9].map((at) => String(40 + at));
  for (const page of [seller, buyer]) {
    expect(await heights(page)).toEqual(order);
    await expect(page.getByRole("log").getByText("All of them")).toHaveCount(1);
  }
  await expect(pictures(buyer).first()).toHaveAttribute("alt", "All of them");
});

test("its progress is shown and can be cancelled; an interrupted upload continues by itself, also after a reload", async ({
  browser,
}) => {
  const [seller, buyer] = await twoIn(browser, server);
  const picture = { name: "a.png", mimeType: "image/png", buffer: await screenshot() };
  let held = 0;
  await seller.route("**/images", () => void held++);
  await pick(seller, picture);
  await sendIn(seller).click();
  await expect(seller.getByRole("progressbar", { name: "Sending the picture" })).toBeVisible();
  await expect.poll(() => held).toBe(1);
  await seller.getByRole("log").getByRole("button", { name: "Cancel" }).click();
  await expect(pictures(seller)).toHaveCount(0);

  await pick(seller, picture);
  await seller.getByLabel("Caption (optional)").fill("after all");
  await sendIn(seller).click();
  await expect.poll(() => held, { timeout: 15_000 }).toBe(2);
  await seller.unroute("**/images");
  await seller.reload();
  for (const page of [seller, buyer]) await expect(arrived(page, "after all")).toHaveCount(1);
  await expect(pictures(buyer)).toHaveCount(1);
});

test("a PDF is shown as a file and downloaded; one that acts is refused with a text", async ({ browser }) => {
  const [seller, buyer] = await twoIn(browser, server);
  const printed = { name: "Хуулга.pdf", mimeType: "application/pdf", buffer: await seller.pdf() };
  await pick(seller, printed);
  const dialog = seller.getByRole("dialog");
  await expect(dialog.getByText("Хуулга.pdf")).toBeVisible();
  await sendIn(seller).click();
  for (const page of [seller, buyer]) {
    const link = page.getByRole("log").getByRole("link", { name: /^file-\d{4}-\d\d-\d\d-\d+\.pdf \d+ KB$/ });
    await expect(link).toBeVisible();
    const download = page.waitForEvent("download");
    await link.click();
    expect((await download).suggestedFilename()).toMatch(/^file-.*\.pdf$/);
  }
  const acting = makePdf("/AcroForm<</Fields[]>>");
  await pick(seller, { ...printed, buffer: acting });
  await sendIn(seller).click();
  await expect(seller.getByRole("log").getByRole("alert")).toContainText(/^This PDF has a password, form/);
});

test("without scripts a form sends it, and shows what is wrong with it", async ({ browser }) => {
  const [seller, buyer] = await twoIn(browser, server, false);
  const form = buyer.locator('form:has(input[name="image"])');
  await buyer.locator("summary[aria-label='Send a picture or PDF']").click();
  await form.getByRole("button", { name: "Send a picture or PDF" }).click();
  await expect(form.locator('[name="image"]')).toHaveAccessibleDescription("Please choose a picture first");
  await expect(form.locator('[name="image"]')).toBeFocused();
  await form.locator('[name="image"]').setInputFiles(text);
  await form.locator('[name="caption"]').fill("My receipt");
  await form.getByRole("button", { name: "Send a picture or PDF" }).click();
  await expect(form.locator('[name="image"]')).toHaveAccessibleDescription(/^We can't read this file/);
  await expect(form.locator('[name="caption"]')).toHaveValue("My receipt");
  await form
    .locator('[name="image"]')
    .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: await screenshot() });
  await form.getByRole("button", { name: "Send a picture or PDF" }).click();
  await expect(arrived(seller, "My receipt")).toHaveCount(1);
  await until(buyer, () => arrived(buyer, "My receipt").isVisible());

  const picture = { name: "b.png", mimeType: "image/png", buffer: await screenshot() };
  await buyer.locator("summary[aria-label='Send a picture or PDF']").click();
  await form.locator('[name="image"]').setInputFiles([picture, text, { ...picture, name: "c.png" }]);
  await form.locator('[name="caption"]').fill("Two of three");
  await form.getByRole("button", { name: "Send a picture or PDF" }).click();
  await expect(form.locator('[name="image"]')).toHaveAccessibleDescription(/^We sent 2 of 3 files/);
  await expect(pictures(buyer)).toHaveCount(3);
  await expect(arrived(seller, "Two of three")).toHaveCount(1);
});
