import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import {
  approvePayout,
  ruleDispute,
  sendPayout,
  settleShownTrade,
} from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  confirmByBoth,
  createInvoicedTrade,
  createPaidTrade,
  expectAccepted,
  type PlantedTrade,
  type PlantedUser,
  runAtTime,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { adminCancel, adminComplete } from "../backoffice/transactions/administrator-commands.ts";
import { openDispute } from "../disputes/open-dispute.ts";
import { saveRefundDestination } from "../information/refund-account.ts";
import { checkPayment } from "../payment/check-payment.ts";
import { handOver, requestCancellation } from "../trade/party-commands.ts";

// One act, one mail: the mail about a refund says whether Midman still needs the buyer's account, and until when.

useDatabase();
const market = useSandboxProvider();

const home = {
  accountName: "Dorj",
  bankName: "Golomt Bank",
  accountNumber: "1105123456",
  ibanNumber: undefined,
};
const reason = "the account was taken back";

type Mail = { template: string; account: string | null; deadline: string | null };
/** The mails to a person since the `from`-th. */
async function mailsSince(from: number, { userId }: PlantedUser): Promise<Mail[]> {
  const rows = await db().execute<Mail>(sql`
    SELECT template, data ->> 'account' AS account, data ->> 'deadline' AS deadline
    FROM mailer.messages WHERE user_id = ${userId} ORDER BY id OFFSET ${from}`);
  return [...rows];
}
const countMails = async (to: PlantedUser) => (await mailsSince(0, to)).length;

async function readAccountDeadline({ id }: PlantedTrade): Promise<string> {
  const [row] = await db().execute<{ due: Date | string }>(sql`
    SELECT due_at AS due FROM escrow.deadlines
    WHERE trade_id = ${id} AND kind = 'refund_account' AND state <> 'closed'`);
  return row === undefined ? "no deadline" : new Date(row.due).toISOString();
}

/** A paid trade with an excess, for whose refund the buyer has given an account if `known`. */
async function overpaidTrade(known: boolean): Promise<PlantedTrade> {
  const deal = await createInvoicedTrade();
  await market.pay(deal, { amount: 112_000 });
  await expectAccepted(checkPayment(deal.id, "callback"));
  if (known) await expectAccepted(saveRefundDestination(deal.buyer, deal.id, home));
  return deal;
}

const bothCancel = async ({ buyer, seller, id }: PlantedTrade) => {
  await expectAccepted(requestCancellation(seller, id));
  return expectAccepted(requestCancellation(buyer, id));
};
const isRuled = async ({ buyer, admin, id }: PlantedTrade) => {
  await expectAccepted(openDispute(buyer, id, { reason }));
  const ruling = { ruling: "refund", sum: 110_000, reason } as const;
  return expectAccepted(ruleDispute({ ...admin, authenticatedAt: new Date() }, id, ruling));
};
const isSplit = async ({ buyer, admin, id }: PlantedTrade) => {
  await expectAccepted(openDispute(buyer, id, { reason }));
  const ruling = { ruling: "split", refundAmount: 40_000, sum: 40_000, reason } as const;
  return expectAccepted(ruleDispute({ ...admin, authenticatedAt: new Date() }, id, ruling));
};

test.each([
  ["cancelled by both", bothCancel, "tradeCancelled"],
  [
    "cancelled by an administrator",
    ({ admin, id }: PlantedTrade) => adminCancel(admin, id),
    "tradeCancelled",
  ],
  ["refunded by a ruling", isRuled, "tradeCancelled"],
  ["split by a ruling", isSplit, "disputeStep"],
] as const)(
  "the buyer of a trade %s gets one mail, which asks for no account that they gave",
  async (_, end, template) => {
    for (const known of [true, false]) {
      const deal = await overpaidTrade(known);
      await saveSellerAccount(deal);
      const asked = known ? "" : await readAccountDeadline(deal);
      const before = await countMails(deal.buyer);
      const sellerBefore = await countMails(deal.seller);
      await end(deal);
      const mails = (await mailsSince(before, deal.buyer)).filter(
        (mail) => mail.template !== "cancellationRequested",
      );
      // The time runs since the excess: it does not start again.
      expect(mails).toEqual([{ template, account: known ? "known" : "needed", deadline: asked }]);
      const theirs = (await mailsSince(sellerBefore, deal.seller)).filter(
        (mail) => mail.template === template,
      );
      // A split pays the seller too, whose account is known; a refund is nothing to them.
      const theirAccount = template === "disputeStep" ? "known" : "";
      expect(theirs).toEqual([{ template, account: theirAccount, deadline: "" }]);
    }
  },
);

