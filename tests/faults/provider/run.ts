import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../../db/client.ts";
import { freshDatabase } from "../../support/database/test-database.ts";
import { expectStatus, makeRoomPair, signInAdministrator } from "../../support/people/registered-people.ts";
import { turnFactorOn } from "../../support/people/second-factor.ts";
import { seededRandom, shuffleItems } from "../../support/seeded-random.ts";
import { startServer } from "../../support/server/midman-server.ts";
import { type LineBehavior, startFaultProxy } from "../../support/services/fault-proxy.ts";
import type { ServerTrade } from "../../support/trades/server-trades.ts";
import { findBookFaults as brokenBooks } from "../../support/trades/trade-books.ts";
import type { Figures } from "../report.ts";
import {
  askUntilFree,
  newDeal,
  payAtBank,
  providerInvoice,
  type Run,
  readStanding,
  verifyPayment,
} from "./deals.ts";
import { liar, type Row } from "./liar.ts";
import { cases, type Standing } from "./lies.ts";
import { type Scene, scenes } from "./scenes.ts";

export type Options = {
  seed: number;
  /** How often each lie is told, and each way of the line's failing comes. */
  rounds: number;
  /** How long the line to the provider fails, in milliseconds. */
  outageMs: number;
  progress?: (words: string) => void;
};

export const full = { rounds: 8, outageMs: 6_000 };

/** How many trades are under way side by side. */
const AT_ONCE = 5;

const manners: Record<string, LineBehavior | "refused"> = {
  slow: { delayMs: 700 },
  trickling: { bytesPerSecond: 1_500 },
  replyCut: { cutAfter: { down: 250 } },
  replyLost: { loseReplies: true },
  requestCut: { cutAfter: { up: 300 } },
  silent: { stalled: true },
  away: "refused",
};

/**
 * Trades are paid at a provider that lies about the payment, repeats itself, is slow, cut off, silent or away. Nothing but
 * whole tugrik that it calls PAID is ever booked, each payment once, and what it says later of a payment that stands never
 * moves money; once all is well, what was really paid is there.
 */
