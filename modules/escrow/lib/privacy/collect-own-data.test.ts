import { expect, test } from "bun:test";
import { db } from "#db/client";
import { downloadPersonalData } from "#modules/identity";
import { listInvoices, paymentsOf } from "#modules/payments";
import { settleShownTrade } from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  confirmByBoth,
  createInvoicedTrade,
  createPaidTrade,
  expectAccepted,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { withdrawDispute } from "../../../../tests/support/trades/shown-disputes.ts";
import {
  explainDispute,
  handOver,
  markPaid,
  openDispute,
  openVault,
  requestCancellation,
  sealVault,
} from "../../index.ts";
import { registerEscrow } from "../core/start.ts";
import { tradeNow } from "../core/trade.fixture.ts";
import { saveBankInfo } from "../information/bank-account.ts";
import { checkPayment } from "../payment/check-payment.ts";
import { askSupport } from "../support/ask-support.ts";

useDatabase();
const market = useSandboxProvider();

/** What the seller of `tests/support/trades/sandbox-trades.ts` enters. */
const account = { accountNumber: "5012345678", phoneNumber: "99112233", email: "bat@example.mn" };

test("a person's data has their trades and what they entered in them, and no contact details of the other side", async () => {
  const deal = await createPaidTrade();
  const contact = {
    infoType: "buyer",
    accountName: "Dorj",
    phoneNumber: "88112233",
    email: "dorj@example.mn",
  } as const;
  expect(await saveBankInfo(deal.buyer, deal.id, contact)).toMatchObject({ ok: true });
  await confirmByBoth(deal);
  const [seller, buyer] = [await downloadPersonalData(deal.seller), await downloadPersonalData(deal.buyer)];
  if (!seller.ok || !buyer.ok) throw new Error("refused");
  expect(seller.data.transactions).toMatchObject([
    {
      id: deal.id,
      role: "seller",
      amount: 100_000,
      net: 100_000,
      money: [{ kind: "payout", amount: 100_000 }],
    },
  ]);
  expect(buyer.data.transactions).toMatchObject([{ id: deal.id, role: "buyer", gross: 110_000, money: [] }]);
  expect(seller.data.informationGiven).toMatchObject([
    { transactionId: deal.id, kind: "bank", accountNumber: account.accountNumber },
  ]);
  expect(buyer.data.informationGiven).toMatchObject([{ kind: "contact", phoneNumber: "88112233" }]);
  for (const foreign of ["88112233", "dorj@example.mn", deal.buyer.email]) {
    expect(JSON.stringify(seller.data)).not.toContain(foreign);
  }
  for (const foreign of [account.accountNumber, account.phoneNumber, account.email, deal.seller.email]) {
    expect(JSON.stringify(buyer.data)).not.toContain(foreign);
  }
});

test("a buyer's data has what was requested and paid, and disputes and cancellation requests they made", async () => {
  const deal = await createPaidTrade();
  await expectAccepted(requestCancellation(deal.seller, deal.id));
  const reason = "The password is wrong";
  expect(await openDispute(deal.buyer, deal.id, { reason })).toMatchObject({ ok: true });
  expect(await withdrawDispute(deal.buyer, deal.id)).toMatchObject({ ok: true });
  const [seller, buyer] = [await downloadPersonalData(deal.seller), await downloadPersonalData(deal.buyer)];
  if (!seller.ok || !buyer.ok) throw new Error("refused");
  const [invoice] = await listInvoices(db(), deal.id);
  const [payment] = await paymentsOf(db(), deal.id);
  const { wallet, payerBank, paidAt } = payment ?? {};
  expectMatch(buyer.data.transactions, [
    {
      invoices: [
        { number: invoice?.id, amount: 110_000, state: invoice?.state, issuedAt: invoice?.createdAt },
      ],
      payments: [{ invoice: invoice?.id, amount: 110_000, excess: 0, paidAt, wallet, payerBank }],
      cancellationRequestedAt: null,
    },
  ]);
  expect(paidAt).toBeInstanceOf(Date);
  expect(buyer.data.disputesOpened).toMatchObject([
    { transactionId: deal.id, openedFrom: "payment_confirmed", reason, outcome: "withdrawn" },
  ]);
  expectMatch(seller.data.transactions, [
    { invoices: [], payments: [], cancellationRequestedAt: expect.any(Date) },
  ]);
  expect(seller.data.disputesOpened).toEqual([]);
  // The provider's own ids and the QR text are internal.
  for (const inner of [payment?.providerPaymentId, invoice?.providerId, invoice?.qrText]) {
    expect(inner).toBeString();
    expect(JSON.stringify(buyer.data)).not.toContain(String(inner));
  }
});

