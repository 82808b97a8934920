import { sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";
import { expectStatus } from "../../support/people/registered-people.ts";
import type { Client } from "../../support/server/http-client.ts";
import type { Server } from "../../support/server/midman-server.ts";
import type { FaultProxy } from "../../support/services/fault-proxy.ts";
import { type Pair, requestPayment, type ServerTrade } from "../../support/trades/server-trades.ts";
import { readTradeBalances } from "../../support/trades/trade-books.ts";
import type { Liar } from "./liar.ts";
import type { Standing } from "./lies.ts";

export type Run = {
  /** Midman, whose provider is far away; and the server whose sandbox plays that provider. */
  midman: Server;
  bank: Server;
  far: Liar;
  line: FaultProxy;
  /** Who trade, each pair in many rooms. */
  pairs: Pair[];
  admin: Client;
  counts: Record<string, number>;
  failures: string[];
};

let made = 0;

/** A trade of one of the pairs, in turn. */
export function newDeal({ midman, pairs }: Run): Promise<ServerTrade> {
  return requestPayment(midman, pairs[made++ % pairs.length]);
}

/** The payer's bank pays what the invoice says, at the far end. */
export async function payAtBank({ bank }: Run, deal: ServerTrade, callbacks: number): Promise<void> {
  const paid = await bank.client().post(`/sandbox/qpay/pay/${deal.invoiceId}`, { callback: callbacks });
  expectStatus(paid, 200);
}

export async function verifyPayment({ buyer, id }: ServerTrade): Promise<string> {
  return expectStatus(await askUntilFree(() => buyer.post(`/api/transactions/${id}/verify`)), 200).body
    .status;
}

/** Asks again while somebody else's ask of the same trade is under way. */
export async function askUntilFree(
  work: () => ReturnType<ServerTrade["buyer"]["get"]>,
  wanted = "TRADE_OVERTAKEN",
): ReturnType<ServerTrade["buyer"]["get"]> {
  for (let tries = 0; ; tries++) {
    const reply = await work();
    if (![409, 502, 503].includes(reply.status) || tries > 100) return reply;
    if (reply.body.code === wanted || reply.body.code === "TRADE_OVERTAKEN") return reply;
    await Bun.sleep(200);
  }
}

export async function providerInvoice({ invoiceId }: ServerTrade): Promise<string> {
  const [row] = await db().execute<{ provider_id: string }>(
    sql`SELECT provider_id FROM payments.provider_invoices WHERE invoice_id = ${invoiceId}::uuid AND state = 'opened'`,
  );
  return row?.provider_id ?? "";
}

export async function readStanding({ id }: ServerTrade): Promise<Standing> {
  const [trade] = await db().execute<{ status: string }>(
    sql`SELECT status FROM escrow.trades WHERE id = ${id}`,
  );
  // That a callback named what is not listed yet depends on whether there was one; `announced` looks at it.
  const holds = await db().execute<{ reason: string }>(sql`
    SELECT DISTINCT reason FROM payments.holds
    WHERE reference = ${id} AND closed_at IS NULL AND reason <> 'PAYMENT_ANNOUNCED' ORDER BY reason`);
  const accounts = Object.entries(await readTradeBalances(id));
  const sum = (prefix: string) =>
    accounts.reduce((total, [name, amount]) => total + (name.startsWith(prefix) ? amount : 0), 0);
  return {
    status: trade?.status ?? "none",
    held: sum("escrow:"),
    suspense: sum("suspense:"),
    holds: holds.map(({ reason }) => reason),
  };
}
