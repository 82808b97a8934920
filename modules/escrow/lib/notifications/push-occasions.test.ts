import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { keepPushDevice } from "#modules/mailer";
import { payoutsOf } from "#modules/payments";
import { approvePayout } from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { usePushService } from "../../../../tests/support/services/use-push-service.ts";
import { declineOpenRequest } from "../../../../tests/support/trades/cancellation-requests.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  confirmByBoth,
  createInvoicedTrade,
  createPaidTrade,
  expectAccepted,
  type PlantedUser,
  readMailTemplates,
  readNoticeCodes,
  runAtTime,
  runDueJobs,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { claimPayoutAsAdmin } from "../backoffice/payouts/payout-steps.ts";
import { adminPaySeller } from "../backoffice/transactions/administrator-commands.ts";
import { sweepDeadlines } from "../deadlines/run-deadlines.ts";
import { openDispute } from "../disputes/open-dispute.ts";
import { checkPayment } from "../payment/check-payment.ts";
import { handOver, requestCancellation } from "../trade/party-commands.ts";
import { notifyParties } from "./notify-parties.ts";
import { occasionOf } from "./push-occasions.ts";

useDatabase();
const market = useSandboxProvider();
const service = usePushService();

let sessions = 0;
async function notified(...everybody: PlantedUser[]): Promise<void> {
  for (const { userId } of everybody) {
    const owner = { userId, sessionId: ++sessions, device: "a test", at: new Date() };
    await runInTransaction((tx) => keepPushDevice(tx, owner, service.browser()));
  }
}
async function pushed(to: PlantedUser): Promise<string[]> {
  const rows = await db().execute<{ event: string }>(
    sql`SELECT event FROM mailer.pushes WHERE user_id = ${to.userId} ORDER BY id`,
  );
  return rows.map(({ event }) => event);
}

test("each side's devices get what each side's mailbox gets", async () => {
  const deal = await createInvoicedTrade();
  await notified(deal.buyer, deal.seller);
  await market.pay(deal);
  await expectAccepted(checkPayment(deal.id, "callback"));
  await expectAccepted(handOver(deal.seller, deal.id));
  await confirmByBoth(deal);
  expect(await pushed(deal.buyer)).toEqual(["paymentConfirmed", "handedOver"]);
  expect(await pushed(deal.seller)).toEqual(["paymentConfirmed", "confirmPlease"]);
  expect(await readMailTemplates(deal.seller)).toEqual(["paymentConfirmed", "confirmPlease"]);
  await runDueJobs();
  expect(service.arrived.length).toBe(4);
  for (const { content } of service.arrived) {
    expect(content.url).toBe(`/chat/${deal.roomId}`);
    expect(JSON.stringify(content)).not.toMatch(/₮|000/);
  }
  expect((await readNoticeCodes(deal)).length).toBeGreaterThan(0);
});

test("a dispute, a request to cancel, its refusal and an administrator's message are pushed to the other side", async () => {
  const deal = await createPaidTrade();
  await notified(deal.buyer, deal.seller);
  await expectAccepted(requestCancellation(deal.buyer, deal.id));
  await declineOpenRequest(deal, "seller");
  await expectAccepted(notifyParties(deal.admin, deal.id));
  await expectAccepted(openDispute(deal.seller, deal.id, { reason: "The buyer does not answer any more" }));
  expect(await pushed(deal.seller)).toEqual(["cancellationRequested", "adminNotified"]);
  expect(await pushed(deal.buyer)).toEqual(["cancellationDeclined", "adminNotified", "disputeOpened"]);
});

test("an administrator's decision for the seller is reported to both as such", async () => {
  const deal = await createPaidTrade();
  await saveSellerAccount(deal);
  await notified(deal.buyer, deal.seller);
  await expectAccepted(adminPaySeller(deal.admin, deal.id, { sum: 100_000 }));
  for (const side of [deal.buyer, deal.seller]) {
    expect(await pushed(side)).toEqual(["payoutDecided"]);
    const last = sql`SELECT template, data FROM mailer.messages WHERE user_id = ${side.userId} ORDER BY id DESC LIMIT 1`;
    const role = side === deal.buyer ? "buyer" : "seller";
    expect([...(await db().execute(last))]).toEqual([
      { template: "payoutDecided", data: expect.objectContaining({ role, amount: 100_000 }) },
    ]);
  }
  await runDueJobs();
  const told = service.arrived
    .map(({ content }) => content)
    .filter(({ url }) => url === `/chat/${deal.roomId}`);
  expect(told).toHaveLength(2);
  expect(told.map(({ title }) => title).sort()).toEqual(["Payout decided", "Мөнгө олгохоор шийдлээ"]);
  for (const { body, silent } of told) {
    expect(body).toMatch(/dispute|маргаан/);
    expect(silent).toBe(false);
  }
});

