import { expect, test } from "bun:test";
import { chooseNotifications } from "#modules/identity";
import { useDatabase } from "../../../tests/support/database.ts";
import { giveAccount, invoiced, mails, must, useMarket } from "../../../tests/support/market.ts";
import { checkPayment } from "./check-payment.ts";
import { confirmCompletion, handOver } from "./trades.ts";

useDatabase();
const market = useMarket();

test("who wants no requests gets none; the mails about money go whatever was chosen", async () => {
  const deal = await invoiced();
  for (const party of [deal.buyer, deal.seller]) {
    const saved = await chooseNotifications(party, { requests: false, reminders: false });
    expect(saved).toMatchObject({ ok: true });
  }
  await market.pay(deal);
  await must(checkPayment(deal.id, "callback"));
  await must(handOver(deal.seller, deal.id));
  await giveAccount(deal);
  await must(confirmCompletion(deal.buyer, deal.id));
  expect(await mails(deal.buyer)).toEqual(["paymentRequested", "paymentConfirmed"]);
  expect(await mails(deal.seller)).toEqual(["paymentConfirmed"]);
});