export async function run({ seed, rounds, outageMs, progress }: Options): Promise<Figures> {
  const began = performance.now();
  const next = seededRandom(seed);
  const counts: Record<string, number> = { trades: 0 };
  const failures: string[] = [];
  const fresh = await freshDatabase();
  const bank = await startServer();
  const far = liar(bank.url);
  const line = await startFaultProxy(`${far.url}/`);
  const provider = {
    QPAY_BASE_URL: `${line.url}sandbox/qpay/v2`,
    QPAY_USERNAME: "sandbox",
    QPAY_PASSWORD: "sandbox",
    QPAY_INVOICE_CODE: "SANDBOX_INVOICE",
  };
  const midman = await startServer({ databaseUrl: fresh.url, environment: provider });
  connectDatabase(fresh.url);
  const pairs = await Promise.all(Array.from({ length: AT_ONCE }, () => makeRoomPair(midman)));
  const admin = await signInAdministrator(midman);
  await turnFactorOn(admin);
  const mine: Run = { midman, bank, far, line, pairs, admin, counts, failures };
  try {
    const lies = Array.from({ length: rounds }, () => shuffleItems(Object.keys(cases), next)).flat();
    for (let i = 0; i < lies.length; i += AT_ONCE)
      await Promise.all(lies.slice(i, i + AT_ONCE).map((name) => lieTo(mine, name, next)));
    for (let i = 0; i < rounds; i++) {
      await swapped(mine);
      for (const [name, scene] of Object.entries(scenes)) await played(mine, name, scene);
    }
    for (const name of Array.from({ length: rounds }, () =>
      shuffleItems(Object.keys(manners), next),
    ).flat()) {
      progress?.(`the line is ${name}`);
      await overLine(mine, name, outageMs);
    }
    for (const fault of await brokenBooks()) failures.push(`books: ${JSON.stringify(fault)}`);
    counts.liesTold = far.lies();
  } finally {
    await Promise.all([midman.kill(), bank.stop()]);
    await line.close();
    far.stop();
    await disconnectDatabase();
    await fresh.drop();
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  return { suite: "provider", seed, counts, failures, seconds };
}

/** One trade whose payment is lied about, and then told truly. */
async function lieTo(run: Run, name: string, next: () => number): Promise<void> {
  const { far, counts, failures } = run;
  const one = cases[name];
  if (one === undefined) return;
  counts.trades = (counts.trades ?? 0) + 1;
  counts[name] = (counts[name] ?? 0) + 1;
  try {
    const deal = await newDeal(run);
    const invoice = await providerInvoice(deal);
    if (!one.afterTruth) far.tell(invoice, one.lie);
    // Told once, five times or never: the buyer presses Verify as well.
    await payAtBank(run, deal, Math.floor(next() * 3) * 2);
    await verifyPayment(deal);
    if (one.afterTruth) {
      far.tell(invoice, one.lie);
      await verifyPayment(deal);
    }
    compare(`${name}, while it lies`, deal, one.during, await readStanding(deal), failures);
    far.tell(invoice);
    await verifyPayment(deal);
    await verifyPayment(deal);
    compare(`${name}, then the truth`, deal, one.after, await readStanding(deal), failures);
  } catch (error) {
    failures.push(`${name}: ${error}`);
  }
}

/**
 * Two trades are paid, and the provider answers for the first with the payment of the second. No rule can tell; but all
 * that was paid is in the books, each payment once, and a person is told of the trade whose payment is another's.
 */
async function swapped(run: Run): Promise<void> {
  const { far, counts, failures } = run;
  counts.swapped = (counts.swapped ?? 0) + 1;
  const [first, second] = await Promise.all([newDeal(run), newDeal(run)]);
  const invoice = await providerInvoice(first);
  let others: Row[] = [];
  far.tell(await providerInvoice(second), (rows) => {
    others = rows;
    return { rows: [] };
  });
  await Promise.all([payAtBank(run, first, 0), payAtBank(run, second, 0)]);
  await verifyPayment(second);
  far.tell(invoice, () => ({ rows: others }));
  await verifyPayment(first);
  far.tell(invoice);
  far.tell(await providerInvoice(second));
  for (const deal of [second, first, second]) await verifyPayment(deal);
  const [one, two] = [await readStanding(first), await readStanding(second)];
  const sum = one.held + one.suspense + two.held + two.suspense;
  if (sum !== 220_000) failures.push(`swapped: of 220,000 paid the books have ${sum}`);
  const [told] = await db().execute<{ count: string }>(sql`
    SELECT count(*) FROM payments.holds WHERE reference IN (${first.id}, ${second.id}) AND reason = 'FOREIGN_INVOICE'`);
  if (Number(told?.count) !== 2) failures.push(`swapped: ${told?.count} of two trades are on hold`);
}

/** A scene of its own; what goes wrong in it is a failure. */
async function played(run: Run, name: string, scene: Scene): Promise<void> {
  run.counts[name] = (run.counts[name] ?? 0) + 1;
  try {
    for (const wrong of await scene(run)) run.failures.push(`${name}: ${wrong}`);
  } catch (error) {
    run.failures.push(`${name}: ${error}`);
  }
}

/** Trades while the line to the provider fails; once it is well they are carried to their confirmation. */
async function overLine(run: Run, name: string, outageMs: number): Promise<void> {
  const { line, counts, failures } = run;
  const manner = manners[name];
  counts[name] = (counts[name] ?? 0) + 1;
  const [shown, paidFor, untouched] = await Promise.all([1, 2, 3].map(() => newDeal(run)));
  if (shown === undefined || paidFor === undefined || untouched === undefined) return;
  if (manner === "refused") await line.refuse();
  else line.behave(manner ?? {});
  // At the bank itself, past the line. Whether it was paid the payer knows, not the books, which may not have it yet: asking
  // those, one would pay twice.
  const paying = payAtBank(run, paidFor, 1);
  await Promise.race([meddle(run, { shown, paidFor, untouched, paying }, name), Bun.sleep(outageMs)]);
  await paying;
  await line.mend();
  for (const deal of [shown, paidFor]) {
    counts.trades = (counts.trades ?? 0) + 1;
    try {
      const { invoiceId } = expectStatus(
        await askUntilFree(() => deal.buyer.post(`/api/transactions/${deal.id}/payment`)),
        200,
      ).body;
      if (deal === shown) await payAtBank(run, { ...deal, invoiceId }, 1);
    } catch (error) {
      if (!String(error).includes("TRADE_OVERTAKEN")) failures.push(`${name}: ${error}`);
    }
    for (const end = Date.now() + 60_000; Date.now() < end; await Bun.sleep(200)) {
      if ((await verifyPayment(deal)) === "payment_confirmed") break;
    }
    const after: Standing = { status: "payment_confirmed", held: 110_000, suspense: 0, holds: [] };
    compare(`${name}, once it is over`, deal, after, await readStanding(deal), failures);
  }
  // An ask that got no answer while the line failed holds the trade until the provider answers the next one.
  for (const end = Date.now() + 60_000; Date.now() < end; await Bun.sleep(200)) {
    await verifyPayment(untouched);
    if ((await readStanding(untouched)).holds.length === 0) break;
  }
  const nothing = { ...(await readStanding(untouched)), status: "" };
  compare(`${name}, unpaid`, untouched, { status: "", held: 0, suspense: 0, holds: [] }, nothing, failures);
}

/** What people do while the provider fails; none of it may be a fault of ours. */
async function meddle(
  run: Run,
  deals: Record<"shown" | "paidFor" | "untouched", ServerTrade> & { paying: Promise<void> },
  name: string,
): Promise<void> {
  const { shown, paidFor, untouched, paying } = deals;
  const at = (deal: ServerTrade, path: string) => `/api/transactions/${deal.id}${path}`;
  const answers = await Promise.all([
    shown.seller.patch(at(shown, ""), { amount: 100_000, description: "the same, corrected" }),
    paying.then(() => paidFor.buyer.post(at(paidFor, "/verify"))),
    untouched.buyer.post(at(untouched, "/verify")),
    untouched.buyer.post(at(untouched, "/mark-paid")),
    untouched.buyer.get(at(untouched, "")),
  ]);
  for (const { status, text } of answers) {
    if (status >= 500 && status !== 502 && status !== 503) run.failures.push(`${name}: ${status} ${text}`);
  }
}

function compare(what: string, deal: ServerTrade, should: Standing, is: Standing, failures: string[]): void {
  const [a, b] = [JSON.stringify(is), JSON.stringify(should)];
  if (a !== b) failures.push(`${what}: trade ${deal.id} is ${a} and should be ${b}`);
}
