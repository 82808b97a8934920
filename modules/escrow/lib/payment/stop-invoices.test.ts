import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { liveInvoice } from "#modules/payments";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  createInvoicedTrade,
  expectAccepted,
  runDueJobs,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { confirmManualPayment } from "../backoffice/manual-payments/confirm.ts";
import { adminCancel } from "../backoffice/transactions/administrator-commands.ts";
import { amendTrade } from "../trade/amend-trade.ts";
import { issueInvoice } from "./issue-invoice.ts";

useDatabase();
useSandboxProvider();

/** The outcome of withdrawing each invoice of a trade at the provider, oldest first; null while there is none. */
async function atProvider(deal: { id: number }): Promise<Array<string | null>> {
  const rows = await db().execute<{ withdrawal: string | null }>(sql`
    SELECT p.withdrawal FROM payments.provider_invoices p JOIN payments.invoices i ON i.id = p.invoice_id
    WHERE i.reference = ${deal.id} ORDER BY p.id`);
  return rows.map(({ withdrawal }) => withdrawal);
}

test("before an administrator ends a trade its QR code is withdrawn at the provider", async () => {
  const deal = await createInvoicedTrade();
  await expectAccepted(adminCancel(deal.admin, deal.id));
  expect(await atProvider(deal)).toEqual(["cancelled"]);
});

test("once a trade was paid another way, its QR code can no longer be paid at the provider", async () => {
  const deal = await createInvoicedTrade();
  const given = { amount: 110_000, reference: `QR-${deal.id}` };
  await expectAccepted(confirmManualPayment(deal.admin, deal.id, given));
  await expectAccepted(confirmManualPayment(await plantUser({ isAdmin: true }), deal.id, given));
  expect(await atProvider(deal)).toEqual([null]);
  await runDueJobs();
  expect(await atProvider(deal)).toEqual(["cancelled"]);
});

test("the QR code for the amended amount stays payable; the one for the old amount is withdrawn", async () => {
  const deal = await createInvoicedTrade();
  await expectAccepted(amendTrade(deal.seller, deal.id, { amount: 60_000 }));
  await expectAccepted(issueInvoice(deal.buyer, deal.id));
  const shown = await liveInvoice(db(), deal.id);
  expect(shown).toMatchObject({ state: "open" });
  await runDueJobs();
  expect((await liveInvoice(db(), deal.id))?.id).toBe(shown?.id);
  expect((await atProvider(deal)).at(-1)).toBeNull();
});
