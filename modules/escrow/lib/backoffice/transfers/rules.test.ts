import { afterEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { overrideConfig } from "#config";
import { db } from "#db/client";
import { setAdmin } from "#modules/identity";
import { destinationDigest, haltMoney, type Payout, payoutsOf } from "#modules/payments";
import { ruleDispute, sendPayout } from "../../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../../tests/support/expect-match.ts";
import { plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import {
  assertSoundLedger,
  confirmByBoth,
  createInvoicedTrade,
  createPaidTrade,
  expectAccepted,
  moneyOf,
  type PlantedTrade,
  type PlantedUser,
  runAtTime,
  saveSellerAccount,
  sellerAccount,
  useSandboxProvider,
} from "../../../../../tests/support/trades/sandbox-trades.ts";
import { tradeNow } from "../../core/trade.fixture.ts";
import { openDispute } from "../../disputes/open-dispute.ts";
import { saveBankInfo } from "../../information/bank-account.ts";
import { saveRefundDestination } from "../../information/refund-account.ts";
import { checkPayment } from "../../payment/check-payment.ts";
import { issueInvoice } from "../../payment/issue-invoice.ts";
import { confirmCompletion } from "../../trade/party-commands.ts";
import {
  approvePayoutAsAdmin,
  claimPayoutAsAdmin,
  markPayoutDoneAsAdmin,
  markPayoutUnknownAsAdmin,
  resolvePayoutAsAdmin,
  markPayoutSentAsAdmin as sendAsShown,
} from "../payouts/payout-steps.ts";
import { payoutPage } from "../payouts/payout-view.ts";
import {
  adminCancel,
  adminCancelForSum,
  adminComplete,
  deleteTransaction,
} from "../transactions/administrator-commands.ts";
import { settleTrade } from "../transactions/settle-trade.ts";
import { switchOutgoingMoney } from "../treasury/treasury.ts";
import { compareHolders } from "./account-correction.ts";
import { reportTransfer } from "./report-transfer.ts";
import { transferRemark } from "./transfer-remark.ts";

useDatabase();
const market = useSandboxProvider();
afterEach(() => overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined }));