test("a person's data is all of their part, with times, and nothing of the other's", async () => {
  const deal = await createInvoicedTrade();
  await expectAccepted(markPaid(deal.buyer, deal.id));
  await market.pay(deal);
  await expectAccepted(checkPayment(deal.id, "callback"));
  await expectAccepted(handOver(deal.seller, deal.id, { note: "The code is under the mat" }));
  await expectAccepted(sealVault(deal.seller, deal.id, { login: "golden-eagle" }));
  await expectAccepted(openVault(deal.buyer, deal.id));
  await expectAccepted(openDispute(deal.buyer, deal.id, { reason: "The password is wrong" }));
  await expectAccepted(explainDispute(deal.seller, deal.id, { reason: "It is the right one" }));
  await expectAccepted(withdrawDispute(deal.buyer, deal.id));
  await confirmByBoth(deal);
  await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: `DATA-${deal.id}` }));
  const { code } = await tradeNow(deal);
  const asked = await askSupport(deal.buyer, { topic: "payment", code, message: "Where is my receipt?" });
  const [seller, buyer] = [await downloadPersonalData(deal.seller), await downloadPersonalData(deal.buyer)];
  if (!asked.ok || !seller.ok || !buyer.ok) throw new Error("refused");

  const trade = await tradeNow(deal);
  const [invoice] = await listInvoices(db(), deal.id);
  const [payment] = await paymentsOf(db(), deal.id);
  const moment = expect.any(Date);
  const { createdAt, confirmedAt, handedOverAt, endedAt, markedPaidAt } = trade;
  const both = {
    ...{ id: deal.id, code, roomId: deal.roomId, status: "completed", description: null },
    ...{ amount: 100_000, fee: 10_000, feePayer: "buyer", gross: 110_000, net: 100_000, goods: "other" },
    ...{ createdAt, confirmedAt, handedOverAt, endedAt, endReason: "paid_out" },
    handOvers: [{ sealedAt: moment, openedAt: moment, destroyedAt: endedAt }],
    cancellationRequestedAt: null,
  };
  expect([markedPaidAt, handedOverAt, trade.buyerCompletedAt]).toEqual([moment, moment, moment]);
  expect(trade.buyerCompletedAt).not.toEqual(trade.sellerCompletedAt);
  expect(buyer.data.transactions).toEqual([
    {
      ...{
        ...both,
        role: "buyer",
        markedPaidAt,
        handOverNote: null,
        receivedOtherwiseAt: null,
        completedAt: trade.buyerCompletedAt,
      },
      invoices: [
        {
          ...{ number: invoice?.id, amount: 110_000, state: invoice?.state },
          ...{ issuedAt: invoice?.createdAt, expiresAt: invoice?.expiresAt },
        },
      ],
      payments: [
        {
          ...{ invoice: invoice?.id, amount: 110_000, excess: 0 },
          ...{ paidAt: payment?.paidAt, bookedAt: payment?.bookedAt, handReference: null },
          ...{ wallet: payment?.wallet, kind: payment?.kind, payerBank: payment?.payerBank },
        },
      ],
      money: [],
    },
  ]);
  const destination = {
    accountName: "Bat Erdene",
    bankName: "Khan Bank",
    accountNumber: account.accountNumber,
  };
  const paidTo = { ...destination, phone: account.phoneNumber };
  expect(seller.data.transactions).toEqual([
    {
      ...{ ...both, role: "seller", markedPaidAt: null, handOverNote: "The code is under the mat" },
      ...{ completedAt: trade.sellerCompletedAt, receivedOtherwiseAt: null, invoices: [], payments: [] },
      money: [{ kind: "payout", amount: 100_000, state: "sent", sentAt: moment, destination: paidTo }],
    },
  ]);
  expect([buyer.data.disputesOpened, seller.data.disputesOpened]).toEqual([
    [
      {
        ...{ transactionId: deal.id, openedFrom: "payment_confirmed", reason: "The password is wrong" },
        ...{ openedAt: moment, outcome: "withdrawn", refundAmount: null, endedAt: moment },
      },
    ],
    [],
  ]);
  expect([buyer.data.disputeStatements, seller.data.disputeStatements]).toEqual([
    [{ transactionId: deal.id, byRole: "buyer", body: "The password is wrong", at: moment }],
    [{ transactionId: deal.id, byRole: "seller", body: "It is the right one", at: moment }],
  ]);
  expect([buyer.data.supportRequests, seller.data.supportRequests]).toEqual([
    [
      {
        ...{ number: asked.number, topic: "payment", code, message: "Where is my receipt?" },
        createdAt: moment,
      },
    ],
    [],
  ]);
  expect([buyer.data.informationGiven, seller.data.informationGiven]).toEqual([
    [],
    [
      {
        ...{ transactionId: deal.id, kind: "bank", version: 1, givenAt: moment, ...destination },
        ...{ iban: null, phoneNumber: account.phoneNumber, email: account.email, body: null },
      },
    ],
  ]);
});

test("escrow's part of a person's data is gone once escrow is unregistered", async () => {
  const person = await plantUser();
  const parts = async () => {
    const answer = await downloadPersonalData(person);
    return answer.ok ? Object.keys(answer.data) : [];
  };
  const disputes = ["disputesOpened", "disputeStatements"];
  const escrows = ["transactions", "informationGiven", "supportRequests", "reports", ...disputes];
  expect(await parts()).toEqual(expect.arrayContaining(escrows));
  registerEscrow()();
  const left = await parts();
  const withdraw = registerEscrow();
  expect(escrows.filter((part) => left.includes(part))).toEqual([]);
  expect(await parts()).toEqual(expect.arrayContaining(escrows));
  withdraw();
});
