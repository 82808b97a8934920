import { afterEach, describe, expect, test } from "bun:test";
import { configure } from "#config";
import { db } from "#db/client";
import { payoutsOf } from "#modules/payments";
import { useDatabase } from "../../../tests/support/database.ts";
import {
  account,
  bothConfirm,
  type Deal,
  must,
  paid,
  type Someone,
  useMarket,
} from "../../../tests/support/market.ts";
import { plantUser } from "../../../tests/support/trade.ts";
import { approvePayout, claimPayout, payoutUnknown, resolvePayout, sendPayout } from "./admin-payouts.ts";
import { infoExchange } from "./information.view.ts";
import { adminTrade } from "./views.admin.ts";
import { payoutPage } from "./views.payouts.ts";
import { workQueue } from "./views.queue.ts";

useDatabase();
useMarket();
afterEach(() => configure({ PAYOUT_FOUR_EYES_ABOVE: undefined }));

const whole = "5012345678";
const reason = "the bank's page broke off";
const reference = () => `FS${crypto.randomUUID().slice(0, 8)}`;

async function settling() {
  const deal = await paid();
  await bothConfirm(deal);
  const id = (await payoutsOf(db(), deal.id))[0]?.id ?? 0;
  return { ...deal, payout: id, second: await plantUser({ isAdmin: true, displayName: "Second" }) };
}

/** Where the payout goes, as one administrator reads it: in the work, at its trade, on its page. */
async function read(who: Someone, deal: Deal & { payout: number }) {
  const [work, trade, page] = await Promise.all([
    workQueue(who),
    adminTrade(who, deal.id),
    payoutPage(who, deal.payout),
  ]);
  if (!work.ok || !trade.ok || !page.ok) throw new Error("refused");
  const number = (of: { destination: { accountNumber: string } | null } | undefined) =>
    of?.destination?.accountNumber;
  return {
    queue: number(work.queue.payouts.find(({ id }) => id === deal.payout)),
    trade: number(trade.detail.payouts.find(({ id }) => id === deal.payout)),
    page: number(page.payout),
    whole: page.payout.whole,
  };
}

const lastFour = { queue: "••5678", trade: "••5678", page: "••5678", whole: false };

describe("the account of a payout", () => {
  test("is whole on its page until it is approved, in no list and not at its trade", async () => {
    const deal = await settling();
    for (const who of [deal.admin, deal.second]) {
      expect(await read(who, deal)).toEqual({ ...lastFour, page: whole, whole: true });
    }
  });

  test("is whole everywhere for who makes the transfer, and for nobody else", async () => {
    const deal = await settling();
    await must(approvePayout(deal.admin, deal.payout));
    expect(await read(deal.admin, deal)).toEqual({ queue: whole, trade: whole, page: whole, whole: true });
    expect(await read(deal.second, deal)).toEqual(lastFour);
    await must(claimPayout(deal.second, deal.payout, { from: deal.admin.userId }));
    expect(await read(deal.admin, deal)).toEqual(lastFour);
    expect(await read(deal.second, deal)).toMatchObject({ queue: whole, trade: whole, page: whole });
    await must(payoutUnknown(deal.admin, deal.payout, { reason }));
    expect(await read(deal.admin, deal)).toEqual(lastFour);
    expect(await read(deal.second, deal)).toMatchObject({ page: whole });
    await must(resolvePayout(deal.second, deal.payout, { outcome: "sent", bankReference: reference() }));
    expect(await read(deal.admin, deal)).toMatchObject({ trade: "••5678", page: "••5678" });
    expect(await read(deal.second, deal)).toMatchObject({ trade: whole, page: whole });
  });

  test("is nobody's to read while so much waits for a second person, and in doubt neither", async () => {
    configure({ PAYOUT_FOUR_EYES_ABOVE: 50_000 });
    const deal = await settling();
    await must(approvePayout(deal.admin, deal.payout));
    for (const who of [deal.admin, deal.second]) expect(await read(who, deal)).toEqual(lastFour);
    await must(payoutUnknown(deal.admin, deal.payout, { reason }));
    for (const who of [deal.admin, deal.second]) expect(await read(who, deal)).toEqual(lastFour);
  });

  test("stays whole for who sent it, though another had approved it", async () => {
    configure({ PAYOUT_FOUR_EYES_ABOVE: 50_000 });
    const deal = await settling();
    await must(approvePayout(deal.admin, deal.payout));
    await must(sendPayout(deal.second, deal.payout, { bankReference: reference() }));
    expect(await read(deal.admin, deal)).toMatchObject({ trade: "••5678", page: "••5678" });
    expect(await read(deal.second, deal)).toMatchObject({ trade: whole, page: whole });
  });

  test("is the seller's to read as they gave it; administrators read its last four beside the trade", async () => {
    const deal = await settling();
    await must(approvePayout(deal.admin, deal.payout));
    const own = await infoExchange(deal.seller, deal.id);
    expect(own.ok && own.exchange.sellerInfo).toMatchObject({ accountNumber: whole });
    for (const who of [deal.admin, deal.second]) {
      const seen = await adminTrade(who, deal.id);
      expect(seen.ok && seen.detail.infoExchange.sellerInfo).toMatchObject({
        accountName: account.accountName,
        accountNumber: "••••5678",
        phoneNumber: "••••2233",
        email: account.email,
      });
    }
  });
});
