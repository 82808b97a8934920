import { expect, type Locator, type Page } from "@playwright/test";
import { expectStatus } from "../../support/people/registered-people.ts";
import { refundAccount } from "../../support/trades/server-trades.ts";
import { expectToast } from "./expect-toast.ts";
import { numberOf, type Sent, send, sumIn } from "./money.ts";
import { type Office, slip } from "./plant.ts";

export type Day = { office: Office; sent: Sent };
type Kind = keyof typeof steps;

const open = (task: Locator) => task.getByRole("link").click();

/** How each kind of work is done, from its place in the list to the word that it is done. */
const steps = {
  async unconfirmed(page: Page, task: Locator, { office }: Day) {
    const handedOver = (await task.textContent())?.includes("not confirmed within 24 hours");
    await open(task);
    if (handedOver) {
      await decide(page, "Complete the transaction", "Type the amount for the seller");
      return expectToast(page, "A payout is due. Send it from its own page.");
    }
    await decide(page, "Cancel the transaction", "Type the amount for the buyer");
    await expectToast(page, "Transaction cancelled");
    await giveRefundAccount(page, office);
  },
  async hold(page: Page, task: Locator, { office }: Day) {
    await open(task);
    const holds = page.locator("[data-hold]").filter({ hasText: "Resolve this reason" });
    const note = "Read on QPay's page";
    for (let left = await holds.count(); left > 0; left = await holds.count()) {
      const hold = holds.first();
      const reversed = (await hold.getAttribute("data-hold")) === "PAYMENT_REVERSED";
      const outcome = reversed ? "taken_back" : "dismissed";
      await hold.locator("summary", { hasText: "Resolve this reason" }).click();
      await hold.locator(`input[name="outcome"][value="${outcome}"]`).check();
      await hold.getByLabel("How did you find out?").fill(note);
      const id = await hold.locator('input[name="hold"]').inputValue();
      await hold.getByRole("button", { name: /^Resolve ?: / }).click();
      await expect(
        page
          .getByText(/^(The reason was resolved|Proposed\. Another administrator must confirm it\.)/)
          .first(),
      ).toBeVisible();
      // While Midman holds money of the trade, another administrator says the same.
      expectStatus(await office.second.post(`/api/admin/holds/${id}/resolve`, { outcome, note }), 200);
      await page.reload();
    }
  },
  async byHand(page: Page, task: Locator) {
    await open(task);
    await page.getByLabel("Type the amount").fill(String(slip.amount));
    await page.getByLabel("Bank transfer reference or QPay payment number").fill(slip.reference);
    await page.getByRole("button", { name: "Confirm the payment" }).click();
    await expectToast(page, "Payment confirmed manually");
  },
  async difference(page: Page, task: Locator) {
    await open(task);
    await settleFirst(page, "missing_here", "Paid on yesterday's slip");
  },
  async job(page: Page, task: Locator) {
    await expect(task).toContainText("the database was away for a moment");
    await task.getByRole("button", { name: "Try again" }).click();
    await expectToast(page, "It will be tried again");
  },
  async mail(page: Page, task: Locator) {
    await expect(task).toContainText("no such mailbox");
    await task.getByRole("button", { name: "Mark as resolved" }).click();
    await expectToast(page, "Marked as resolved");
  },
  payout: pay,
  refund: pay,
  suspense: pay,
} as const;

/** Decides about held money on the page of its transaction: the sum it names is typed out. */
async function decide(page: Page, what: string, asks: string): Promise<void> {
  await page.locator("summary", { hasText: what }).click();
  const label = page.locator("label", { hasText: asks });
  await page.getByLabel(asks).fill(sumIn(await label.textContent()));
  await page.getByRole("button", { name: `Yes: ${what}` }).click();
}

async function pay(page: Page, task: Locator, { sent }: Day): Promise<void> {
  await open(task);
  await send(page, sent);
}

/** The buyer says where the money goes back to, as the room asks them. */
export async function giveRefundAccount(page: Page, { buyer }: Office): Promise<void> {
  const id = numberOf(page);
  expectStatus(await buyer.post(`/api/transactions/${id}/refund-destination`, refundAccount), 200, 201);
}

/** Says what was found out about the first open difference of a cause. */
export async function settleFirst(page: Page, cause: string, note: string): Promise<void> {
  const open = page.locator('[data-state="open"]');
  const left = await open.count();
  const one = page.locator(`[data-cause="${cause}"][data-state="open"]`).first();
  await one.locator("summary").click();
  await one.getByLabel("What you found out and what you did").fill(note);
  await one.getByRole("button", { name: "Mark as resolved" }).click();
  await expect(open).toHaveCount(left - 1);
  await expectToast(page, "Difference resolved");
}

/** Does what waits of a kind, from the list, until nothing of it is left. */
export async function clear(page: Page, kind: Kind, day: Day): Promise<void> {
  const tasks = page.locator(`[data-task="${kind}"]`);
  await page.goto(`/admin?show=${kind}`);
  for (let left = await tasks.count(); left > 0; left--) {
    await steps[kind](page, tasks.first(), day);
    await page.goto(`/admin?show=${kind}`);
    await expect(tasks).toHaveCount(left - 1);
  }
}
