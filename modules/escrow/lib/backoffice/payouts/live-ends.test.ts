import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { overrideConfig } from "#config";
import { db } from "#db/client";
import { payoutsOf } from "#modules/payments";
import {
  approvePayout,
  ruleDispute,
  sendPayout,
  settleShownTrade,
} from "../../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import { hearFrames } from "../../../../../tests/support/trades/room-frames.ts";
import {
  confirmByBoth,
  createPaidTrade,
  expectAccepted,
  type PlantedTrade,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../../tests/support/trades/sandbox-trades.ts";
import { openDispute } from "../../disputes/open-dispute.ts";
import { saveRefundDestination } from "../../information/refund-account.ts";
import { adminCancel } from "../transactions/administrator-commands.ts";
import {
  markPayoutDoneAsAdmin,
  markPayoutUnknownAsAdmin,
  resolvePayoutAsAdmin,
  withdrawApprovalAsAdmin,
} from "./payout-steps.ts";

// Every act by which an administrator ends a trade or moves its money reaches the pages that both parties have open.

useDatabase();
useSandboxProvider();
beforeAll(() => overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined }));
afterAll(() => overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined }));

const reason = "the account was taken back";
const account = {
  accountName: "Dorj",
  bankName: "Golomt Bank",
  accountNumber: "1105123456",
  ibanNumber: undefined,
};
const reference = () => `FS${crypto.randomUUID().slice(0, 8).toUpperCase()}`;

/** Does something and counts how often the room's open pages were told to fetch the trade's cards again. */
async function countUpdates(
  { roomId }: PlantedTrade,
  act: () => Promise<{ ok: true } | { ok: false; code: string }>,
) {
  let count = 0;
  const deaf = hearFrames(roomId, (frame) => {
    if (JSON.parse(frame).type === "transaction_update") count += 1;
  });
  await expectAccepted(act());
  deaf();
  return count;
}

const lastPayout = async ({ id }: PlantedTrade) => (await payoutsOf(db(), id)).at(-1)?.id ?? 0;

async function disputed(): Promise<PlantedTrade> {
  const deal = await createPaidTrade();
  await saveSellerAccount(deal);
  await expectAccepted(openDispute(deal.buyer, deal.id, { reason: "nothing came" }));
  return deal;
}

async function refundDue(): Promise<PlantedTrade> {
  const deal = await createPaidTrade();
  await expectAccepted(adminCancel(deal.admin, deal.id));
  await expectAccepted(saveRefundDestination(deal.buyer, deal.id, account));
  return deal;
}

async function payoutDue(): Promise<PlantedTrade> {
  const deal = await createPaidTrade();
  await confirmByBoth(deal);
  return deal;
}

describe("an open room is updated once", () => {
  test.each([
    ["refund", { ruling: "refund", sum: 110_000 }],
    ["release", { ruling: "release", sum: 100_000 }],
    ["split", { ruling: "split", refundAmount: 40_000, sum: 40_000 }],
  ] as const)("by a ruling: %s", async (_, ruling) => {
    const deal = await disputed();
    expect(await countUpdates(deal, () => ruleDispute(deal.admin, deal.id, { ...ruling, reason }))).toBe(1);
  });

  test.each([
    ["payout", payoutDue],
    ["refund", refundDue],
  ] as const)("by each step of a %s", async (_, due) => {
    const deal = await due();
    const id = await lastPayout(deal);
    const updates = (act: Parameters<typeof countUpdates>[1]) => countUpdates(deal, act);
    expect(await updates(() => approvePayout(deal.admin, id))).toBe(1);
    expect(await updates(() => approvePayout(deal.admin, id))).toBe(0);
    expect(await updates(() => withdrawApprovalAsAdmin(deal.admin, id, { reason }))).toBe(1);
    expect(await updates(() => approvePayout(deal.admin, id))).toBe(1);
    expect(await updates(() => markPayoutUnknownAsAdmin(deal.admin, id, { reason }))).toBe(1);
    const bankReference = reference();
    expect(
      await updates(() => resolvePayoutAsAdmin(deal.admin, id, { outcome: "sent", bankReference })),
    ).toBe(1);
    const second = await plantUser({ isAdmin: true, displayName: "Second" });
    expect(await updates(() => markPayoutDoneAsAdmin(second, id))).toBe(1);
  });

  test("by a refund that is sent, and by one that is settled in one step", async () => {
    const [stepwise, settled] = [await refundDue(), await refundDue()];
    const id = await lastPayout(stepwise);
    await expectAccepted(approvePayout(stepwise.admin, id));
    const sent = { bankReference: reference() };
    expect(await countUpdates(stepwise, () => sendPayout(stepwise.admin, id, sent))).toBe(1);
    const both = { bankReference: reference() };
    expect(await countUpdates(settled, () => settleShownTrade(settled.admin, settled.id, both))).toBe(1);
  });
});
