import { expect, test } from "bun:test";
import { db } from "#db/client";
import { dataOf } from "#modules/identity";
import { invoices, paymentsOf } from "#modules/payments";
import { useDatabase } from "../../../tests/support/database.ts";
import { bothConfirm, must, paid, useMarket } from "../../../tests/support/market.ts";
import { openDispute, requestCancellation, withdrawDispute } from "../index.ts";
import { saveBankInfo } from "./information.bank.ts";

useDatabase();
useMarket();

/** What the seller of `tests/support/market.ts` gives. */
const account = { accountNumber: "5012345678", phoneNumber: "99112233", email: "bat@example.mn" };

test("a person's data has their trades and what they gave in them, and nothing by which the other side is reached", async () => {
  const deal = await paid();
  const contact = {
    infoType: "buyer",
    accountName: "Dorj",
    phoneNumber: "88112233",
    email: "dorj@example.mn",
  } as const;
  expect(await saveBankInfo(deal.buyer, deal.id, contact)).toMatchObject({ ok: true });
  await bothConfirm(deal);
  const [seller, buyer] = [await dataOf(deal.seller), await dataOf(deal.buyer)];
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

test("a buyer's has what they were asked and paid, and whoever opened a dispute or asked to cancel has that", async () => {
  const deal = await paid();
  await must(requestCancellation(deal.seller, deal.id));
  const reason = "The password is wrong";
  expect(await openDispute(deal.buyer, deal.id, { reason })).toMatchObject({ ok: true });
  expect(await withdrawDispute(deal.buyer, deal.id)).toMatchObject({ ok: true });
  const [seller, buyer] = [await dataOf(deal.seller), await dataOf(deal.buyer)];
  if (!seller.ok || !buyer.ok) throw new Error("refused");
  const [invoice] = await invoices(db(), deal.id);
  const [payment] = await paymentsOf(db(), deal.id);
  const { wallet, payerBank, paidAt } = payment ?? {};
  expect(buyer.data.transactions).toMatchObject([
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
  expect(seller.data.transactions).toMatchObject([
    { invoices: [], payments: [], cancellationRequestedAt: expect.any(Date) },
  ]);
  expect(seller.data.disputesOpened).toEqual([]);
  // The provider's own numbers and the way a QR is paid stay inside.
  for (const inner of [payment?.providerPaymentId, invoice?.providerId, invoice?.qrText]) {
    expect(inner).toBeString();
    expect(JSON.stringify(buyer.data)).not.toContain(String(inner));
  }
});
