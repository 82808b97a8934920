import { describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import {
  approvePayoutRecord,
  destinationDigest,
  findPayout,
  holdsOf,
  liveInvoice,
  openHoldReasons,
  paymentsOf,
  payoutsOf,
} from "#modules/payments";
import {
  approvePayout,
  sendPayout,
  settleShownTrade,
} from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { statementsWaiting, whileHeld } from "../../../../tests/support/database/held-locks.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import { hearFrames } from "../../../../tests/support/trades/room-frames.ts";
import {
  assertSoundLedger,
  confirmByBoth,
  createInvoicedTrade,
  createPaidTrade,
  expectAccepted,
  moneyOf,
  type PlantedTrade,
  type PlantedUser,
  readMailTemplates,
  saveSellerAccount,
  sellerAccount,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { waitUntil } from "../../../../tests/support/wait-until.ts";
import {
  markPayoutUnknownAsAdmin,
  resolvePayoutAsAdmin,
  markPayoutSentAsAdmin as sendAsShown,
} from "../backoffice/payouts/payout-steps.ts";
import { adminCancelForSum } from "../backoffice/transactions/administrator-commands.ts";
import { settleTrade as settleAsShown } from "../backoffice/transactions/settle-trade.ts";
import { tradeNow } from "../core/trade.fixture.ts";
import { saveRefundDestination } from "../information/refund-account.ts";
import { checkPayment } from "../payment/check-payment.ts";
import { issueInvoice } from "../payment/issue-invoice.ts";
import { confirmCompletion } from "../trade/party-commands.ts";
import { followHold, isLoss } from "./follow-hold.ts";
import { resolveTradeHold } from "./resolve-hold.ts";
import { holdsOfTrade } from "./view.ts";

/** The provider takes back a payment that it reported as paid, in every form in which it can report this. */

useDatabase();
const market = useSandboxProvider();

const note = "seen on the merchant portal";
const reference = () => `NP${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
const administrator = () => plantUser({ isAdmin: true });
const held = { ok: false, code: "TRADE_ON_HOLD" };

const change = (id: string, fields: SQL) =>
  db().execute(sql`UPDATE sandbox.payments SET ${fields} WHERE id = ${id}`);

async function paymentOf(deal: PlantedTrade): Promise<string> {
  return (await paymentsOf(db(), deal.id)).at(-1)?.providerPaymentId ?? "";
}

async function latest(deal: PlantedTrade, kind = "payout") {
  const all = (await payoutsOf(db(), deal.id)).filter((one) => one.kind === kind && one.state !== "void");
  return all.at(-1)?.id ?? 0;
}

/** Both parties have confirmed: the payout is due. */
async function settling() {
  const deal = await createPaidTrade();
  await confirmByBoth(deal);
  return { deal, payment: await paymentOf(deal), payout: await latest(deal) };
}

async function dismiss(deal: PlantedTrade, who: PlantedUser[]): Promise<string[]> {
  const shown = await expectAccepted(holdsOfTrade(deal.admin, deal.id));
  const open = shown.holds.find(({ closed }) => closed === null);
  const states: string[] = [];
  for (const admin of who) {
    states.push(
      (await expectAccepted(resolveTradeHold(admin, open?.id ?? 0, { outcome: "dismissed", note }))).state,
    );
  }
  return states;
}

const refunded = sql`status = 'REFUNDED'`;
const asPaid = sql`status = 'PAID'`;

describe("a booked payment that the provider no longer reports as paid", () => {
  test.each([
    ["failed", sql`status = 'FAILED'`, "PAYMENT_GONE"],
    ["under way", sql`status = 'NEW'`, "PAYMENT_GONE"],
    ["no longer listed", sql`listed = false`, "PAYMENT_GONE"],
    ["paid in part", sql`status = 'PARTIAL'`, "UNKNOWN_STATUS"],
    ["smaller", sql`amount = 100`, "PAYMENT_DIFFERS"],
    ["in another currency", sql`currency = 'USD'`, "WRONG_CURRENCY"],
    ["taken back", refunded, "PAYMENT_REVERSED"],
  ] as const)(
    "because it is %s, is not paid out, and one person alone cannot lift that",
    async (_, fields, reason) => {
      const { deal, payment, payout } = await settling();
      await change(payment, fields);
      expect(await approvePayout(deal.admin, payout)).toMatchObject({ ...held, reasons: [reason] });
      expect(await dismiss(deal, [deal.admin])).toEqual(["proposed"]);
      expect(await approvePayout(deal.admin, payout)).toMatchObject(held);
      // Two administrators decide after a review; the provider's report is the same as before.
      expect(await dismiss(deal, [await administrator()])).toEqual(["closed"]);
      expect(await approvePayout(deal.admin, payout)).toMatchObject({ ok: true });
      await assertSoundLedger();
    },
  );

  test.each([
    ["failed", sql`status = 'FAILED'`],
    ["taken back", refunded],
  ] as const)(
    "because it is %s after the approval, is not sent, separately or by settling",
    async (_, fields) => {
      const { deal, payment, payout } = await settling();
      await expectAccepted(approvePayout(deal.admin, payout));
      await change(payment, fields);
      expect(await sendPayout(deal.admin, payout, { bankReference: reference() })).toMatchObject(held);
      expect(await settleShownTrade(deal.admin, deal.id, { bankReference: reference() })).toMatchObject(held);
      expect(await moneyOf(deal)).toMatchObject({ held: 110_000 });
    },
  );

  test("counts again once the provider lists it again, or if only the list had omitted it", async () => {
    const { deal, payment, payout } = await settling();
    await change(payment, sql`listed = false`);
    await expectAccepted(checkPayment(deal.id, "callback"));
    expect(await openHoldReasons(db(), deal.id)).toEqual(["PAYMENT_GONE"]);
    await change(payment, sql`listed = true`);
    await expectAccepted(checkPayment(deal.id, "callback"));
    expect(await openHoldReasons(db(), deal.id)).toEqual([]);
    await market.behave({ operation: "check", hide: true, nextCalls: 1 });
    expect(await approvePayout(deal.admin, payout)).toMatchObject({ ok: true });
  });

  test.each([
    ["another trade's invoice", true],
    ["an invoice that is none of ours", false],
  ])("and that belongs to %s is not paid out, although it is paid with its amount", async (_, ours) => {
    const { deal, payment, payout } = await settling();
    const other = await createInvoicedTrade();
    const named = ours
      ? ((await liveInvoice(db(), other.id))?.providerId ?? "")
      : "6f9619ff-8b86-d011-b42d-00cf4fc964ff";
    await change(payment, sql`names_invoice = ${named}`);
    await market.behave({ operation: "check", hide: true, nextCalls: 1 });
    expect(await approvePayout(deal.admin, payout)).toMatchObject({ ...held, reasons: ["FOREIGN_INVOICE"] });
    expect(await openHoldReasons(db(), other.id)).toEqual(ours ? ["FOREIGN_INVOICE"] : []);
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000 });
    const [hold] = (await expectAccepted(holdsOfTrade(deal.admin, deal.id))).holds;
    for (const who of [deal.admin, await administrator()]) {
      await expectAccepted(resolveTradeHold(who, hold?.id ?? 0, { outcome: "taken_back", note }));
    }
    expect(await moneyOf(deal)).toMatchObject({ held: 0, records: [] });
    await assertSoundLedger();
  });

  test.each([
    ["listed with", false],
    ["looked up by its number and has", true],
  ])("and belongs to %s another trade's invoice is removed only from its own trade", async (_, isHidden) => {
    const { deal, payment, payout } = await settling();
    const other = await createInvoicedTrade();
    const named = (await liveInvoice(db(), other.id))?.providerId ?? "";
    await change(payment, sql`names_invoice = ${named}`);
    if (isHidden) await market.behave({ operation: "check", hide: true, nextCalls: 1 });
    expect(await approvePayout(deal.admin, payout)).toMatchObject({ ...held, reasons: ["FOREIGN_INVOICE"] });
    const [there] = (await expectAccepted(holdsOfTrade(deal.admin, other.id))).holds;
    expect(there?.reason).toBe("FOREIGN_INVOICE");
    const taken = await resolveTradeHold(deal.admin, there?.id ?? 0, { outcome: "taken_back", note });
    expect(taken).toMatchObject({ ok: false, code: "HOLD_OUTCOME_INVALID" });
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000 });
  });

  test.each([
    ["in capitals", (id: string) => id.toUpperCase()],
    ["without dashes", (id: string) => id.replaceAll("-", "")],
  ])("and, looked up by its number, names its own invoice %s is paid out", async (_, otherForm) => {
    const { deal, payment, payout } = await settling();
    const [invoice] = await db().execute<{ id: string }>(sql`
      SELECT invoice_id AS id FROM sandbox.payments WHERE id = ${payment}`);
    await change(payment, sql`names_invoice = ${otherForm(invoice?.id ?? "")}`);
    await market.behave({ operation: "check", hide: true, nextCalls: 1 });
    expect(await approvePayout(deal.admin, payout)).toMatchObject({ ok: true });
    expect(await openHoldReasons(db(), deal.id)).toEqual([]);
  });

  test("and, looked up by its number, is in another currency is not paid out", async () => {
    const { deal, payment, payout } = await settling();
    await change(payment, sql`currency = 'USD'`);
    await market.behave({ operation: "check", hide: true, nextCalls: 1 });
    expect(await approvePayout(deal.admin, payout)).toMatchObject({ ...held, reasons: ["PAYMENT_GONE"] });
    const [hold] = (await expectAccepted(holdsOfTrade(deal.admin, deal.id))).holds;
    expect(hold?.facts).toMatchObject({ status: "PAID", currency: "USD" });
  });

  test("is not paid out by a settlement that checked before the payout was due", async () => {
    const earlier = await settling();
    const destination = (await findPayout(db(), earlier.payout))?.destination;
    const deal = await createPaidTrade();
    await saveSellerAccount(deal);
    await expectAccepted(confirmCompletion(deal.buyer, deal.id));
    await change(await paymentOf(deal), refunded);
    const shown = { destinationDigest: destination ? destinationDigest(destination) : "" };
    const given = { ...shown, bankReference: reference() };
    let settled: ReturnType<typeof settleAsShown> | undefined;
    const confirmed = await whileHeld(
      [sql`SELECT FROM escrow.trades WHERE id = ${deal.id} FOR UPDATE`],
      () => confirmCompletion(deal.seller, deal.id),
      async () => {
        // It reads the trade while nothing is due, then waits for the trade's lock behind the confirmation that makes the payout due.
        settled = settleAsShown(deal.admin, deal.id, given);
        await waitUntil(async () => (await statementsWaiting()) === 2);
      },
    );
    expect(confirmed).toMatchObject({ ok: true });
    expect(await settled).toMatchObject({ ...held, reasons: ["PAYMENT_REVERSED"] });
    expect(await payoutsOf(db(), deal.id)).toMatchObject([{ state: "due", sentAt: null }]);
  });

  test("is not recorded as sent by a request that checked before the payout was approved", async () => {
    const { deal, payment, payout: id } = await settling();
    const destination = (await findPayout(db(), id))?.destination;
    const shown = destination ? destinationDigest(destination) : "";
    await change(payment, refunded);
    const by = { userId: deal.admin.userId, relatedAdminIds: [], keepsRight: async () => true };
    const sent = await whileHeld(
      [sql`SELECT FROM escrow.trades WHERE id = ${deal.id} FOR UPDATE`],
      () => sendAsShown(deal.admin, id, { destinationDigest: shown, bankReference: reference() }),
      // The same administrator approves in another tab, after the provider answered that everything is paid.
      (tx) => approvePayoutRecord(tx, { id, shown, at: currentTime(), by }),
    );
    expect(sent).toMatchObject({ ...held, reasons: ["PAYMENT_REVERSED"] });
    expect(await payoutsOf(db(), deal.id)).toMatchObject([{ state: "approved", sentAt: null }]);
  });
});

test("an open room is updated about a hold without notices, and about its end", async () => {
  const { deal, payment } = await settling();
  const heard: string[] = [];
  const deaf = hearFrames(deal.roomId, (frame) => heard.push(JSON.parse(frame).type));
  for (const fields of [sql`listed = false`, sql`listed = true`]) {
    await change(payment, fields);
    await expectAccepted(checkPayment(deal.id, "callback"));
    const before = heard.length;
    await followHold(deal.id);
    expect(heard.slice(before)).toContain("transaction_update");
  }
  deaf();
});

test("a payment that is also listed for another trade is paid out to neither; people may remove it from the first", async () => {
  const { deal, payment, payout } = await settling();
  const other = await createInvoicedTrade();
  const named = (await liveInvoice(db(), other.id))?.providerId ?? "";
  await change(payment, sql`invoice_id = ${named}::uuid`);
  await expectAccepted(checkPayment(other.id, "callback"));
  for (const id of [deal.id, other.id]) expect(await openHoldReasons(db(), id)).toEqual(["PAYMENT_DIFFERS"]);
  expect(await approvePayout(deal.admin, payout)).toMatchObject(held);
  expect(await moneyOf(other)).toMatchObject({ held: 0, suspense: 0 });
  const shown = await expectAccepted(holdsOfTrade(deal.admin, deal.id));
  const hold = shown.holds.find(({ reason }) => reason === "PAYMENT_DIFFERS");
  expect(hold?.other).toMatchObject({ id: other.id });
  for (const who of [deal.admin, await administrator()]) {
    await expectAccepted(resolveTradeHold(who, hold?.id ?? 0, { outcome: "taken_back", note }));
  }
  expect(await moneyOf(deal)).toMatchObject({ held: 0 });
  // The payment no longer belongs to the first trade, so it does not put that trade on hold again.
  await expectAccepted(checkPayment(other.id, "callback", { force: true }));
  expect(await openHoldReasons(db(), deal.id)).not.toContain("PAYMENT_DIFFERS");
  await assertSoundLedger();
});

test("a payment listed for a trade whose money was sent is no loss of that trade", async () => {
  const { deal, payment } = await settling();
  const other = await createPaidTrade();
  await confirmByBoth(other);
  await expectAccepted(settleShownTrade(other.admin, other.id, { bankReference: reference() }));
  const named = (await paymentsOf(db(), other.id))[0]?.invoiceId ?? "";
  await change(
    payment,
    sql`invoice_id = (SELECT provider_id::uuid FROM payments.provider_invoices WHERE invoice_id = ${named})`,
  );
  await expectAccepted(checkPayment(other.id, "callback"));
  expect(await openHoldReasons(db(), other.id)).toEqual(["PAYMENT_DIFFERS"]);
  const [opened] = await holdsOf(db(), other.id);
  expect(opened && isLoss(opened, true)).toBe(false);
  // The payment is booked for the first trade: if that trade's money had left, this would be its loss.
  const [first] = await holdsOf(db(), deal.id);
  expect(first && isLoss(first, true)).toBe(true);
});

test("a payment that was never booked and is taken back after the money was sent is no loss", async () => {
  const { deal } = await settling();
  const invoice = (await paymentsOf(db(), deal.id))[0]?.invoiceId ?? "";
  await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: reference() }));
  const [named] = await db().execute<{ id: string }>(sql`
    SELECT provider_id AS id FROM payments.provider_invoices WHERE invoice_id = ${invoice}`);
  const { paymentIds } = await market.pay(deal, { callback: false }, named?.id);
  await change(paymentIds[0] ?? "", refunded);
  await expectAccepted(checkPayment(deal.id, "callback"));
  const [hold] = await holdsOf(db(), deal.id);
  expect(hold).toMatchObject({ reason: "PAYMENT_REVERSED", closedAt: null });
  expect(hold && isLoss(hold, true)).toBe(false);
});

describe("a decision about a payment that was taken back", () => {
  test("does not apply to the next one, if the provider reported the payment as paid in between", async () => {
    const { deal, payment, payout } = await settling();
    await change(payment, refunded);
    expect(await approvePayout(deal.admin, payout)).toMatchObject(held);
    await change(payment, asPaid);
    expect(await dismiss(deal, [deal.admin, await administrator()])).toEqual(["proposed", "closed"]);
    await change(payment, refunded);
    expect(await approvePayout(deal.admin, payout)).toMatchObject({ ...held, reasons: ["PAYMENT_REVERSED"] });
  });

  test("made by one person while no money was held does not apply once there is some", async () => {
    const deal = await createInvoicedTrade();
    const { paymentIds } = await market.pay(deal, { callback: false });
    const payment = paymentIds[0] ?? "";
    await change(payment, refunded);
    await expectAccepted(checkPayment(deal.id, "callback"));
    expect(await dismiss(deal, [deal.admin])).toEqual(["closed"]);
    await change(payment, asPaid);
    await expectAccepted(checkPayment(deal.id, "callback"));
    await confirmByBoth(deal);
    await change(payment, refunded);
    expect(await approvePayout(deal.admin, await latest(deal))).toMatchObject(held);
  });

  test("made after the money was sent does not apply once it is back", async () => {
    const { deal, payment, payout } = await settling();
    const second = await administrator();
    await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: reference() }));
    await change(payment, refunded);
    await expectAccepted(checkPayment(deal.id, "callback"));
    expect(await dismiss(deal, [deal.admin])).toEqual(["closed"]);
    await expectAccepted(markPayoutUnknownAsAdmin(second, payout, { reason: "The seller asks" }));
    await expectAccepted(
      resolvePayoutAsAdmin(second, payout, { outcome: "not_sent", reason: "Sent back by the bank" }),
    );
    expect(await approvePayout(second, await latest(deal))).toMatchObject(held);
  });
});

describe("a payment in suspense", () => {
  async function late() {
    const deal = await createInvoicedTrade();
    const invoice = (await liveInvoice(db(), deal.id))?.providerId ?? "";
    await expectAccepted(issueInvoice(deal.buyer, deal.id));
    await expectAccepted(adminCancelForSum(deal.admin, deal.id, { sum: 0 }));
    await market.pay(deal, { callback: false }, invoice);
    await expectAccepted(checkPayment(deal.id, "callback"));
    const { accountName, bankName, accountNumber } = {
      bankName: "Khan Bank",
      accountNumber: "5012345678",
      ...sellerAccount,
    };
    await saveRefundDestination(deal.buyer, deal.id, { accountName, bankName, accountNumber });
    return { deal, payment: await paymentOf(deal), refund: await latest(deal, "refund") };
  }

  test("that was taken back is not refunded by one person's decision", async () => {
    const { deal, payment, refund } = await late();
    await change(payment, refunded);
    expect(await approvePayout(deal.admin, refund)).toMatchObject(held);
    expect(await dismiss(deal, [deal.admin])).toEqual(["proposed"]);
    expect(await approvePayout(deal.admin, refund)).toMatchObject(held);
  });

  test("that was taken back after its refund was sent is a loss, reported to every administrator", async () => {
    const { deal, payment, refund } = await late();
    await expectAccepted(approvePayout(deal.admin, refund));
    await expectAccepted(sendPayout(deal.admin, refund, { bankReference: reference() }));
    const other = await administrator();
    await change(payment, refunded);
    await expectAccepted(checkPayment(deal.id, "callback"));
    await followHold(deal.id);
    for (const who of [deal.admin, other]) expect(await readMailTemplates(who)).toContain("adminTask");
    expect((await tradeNow(deal)).status).toBe("cancelled");
  });
});