test("a near and a passed deadline are pushed to the people concerned", async () => {
  const deal = await createPaidTrade();
  await notified(deal.buyer, deal.seller);
  const hour = 3_600_000;
  for (let hours = 1; hours <= 100; hours += 3) {
    const at = new Date(Date.now() + hours * hour);
    await runAtTime(at, () => sweepDeadlines(at));
  }
  expect(await pushed(deal.seller)).toEqual(["reminder", "overdue"]);
  expect(await pushed(deal.buyer)).toEqual(["overdue"]);
});

test("the maker of a transfer that another takes over is notified immediately, once", async () => {
  const deal = await createPaidTrade();
  await expectAccepted(handOver(deal.seller, deal.id));
  await confirmByBoth(deal);
  const [payout] = await payoutsOf(db(), deal.id);
  const id = payout?.id ?? 0;
  const other = await plantUser({ isAdmin: true });
  await notified(deal.admin);
  await expectAccepted(approvePayout(deal.admin, id));
  expect(await pushed(deal.admin)).toEqual([]);
  for (let press = 0; press < 2; press++) await openDispute(deal.buyer, deal.id, { reason: "it is gone" });
  expect(await pushed(deal.admin)).toEqual(["disputeWanted"]);
  for (let press = 0; press < 2; press++)
    await expectAccepted(claimPayoutAsAdmin(other, id, { from: deal.admin.userId }));
  expect(await pushed(deal.admin)).toEqual(["disputeWanted", "transferTaken"]);
  await runDueJobs();
  const told = service.arrived
    .map(({ content }) => content)
    .filter(({ url }) => url === `/admin/payouts/${id}`);
  // Two workers may deliver them in either order.
  expect(told.map(({ title, silent }) => [title, silent]).sort()).toEqual([
    ["Don't make this transfer", false],
    ["Stop this transfer if you can", false],
  ]);
  expect(JSON.stringify(told)).not.toMatch(/₮|000|50123/);
});

test("one push says that a trade was cancelled or split, and that an account is needed", () => {
  const reader = { name: "", code: "MM-00000000", url: "/chat/3", goods: "account", price: 100_000 } as const;
  const params = { code: "MM-00000000" };
  for (const [account, cancelled, split] of [
    ["needed", "cancelledAccountNeeded", "splitAccountNeeded"],
    ["known", "cancelled", "disputeStep"],
  ] as const) {
    const about = { ...reader, role: "buyer", refund: 40_000, account, deadline: "" } as const;
    const ended = { template: "tradeCancelled", data: { ...about, reason: "agreed" } } as const;
    expect(occasionOf(ended, "MM-00000000", "Saran")).toEqual({ event: cancelled, params });
    const ruled = { ...about, step: "ruledSplit", other: "Saran", payout: 60_000 } as const;
    expect(occasionOf({ template: "disputeStep", data: ruled }, "MM-00000000", "Saran")).toMatchObject({
      event: split,
      params,
    });
  }
});

test("a seller whose account is missing is asked for it by the push of a split, and by no other step's", () => {
  const reader = { name: "", code: "MM-00000000", url: "/chat/3", goods: "account", price: 100_000 } as const;
  const about = { ...reader, role: "seller", other: "Bat", refund: 0, payout: 60_000, deadline: "" } as const;
  for (const [step, event] of [
    ["ruledSplit", "splitAccountNeeded"],
    ["ruledRelease", "disputeStep"],
    ["released", "disputeStep"],
  ] as const) {
    const data = { ...about, step, account: "needed" } as const;
    expect(occasionOf({ template: "disputeStep", data }, "MM-00000000", "Bat")).toMatchObject({ event });
  }
});

test("a handover after the buyer's confirmation asks them only to check the item", () => {
  const reader = { name: "", code: "MM-00000000", url: "/chat/3", goods: "account", price: 100_000 } as const;
  const params = { code: "MM-00000000", other: "Saran" };
  for (const [deadline, event] of [
    ["2026-11-21T09:00:00.000Z", "handedOver"],
    ["", "handedOverLate"],
  ] as const) {
    const letter = { template: "handedOver", data: { ...reader, other: "Saran", deadline } } as const;
    expect(occasionOf(letter, "MM-00000000", "Saran")).toEqual({ event, params });
  }
});

test("the checklist reminder is pushed too; what concerns no party is only mailed", () => {
  const reader = {
    name: "Bold",
    code: "MM-00000000",
    url: "/chat/3/vault",
    goods: "account",
    price: 100_000,
    moment: "2026-11-21T09:00:00.000Z",
  } as const;
  const letter = { template: "vaultReminder", data: reader } as const;
  expect(occasionOf(letter, "MM-00000000", "Saran")).toEqual({
    event: "vaultCheck",
    params: { code: "MM-00000000" },
  });
  const task = { task: "excess", code: "MM-00000000", detail: "", url: "/admin/transactions/7" } as const;
  expect(occasionOf({ template: "adminTask", data: task }, "MM-00000000", "Saran")).toBeUndefined();
});
