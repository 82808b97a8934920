import { and, asc, eq, isNull, or, sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { registerDataCollector } from "#modules/identity";
import { listInvoices, paymentsOf, payoutsOf } from "#modules/payments";
import { disputeStatementsTable, disputesTable, type TradeRow, tradesTable } from "../core/schema.ts";
import { detailsTable } from "../information/schema.ts";
import type { Party } from "../machine/trade-types.ts";
import { reportsBy } from "../reports/erase-reports.ts";
import { supportRequestsTable } from "../support/schema.ts";
import { accountForRecipient } from "../trade/view/due-date.ts";
import { recordsOf } from "../vault/vault-records.ts";

/** Adds escrow's parts to the export of a person's data. Returns a function that removes them again. */
export function collectOwnData(): () => void {
  const withdrawn = [
    registerDataCollector("transactions", transactionsOf),
    registerDataCollector("informationGiven", informationOf),
    registerDataCollector("disputesOpened", disputesOf),
    registerDataCollector("disputeStatements", statementsOf),
    registerDataCollector("supportRequests", supportOf),
    registerDataCollector("reports", reportsBy),
  ];
  return () => {
    for (const withdraw of withdrawn) withdraw();
  };
}

/** A person's trades, with the money that came from them and went to them. About the other party they reveal only that there was one. */
async function transactionsOf(exec: Executor, userId: number) {
  const own = await exec
    .select()
    .from(tradesTable)
    .where(
      and(
        or(eq(tradesTable.buyerId, userId), eq(tradesTable.sellerId, userId)),
        isNull(tradesTable.erasedAt),
      ),
    )
    .orderBy(asc(tradesTable.id));
  const all: unknown[] = [];
  for (const trade of own) all.push(await transactionOf(exec, trade, userId));
  return all;
}

async function transactionOf(exec: Executor, trade: TradeRow, userId: number) {
  const role: Party = trade.buyerId === userId ? "buyer" : "seller";
  const received = (await payoutsOf(exec, trade.id)).filter(({ recipientId }) => recipientId === userId);
  const { id, code, roomId, status, amount, fee, feePayer, gross, net, goods, description } = trade;
  const { createdAt, confirmedAt, handedOverAt, endedAt, endReason } = trade;
  return {
    ...{ id, code, roomId, role, status, amount, fee, feePayer, gross, net, goods, description },
    ...{ createdAt, confirmedAt, handedOverAt, endedAt, endReason },
    markedPaidAt: role === "buyer" ? trade.markedPaidAt : null,
    handOverNote: role === "seller" ? trade.handOverNote : null,
    handOvers: (await recordsOf(exec, trade)).map(({ sealedAt, openedAt, destroyedAt }) => ({
      ...{ sealedAt, openedAt, destroyedAt },
    })),
    receivedOtherwiseAt: role === "buyer" ? trade.receivedOtherwiseAt : null,
    completedAt: role === "buyer" ? trade.buyerCompletedAt : trade.sellerCompletedAt,
    cancellationRequestedAt: role === "buyer" ? trade.buyerCancelAt : trade.sellerCancelAt,
    invoices: role === "buyer" ? await invoicesOf(exec, trade) : [],
    payments: role === "buyer" ? await paidFor(exec, trade) : [],
    money: received.map((payout) => {
      const { kind, amount, state, sentAt, namedBy } = payout;
      // An account that an administrator named may be another person's.
      const destination = namedBy === null ? payout.destination : accountForRecipient(payout);
      return { kind, amount, state, destination, sentAt };
    }),
  };
}

/** A buyer's invoices, by Midman's own numbers. */
async function invoicesOf(exec: Executor, trade: TradeRow) {
  const all = await listInvoices(exec, trade.id);
  return all.map(({ id, amount, state, createdAt, expiresAt }) => ({
    ...{ number: id, amount, state, issuedAt: createdAt, expiresAt },
  }));
}

/** A buyer's booked payments, with the wallet and bank that they came from; `excess` is the part above what was owed. */
async function paidFor(exec: Executor, trade: TradeRow) {
  const booked = await paymentsOf(exec, trade.id);
  return booked.map((payment) => {
    const { invoiceId, amount, toSuspense, paidAt, bookedAt, wallet, kind, payerBank, handReference } =
      payment;
    return {
      ...{ invoice: invoiceId, amount, excess: toSuspense, paidAt, bookedAt },
      ...{ wallet, kind, payerBank, handReference },
    };
  });
}

/** What a person entered in the information exchange: accounts, contact details, texts. */
function informationOf(exec: Executor, userId: number) {
  const { tradeId, kind, version, givenAt, accountName, bankName, accountNumber } = detailsTable;
  const { iban, phoneNumber, email, body } = detailsTable;
  return exec
    .select({
      ...{ transactionId: tradeId, kind, version, givenAt, accountName, bankName, accountNumber },
      ...{ iban, phoneNumber, email, body },
    })
    .from(detailsTable)
    .where(eq(detailsTable.givenBy, userId))
    .orderBy(asc(detailsTable.id));
}

/** The disputes that a person opened, with the reason and the outcome; `refundAmount` is the buyer's part of a split. */
function disputesOf(exec: Executor, userId: number) {
  const { openedBy, openedFrom, openedAt, outcome, refundAmount, endedAt } = disputesTable;
  const said = and(
    eq(disputeStatementsTable.disputeId, disputesTable.id),
    eq(disputeStatementsTable.byUser, userId),
  );
  const reason = exec
    .select({ body: disputeStatementsTable.body })
    .from(disputeStatementsTable)
    .where(said)
    .orderBy(asc(disputeStatementsTable.id))
    .limit(1);
  return exec
    .select({
      ...{
        transactionId: disputesTable.tradeId,
        openedFrom,
        openedAt,
        reason: sql<string | null>`(${reason})`,
      },
      ...{ outcome, refundAmount, endedAt },
    })
    .from(disputesTable)
    .innerJoin(tradesTable, eq(tradesTable.id, disputesTable.tradeId))
    .where(
      and(
        isNull(tradesTable.erasedAt),
        or(
          and(eq(openedBy, "buyer"), eq(tradesTable.buyerId, userId)),
          and(eq(openedBy, "seller"), eq(tradesTable.sellerId, userId)),
        ),
      ),
    )
    .orderBy(asc(disputesTable.id));
}

/** A person's statements in disputes of their own trades. Rulings belong to the back office and are left out. */
function statementsOf(exec: Executor, userId: number) {
  return exec
    .select({
      transactionId: disputesTable.tradeId,
      byRole: disputeStatementsTable.byRole,
      body: disputeStatementsTable.body,
      at: disputeStatementsTable.at,
    })
    .from(disputeStatementsTable)
    .innerJoin(disputesTable, eq(disputesTable.id, disputeStatementsTable.disputeId))
    .where(
      and(
        eq(disputeStatementsTable.byUser, userId),
        or(eq(disputeStatementsTable.byRole, "buyer"), eq(disputeStatementsTable.byRole, "seller")),
      ),
    )
    .orderBy(asc(disputeStatementsTable.id));
}

/** What a person asked support while signed in. */
function supportOf(exec: Executor, userId: number) {
  const { number, topic, code, message, createdAt } = supportRequestsTable;
  return exec
    .select({ number, topic, code, message, createdAt })
    .from(supportRequestsTable)
    .where(eq(supportRequestsTable.userId, userId))
    .orderBy(asc(supportRequestsTable.id));
}
