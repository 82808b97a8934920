import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { setClock } from "#db/clock";
import { startJobs, stopJobs } from "#db/jobs";
import { formatDay as dayOf, daySpan } from "#format";
import { differencesOf } from "#modules/payments";
import { useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import {
  createInvoicedTrade,
  expectAccepted,
  moneyOf,
  type PlantedTrade,
  useSandboxProvider,
} from "../../../../../tests/support/trades/sandbox-trades.ts";
import { confirmManualPayment } from "../manual-payments/confirm.ts";
import { checkManualPayments } from "./ask-provider.ts";
import { runReconciliation } from "./reconciliation.ts";

const database = useDatabase();
const market = useSandboxProvider();

// All tests use one day, which does not end while they run.
const day = dayOf(new Date());
let time = daySpan(day).from.getTime() + 12 * 3_600_000;
let putBack: () => void;
beforeAll(() => {
  putBack = setClock(() => new Date(time));
});
afterAll(() => putBack());

/** Pays a trade before it is confirmed manually, but the provider does not list the payment yet. Returns the function that lists it. */
async function paidUnlisted(deal: PlantedTrade): Promise<() => Promise<unknown>> {
  const { paymentIds } = await market.pay(deal, { callback: false });
  const [id = ""] = paymentIds;
  await db().execute(
    sql`UPDATE sandbox.payments SET paid_at = ${new Date(time).toISOString()}, status = 'NEW' WHERE id = ${id}`,
  );
  return () => db().execute(sql`UPDATE sandbox.payments SET status = 'PAID' WHERE id = ${id}`);
}

async function byHand(deal: PlantedTrade, reference: string): Promise<void> {
  const signedIn = { authenticatedAt: new Date(time) };
  const second = { ...(await plantUser({ isAdmin: true })), ...signedIn };
  for (const admin of [{ ...deal.admin, ...signedIn }, second]) {
    await expectAccepted(confirmManualPayment(admin, deal.id, { amount: 110_000, reference }));
  }
}

async function found({ admin }: PlantedTrade): Promise<string[]> {
  time += 60_000;
  await expectAccepted(runReconciliation(admin, { day }));
  return (await differencesOf(db(), day)).map(({ cause, state }) => `${cause} ${state}`);
}

test("a manual confirmation is matched with its payment once the provider lists it, and with no other", async () => {
  const [deal, other] = [await createInvoicedTrade(), await createInvoicedTrade()];
  const list = await paidUnlisted(deal);
  await byHand(deal, "fs 77");
  await byHand(other, "fs 78");
  expect(await found(deal)).toEqual(["by_hand open", "by_hand open"]);
  await checkManualPayments();
  expect(await found(deal)).toEqual(["by_hand open", "by_hand open"]);
  // The invoice may have been checked within the last minute: a payment since then is found all the same.
  await checkManualPayments();
  await list();
  await checkManualPayments();
  expect(await found(deal)).toEqual(["by_hand open", "by_hand vanished"]);
  for (const one of [deal, other])
    expect(await moneyOf(one)).toEqual({ held: 110_000, suspense: 0, records: [] });
});

test("if one morning cannot check all, those unchecked for longest come first", async () => {
  const [never, later] = [await createInvoicedTrade(), await createInvoicedTrade()];
  const list = await paidUnlisted(later);
  await byHand(never, "fs 79");
  await byHand(later, "fs 80");
  expect(await found(never)).toEqual([...Array(3).fill("by_hand open"), "by_hand vanished"]);
  await checkManualPayments(2);
  await list();
  time += 60_000;
  await checkManualPayments(1);
  expect(await found(never)).toEqual([
    ...Array(2).fill("by_hand open"),
    ...Array(2).fill("by_hand vanished"),
  ]);
});

test("they are checked each morning at seven in Ulaanbaatar, ten minutes before the comparison", async () => {
  await db().execute(sql`DELETE FROM pgboss.schedule`);
  await startJobs(database.url);
  await stopJobs();
  const planned = await db().execute(sql`SELECT cron FROM pgboss.schedule WHERE name = 'escrow.ask-by-hand'`);
  expect([...planned]).toEqual([{ cron: "0 23 * * *" }]);
});
