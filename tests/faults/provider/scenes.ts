import { sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";
import { expectStatus } from "../../support/people/registered-people.ts";
import { bankInfo, payoutOf, type ServerTrade } from "../../support/trades/server-trades.ts";
import {
  askUntilFree,
  newDeal,
  payAtBank,
  providerInvoice,
  type Run,
  readStanding,
  verifyPayment,
} from "./deals.ts";

/** Plays one way in which a provider misleads; answers what went otherwise than it must. */
export type Scene = (run: Run) => Promise<string[]>;

const at = ({ id }: ServerTrade, path: string) => `/api/transactions/${id}${path}`;

/** The endings of an unpaid trade that its people can reach, and what each was answered. */
async function tryToEnd({ admin }: Run, deal: ServerTrade): Promise<string[]> {
  const replies = [
    await askUntilFree(() => deal.seller.post(at(deal, "/withdraw")), "TRADE_ON_HOLD"),
    await askUntilFree(() => deal.seller.patch(at(deal, ""), { amount: 90_000 }), "TRADE_ON_HOLD"),
    await askUntilFree(
      () => deal.buyer.post("/api/qpay/invoices", { transactionId: deal.id, fresh: true }),
      "TRADE_ON_HOLD",
    ),
    await askUntilFree(() => admin.post(`/api/admin/transactions/${deal.id}/cancel`), "TRADE_ON_HOLD"),
  ];
  return replies
    .filter(({ status, body }) => status !== 409 || body.code !== "TRADE_ON_HOLD")
    .map(({ status, text }) => `an ending was answered ${status} ${text.slice(0, 200)}`);
}

async function expectStanding(
  deal: ServerTrade,
  wanted: Partial<Awaited<ReturnType<typeof readStanding>>>,
): Promise<string[]> {
  const is = await readStanding(deal);
  return Object.entries(wanted).flatMap(([name, value]) =>
    JSON.stringify(is[name as keyof typeof is]) === JSON.stringify(value)
      ? []
      : [`${name} is ${JSON.stringify(is[name as keyof typeof is])} and should be ${JSON.stringify(value)}`],
  );
}

/** INVOICE_PAID at cancelling, while the list lags. */
async function paidWhileTheListLags(run: Run): Promise<string[]> {
  const deal = await newDeal(run);
  const invoice = await providerInvoice(deal);
  run.far.tell(invoice, () => ({ rows: [] }));
  run.far.tellCancelling(invoice, () => ({
    status: 400,
    body: { error: "INVOICE_PAID", message: "INVOICE_PAID" },
  }));
  await payAtBank(run, deal, 0);
  const ended = await tryToEnd(run, deal);
  run.far.tell(invoice);
  run.far.tellCancelling(invoice);
  await verifyPayment(deal);
  return [
    ...ended,
    ...(await expectStanding(deal, { status: "payment_confirmed", held: 110_000, holds: [] })),
  ];
}

/** Every check answers 500. */
async function silentChecks(run: Run): Promise<string[]> {
  const deal = await newDeal(run);
  const invoice = await providerInvoice(deal);
  // Rows that cannot be read as an answer at all are as good as none.
  run.far.tell(invoice, () => ({ rows: [], count: 5 }));
  await payAtBank(run, deal, 0);
  const ended = await tryToEnd(run, deal);
  run.far.tell(invoice);
  await verifyPayment(deal);
  return [
    ...ended,
    ...(await expectStanding(deal, { status: "payment_confirmed", held: 110_000, holds: [] })),
  ];
}

/** A callback that comes before the list has the payment: nothing ends, and it is found without anybody's press. */
async function announced(run: Run): Promise<string[]> {
  const deal = await newDeal(run);
  const invoice = await providerInvoice(deal);
  run.far.tell(invoice, () => ({ rows: [] }));
  await payAtBank(run, deal, 1);
  const held = await until(async () => (await openReasons(deal)).includes("PAYMENT_ANNOUNCED"));
  const ended = await tryToEnd(run, deal);
  run.far.tell(invoice);
  await verifyPayment(deal);
  return [
    ...(held ? [] : ["the trade is not on hold though a payment was announced"]),
    ...ended,
    ...(await expectStanding(deal, { status: "payment_confirmed", held: 110_000, holds: [] })),
    ...((await openReasons(deal)).length > 0 ? ["the hold outlived the payment"] : []),
  ];
}

/** A payment that is taken back after everybody has confirmed: no approval, no sending. */
async function takenBackBeforeThePayout(run: Run): Promise<string[]> {
  const deal = await newDeal(run);
  await payAtBank(run, deal, 0);
  await verifyPayment(deal);
  expectStatus(await deal.seller.post(at(deal, "/bank-info"), bankInfo), 200, 201);
  expectStatus(await deal.seller.post(at(deal, "/hand-over"), {}), 200, 201);
  expectStatus(await deal.buyer.post(at(deal, "/complete")), 200);
  expectStatus(await deal.seller.post(at(deal, "/complete")), 200);
  const invoice = await providerInvoice(deal);
  run.far.tell(invoice, (rows) => ({ rows: rows.map((row) => ({ ...row, payment_status: "REFUNDED" })) }));
  const payout = await payoutOf(run.admin, deal);
  const { body: seen } = expectStatus(await run.admin.get(`/api/admin/transactions/${deal.id}`), 200);
  const { destinationDigest } = (seen.payouts as Array<{ destinationDigest: string }>).at(-1) ?? {};
  const approved = await run.admin.post(`/api/admin/payouts/${payout}/approve`, { destinationDigest });
  const settled = await run.admin.post(`/api/admin/transactions/${deal.id}/settle`, {
    bankReference: `REV-${deal.id}`,
    destinationDigest,
  });
  run.far.tell(invoice);
  const wrong = [approved, settled].filter(
    ({ status, body }) => status !== 409 || body.code !== "TRADE_ON_HOLD",
  );
  return [
    ...wrong.map(({ status, text }) => `an outgoing step was answered ${status} ${text.slice(0, 200)}`),
    ...(await expectStanding(deal, { held: 110_000, holds: ["PAYMENT_REVERSED"] })),
  ];
}

/** A creation that is answered with another trade's invoice: the second trade shows nobody's QR, and nothing is a fault of ours. */
async function repeatedInvoiceId(run: Run): Promise<string[]> {
  const first = await newDeal(run);
  const taken = await providerInvoice(first);
  const pair = { seller: first.seller, buyer: first.buyer };
  run.far.tellCreation(({ status, body }) => ({ status, body: { ...body, invoice_id: taken } }));
  const reply = await newInvoice(run, pair);
  return reply.status === 503
    ? []
    : [`a repeated invoice id was answered ${reply.status} ${reply.text.slice(0, 200)}`];
}

/** An invoice whose creation reply was lost, and which was paid all the same: asked about without any callback. */
async function lostTwin(run: Run): Promise<string[]> {
  const first = await newDeal(run);
  run.far.tellCreation(() => ({ status: 504, body: { error: "GATEWAY", message: "GATEWAY" } }));
  const reply = await newInvoice(run, { seller: first.seller, buyer: first.buyer });
  if (reply.status !== 503) return [`a lost creation was answered ${reply.status}`];
  const [twin] = await db().execute<{ id: string }>(sql`
    SELECT p.sender_invoice_no AS id FROM payments.provider_invoices p JOIN payments.invoices i ON i.id = p.invoice_id
    WHERE i.reference = ${reply.id} AND p.state = 'lost'`);
  expectStatus(await run.bank.client().post(`/sandbox/qpay/pay/${twin?.id}`, { callback: false }), 200);
  const deal = { ...first, id: reply.id };
  await verifyPayment(deal);
  return expectStanding(deal, { status: "payment_confirmed", held: 110_000, holds: [] });
}

/** A trade whose first invoice is asked for; as the provider answers, so it comes. */
async function newInvoice(run: Run, pair: { seller: ServerTrade["seller"]; buyer: ServerTrade["buyer"] }) {
  const room = expectStatus(
    await pair.seller.post("/api/chat/rooms", { name: "A room more" }),
    200,
    201,
  ).body;
  const { inviteCode } = expectStatus(await pair.seller.post(`/api/chat/rooms/${room.id}/invite`), 200).body;
  expectStatus(await pair.buyer.post("/api/chat/join", { code: inviteCode }), 200);
  const wanted = { chatRoomId: room.id, amount: 100_000 };
  const { id } = expectStatus(await pair.seller.post("/api/transactions", wanted), 201).body;
  run.counts.trades = (run.counts.trades ?? 0) + 1;
  const { status, text } = await pair.buyer.post("/api/qpay/invoices", { transactionId: id });
  return { id: id as number, status, text };
}

async function openReasons({ id }: ServerTrade): Promise<string[]> {
  const rows = await db().execute<{ reason: string }>(
    sql`SELECT reason FROM payments.holds WHERE reference = ${id} AND closed_at IS NULL`,
  );
  return rows.map(({ reason }) => reason);
}

async function until(is: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + 20_000; Date.now() < end; await Bun.sleep(100)) {
    if (await is()) return true;
  }
  return false;
}

export const scenes: Record<string, Scene> = {
  paidWhileTheListLags,
  silentChecks,
  announced,
  takenBackBeforeThePayout,
  repeatedInvoiceId,
  lostTwin,
};
