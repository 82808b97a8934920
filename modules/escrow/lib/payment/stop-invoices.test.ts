import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { liveInvoice } from "#modules/payments";
import { useDatabase } from "../../../../tests/support/database.ts";
import { drain, invoiced, must, useMarket } from "../../../../tests/support/market.ts";
import { plantUser } from "../../../../tests/support/trade.ts";
import { confirmByHand } from "../backoffice/manual-payments/confirm.ts";
import { adminCancel } from "../backoffice/transactions/administrator-commands.ts";
import { amendTrade } from "../trade/amend-trade.ts";
import { issueInvoice } from "./issue-invoice.ts";

useDatabase();
useMarket();

/** What became of each invoice of a trade at the provider, oldest first. */
async function atProvider(deal: { id: number }): Promise<Array<string | null>> {
  const rows = await db().execute<{ withdrawal: string | null }>(sql`
    SELECT p.withdrawal FROM payments.provider_invoices p JOIN payments.invoices i ON i.id = p.invoice_id
    WHERE i.reference = ${deal.id} ORDER BY p.id`);
  return rows.map(({ withdrawal }) => withdrawal);
}

test("before an administrator ends a trade its QR is withdrawn at the provider", async () => {
  const deal = await invoiced();
  await must(adminCancel(deal.admin, deal.id));
  expect(await atProvider(deal)).toEqual(["cancelled"]);
});

test("once a trade was paid otherwise, nobody can pay its QR at the provider any more", async () => {
  const deal = await invoiced();
  const given = { amount: 110_000, reference: `QR-${deal.id}` };
  await must(confirmByHand(deal.admin, deal.id, given));
  await must(confirmByHand(await plantUser({ isAdmin: true }), deal.id, given));
  expect(await atProvider(deal)).toEqual([null]);
  await drain();
  expect(await atProvider(deal)).toEqual(["cancelled"]);
});

test("the QR that a buyer has for the amended sum stays payable; the one for the old sum is withdrawn", async () => {
  const deal = await invoiced();
  await must(amendTrade(deal.seller, deal.id, { amount: 60_000 }));
  await must(issueInvoice(deal.buyer, deal.id));
  const shown = await liveInvoice(db(), deal.id);
  expect(shown).toMatchObject({ state: "open" });
  await drain();
  expect((await liveInvoice(db(), deal.id))?.id).toBe(shown?.id);
  expect((await atProvider(deal)).at(-1)).toBeNull();
});
