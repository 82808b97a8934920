import { expect, test } from "bun:test";
import { db } from "#db/client";
import { payoutsOf } from "#modules/payments";
import {
  approvePayout,
  sendPayout,
  settleShownTrade,
} from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  confirmByBoth,
  createPaidTrade,
  expectAccepted,
  readMailTemplates,
  readNoticeCodes,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { markPayoutUnknownAsAdmin, resolvePayoutAsAdmin } from "../backoffice/payouts/payout-steps.ts";
import { adminCancel } from "../backoffice/transactions/administrator-commands.ts";
import { saveRefundDestination } from "../information/refund-account.ts";
import { historyOf } from "../trade/view/history.ts";
import { readTrade } from "../trade/view/trade-view.ts";
import { verifyCode } from "../verification/verify-code.ts";

useDatabase();
useSandboxProvider();

const unsent = { outcome: "not_sent", reason: "The bank sent it back" } as const;

async function latest(deal: { id: number }) {
  const found = (await payoutsOf(db(), deal.id)).filter(({ state }) => state !== "void").at(-1);
  if (found === undefined) throw new Error("no transfer");
  return found.id;
}

test("a payout that did not arrive after completion is reported to both, and no page calls it paid until it is made again", async () => {
  const deal = await createPaidTrade();
  const other = await plantUser({ isAdmin: true });
  await confirmByBoth(deal);
  await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: `A-${deal.id}` }));
  const [buyerMails, sellerMails] = [
    await readMailTemplates(deal.buyer),
    await readMailTemplates(deal.seller),
  ];
  const id = await latest(deal);
  await expectAccepted(markPayoutUnknownAsAdmin(deal.admin, id, { reason: "The seller asks" }));
  await expectAccepted(resolvePayoutAsAdmin(other, id, unsent));
  expect((await readNoticeCodes(deal)).at(-1)).toBe("payoutNotArrived");
  expect((await readMailTemplates(deal.seller)).slice(sellerMails.length)).toEqual(["transferNotArrived"]);
  expect(await readMailTemplates(deal.buyer)).toEqual(buyerMails);
  for (const side of [deal.buyer, deal.seller]) {
    const seen = (await expectAccepted(readTrade(side, deal.id))).trade;
    expect(seen).toMatchObject({ status: "completed", turn: "admin", standing: { money: "held" } });
    expect(seen.standing.done).not.toContain("paidOut");
    const listed = await historyOf(side);
    expect(listed.ok && listed.transactions[0]?.standing.money).toBe("held");
    const asked = await verifyCode(side, seen.transactionCode);
    expect(asked.ok && asked.trade).toMatchObject({ state: "paying", money: "held" });
  }
  // The repetition notifies nobody again.
  await expectAccepted(resolvePayoutAsAdmin(other, id, unsent));
  expect((await readNoticeCodes(deal)).filter((code) => code === "payoutNotArrived")).toHaveLength(1);
  const again = await latest(deal);
  await expectAccepted(approvePayout(deal.admin, again));
  await expectAccepted(sendPayout(deal.admin, again, { bankReference: `B-${deal.id}` }));
  const seen = (await expectAccepted(readTrade(deal.seller, deal.id))).trade;
  expect(seen).toMatchObject({ turn: "none", standing: { money: "released" } });
  expect(seen.standing.done).toContain("paidOut");
});

test("a refund that did not arrive is reported to both, and by mail to its buyer", async () => {
  const deal = await createPaidTrade();
  const other = await plantUser({ isAdmin: true });
  await expectAccepted(adminCancel(deal.admin, deal.id));
  const home = {
    accountName: "Dorj",
    bankName: "Golomt Bank",
    accountNumber: "1105123456",
    ibanNumber: undefined,
  };
  await saveRefundDestination(deal.buyer, deal.id, home);
  const id = await latest(deal);
  await expectAccepted(approvePayout(deal.admin, id));
  await expectAccepted(sendPayout(deal.admin, id, { bankReference: `C-${deal.id}` }));
  await expectAccepted(markPayoutUnknownAsAdmin(deal.admin, id, { reason: "The buyer asks" }));
  await expectAccepted(resolvePayoutAsAdmin(other, id, unsent));
  expect((await readNoticeCodes(deal)).at(-1)).toBe("refundNotArrived");
  expect((await readMailTemplates(deal.buyer)).at(-1)).toBe("transferNotArrived");
  expect((await expectAccepted(readTrade(deal.buyer, deal.id))).trade).toMatchObject({
    turn: "admin",
    standing: { money: "held" },
  });
});

test("a transfer that nobody was notified of is corrected silently", async () => {
  const deal = await createPaidTrade();
  await confirmByBoth(deal);
  const id = await latest(deal);
  await expectAccepted(approvePayout(deal.admin, id));
  const told = (await readMailTemplates(deal.seller)).length;
  await expectAccepted(markPayoutUnknownAsAdmin(deal.admin, id, { reason: "The bank's page hung" }));
  await expectAccepted(resolvePayoutAsAdmin(deal.admin, id, unsent));
  expect(await readNoticeCodes(deal)).not.toContain("payoutNotArrived");
  expect(await readMailTemplates(deal.seller)).toHaveLength(told);
});
