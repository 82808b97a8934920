import { sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";
import type { Reply } from "../../support/server/http-client.ts";
import { bankInfo, type Pair } from "../../support/trades/server-trades.ts";
import { readTradeBalances } from "../../support/trades/trade-books.ts";

/** What of a trade was acknowledged, each to be found in the tables afterwards. */
export type TradeRecord = {
  roomId: number;
  id?: number;
  invoiceId?: string;
  paid: boolean;
  /** The status that the last acknowledged step led to. */
  status: string;
};

type Findings = { counts: Record<string, number>; failures: string[]; answers: number[] };

const GROSS = 110_000;

/** Two who trade room after room, as people do who press again what was refused, until the time is over. */
export class Traders {
  readonly trades: TradeRecord[] = [];
  #over = false;

  constructor(
    readonly people: Pair,
    readonly rooms: readonly number[],
    readonly found: Findings,
  ) {}

  stop(): void {
    this.#over = true;
  }

  async trade(): Promise<void> {
    for (const roomId of this.rooms) {
      if (this.#over) return;
      const trade: TradeRecord = { roomId, paid: false, status: "initiated" };
      this.trades.push(trade);
      await this.#carryOut(trade).catch((error: Error) =>
        this.found.failures.push(`trade of room ${roomId}: ${error.message}`),
      );
    }
  }

  async #carryOut(trade: TradeRecord): Promise<void> {
    const { seller, buyer } = this.people;
    const asked = { chatRoomId: trade.roomId, amount: 100_000, description: "Account, level 60" };
    // A trade whose creation was not acknowledged may stand all the same.
    const made = await this.#insist(() => seller.post("/api/transactions", asked), 201, 409);
    trade.id = made.status === 201 ? made.body.id : await idOfTrade(trade.roomId);
    const invoice = { transactionId: trade.id };
    const issued = await this.#insist(() => buyer.post("/api/qpay/invoices", invoice), 200);
    trade.invoiceId = issued.body.invoiceId;
    trade.status = "payment_initiated";
    await this.#pay(trade.invoiceId);
    trade.paid = true;
    const at = `/api/transactions/${trade.id}`;
    while (!(await this.#isConfirmed(trade.id))) {
      await Bun.sleep(1_000);
      await this.#insist(() => buyer.post(`${at}/verify`), 200, 409);
    }
    trade.status = "payment_confirmed";
    await this.#insist(() => seller.post(`${at}/bank-info`, bankInfo), 200, 201, 409);
    await this.#insist(() => seller.post(`${at}/hand-over`, {}), 200, 201);
    await this.#insist(() => buyer.post(`${at}/complete`), 200);
    trade.status = "exchange_completed";
    await this.#insist(() => seller.post(`${at}/complete`), 200);
    trade.status = "settlement_pending";
    this.found.counts.settled = (this.found.counts.settled ?? 0) + 1;
  }

  /** The payer's bank pays once: what was not acknowledged is looked up before it is tried again. */
  async #pay(invoiceId: string): Promise<void> {
    const path = `/sandbox/qpay/pay/${invoiceId}`;
    for (;;) {
      const reply = await this.people.buyer.post(path, { callback: 2 }).catch(() => undefined);
      if (reply?.status === 200 || (await paymentsAtProvider(invoiceId)) > 0) return;
      await Bun.sleep(500);
    }
  }

  async #isConfirmed(id: number): Promise<boolean> {
    const reply = await this.#insist(() => this.people.buyer.get(`/api/transactions/${id}`), 200);
    return reply.body.status === "payment_confirmed";
  }

  /** Asks until the answer is one of those; in between there may only be refusals that say when to come again. */
  async #insist(ask: () => Promise<Reply>, ...fine: number[]): Promise<Reply> {
    const { counts, failures, answers } = this.found;
    for (let pause = 200; ; pause = Math.min(pause * 2, 3_000)) {
      const began = performance.now();
      const reply = await ask().catch(() => undefined);
      answers.push(performance.now() - began);
      if (reply !== undefined && fine.includes(reply.status)) return reply;
      const { status, body, headers } = reply ?? {};
      if (status === 503 && /^(OVERLOADED|UNAVAILABLE)$/.test(body?.code ?? "")) {
        counts.moneyRefused = (counts.moneyRefused ?? 0) + 1;
        if (!(Number(headers?.get("retry-after")) > 0))
          failures.push(`503 without Retry-After: ${body?.code}`);
      } else if (status !== undefined && !isPassing(status, body?.code)) {
        throw new Error(`answered ${status} ${reply?.text.slice(0, 200)}`);
      }
      await Bun.sleep(pause);
    }
  }
}

/** The provider is this same instance, whose lines are cut: it may fail, and a check of it may lag. */
function isPassing(status: number, code = ""): boolean {
  return (
    status === 429 || /^(PROVIDER_UNAVAILABLE|PROVIDER_REFUSED|INVOICING_BUSY|CHECK_UNKNOWN)$/.test(code)
  );
}

async function idOfTrade(roomId: number): Promise<number> {
  const [row] = await db().execute<{ id: string }>(
    sql`SELECT id FROM escrow.trades WHERE room_id = ${roomId}`,
  );
  return Number(row?.id);
}

async function paymentsAtProvider(invoiceId: string): Promise<number> {
  const [row] = await db().execute<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM sandbox.payments JOIN sandbox.invoices ON invoices.id = payments.invoice_id
    WHERE invoices.id::text = ${invoiceId} OR invoices.sender_invoice_no = ${invoiceId}`);
  return row?.count ?? 0;
}

const order = [
  ...["initiated", "payment_initiated", "payment_pending", "payment_processing"],
  ...["payment_confirmed", "exchange_completed", "settlement_pending"],
];

/** Holds what the traders were told against the tables: each acknowledged step stands, and each payment is booked once. */
export async function proveTrades(
  traders: readonly Traders[],
  { counts, failures }: Findings,
): Promise<void> {
  const trades = traders.flatMap((one) => one.trades);
  counts.trades = trades.length;
  counts.paidTrades = trades.filter(({ paid }) => paid).length;
  for (const trade of trades) {
    if (trade.id === undefined) continue;
    const [row] = await db().execute<{ status: string; count: number; sum: string }>(sql`
      SELECT trades.status, count(payments.id)::int AS count, coalesce(sum(payments.amount), 0) AS sum
      FROM escrow.trades LEFT JOIN payments.invoices ON invoices.reference = trades.id
      LEFT JOIN payments.payments ON payments.invoice_id = invoices.id
      WHERE trades.id = ${trade.id} GROUP BY trades.status`);
    const name = `trade ${trade.id}`;
    if (row === undefined || order.indexOf(row.status) < order.indexOf(trade.status))
      failures.push(`${name}: acknowledged as ${trade.status}, stands as ${row?.status}`);
    if (trade.paid && (row?.count !== 1 || Number(row.sum) !== GROSS))
      failures.push(`${name}: paid once, booked ${row?.count} times, ${row?.sum}`);
    if (!trade.paid) continue;
    const held = (await readTradeBalances(trade.id))[`escrow:${trade.id}`];
    if (held !== GROSS) failures.push(`${name}: holds ${held}`);
  }
}
