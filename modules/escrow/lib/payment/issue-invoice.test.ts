import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { cancelInvoices, listInvoices, liveInvoice, openInvoice, reserveInvoice } from "#modules/payments";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  createInvoicedTrade,
  createRequestedTrade,
  expectAccepted,
  holdRows,
  type PlantedTrade,
  runAtTime,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { tradeNow } from "../core/trade.fixture.ts";
import { checkPayment } from "./check-payment.ts";
import { issueInvoice } from "./issue-invoice.ts";

useDatabase();
const market = useSandboxProvider();

const states = async (deal: PlantedTrade) => (await listInvoices(db(), deal.id)).map(({ state }) => state);

/** Waits until a trade's invoices have these states. */
async function until(deal: PlantedTrade, wanted: string[]): Promise<void> {
  for (const end = Date.now() + 5_000; !Bun.deepEquals(await states(deal), wanted); await Bun.sleep(5)) {
    if (Date.now() > end) throw new Error(`they are ${await states(deal)}`);
  }
}

test("an existing QR code is shown again on every request, without waiting", async () => {
  const deal = await createInvoicedTrade();
  await db().execute(sql`
    INSERT INTO escrow.invoicing (trade_id, token, until)
    VALUES (${deal.id}, gen_random_uuid(), clock_timestamp() + interval '1 minute')`);
  const live = await liveInvoice(db(), deal.id);
  for (let look = 0; look < 40; look++) {
    const answer = await expectAccepted(issueInvoice(deal.buyer, deal.id));
    expect(answer).toMatchObject({
      changed: false,
      invoice: { id: live?.id ?? "", qrText: live?.qrText ?? "" },
    });
  }
});

test("after a part payment the QR code is for the rest, and stays the same", async () => {
  const deal = await createInvoicedTrade();
  await market.pay(deal, { amount: 60_000 });
  await expectAccepted(checkPayment(deal.id, "callback"));
  const rest = await expectAccepted(issueInvoice(deal.buyer, deal.id));
  expect(rest).toMatchObject({ changed: true, invoice: { amount: 50_000 } });
  const again = await expectAccepted(issueInvoice(deal.seller, deal.id));
  expect(again).toMatchObject({ changed: false, invoice: { id: rest.invoice.id } });
});

test("an invoice that the provider did not create within its ten minutes is created by the next request, not another one", async () => {
  const start = new Date("2030-04-01T00:00:00Z");
  const deal = await runAtTime(start, () => createRequestedTrade());
  await market.behave({ operation: "invoice", fail: 503, nextCalls: "all" });
  await runAtTime(start, () => issueInvoice(deal.buyer, deal.id));
  await market.behave({ reset: true });
  const [reserved] = await listInvoices(db(), deal.id);
  const hour = new Date(start.getTime() + 3_600_000);
  const made = await runAtTime(hour, () => expectAccepted(issueInvoice(deal.buyer, deal.id)));
  expect(made.invoice.id).toBe(reserved?.id ?? "none");
  expect(await states(deal)).toEqual(["open"]);
});

test("an invoice whose creator was killed before showing it is shown by the next request", async () => {
  const deal = await createRequestedTrade();
  const given = { reference: deal.id, amount: 110_000, description: "Midman", at: new Date() };
  const { invoiceId } = await runInTransaction((tx) => reserveInvoice(tx, given));
  await openInvoice(invoiceId);
  expect((await tradeNow(deal)).status).toBe("initiated");
  expect(await expectAccepted(issueInvoice(deal.buyer, deal.id))).toMatchObject({
    changed: true,
    trade: { status: "payment_initiated", invoiceId },
  });
});

test("money that arrives while its QR code is being replaced is booked for the caller, and no QR code replaces it", async () => {
  const deal = await createInvoicedTrade();
  await market.behave({ operation: "check", delayMs: 1_500, nextCalls: 1 });
  const answer = issueInvoice(deal.buyer, deal.id, { fresh: true });
  for (let wait = 0; wait < 100 && (await checked()) === 0; wait++) await Bun.sleep(5);
  await Bun.sleep(100); // by now the check has found nothing
  await market.pay(deal);
  expect(await answer).toMatchObject({ ok: false, code: "TRADE_OVERTAKEN" });
  await market.behave({ reset: true });
  expect(await tradeNow(deal)).toMatchObject({ status: "payment_confirmed", held: 110_000 });
  expect(await states(deal)).toEqual(["paid"]);
  const [entry] = await db().execute<{ user_id: string }>(sql`
    SELECT user_id FROM audit.entries e JOIN payments.payments p ON e.subject_id = p.id::text
    WHERE e.subject_kind = 'payment' AND e.action = 'payment.booked' AND p.reference = ${deal.id}`);
  expect(Number(entry?.user_id)).toBe(deal.buyer.userId);
});

/** How often the provider was asked about an invoice since the sandbox was last reset. */
async function checked(): Promise<number> {
  const told = (await market.behave({})) as unknown as { calls: Record<string, number> };
  return told.calls.check ?? 0;
}

test("an invoice that ends while it waits to be shown is not shown", async () => {
  const deal = await createRequestedTrade();
  await market.behave({ operation: "invoice", delayMs: 1_500, nextCalls: 1 });
  const answer = issueInvoice(deal.buyer, deal.id);
  await until(deal, ["reserved"]);
  // The step that shows the invoice waits for this lock.
  const release = await holdRows(sql`SELECT FROM escrow.trades WHERE id = ${deal.id} FOR UPDATE`);
  await until(deal, ["open"]);
  await cancelInvoices(deal.id);
  await release();
  expect(await answer).toMatchObject({ ok: false, code: "INVOICE_CLOSED" });
  await market.behave({ reset: true });
  expect(await tradeNow(deal)).toMatchObject({ status: "initiated", invoiceId: null });
});
