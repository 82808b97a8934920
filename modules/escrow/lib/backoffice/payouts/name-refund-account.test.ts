import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { drainJobs } from "#db/jobs";
import { listEntries, verifyChain } from "#modules/audit";
import { deleteUserAsAdmin, downloadPersonalData } from "#modules/identity";
import { findPayout, listInvoices, payoutsOf } from "#modules/payments";
import { deleteRoom } from "#modules/rooms";
import {
  approvePayout,
  ruleDispute,
  sendPayout,
} from "../../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import {
  assertSoundLedger,
  confirmByBoth,
  createInvoicedTrade,
  createPaidTrade,
  expectAccepted,
  type PlantedTrade,
  type PlantedUser,
  readAuditActions,
  readMailTemplates,
  readNoticeCodes,
  runAtTime,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../../tests/support/trades/sandbox-trades.ts";
import { tradeNow } from "../../core/trade.fixture.ts";
import { openDispute } from "../../disputes/open-dispute.ts";
import { bundleEvidence } from "../../evidence/bundle.ts";
import { saveRefundDestination } from "../../information/refund-account.ts";
import { checkPayment } from "../../payment/check-payment.ts";
import { applyRetention } from "../../privacy/apply-retention.ts";
import { collectOwnData } from "../../privacy/collect-own-data.ts";
import { withdrawRequest } from "../../trade/withdraw-request.ts";
import { adminCancel } from "../transactions/administrator-commands.ts";
import { mayNameRefundAccount, nameRefundAccount } from "./name-refund-account.ts";
import { markPayoutUnknownAsAdmin, resolvePayoutAsAdmin, withdrawApprovalAsAdmin } from "./payout-steps.ts";
import { payoutPage } from "./payout-view.ts";

useDatabase();
const market = useSandboxProvider();

const reason = "The payer's bank names this account";
const home = {
  accountName: "Dorj",
  bankName: "Golomt Bank",
  accountNumber: "1105123456",
  ibanNumber: undefined,
};
const named = { ...home, reason };
const theirs = { ...home, accountNumber: "5077001122" };

type Due = PlantedTrade & { refund: number; second: PlantedUser };

/**
 * A due refund: of a cancelled paid trade or, with `late`, of money that arrived after the trade had ended; `late.before` runs before it
 * arrives.
 */
async function refunding(late?: { before: (deal: PlantedTrade) => Promise<unknown> }): Promise<Due> {
  const second = await plantUser({ isAdmin: true, displayName: "Second" });
  if (late === undefined) {
    const deal = await createPaidTrade();
    await expectAccepted(adminCancel(deal.admin, deal.id));
    return { ...deal, second, refund: await refundOf(deal) };
  }
  const deal = await createInvoicedTrade();
  const qr = (await listInvoices(db(), deal.id))[0]?.providerId ?? null;
  await expectAccepted(withdrawRequest(deal.seller, deal.id));
  await late.before(deal);
  await market.pay(deal, {}, qr);
  await expectAccepted(checkPayment(deal.id, "callback"));
  return { ...deal, second, refund: await refundOf(deal) };
}

const ofGone = () => refunding({ before: ({ admin, buyer }) => deleteUserAsAdmin(admin, buyer.userId) });

async function refundOf({ id }: Pick<PlantedTrade, "id">): Promise<number> {
  return (await payoutsOf(db(), id)).at(-1)?.id ?? 0;
}

/** Moves the buyer's deadline to name an account into the past. */
const overdue = ({ id }: PlantedTrade) =>
  db().execute(sql`
    UPDATE escrow.deadlines SET due_at = now() - interval '1 minute' WHERE trade_id = ${id} AND kind = 'refund_account'`);

/** Records that one administrator appointed the other, so that the two count as the same reviewer. */
const tie = (one: PlantedUser, other: PlantedUser) =>
  db().execute(sql`
    INSERT INTO identity.admin_grants (made, by, at) VALUES (${other.userId}, ${one.userId}, now())`);

const code = async (outcome: Promise<{ ok: boolean; code?: string; changed?: boolean }>) => {
  const answer = await outcome;
  return answer.ok ? (answer.changed ? "changed" : "repeated") : answer.code;
};

async function shownTo(who: PlantedUser, refund: number) {
  const page = await payoutPage(who, refund);
  if (!page.ok) throw new Error(page.code);
  return page.payout;
}

