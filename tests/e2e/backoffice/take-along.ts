import { readFileSync } from "node:fs";
import { expect, type Locator, type Page } from "@playwright/test";
import { formatDay } from "#format";
import type { Sent } from "./money.ts";

/** The lines of the file that a press downloads; spreadsheets know it for UTF-8 by its mark. */
async function lines(page: Page, press: Locator, name: string): Promise<string[]> {
  const [download] = await Promise.all([page.waitForEvent("download"), press.click()]);
  expect(download.suggestedFilename()).toBe(name);
  const text = readFileSync(await download.path(), "utf8");
  expect(text).toMatch(/^\ufeff/);
  return text.slice(1).trimEnd().split("\r\n");
}

/** Takes today's transfers: each that was sent, once, with its sum and the bank's number. */
export async function takeTransfers(page: Page, sent: Sent): Promise<void> {
  await page.goto("/admin/payouts");
  const press = page.getByRole("button", { name: "Download CSV" });
  const [head, ...rows] = await lines(page, press, `transfers-${formatDay(new Date())}.csv`);
  expect(head).toMatch(/^Sent at,Transaction,Kind,Amount,Fee,Bank,/);
  expect(rows).toHaveLength(sent.length);
  for (const { reference, sum } of sent) {
    // Written so that a spreadsheet keeps the number as it is.
    const row = rows.filter((line) => line.includes(`,"=""${reference}""",`));
    expect(row).toHaveLength(1);
    expect(row[0]).toContain(`,${sum.replaceAll(",", "")},`);
  }
}

/** Takes the log, whole: what was done this day is in it. */
export async function takeLog(page: Page): Promise<void> {
  await page.goto("/admin/activity-logs");
  const press = page.getByRole("link", { name: "Export CSV" });
  const [head, ...rows] = await lines(page, press, `activity_logs_${formatDay(new Date())}.csv`);
  expect(head).toBe("ID,User ID & Name,Chat Room ID,Action,IP Address,Device,Time,Additional Data");
  expect(rows.length).toBeGreaterThan(200);
  for (const done of ["Dispute decided", "Payout approved", "Difference resolved"]) {
    expect(rows.filter((row) => row.includes(done)).length, done).toBeGreaterThan(0);
  }
}
