import { type Browser, expect, type Page, test } from "@playwright/test";
import { connectDatabase, disconnectDatabase } from "../../db/client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { startMailServer, type TestMailServer } from "../support/services/mail-server.ts";
import { clear, type Day, giveRefundAccount, settleFirst } from "./backoffice/clear.ts";
import { causes, plantDifferences } from "./backoffice/differences.ts";
import { bothTold, release, takeCase, takeEvidence } from "./backoffice/dispute.ts";
import { appCode, away, type Factor, paperCode, password, secondFactor } from "./backoffice/enter.ts";
import { expectToast } from "./backoffice/expect-toast.ts";
import { dressMail } from "./backoffice/mail.ts";
import { type Sent, split } from "./backoffice/money.ts";
import { withinOneDay } from "./backoffice/one-day.ts";
import {
  fillDesk,
  gone,
  type Office,
  openOffice,
  payoutBegun,
  plantDispute,
  planted,
  refundDue,
} from "./backoffice/plant.ts";
import { takeLog, takeTransfers } from "./backoffice/take-along.ts";
import { proveBooks } from "./prove.ts";

// A day at the desk, from signing in to signing out; then, without scripts, the parts of it where money moves.

const kinds = Object.keys(planted) as Array<keyof typeof planted>;
/** What is done before any money leaves. */
const chores = ["unconfirmed", "hold", "byHand", "difference", "job", "mail"] as const;

let post: TestMailServer;
let server: Server;
let office: Office;

// A day is long: it needs 96 s where nothing else runs, and several times as much on a busy machine.
test.describe.configure({ timeout: 600_000 });

test.beforeEach(async () => {
  await withinOneDay(test);
  post = await startMailServer(gone);
  server = await startServer({ environment: { SMTP_URL: post.url } });
  connectDatabase(server.databaseUrl);
  office = await openOffice(server);
});

test.afterEach(async () => {
  await disconnectDatabase();
  await server?.stop();
  await post?.stop();
});

/** The administrator at a desk, without script where told. */
async function desk(browser: Browser, javaScriptEnabled = true): Promise<Page> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    javaScriptEnabled,
  });
  const page = await context.newPage();
  await page.goto("/admin");
  await expectToast(page, "Admin authentication required");
  await password(page);
  return page;
}

const nothingWaits = async (page: Page) => {
  await page.goto("/admin");
  await expect(page.getByText("All caught up")).toBeVisible();
};