describe("the account of a refund whose buyer is gone", () => {
  test("is entered by one administrator and counts once another approves it; then the money is sent", async () => {
    const due = await ofGone();
    const { admin, second, refund } = due;
    expect((await shownTo(admin, refund)).mayName).toBe(true);
    expect(await code(nameRefundAccount(admin, refund, named))).toBe("changed");
    expect(await findPayout(db(), refund)).toMatchObject({
      ...{ state: "due", namedBy: admin.userId, namedReason: reason, recipientId: due.buyer.userId },
      destination: { accountName: "Dorj", bankName: "Golomt Bank", accountNumber: "1105123456" },
    });
    expect(await code(approvePayout(admin, refund))).toBe("FOUR_EYES_REQUIRED");
    const { destinationDigest, named: seen } = await shownTo(second, refund);
    expect(seen).toMatchObject({ by: "Bat Erdene", reason, own: false, related: false });
    await expectAccepted(approvePayout(second, refund, { destinationDigest }));
    await expectAccepted(sendPayout(second, refund, { bankReference: `GONE-${refund}` }));
    expect(await findPayout(db(), refund)).toMatchObject({ state: "sent", approvedBy: second.userId });
    await assertSoundLedger();
    await drainJobs();
    expect(await verifyChain()).toMatchObject({ ok: true });
  });

  test("is announced in the room and stored in the log and the evidence by its last four digits; nobody is mailed", async () => {
    const due = await ofGone();
    await expectAccepted(nameRefundAccount(due.admin, due.refund, named));
    expect((await readNoticeCodes(due)).at(-1)).toBe("refundAccountNamed");
    expect(await readMailTemplates(due.buyer)).not.toContain("refundAccountNamed");
    expect((await readAuditActions(due)).at(-1)).toBe("transaction.name_refund_account");
    const [entry] = await db().execute<{ data: { after: object } }>(sql`
      SELECT data FROM audit.entries WHERE action = 'refund.destination' AND subject_id = ${String(due.refund)}`);
    expect(entry?.data.after).toMatchObject({ account: "3456", namedBy: due.admin.userId });
    const bundle = await expectAccepted(bundleEvidence(due.admin, due.id));
    const money = await new Bun.Archive(bundle.bytes).files();
    const { payouts } = JSON.parse((await money.get("payments.json")?.text()) ?? "{}");
    expect(payouts.at(-1)).toMatchObject({
      ...{ namedBy: due.admin.userId, namedReason: reason },
      destination: { accountNumber: "3456" },
    });
  });

  test("is entered again by the administrator who found it wrong, and another approves", async () => {
    const { admin, second, refund } = await ofGone();
    await expectAccepted(nameRefundAccount(admin, refund, named));
    expect(await code(nameRefundAccount(second, refund, named))).toBe("repeated");
    expect((await findPayout(db(), refund))?.namedBy).toBe(admin.userId);
    await expectAccepted(nameRefundAccount(second, refund, { ...theirs, reason }));
    expect(await code(approvePayout(second, refund))).toBe("FOUR_EYES_REQUIRED");
    await expectAccepted(approvePayout(admin, refund));
    expect(await code(nameRefundAccount(second, refund, named))).toBe("REFUND_DESTINATION_FINAL");
    expect(await code(nameRefundAccount(second, refund, { ...theirs, reason }))).toBe("repeated");
    await expectAccepted(withdrawApprovalAsAdmin(admin, refund, { reason: "Not theirs" }));
    expect(await code(nameRefundAccount(second, refund, named))).toBe("changed");
  });

  test("is not approved by a related administrator, even after the refund was found not to be sent", async () => {
    const { admin, second, refund } = await ofGone();
    await expectAccepted(nameRefundAccount(admin, refund, named));
    const third = await plantUser({ isAdmin: true });
    await tie(admin, third);
    expect((await shownTo(third, refund)).named).toMatchObject({ own: false, related: true });
    expect(await code(approvePayout(third, refund))).toBe("FOUR_EYES_RELATED");
    await expectAccepted(approvePayout(second, refund));
    await expectAccepted(markPayoutUnknownAsAdmin(second, refund, { reason: "The page broke off" }));
    const again = await expectAccepted(
      resolvePayoutAsAdmin(second, refund, { outcome: "not_sent", reason: "It is not there" }),
    );
    expect(again.payout).toMatchObject({ state: "due", namedBy: admin.userId, namedReason: reason });
    expect(await code(approvePayout(admin, again.payout.id))).toBe("FOUR_EYES_REQUIRED");
    expect(await code(approvePayout(third, again.payout.id))).toBe("FOUR_EYES_RELATED");
  });

  test("is erased at the end of retention together with the reason for it", async () => {
    const { admin, second, refund } = await ofGone();
    await expectAccepted(nameRefundAccount(admin, refund, named));
    await expectAccepted(approvePayout(second, refund));
    await expectAccepted(sendPayout(second, refund, { bankReference: `OLD-${refund}` }));
    const over = new Date();
    over.setFullYear(over.getFullYear() + 2, over.getMonth(), over.getDate() + 1);
    await runAtTime(over, () => applyRetention(over));
    expect(await findPayout(db(), refund)).toMatchObject({
      ...{ destination: null, namedReason: null, namedBy: admin.userId },
    });
  });
});