const reason = "the bank's page broke off";
const reference = () => `RL${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
const other = { ...sellerAccount, accountName: "Dorj Bold", accountNumber: "1105123456" };
const minutes = (many: number) => new Date(Date.now() + many * 60_000);
/** An administrator who signed in at that moment. */
const at = (who: PlantedUser, when: Date) => ({ ...who, authenticatedAt: when });

const refundTo = (accountNumber: string) => ({
  ...{ accountName: "Bat Erdene", bankName: "Khan Bank", accountNumber, ibanNumber: undefined },
});
const administrator = (displayName: string) => plantUser({ isAdmin: true, displayName });

async function due(): Promise<PlantedTrade & { record: Payout; digest: string; second: PlantedUser }> {
  const deal = await createPaidTrade();
  await confirmByBoth(deal);
  const [record] = await payoutsOf(db(), deal.id);
  if (record === undefined) throw new Error("nothing is due");
  const digest = destinationDigest(record.destination);
  return { ...deal, record, digest, second: await administrator("Second") };
}

async function told(userId: number): Promise<string[]> {
  const rows = await db().execute<{ event: string }>(sql`
    SELECT data ->> 'task' AS event FROM mailer.messages WHERE user_id = ${userId} AND template = 'adminTask' ORDER BY id`);
  return rows.map(({ event }) => event);
}

async function logged(deal: { id: number }): Promise<string[]> {
  const rows = await db().execute<{ action: string }>(sql`
    SELECT action FROM audit.entries WHERE subject_kind = 'transaction' AND subject_id = ${String(deal.id)} ORDER BY id`);
  return rows.map(({ action }) => action);
}

describe("the account that was shown", () => {
  test("must be named to approve, send or settle; without it nothing moves", async () => {
    const deal = await due();
    const { admin, record, digest } = deal;
    const none = { ok: false, code: "DESTINATION_DIGEST_REQUIRED" };
    expect(await approvePayoutAsAdmin(admin, record.id)).toMatchObject(none);
    expect(await settleTrade(admin, deal.id, { bankReference: reference() })).toMatchObject(none);
    await expectAccepted(approvePayoutAsAdmin(admin, record.id, { destinationDigest: digest }));
    const sent = { bankReference: reference() };
    expect(await sendAsShown(admin, record.id, sent)).toMatchObject(none);
    const wrong = { ...sent, destinationDigest: destinationDigest(null) };
    expect(await sendAsShown(admin, record.id, wrong)).toMatchObject({ code: "PAYOUT_CONFLICT" });
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000 });
    await expectAccepted(sendAsShown(admin, record.id, { ...sent, destinationDigest: digest }));
  });

  test("is the only one paid when a settlement and a correction race", async () => {
    for (let round = 0; round < 8; round++) {
      const deal = await due();
      const { admin, seller, digest } = deal;
      const both = [
        () => settleTrade(admin, deal.id, { bankReference: reference(), destinationDigest: digest }),
        () => saveBankInfo(seller, deal.id, other),
      ];
      const [one, two] = round % 2 === 0 ? both : both.toReversed();
      const answers = await Promise.all([one?.(), two?.()]);
      expect(answers.filter((answer) => answer?.ok)).toHaveLength(1);
      const [record] = await payoutsOf(db(), deal.id);
      const number = record?.destination?.accountNumber;
      expect([record?.state, number]).toEqual(
        record?.state === "sent" ? ["sent", "5012345678"] : ["due", other.accountNumber],
      );
    }
    await assertSoundLedger();
  });

  test("is optional in the API's call without a body; if given, it must be the one on record", async () => {
    const deal = await due();
    const wrong = { destinationDigest: destinationDigest(null) };
    expect(await adminComplete(deal.admin, deal.id, wrong)).toMatchObject({ code: "PAYOUT_CONFLICT" });
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000 });
    await expectAccepted(adminComplete(deal.admin, deal.id, { destinationDigest: deal.digest }));
    const bare = await due();
    await expectAccepted(adminComplete(bare.admin, bare.id));
    expect((await payoutsOf(db(), bare.id))[0]).toMatchObject({ state: "sent", referenceMissing: true });
  });
});

describe("an approval", () => {
  test("by an administrator who was dismissed no longer counts, even once they are one again", async () => {
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 50_000 });
    const { admin, second, record, digest } = await due();
    await expectAccepted(approvePayoutAsAdmin(admin, record.id, { destinationDigest: digest }));
    const dismissed = await setAdmin(second, admin.userId, false);
    expect(dismissed).toMatchObject({ ok: true });
    expect(await sendPayout(second, record.id, { bankReference: reference() })).toMatchObject({
      code: "APPROVAL_LAPSED",
    });
    expect(await payoutPage(second, record.id)).toMatchObject({ payout: { approvalLapsed: true } });
    await setAdmin(second, admin.userId, true);
    expect(await sendPayout(second, record.id, { bankReference: reference() })).toMatchObject({
      code: "APPROVAL_LAPSED",
    });
    const third = await administrator("Third");
    await expectAccepted(approvePayoutAsAdmin(third, record.id, { destinationDigest: digest }));
    await expectAccepted(sendPayout(second, record.id, { bankReference: reference() }));
  });
});

describe("a corrected account", () => {
  test("is shown beside the old one with time and device, and needs two people and three hours", async () => {
    const deal = await due();
    const { admin, second, seller, record } = deal;
    const device = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0";
    expect(await saveBankInfo({ ...seller, device }, deal.id, other)).toMatchObject({ corrected: true });
    const [now] = await payoutsOf(db(), deal.id);
    const shown = await payoutPage(admin, record.id);
    expect(shown).toMatchObject({
      payout: {
        destination: { accountNumber: other.accountNumber },
        correction: {
          ...{ before: { accountNumber: "5012345678", accountName: sellerAccount.accountName } },
          device: "Firefox, Android",
          ...{ at: now?.correctedAt?.toISOString(), holder: "other", firstApproval: null },
          payableFrom: new Date((now?.correctedAt?.getTime() ?? 0) + 3 * 3_600_000).toISOString(),
        },
      },
    });
    const seen = { destinationDigest: destinationDigest(now?.destination ?? null) };
    await expectAccepted(approvePayoutAsAdmin(admin, record.id, seen));
    const bankReference = reference();
    expect(await settleTrade(second, deal.id, { bankReference, ...seen })).toMatchObject({
      code: "ACCOUNT_JUST_CORRECTED",
    });
    expect(await adminComplete(second, deal.id)).toMatchObject({ code: "ACCOUNT_JUST_CORRECTED" });
    expect(await payoutPage(second, record.id)).toMatchObject({
      payout: { state: "due", correction: { firstApproval: { own: false, related: false } } },
    });
    const after = minutes(181);
    expect(
      await runAtTime(after, () => settleTrade(at(admin, after), deal.id, { bankReference, ...seen })),
    ).toMatchObject({ code: "FOUR_EYES_REQUIRED" });
    await runAtTime(after, () =>
      expectAccepted(settleTrade(at(second, after), deal.id, { bankReference, ...seen })),
    );
    expect((await tradeNow(deal)).status).toBe("completed");
    await assertSoundLedger();
  });

  test("counts also before the payout is due", async () => {
    const deal = await createPaidTrade();
    await saveSellerAccount(deal);
    expect(await saveBankInfo(deal.seller, deal.id, other)).toMatchObject({ corrected: true });
    await expectAccepted(confirmCompletion(deal.buyer, deal.id));
    await expectAccepted(confirmCompletion(deal.seller, deal.id));
    const [record] = await payoutsOf(db(), deal.id);
    expectMatch(record, { state: "due", correctedAt: expect.any(Date) });
    expect(await adminComplete(deal.admin, deal.id)).toMatchObject({ code: "FOUR_EYES_REQUIRED" });
    expect((await payoutsOf(db(), deal.id))[0]).toMatchObject({ state: "due", firstApprovedBy: null });
  });

  test("is compared by its holder regardless of case, order and spaces", () => {
    const pairs: Array<[string, string, string]> = [
      ["Bat Erdene", "bat  erdene", "same"],
      ["Bat Erdene", "ERDENE BAT", "same"],
      ["Bat-Erdene", "BatErdene", "same"],
      ["Бат Эрдэнэ", "Бат Болд", "partly"],
      ["Bat Erdene", "Dorj Bold", "other"],
      ["B. Erdene", "B. Bold", "other"],
      ["", "", "other"],
    ];
    for (const [one, two, expected] of pairs)
      expect([one, two, compareHolders(one, two)]).toEqual([one, two, expected]);
  });
});

describe("a transfer that was recorded and not sent", () => {
  test("can be reported only by someone other than its sender, and every administrator is notified", async () => {
    const { admin, second, record } = await due().then(async (deal) => {
      await expectAccepted(
        approvePayoutAsAdmin(deal.admin, deal.record.id, { destinationDigest: deal.digest }),
      );
      await expectAccepted(sendPayout(deal.admin, deal.record.id, { bankReference: reference() }));
      await expectAccepted(markPayoutUnknownAsAdmin(deal.admin, deal.record.id, { reason }));
      return deal;
    });
    const unsent = { outcome: "not_sent" as const, reason };
    expect(await resolvePayoutAsAdmin(admin, record.id, unsent)).toMatchObject({
      code: "FOUR_EYES_REQUIRED",
    });
    const done = await expectAccepted(resolvePayoutAsAdmin(second, record.id, unsent));
    expect(done.payout).toMatchObject({ state: "due", replaces: record.id, destination: record.destination });
    for (const { userId } of [admin, second]) expect(await told(userId)).toContain("notSent");
  });
});

describe("a transfer that was taken over", () => {
  test("tells its maker of the refused attempt, and the first can report having sent it", async () => {
    const deal = await due();
    const { admin, second, record, digest } = deal;
    await expectAccepted(approvePayoutAsAdmin(admin, record.id, { destinationDigest: digest }));
    await expectAccepted(claimPayoutAsAdmin(second, record.id, { from: admin.userId }));
    const bankReference = reference();
    expect(await sendPayout(admin, record.id, { bankReference })).toMatchObject({ code: "PAYOUT_CLAIMED" });
    expect(await logged(deal)).toContain("transaction.refused_transfer");
    expect(await reportTransfer(second, record.id, { bankReference })).toMatchObject({
      code: "PAYOUT_CONFLICT",
    });
    await expectAccepted(reportTransfer(admin, record.id, { bankReference }));
    expect(await payoutPage(second, record.id)).toMatchObject({
      payout: { state: "unknown", reported: { own: false, reference: bankReference }, barred: null },
    });
    expect(await sendPayout(second, record.id, { bankReference: reference() })).toMatchObject({
      code: "PAYOUT_CONFLICT",
    });
    await expectAccepted(resolvePayoutAsAdmin(second, record.id, { outcome: "sent", bankReference }));
    expect((await tradeNow(deal)).status).toBe("completed");
    await assertSoundLedger();
  });
});

test("a corrected account also needs two people for the refund that replaces the corrected one", async () => {
  const { buyer, second, ...deal } = await due();
  await expectAccepted(openDispute(buyer, deal.id, { reason }));
  const split = { ruling: "split", refundAmount: 40_000, sum: 40_000, reason } as const;
  await expectAccepted(ruleDispute(deal.admin, deal.id, split));
  await expectAccepted(saveRefundDestination(buyer, deal.id, refundTo("5012345678")));
  const refundOf = async () =>
    (await payoutsOf(db(), deal.id)).find(({ kind, state }) => kind === "refund" && state !== "void");
  const first = await refundOf();
  await expectAccepted(
    approvePayoutAsAdmin(deal.admin, first?.id ?? 0, {
      destinationDigest: destinationDigest(first?.destination ?? null),
    }),
  );
  await expectAccepted(markPayoutUnknownAsAdmin(deal.admin, first?.id ?? 0, { reason }));
  await expectAccepted(resolvePayoutAsAdmin(deal.admin, first?.id ?? 0, { outcome: "not_sent", reason }));
  await expectAccepted(saveRefundDestination(buyer, deal.id, refundTo("1105123456")));
  await expectAccepted(adminCancel(deal.admin, deal.id));
  const last = await refundOf();
  expectMatch(last, { state: "due", correctedAt: expect.any(Date) });
  const bankReference = reference();
  const seen = { bankReference, destinationDigest: destinationDigest(last?.destination ?? null) };
  expect(await settleTrade(deal.admin, deal.id, seen)).toMatchObject({ code: "FOUR_EYES_REQUIRED" });
  expect(await settleTrade(second, deal.id, seen)).toMatchObject({ ok: false });
});

test("a transfer reported as made earlier, although another was seen on the statement, puts its trade on hold", async () => {
  const { admin, second, record, digest, ...deal } = await due();
  await expectAccepted(approvePayoutAsAdmin(admin, record.id, { destinationDigest: digest }));
  await expectAccepted(claimPayoutAsAdmin(second, record.id, { from: admin.userId }));
  await expectAccepted(
    sendAsShown(second, record.id, { bankReference: reference(), destinationDigest: digest }),
  );
  await expectAccepted(markPayoutDoneAsAdmin(await administrator("Third"), record.id));
  expect(await reportTransfer(admin, record.id, { bankReference: reference() })).toMatchObject({
    code: "PAYOUT_CONFLICT",
  });
  expect((await tradeNow(deal)).holds).toEqual(["FRAUD_REPORT"]);
});

describe("while money is halted", () => {
  test("a payout claimed before is recorded with its reference; lifting the halt takes two", async () => {
    const { admin, second, record, digest } = await due();
    await expectAccepted(approvePayoutAsAdmin(admin, record.id, { destinationDigest: digest }));
    const soon = minutes(1);
    await runAtTime(soon, () => switchOutgoingMoney(at(second, soon), { on: true, reason }));
    const after = minutes(2);
    expect(await runAtTime(after, () => payoutPage(admin, record.id))).toMatchObject({
      payout: { halted: true, leftBeforeHalt: true },
    });
    const sent = await runAtTime(after, () =>
      sendPayout(at(admin, after), record.id, { bankReference: reference() }),
    );
    expect(sent).toMatchObject({ ok: true });
    expect(await switchOutgoingMoney(second, { on: false, reason })).toMatchObject({ halted: true });
    expect(await switchOutgoingMoney(admin, { on: false, reason })).toMatchObject({
      ok: true,
      halted: false,
    });
  });
});

test("an administrator who removes the others during a halt cannot lift it alone", async () => {
  const { admin, second } = await due();
  await expectAccepted(switchOutgoingMoney(second, { on: true, reason }));
  const others = await db().execute<{ id: number }>(sql`
    SELECT id::int FROM identity.users WHERE is_admin AND id <> ${admin.userId}`);
  for (const { id } of others) expect(await setAdmin(at(admin, new Date()), id, false)).toEqual({ ok: true });
  expect(await switchOutgoingMoney(admin, { on: false, reason })).toMatchObject({ ok: true, halted: true });
  // The operator's console can resume.
  await haltMoney({ on: false, reason, at: new Date(), by: { userId: null } });
});

test("two transfers of one trade carry different remarks", () => {
  expect(transferRemark("MM-7K2Q9XAB", [41, 17], 17)).toBe("MM-7K2Q9XAB-1");
  expect(transferRemark("MM-7K2Q9XAB", [41, 17], 41)).toBe("MM-7K2Q9XAB-2");
});

describe("a deleted trade", () => {
  test("must have ended, with none of its money left to handle", async () => {
    const open = await createInvoicedTrade();
    expect(await deleteTransaction(open.admin, open.id)).toMatchObject({ code: "TRADE_UNDER_WAY" });
    const deal = await createPaidTrade();
    await expectAccepted(adminCancel(deal.admin, deal.id));
    expect(await deleteTransaction(deal.admin, deal.id)).toMatchObject({ code: "MONEY_HELD" });
    const home = {
      accountName: "Dorj",
      bankName: "Golomt Bank",
      accountNumber: "1105123456",
      ibanNumber: undefined,
    };
    await saveRefundDestination(deal.buyer, deal.id, home);
    const [record] = await payoutsOf(db(), deal.id);
    const seen = { destinationDigest: destinationDigest(record?.destination ?? null) };
    await expectAccepted(settleTrade(deal.admin, deal.id, { bankReference: reference(), ...seen }));
    expect(await expectAccepted(deleteTransaction(deal.admin, deal.id))).toMatchObject({ changed: true });
  });

  test("appears in the lists again once money is booked for it, and the administrators are notified", async () => {
    const deal = await createInvoicedTrade();
    const { id: roomless } = deal;
    const live = await expectAccepted(issueInvoice(deal.buyer, deal.id));
    await expectAccepted(adminCancelForSum(deal.admin, deal.id, { sum: 0 }));
    await db().execute(
      sql`UPDATE payments.invoices SET state = 'cancelled', ended_at = now() WHERE reference = ${roomless}`,
    );
    await expectAccepted(deleteTransaction(deal.admin, deal.id));
    expect(await issueInvoice(deal.buyer, deal.id)).toMatchObject({ code: "TRADE_OVERTAKEN" });
    await market.pay(deal, {}, live.invoice.providerId);
    await expectAccepted(checkPayment(deal.id, "callback"));
    expect((await tradeNow(deal)).hiddenAt).toBeNull();
    expect(await logged(deal)).toContain("transaction.shown_again");
    expect(await deleteTransaction(deal.admin, deal.id)).toMatchObject({ code: "MONEY_HELD" });
  });

  test("appears in the lists again once a transfer from its suspense is found not sent", async () => {
    const deal = await createInvoicedTrade();
    const live = await expectAccepted(issueInvoice(deal.buyer, deal.id));
    await expectAccepted(adminCancelForSum(deal.admin, deal.id, { sum: 0 }));
    await market.pay(deal, {}, live.invoice.providerId);
    await expectAccepted(checkPayment(deal.id, "callback"));
    const home = { accountName: "Dorj", bankName: "Golomt Bank", accountNumber: "1105123456" };
    await saveRefundDestination(deal.buyer, deal.id, home);
    const [refund] = await payoutsOf(db(), deal.id);
    if (refund === undefined) throw new Error("no refund is due");
    await expectAccepted(
      approvePayoutAsAdmin(deal.admin, refund.id, {
        destinationDigest: destinationDigest(refund.destination),
      }),
    );
    await expectAccepted(sendPayout(deal.admin, refund.id, { bankReference: reference() }));
    await db().execute(
      sql`UPDATE payments.invoices SET state = 'cancelled', ended_at = now() WHERE reference = ${deal.id} AND state = 'open'`,
    );
    await expectAccepted(deleteTransaction(deal.admin, deal.id));
    await expectAccepted(markPayoutUnknownAsAdmin(deal.admin, refund.id, { reason }));
    const second = await administrator("Second");
    await expectAccepted(resolvePayoutAsAdmin(second, refund.id, { outcome: "not_sent", reason }));
    expect((await tradeNow(deal)).hiddenAt).toBeNull();
  });

  test("that an older version hid while it was open accepts no QR code and no payment", async () => {
    const deal = await createInvoicedTrade();
    await db().execute(sql`UPDATE escrow.trades SET hidden_at = now() WHERE id = ${deal.id}`);
    expect(await issueInvoice(deal.buyer, deal.id)).toMatchObject({ code: "TRADE_OVERTAKEN" });
    await market.pay(deal);
    await expectAccepted(checkPayment(deal.id, "callback"));
    expect(await tradeNow(deal)).toMatchObject({ hiddenAt: null, status: "payment_confirmed" });
  });
});
