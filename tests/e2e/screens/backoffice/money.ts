import type { Page } from "@playwright/test";
import { sql } from "drizzle-orm";
import { formatDay } from "#format";
import { db } from "../../../../db/client.ts";
import { stillMoment } from "../../../support/programs/still-clock.ts";
import { post } from "../acts.ts";
import type { Screen } from "../screen.ts";

/** Shows the money desk as it is after the ledger was verified, and leaves no trace of that. */
async function ledgerVerified(problems: object[] | null, page: Page) {
  await db().execute(sql`
    INSERT INTO payments.ledger_checks (at, ok, received, held, suspense, paid_out, fees, refunded, journals, entries, payments,
      payouts, problems)
    VALUES (${stillMoment}, ${problems === null}, 3842500, 2561000, 20000, 1133000, 18500, 110000, 1042, 2284, 418, 377,
      ${problems && JSON.stringify(problems)})`);
  await page.reload();
  await db().execute(sql`DELETE FROM payments.ledger_checks`);
}

const brokenLedger = [
  { code: "JOURNAL_UNBALANCED", count: 2, examples: ["journal 418", "journal 1042"] },
  { code: "BALANCE_DIFFERS", count: 1, examples: ["escrow:418"] },
];

/** The back office: reconciliation, the treasury and settlements. */
export const moneyScreens: Screen[] = [
  {
    name: "admin-reconciliation",
    route: "admin/reconciliation",
    at: `/admin/reconciliation?day=${formatDay(stillMoment)}`,
    as: "admin",
  },
  {
    name: "admin-reconciliation-not-yet",
    route: "admin/reconciliation",
    at: "/admin/reconciliation",
    as: "admin",
  },
  { name: "admin-money", route: "admin/money", at: "/admin/money", as: "admin" },
  {
    name: "admin-settlements",
    route: "admin/money/settlements",
    at: "/admin/money/settlements",
    as: "admin",
  },
  {
    name: "admin-settlements-wrong",
    route: "admin/money/settlements",
    at: "/admin/money/settlements",
    as: "admin",
    status: 422,
    act: post("settlement", { bankReference: "", received: "0", cost: "" }),
  },
  {
    name: "admin-money-wrong",
    route: "admin/money",
    at: "/admin/money",
    as: "admin",
    status: 422,
    act: async (page, world) => {
      await page.locator('main details:has(input[value="halt"]) > summary').click();
      await post("halt", { reason: "", word: "x" })?.(page, world);
    },
  },
  {
    name: "admin-money-whole",
    route: "admin/money",
    at: "/admin/money",
    as: "admin",
    act: (page) => ledgerVerified(null, page),
  },
  {
    name: "admin-money-broken",
    route: "admin/money",
    at: "/admin/money",
    as: "admin",
    act: (page) => ledgerVerified(brokenLedger, page),
  },
];
