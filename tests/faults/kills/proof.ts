import { sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";
import { noticesOf, readTradeBalances } from "../../support/trades/trade-books.ts";
import type { Story } from "./scripts.ts";

/** What is wrong with a trade whose script was carried through: nothing, when all of it happened and happened once. */
export async function broken({ deal, ending }: Story): Promise<string[]> {
  const failures: string[] = [];
  const expected = (what: string, is: unknown, should: unknown) => {
    const [a, b] = [JSON.stringify(is), JSON.stringify(should)];
    if (a !== b) failures.push(`trade ${deal.id} (${ending.status}): ${what} is ${a} and should be ${b}`);
  };
  const [trade] = await db().execute<{ status: string }>(
    sql`SELECT status FROM escrow.trades WHERE id = ${deal.id}`,
  );
  expected("its status", trade?.status, ending.status);
  const out = { bank: ending.paid - ending.fees, ...(ending.fees > 0 && { fees: ending.fees }) };
  expected(
    "its money",
    sorted(await readTradeBalances(deal.id)),
    sorted({ "provider:qpay": -ending.paid, ...out }),
  );
  // A QR is shown anew where it was asked for anew; everything else is told once.
  const notices = (await noticesOf(deal.roomId)).filter((code) => code !== "paymentQr").sort();
  expected("what was told more than once", doubled(notices), []);
  expected(`that it was told ${ending.notice}`, notices.includes(ending.notice), true);
  const [counts] = await db().execute<Record<string, string>>(sql`
    SELECT (SELECT count(*) FROM payments.payments WHERE reference = ${deal.id}) AS payments,
      (SELECT count(*) FROM payments.journals WHERE reference = ${deal.id}) AS journals,
      (SELECT count(*) FROM payments.payouts WHERE reference = ${deal.id} AND state <> 'void') AS payouts,
      (SELECT count(*) FROM escrow.trades WHERE room_id = ${deal.roomId}) AS trades`);
  const numbers = Object.fromEntries(Object.entries(counts ?? {}).map(([name, n]) => [name, Number(n)]));
  expected("what was booked", numbers, { payments: 1, journals: 2, payouts: 1, trades: 1 });
  const messages = await db().execute<{ seq: string; type: string; content: string }>(
    sql`SELECT seq, type, content FROM rooms.messages WHERE room_id = ${deal.roomId} ORDER BY seq`,
  );
  expected(
    "its gaps of seq",
    messages.filter(({ seq }, i) => Number(seq) !== i + 1),
    [],
  );
  const texts = messages.filter(({ type }) => type === "text").map(({ content }) => content);
  expected("what was said", texts.sort(), [...ending.said].sort());
  return failures;
}

const doubled = (codes: readonly string[]) => codes.filter((code, i) => codes.indexOf(code) !== i);
const sorted = (of: object) => Object.entries(of).sort(([a], [b]) => a.localeCompare(b));

/** What was left undone by the jobs: mails that wait, jobs that failed for good. */
export async function leftUndone(): Promise<string[]> {
  const [row] = await db().execute<{ dead: string; queued: string; failed: string }>(sql`
    SELECT (SELECT count(*) FROM pgboss.job WHERE name = 'dead-letters') AS dead,
      (SELECT count(*) FROM mailer.messages WHERE state = 'queued') AS queued,
      (SELECT count(*) FROM mailer.messages WHERE state = 'failed') AS failed`);
  return Object.entries(row ?? {}).flatMap(([what, count]) =>
    Number(count) > 0 ? [`${what}: ${count}`] : [],
  );
}
