import { expect, type Page } from "@playwright/test";
import { expectToast } from "./expect-toast.ts";

/** What was sent from the desk: the bank's number of each transfer and its sum. */
export type Sent = Array<{ reference: string; sum: string }>;

/** The sum that a button or a label names, as it is typed. */
export function sumIn(words: string | null): string {
  return /([\d,]+) ₮/.exec(words ?? "")?.[1] ?? "";
}

/** The number of the record whose page is open. */
export function numberOf(page: Page): string {
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

/** Takes a payout or refund from where it stands to sent, on its own page; what another is making is taken over. */
export async function send(page: Page, sent: Sent): Promise<void> {
  const state = page.locator("[data-payout-state]");
  if ((await state.getAttribute("data-payout-state")) === "due") {
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await expectToast(page, /^(Payout|Refund) approved$/);
  }
  const over = page.locator("summary", { hasText: "Take the transfer over" });
  if ((await over.count()) > 0) {
    await expect(page.locator("main")).toContainText(/is making this transfer \(since /);
    await over.click();
    await page.getByRole("button", { name: "Take the transfer over" }).click();
    await expectToast(page, "You're making this transfer now");
  }
  const button = page.getByRole("button", { name: /^(I have sent|The bank has sent) / });
  const sum = sumIn(await button.textContent());
  const reference = `TRF-${numberOf(page)}`;
  await page.getByLabel("Bank transfer reference").fill(reference);
  await page.getByLabel("Type the amount").fill(sum);
  await button.click();
  await expectToast(page, /^(Payout|Refund) recorded as sent$/);
  await expect(state).toHaveAttribute("data-payout-state", /^(sent|done)$/);
  sent.push({ reference, sum });
}

/** Ticks that the other side has still time to explain itself. */
export async function ruleAllTheSame(page: Page): Promise<void> {
  await expect(page.locator('[data-ruling-warning="statements_open"]')).toBeVisible();
  await page.getByLabel("I understand and want to decide anyway. Midman records this.").check();
}

/** On the page of a split: the sums each side gets are shown, and only the right one, typed, rules. */
export async function split(page: Page, refund: string): Promise<void> {
  await page.getByLabel("Split between both").check();
  await page.getByLabel("Refund to the buyer (₮)").fill(refund);
  await page.getByRole("button", { name: "Show what each side gets" }).click();
  const ruling = page.locator("#ruling");
  await expect(ruling).toContainText(/The buyer gets\s*40,000 ₮/);
  await expect(ruling).toContainText(/The seller gets\s*60,000 ₮/);
  await expect(ruling).toContainText(/Service fee\s*10,000 ₮/);
  const decide = async (typed: string) => {
    await page.getByLabel("Reason").fill("Хоёр тал хоёулаа хариуцна");
    await page.getByLabel("Type the amount for the buyer: 40,000 ₮").fill(typed);
    await page.getByRole("button", { name: "Yes: Decide the dispute" }).click();
  };
  await decide("40,000");
  await expect(page.getByText("Confirm the warnings first. You can't undo a ruling.")).toBeVisible();
  await ruleAllTheSame(page);
  await decide("60,000");
  await expect(page.getByText("The amount is 40,000 ₮. Type exactly that to confirm.")).toBeVisible();
  await decide("40,000");
  await expectToast(page, "The ruling was recorded");
  await expect(page.getByText("The money was split")).toBeVisible();
}