describe("the account of a refund whose buyer is there", () => {
  test("is the buyer's to enter until it is overdue", async () => {
    const due = await refunding();
    const { admin, buyer, refund } = due;
    expect((await shownTo(admin, refund)).mayName).toBe(false);
    expect(await code(nameRefundAccount(admin, refund, named))).toBe("BUYER_NAMES_ACCOUNT");
    expect((await findPayout(db(), refund))?.destination).toBeNull();
    await overdue(due);
    expect(await code(nameRefundAccount(admin, refund, named))).toBe("changed");
    expect(await readMailTemplates(buyer)).toContain("refundAccountNamed");
  });

  test("stays the buyer's to enter after an administrator did, until it is approved; the buyer's entry wins", async () => {
    const due = await refunding();
    const { admin, buyer, refund, id } = due;
    await overdue(due);
    await expectAccepted(nameRefundAccount(admin, refund, named));
    expect((await saveRefundDestination(buyer, id, home)).ok).toBe(true);
    expect(await findPayout(db(), refund)).toMatchObject({ namedBy: null, namedAt: null, namedReason: null });
    expect(await code(nameRefundAccount(admin, refund, { ...theirs, reason }))).toBe("BUYER_NAMES_ACCOUNT");
    await expectAccepted(approvePayout(admin, refund));
  });

  test("can still be entered by the buyer if the room is deleted, and the mail links to where", async () => {
    const due = await refunding({ before: ({ seller, roomId }) => deleteRoom(seller, roomId) });
    const asked = await db().execute<{ url: string }>(sql`
      SELECT data ->> 'url' AS url FROM mailer.messages
      WHERE user_id = ${due.buyer.userId} AND template = 'refundAccountNeeded'`);
    expect(asked.map(({ url }) => url)).toEqual([`/transactions/${due.id}`]);
    expect(await saveRefundDestination(due.buyer, due.id, home)).toEqual({ ok: true, changed: true });
    expect(await findPayout(db(), due.refund)).toMatchObject({
      destination: { accountNumber: "1105123456" },
    });
  });
});

describe("nobody can enter an account", () => {
  test("without a fresh login, for their own trade, or without being an administrator", async () => {
    const { admin, buyer, seller, refund } = await refunding();
    const stale = { ...admin, authenticatedAt: new Date(Date.now() - 11 * 60_000) };
    expect(await code(nameRefundAccount(stale, refund, named))).toBe("REAUTH_REQUIRED");
    expect(await code(nameRefundAccount(seller, refund, named))).toBe("ADMIN_REQUIRED");
    await db().execute(sql`UPDATE identity.users SET is_admin = true WHERE id = ${buyer.userId}`);
    expect(await code(nameRefundAccount({ ...buyer, isAdmin: true }, refund, named))).toBe("OWN_TRADE");
    expect(await code(nameRefundAccount(admin, 999_999, named))).toBe("PAYOUT_NOT_FOUND");
  });

  test("for a payout to a seller, or for a void refund", async () => {
    const deal = await createPaidTrade();
    await confirmByBoth(deal);
    const to = await refundOf(deal);
    expect(await code(nameRefundAccount(deal.admin, to, named))).toBe("NO_REFUND_DUE");
    await expectAccepted(adminCancel(deal.admin, deal.id));
    expect(await code(nameRefundAccount(deal.admin, to, named))).toBe("NO_REFUND_DUE");
    const ruled = await createPaidTrade();
    await saveSellerAccount(ruled);
    await expectAccepted(openDispute(ruled.buyer, ruled.id, { reason }));
    const split = { ruling: "split", refundAmount: 40_000, sum: 40_000, reason } as const;
    await expectAccepted(ruleDispute(ruled.admin, ruled.id, split));
    const refund = (await payoutsOf(db(), ruled.id)).find(({ kind }) => kind === "refund")?.id ?? 0;
    await expectAccepted(openDispute(ruled.seller, ruled.id, { reason }));
    expect(await findPayout(db(), refund)).toMatchObject({ kind: "refund", state: "void" });
    expect(await code(nameRefundAccount(ruled.admin, refund, named))).toBe("NO_REFUND_DUE");
  });
});