test("a day in the back office", async ({ browser }) => {
  const { disputes } = await fillDesk(office);
  const [contested, other] = disputes;
  if (contested === undefined || other === undefined) throw new Error("the desk has no two disputes");
  const factor = await secondFactor(server);
  const page = await desk(browser);
  const today: Day = { office, sent: [] };

  await test.step("sign in with a second factor; twenty things wait", async () => {
    await appCode(page, factor);
    await expect(page.getByRole("heading", { name: "Back office" })).toBeVisible();
    await expect(page.locator("[data-task]")).toHaveCount(20);
    for (const kind of kinds) {
      await expect(page.locator(`[data-task="${kind}"]`)).toHaveCount(planted[kind]);
    }
  });
  await test.step("take a dispute, read its evidence, and split what is held", async () => {
    await takeCase(page, contested);
    await takeEvidence(page, server);
    await split(page, "40000");
    await giveRefundAccount(page, office);
    await bothTold(browser, server, post, contested);
    await takeCase(page, other);
    await release(page);
  });
  await test.step("all other waiting work except the money", async () => {
    for (const kind of chores) await clear(page, kind, today);
  });
  await test.step("the money, after signing in again", () => payAll(page, factor, today));
  await test.step("nothing waits", () => nothingWaits(page));
  await test.step("compare the day with the provider's list, and end what that put on hold", async () => {
    await reconcile(page);
    await clear(page, "hold", today);
  });
  await test.step("download the day's transfers and the log", async () => {
    await takeTransfers(page, today.sent);
    await takeLog(page);
  });
  await test.step("design a mail, preview it, and receive it", () => dressMail(page, post));
  await test.step("print a receipt", () => printReceipt(page, today.sent));
  await test.step("nothing waits, and ledger and log are intact", async () => {
    await nothingWaits(page);
    await proveBooks(server.databaseUrl, server.dataDir);
  });
  await test.step("sign out", async () => {
    await page.locator("header summary", { hasText: "Account menu" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("link", { name: "Sign in" }).first()).toBeVisible();
    await page.goto("/admin");
    await expectToast(page, "Admin authentication required");
  });
  await page.context().close();
});

test("money moves without scripts: a payout, a refund and a ruling", async ({ browser }) => {
  const sent: Sent = [];
  const [contested] = await Promise.all([plantDispute(office), payoutBegun(office), refundDue(office)]);
  const page = await desk(browser, false);
  for (const kind of ["payout", "refund"] as const) await clear(page, kind, { office, sent });
  await takeCase(page, contested);
  await split(page, "40000");
  await clear(page, "payout", { office, sent });
  expect(sent.map(({ sum }) => sum)).toEqual(["100,000", "110,000", "60,000"]);
  await page.context().close();
});

/** Every payout and refund; the first asks for a fresh sign-in, and takes no sum but its own. */
async function payAll(page: Page, factor: Factor, today: Day): Promise<void> {
  await away();
  await page.goto("/admin?show=payout");
  const due = page.locator('[data-task="payout"]').filter({ hasNotText: /bank|is sending it/ });
  await due.first().getByRole("link").click();
  const at = page.url();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expectToast(page, "Confirm it's you to continue");
  await password(page);
  await paperCode(page, factor);
  await expect(page).toHaveURL(at);
  await expect(page.locator('[data-payout-state="due"]')).toBeVisible();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByLabel("Bank transfer reference").fill("TRF-0");
  await page.getByLabel("Type the amount").fill("1");
  await page.getByRole("button", { name: /^I have sent/ }).click();
  await expect(page.getByText("That's not the amount. Check how much is being sent.")).toBeVisible();
  for (const kind of ["payout", "refund", "suspense"] as const) await clear(page, kind, today);
}

/** Today against the provider: each planted difference stands there by its cause, and is settled. */
async function reconcile(page: Page): Promise<void> {
  await plantDifferences(office);
  await page.goto("/admin");
  await page.getByRole("link", { name: "Reconciliation", exact: true }).click();
  const date = page.getByLabel("Day", { exact: true });
  await date.fill((await date.getAttribute("max")) ?? "");
  await page.getByRole("button", { name: "Show the day" }).click();
  const compare = () => page.getByRole("button", { name: "Compare this day now" }).click();
  await compare();
  const open = page.locator('[data-state="open"]');
  await expect(open).toHaveCount(Object.keys(causes).length);
  for (const [cause, title] of Object.entries(causes)) {
    const one = page.locator(`[data-cause="${cause}"][data-state="open"]`);
    await expect(one.getByRole("heading", { name: title })).toBeVisible();
    if (cause !== "missing_here") await settleFirst(page, cause, `Looked into: ${title}`);
  }
  await open.getByRole("button", { name: "Ask QPay about this transaction now" }).click();
  await expectToast(page, "The provider was asked again");
  await compare();
  await expect(open).toHaveCount(0);
  await expect(page.locator('[data-cause="missing_here"][data-state="vanished"]')).toHaveCount(1);
  await expect(page.locator('[data-state="resolved"]')).toHaveCount(Object.keys(causes).length - 1);
}

/** The receipt of a transfer, as it comes out of the printer: no menus, the sum and the bank's number. */
async function printReceipt(page: Page, [first]: Sent): Promise<void> {
  if (first === undefined) throw new Error("nothing was sent");
  await page.goto(`/admin/payouts/${first.reference.replace("TRF-", "")}`);
  await page.getByRole("link", { name: "Receipt" }).click();
  await expect(page.getByRole("main")).toContainText(first.reference);
  await expect(page.getByRole("main")).toContainText(`${first.sum} ₮`);
  const printed = page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        window.print = () => resolve(true);
      }),
  );
  await page.getByRole("button", { name: "Print" }).click();
  expect(await printed).toBe(true);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation")).toHaveCount(0);
  expect((await page.pdf()).length).toBeGreaterThan(10_000);
  await page.emulateMedia({ media: null });
}
