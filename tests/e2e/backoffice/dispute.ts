import { join } from "node:path";
import { type Browser, expect, type Page } from "@playwright/test";
import { cookiesFor } from "../../support/pages/browser-cookies.ts";
import type { Server } from "../../support/server/midman-server.ts";
import type { TestMailServer } from "../../support/services/mail-server.ts";
import type { ServerTrade } from "../../support/trades/server-trades.ts";
import { person } from "../people.ts";
import { expectToast } from "./expect-toast.ts";
import { ruleAllTheSame } from "./money.ts";

const root = join(import.meta.dir, "..", "..", "..");

/** From the list of work into the case, which is then the administrator's, and a word to both sides. */
export async function takeCase(page: Page, { id }: ServerTrade): Promise<void> {
  const task = page
    .locator('[data-task="dispute"]')
    .filter({ has: page.locator(`[href$="/disputes/${id}"]`) });
  await page.goto("/admin");
  await expect(task).toContainText("No mediator is handling this case yet.");
  await task.getByRole("link", { name: "Open the dispute" }).click();
  await page.getByRole("button", { name: "Take the case" }).click();
  await expectToast(page, "You're now handling the case. We've let both parties know.");
  await page.getByLabel("Write to both parties").fill("Нэвтрэх хуудсаа зургаар харуулна уу");
  await page.getByRole("button", { name: "Write in the room" }).click();
  await expectToast(page, "Both parties can read it");
  await page.goto("/admin");
  await expect(task).toContainText("mediator: admin");
  await task.getByRole("link", { name: "Open the dispute" }).click();
}

/** Downloads the evidence of the case on the page, and has it verified by the script that knows nothing of Midman. */
export async function takeEvidence(page: Page, server: Server): Promise<void> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download the evidence" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^[\w-]+\.tar$/);
  const key = join(server.dataDir, "evidence-key.pem");
  await Bun.write(key, await (await fetch(`${server.url}/api/evidence-key`)).text());
  const run = Bun.spawnSync([process.execPath, "scripts/evidence-verify.ts", await download.path(), key], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "" },
  });
  expect(run.exitCode, `${run.stdout}${run.stderr}`).toBe(0);
  expect(`${run.stdout}`).toMatch(/The evidence of MM-\w{8} is intact: \d+ files/);
}

/** Rules another case for the seller. */
export async function release(page: Page): Promise<void> {
  await page.getByLabel("Release: Midman pays the seller").check();
  await page.getByRole("button", { name: "Show what each side gets" }).click();
  await page.getByLabel("Reason").fill("The login was handed over and works");
  await page.getByLabel("Type the amount for the seller: 100,000 ₮").fill("100,000");
  await ruleAllTheSame(page);
  await page.getByRole("button", { name: "Yes: Decide the dispute" }).click();
  await expectToast(page, "The ruling was recorded");
}

/** Both sides see the split in their room, and read of it in their mail. */
export async function bothTold(browser: Browser, server: Server, post: TestMailServer, deal: ServerTrade) {
  for (const side of [deal.buyer, deal.seller]) {
    const page = await person(browser, server.url, true);
    await page.context().addCookies(cookiesFor(side.cookies(), server.url));
    await page.goto(`/chat/${deal.roomId}`);
    await expect(page.locator('[data-notice="disputeTaken"]')).toContainText(
      "admin from Midman's dispute team",
    );
    await expect(page.locator('[data-notice="mediatorSays"]')).toContainText("зургаар харуулна уу");
    await expect(page.locator('[data-notice="ruledSplit"]')).toContainText(
      "40,000 ₮ to the buyer, 60,000 ₮ to the seller",
    );
    await page.context().close();
    const mails = async () => (await post.of(side.email)).map(({ text }) => text ?? "");
    const told = expect.poll(async () => (await mails()).find((text) => text.includes("split the money")));
    await told.toMatch(/40,000 ₮[\s\S]*60,000 ₮|60,000 ₮[\s\S]*40,000 ₮/);
  }
}