test("an administrator may enter the account of a due refund once its buyer cannot, or missed the deadline", async () => {
  const { refund } = await refunding();
  const due = await findPayout(db(), refund);
  if (due === null) throw new Error("no refund");
  const at = new Date();
  const clock = (ms: number) => ({ dueAt: new Date(at.getTime() + ms), pausedAt: null });
  const [here, gone] = [{ deleted: false }, { deleted: true }];
  expect([
    ...[mayNameRefundAccount(due, here, undefined, at), mayNameRefundAccount(due, here, clock(1), at)],
    ...[mayNameRefundAccount(due, here, clock(0), at), mayNameRefundAccount(due, gone, clock(1), at)],
    ...[
      mayNameRefundAccount(due, undefined, undefined, at),
      mayNameRefundAccount({ ...due, namedBy: 5 }, here, clock(1), at),
    ],
    ...[mayNameRefundAccount({ ...due, kind: "payout" }, gone, clock(0), at)],
    ...[mayNameRefundAccount({ ...due, state: "approved" }, gone, clock(0), at)],
  ]).toEqual([false, false, true, true, true, true, false, false]);
});

test("a present buyer is notified by mail and in the room where the refund goes, once", async () => {
  const due = await refunding();
  await overdue(due);
  const given = { ...named, ibanNumber: "MN140005001105123456" };
  for (const came of ["changed", "repeated"]) {
    expect(await code(nameRefundAccount(due.admin, due.refund, given))).toBe(came);
  }
  expect((await findPayout(db(), due.refund))?.destination).toEqual({
    ...{ accountName: "Dorj", bankName: "Golomt Bank", accountNumber: "1105123456" },
    iban: "MN140005001105123456",
  });
  const { code: number } = await tradeNow(due);
  const sent = await db().execute<{ data: unknown }>(sql`
    SELECT data FROM mailer.messages WHERE user_id = ${due.buyer.userId} AND template = 'refundAccountNamed'`);
  expect(sent.map(({ data }) => data)).toEqual([
    {
      ...{ name: "", code: number, url: `/chat/${due.roomId}`, amount: 110_000 },
      ...{ goods: "other", price: 100_000 },
      destination: "Golomt Bank ••••3456",
    },
  ]);
  const said = await db().execute<{ params: unknown }>(sql`
    SELECT params FROM rooms.messages WHERE room_id = ${due.roomId} AND code = 'refundAccountNamed'`);
  expect(said.map(({ params }) => params)).toEqual([{ transactionId: due.id, code: number }]);
  const entries = await listEntries({ subject: { kind: "transaction", id: due.id }, limit: 1 });
  expect(entries.entries).toMatchObject([
    { action: "transaction.name_refund_account", userId: due.admin.userId, data: { payout: due.refund } },
  ]);
});

test("an account that an administrator named is in the buyer's own data as in the mail: its bank and last digits", async () => {
  const withdraw = collectOwnData();
  try {
    const due = await refunding();
    await overdue(due);
    expect(await code(nameRefundAccount(due.admin, due.refund, { ...theirs, reason }))).toBe("changed");
    const exported = JSON.stringify(await downloadPersonalData(due.buyer));
    expect(exported).toContain("Golomt Bank");
    expect(exported).toContain(theirs.accountNumber.slice(-4));
    expect(exported).not.toContain(theirs.accountNumber);
    expect(exported).not.toContain(theirs.accountName);
  } finally {
    withdraw();
  }
});
