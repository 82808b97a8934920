import { expect, test } from "bun:test";
import { dataOf } from "#modules/identity";
import { useDatabase } from "../../../tests/support/database.ts";
import { bothConfirm, paid, useMarket } from "../../../tests/support/market.ts";
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