test("a trade without an excess starts the time, which its one mail names; once it has passed, none", async () => {
  const deal = await createPaidTrade();
  const before = await countMails(deal.buyer);
  await bothCancel(deal);
  const mails = (await mailsSince(before, deal.buyer)).filter((mail) => mail.template === "tradeCancelled");
  expect(mails).toEqual([
    { template: "tradeCancelled", account: "needed", deadline: await readAccountDeadline(deal) },
  ]);
  const late = await overpaidTrade(false);
  const told = await countMails(late.buyer);
  const at = new Date(Date.now() + 25 * 3_600_000);
  await runAtTime(at, () => expectAccepted(adminCancel({ ...late.admin, authenticatedAt: at }, late.id)));
  expect(await mailsSince(told, late.buyer)).toEqual([
    { template: "tradeCancelled", account: "needed", deadline: "" },
  ]);
});

test("an excess asks for an account with the time by which to add it", async () => {
  const deal = await overpaidTrade(false);
  const asking = (await mailsSince(0, deal.buyer)).filter((mail) => mail.template === "refundAccountNeeded");
  expect(asking).toEqual([
    { template: "refundAccountNeeded", account: null, deadline: await readAccountDeadline(deal) },
  ]);
});

test("one transfer is one mail to its recipient", async () => {
  const deal = await createPaidTrade();
  await expectAccepted(handOver(deal.seller, deal.id));
  await confirmByBoth(deal);
  const [buyerBefore, sellerBefore] = [await countMails(deal.buyer), await countMails(deal.seller)];
  await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: `REF-${deal.id}` }));
  expect((await mailsSince(sellerBefore, deal.seller)).map(({ template }) => template)).toEqual([
    "payoutSent",
  ]);
  expect((await mailsSince(buyerBefore, deal.buyer)).map(({ template }) => template)).toEqual([
    "transactionCompletion",
  ]);
});

test("each part of a split is one mail to its recipient, in either order", async () => {
  for (const first of ["payout", "refund"] as const) {
    const deal = await overpaidTrade(true);
    await saveSellerAccount(deal);
    await isSplit(deal);
    const [buyerBefore, sellerBefore] = [await countMails(deal.buyer), await countMails(deal.seller)];
    const admin = { ...deal.admin, authenticatedAt: new Date() };
    const parts = await db().execute<{ id: number; kind: string }>(sql`
      SELECT id::int, kind FROM payments.payouts
      WHERE reference = ${deal.id} AND source = 'escrow' AND state = 'due' ORDER BY kind = ${first} DESC`);
    expect(parts.map(({ kind }) => kind)[0]).toBe(first);
    for (const { id } of parts) {
      await expectAccepted(approvePayout(admin, id));
      await expectAccepted(sendPayout(admin, id, { bankReference: `REF-${deal.id}-${id}` }));
    }
    expect((await mailsSince(sellerBefore, deal.seller)).map(({ template }) => template)).toEqual([
      "payoutSent",
    ]);
    expect((await mailsSince(buyerBefore, deal.buyer)).map(({ template }) => template)).toEqual([
      "refundSent",
    ]);
  }
});

test("a trade that an administrator closes mails each party its end, since no transfer was mailed", async () => {
  const deal = await createPaidTrade();
  await saveSellerAccount(deal);
  const before = await Promise.all([deal.buyer, deal.seller].map(countMails));
  await expectAccepted(adminComplete({ ...deal.admin, authenticatedAt: new Date() }, deal.id));
  for (const [place, party] of [deal.buyer, deal.seller].entries())
    expect((await mailsSince(before[place] ?? 0, party)).map(({ template }) => template)).toEqual([
      "transactionCompletion",
    ]);
});
