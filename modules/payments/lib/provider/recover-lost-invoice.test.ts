import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { openInvoice } from "../invoices/open-invoice.ts";
import { providerInvoicesTable } from "../schema/provider.ts";
import { checkInvoices } from "./check-invoices.ts";
import { newReference, opened, reserve, useSandbox } from "./provider.fixture.ts";
import { recognizeLostInvoices } from "./recover-lost-invoice.ts";

useDatabase();
const sandbox = useSandbox();

/** Announces a payment of an invoice whose creation reply was lost; returns a function that reads the creation's state and provider id. */
async function announced(invoiceId: string, announcedPayment: string) {
  const creation = eq(providerInvoicesTable.invoiceId, invoiceId);
  await db().update(providerInvoicesTable).set({ announcedPayment }).where(creation);
  return async () => {
    const [row] = await db().select().from(providerInvoicesTable).where(creation);
    return [row?.state, row?.providerId];
  };
}

async function lost(reference: number): Promise<string> {
  const { invoiceId } = await reserve(reference, 10_000);
  await sandbox.told({ operation: "invoice", loseReply: true });
  expect((await openInvoice(invoiceId)).ok).toBe(false);
  return invoiceId;
}

test("a payment announced for one invoice and made to another finds neither", async () => {
  const reference = newReference();
  const invoiceId = await lost(reference);
  const { providerId } = await opened(newReference(), 10_000);
  const { paymentIds } = await sandbox.pay(providerId, { callback: false });
  const known = await announced(invoiceId, paymentIds[0] ?? "");
  await recognizeLostInvoices(reference, new Date(), false);
  expect(await known()).toEqual(["lost", null]);
});

test("a payment that is missing or cannot be looked up finds nothing yet", async () => {
  const reference = newReference();
  const invoiceId = await lost(reference);
  const { paymentIds } = await sandbox.pay(`${invoiceId}-1`, { callback: false });
  const missing = await announced(invoiceId, "0");
  await recognizeLostInvoices(reference, new Date(), false);
  expect(await missing()).toEqual(["lost", null]);
  const known = await announced(invoiceId, paymentIds[0] ?? "");
  await sandbox.told({ operation: "getInvoice", fail: 500, nextCalls: 3 });
  await recognizeLostInvoices(reference, new Date(), false);
  expect(await known()).toEqual(["lost", null]);
  await recognizeLostInvoices(reference, new Date(), false);
  expect(await known()).toEqual(["found", expect.any(String)]);
});

test("a paid invoice whose creation reply was lost is found among the merchant's payments, without a callback", async () => {
  const reference = newReference();
  const invoiceId = await lost(reference);
  const creation = eq(providerInvoicesTable.invoiceId, invoiceId);
  const known = async () => {
    const [row] = await db().select().from(providerInvoicesTable).where(creation);
    return [row?.state, row?.providerId !== null];
  };
  await recognizeLostInvoices(reference, new Date(), true);
  expect(await known()).toEqual(["lost", false]);
  await sandbox.pay(`${invoiceId}-1`, { callback: false });
  await recognizeLostInvoices(reference, new Date(), false);
  expect(await known()).toEqual(["lost", false]);
  const { rows } = await checkInvoices(reference, new Date(Date.now() + 1_000), { force: true });
  expect(await known()).toEqual(["found", true]);
  expect(rows.map(({ amount }) => amount)).toEqual([10_000]);
});
