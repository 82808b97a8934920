import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { db, runInTransaction } from "#db/client";
import { setClock } from "#db/clock";
import { keepPushDevice } from "#modules/mailer";
import { listInvoices, payoutsOf } from "#modules/payments";
import {
  approvePayout,
  ruleDispute,
  settleShownTrade,
} from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { usePushService } from "../../../../tests/support/services/use-push-service.ts";
import { plantRoom, plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  expectAccepted,
  type PlantedTrade,
  sellerAccount,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { confirmInDispute, withdrawDispute } from "../../../../tests/support/trades/shown-disputes.ts";
import { vaultCredentials } from "../../../../tests/support/trades/vault-trades.ts";
import { raiseTableIds, watchTrade } from "../../../../tests/support/trades/watch-trade.ts";
import {
  adminCancel,
  adminComplete,
  adminPaySeller,
} from "../backoffice/transactions/administrator-commands.ts";
import { runDeadline } from "../deadlines/run-deadlines.ts";
import { rowOf } from "../deadlines/timers.fixture.ts";
import { giveBackDispute, takeDispute, writeAsMediator } from "../disputes/mediate.ts";

import { explainDispute, openDispute } from "../disputes/open-dispute.ts";
import { saveBankInfo } from "../information/bank-account.ts";
import { saveRefundDestination } from "../information/refund-account.ts";
import { confirmInfo, shareInfo } from "../information/share-information.ts";
import type { DeadlineKind } from "../machine/trade-types.ts";
import { notifyParties } from "../notifications/notify-parties.ts";
import { checkPayment, verifyPayment } from "../payment/check-payment.ts";
import { issueInvoice } from "../payment/issue-invoice.ts";
import { markPaid } from "../payment/mark-paid.ts";
import { amendTrade } from "../trade/amend-trade.ts";
import { createTrade } from "../trade/create-trade.ts";
import {
  confirmCompletion,
  handOver,
  requestCancellation,
  withdrawCancellation,
} from "../trade/party-commands.ts";
import { withdrawRequest } from "../trade/withdraw-request.ts";
import { checkVault } from "../vault/check-vault.ts";
import { openVault } from "../vault/open-vault.ts";
import { sealVault } from "../vault/seal-vault.ts";
import { contact, declineCancel, home, reason, theirs } from "./courses.fixture.ts";

// Records all that trades leave behind, step by step: rows, audit entries, mails, pushes, notices, jobs and frames. The expected lines are
// in `courses.txt`; after an intended change, `COURSES=write bun test courses` rewrites them for review.
const approved = join(import.meta.dir, "courses.txt");
const written: string[] = [];
useDatabase();
const market = useSandboxProvider();
const service = usePushService();

let at = new Date();
const clock = (minutes: number) => {
  at = new Date(at.getTime() + minutes * 60_000);
};
let putBack = () => {};
beforeAll(async () => {
  await raiseTableIds();
  putBack = setClock(() => at);
});
afterAll(() => {
  putBack();
  if (process.env.COURSES === "write") writeFileSync(approved, `${written.join("\n")}\n`);
});

/** A step, and how many minutes pass before it. */
type Step = [what: string, minutes: number, act: (deal: PlantedTrade) => Promise<unknown>];

/** The trade's administrator, signed in just now. */
const fresh = ({ admin }: PlantedTrade) => ({ ...admin, authenticatedAt: at });
const unticked = { password: false, secondFactor: false, recovery: false };

const invoice: Step = ["the QR code is shown", 1, ({ buyer, id }) => expectAccepted(issueInvoice(buyer, id))];
const tooMuch: Step = [
  "an overpayment arrives",
  3,
  async (deal) => {
    await market.pay(deal, { amount: 112_000 });
    return expectAccepted(checkPayment(deal.id, "callback"));
  },
];
const split: Step = [
  "a split is ruled",
  1,
  (deal) =>
    expectAccepted(
      ruleDispute(fresh(deal), deal.id, { ruling: "split", refundAmount: 40_000, sum: 40_000, reason }),
    ),
];
const pay: Step[] = [
  invoice,
  [
    "the payment arrives",
    3,
    async (deal) => {
      await market.pay(deal);
      await expectAccepted(checkPayment(deal.id, "callback"));
    },
  ],
];
const bank: Step = [
  "the seller enters the account",
  1,
  ({ seller, id }) => saveBankInfo(seller, id, sellerAccount),
];
const confirm = (side: "buyer" | "seller"): Step => [
  `the ${side} confirms`,
  10,
  (deal) => expectAccepted(confirmCompletion(deal[side], deal.id)),
];
const release: Step = [
  "the buyer confirms",
  10,
  ({ buyer, id }) => expectAccepted(confirmInDispute(buyer, id)),
];
const dispute = (side: "buyer" | "seller"): Step => [
  `the ${side} opens a dispute`,
  10,
  (deal) => expectAccepted(openDispute(deal[side], deal.id, { reason })),
];
const sent: Step = [
  "what is due is sent",
  5,
  (deal) =>
    expectAccepted(
      settleShownTrade(fresh(deal), deal.id, { bankReference: `REF-${deal.id}-${at.getTime()}` }),
    ),
];
/** Runs the step as a second administrator: a corrected account needs one. */
const bySecond = async ({ id }: PlantedTrade) => {
  const second = await plantUser({ isAdmin: true, authenticatedAt: at });
  return expectAccepted(settleShownTrade(second, id, { bankReference: `REF-${id}-${at.getTime()}` }));
};
const named: Step = [
  "the buyer enters an account",
  2,
  ({ buyer, id }) => saveRefundDestination(buyer, id, home),
];
const askCancel = (side: "buyer" | "seller"): Step => [
  `the ${side} asks to cancel`,
  10,
  (deal) => expectAccepted(requestCancellation(deal[side], deal.id)),
];
/** Advances the clock to the next moment of a deadline, and runs it. */
const next = (kind: DeadlineKind): Step => [
  `the deadline ${kind} reaches its next moment`,
  0,
  async (deal) => {
    const { id, nextAt } = await rowOf(deal, kind);
    at = nextAt ?? at;
    await runDeadline(id, at);
  },
];

const courses: Record<string, Step[]> = {
  "completed with the vault": [
    invoice,
    [
      "the buyer checks, and nothing has arrived",
      2,
      ({ buyer, id }) => expectAccepted(verifyPayment(buyer, id)),
    ],
    [
      "the buyer marks it as paid",
      3,
      async (deal) => {
        await market.pay(deal);
        await expectAccepted(markPaid(deal.buyer, deal.id));
      },
    ],
    ["the buyer shares a text", 1, ({ buyer, id }) => shareInfo(buyer, id, { info: "call me" })],
    ["the seller shares a text", 1, ({ seller, id }) => shareInfo(seller, id, { info: "look" })],
    ["the buyer enters a contact", 1, ({ buyer, id }) => saveBankInfo(buyer, id, contact)],
    [
      "the buyer corrects the contact",
      1,
      ({ buyer, id }) => saveBankInfo(buyer, id, { ...contact, email: "d@example.mn" }),
    ],
    bank,
    ["the seller corrects the account", 1, ({ seller, id }) => saveBankInfo(seller, id, theirs)],
    ["the seller confirms the information", 1, ({ seller, id }) => confirmInfo(seller, id)],
    ["the buyer confirms the information", 1, ({ buyer, id }) => confirmInfo(buyer, id)],
    ["the vault is filled", 5, ({ seller, id }) => expectAccepted(sealVault(seller, id, vaultCredentials))],
    ["the vault is opened", 5, ({ buyer, id }) => expectAccepted(openVault(buyer, id))],
    ["the vault is opened again", 5, ({ buyer, id }) => expectAccepted(openVault(buyer, id))],
    [
      "the checklist is ticked",
      5,
      ({ buyer, id }) => expectAccepted(checkVault(buyer, id, { ...unticked, secondFactor: true })),
    ],
    [
      "the vault is filled again",
      5,
      ({ seller, id }) => expectAccepted(sealVault(seller, id, { login: "corrected" })),
    ],
    confirm("buyer"),
    confirm("seller"),
    [
      "the corrected account is approved by a first administrator",
      5,
      async (deal) => {
        const [payout] = await payoutsOf(db(), deal.id);
        await expectAccepted(approvePayout(fresh(deal), payout?.id ?? 0));
      },
    ],
    ["what is due is sent by a second, three hours after the correction", 150, bySecond],
  ],
  "amended, checked and withdrawn": [
    [
      "amended before the QR code",
      5,
      ({ seller, id }) =>
        expectAccepted(amendTrade(seller, id, { amount: 60_001, feePayer: "split", description: "a horse" })),
    ],
    invoice,
    [
      "amended after the QR code",
      5,
      ({ seller, id }) => expectAccepted(amendTrade(seller, id, { amount: 60_000 })),
    ],
    ["both sides are notified", 5, (deal) => expectAccepted(notifyParties(deal.admin, deal.id))],
    [
      "the request is withdrawn by its seller",
      5,
      ({ seller, id }) => expectAccepted(withdrawRequest(seller, id)),
    ],
  ],
  "overpaid twice": [
    invoice,
    [
      "an overpayment arrives",
      2,
      async (deal) => {
        await market.pay(deal, { amount: 112_000 });
        await expectAccepted(verifyPayment(deal.buyer, deal.id));
      },
    ],
    named,
    [
      "another overpayment arrives",
      2,
      async (deal) => {
        const [first] = await listInvoices(db(), deal.id);
        await market.pay(deal, { amount: 3_000 }, first?.providerId);
        await expectAccepted(checkPayment(deal.id, "callback"));
      },
    ],
  ],
  "disputed, explained, mediated and split": [
    ...pay,
    bank,
    dispute("buyer"),
    [
      "the buyer adds a statement",
      1,
      ({ buyer, id }) => expectAccepted(explainDispute(buyer, id, { reason: "and more" })),
    ],
    ["an administrator takes the case", 1, (deal) => expectAccepted(takeDispute(deal.admin, deal.id))],
    [
      "the mediator writes",
      1,
      (deal) => expectAccepted(writeAsMediator(deal.admin, deal.id, { words: "Please wait." })),
    ],
    [
      "the administrator gives the case back",
      1,
      (deal) => expectAccepted(giveBackDispute(deal.admin, deal.id)),
    ],
    next("dispute_statements"),
    [
      "the seller explains",
      1,
      ({ seller, id }) => expectAccepted(explainDispute(seller, id, { reason: "it was not" })),
    ],
    split,
    next("refund_account"),
    next("refund_account"),
    named,
    sent,
    sent,
  ],
  "overpaid, split, disputed again and refunded": [
    invoice,
    tooMuch,
    bank,
    dispute("buyer"),
    split,
    dispute("seller"),
    ["a payout and a refund cannot both be due", 1, ({ buyer, id }) => openDispute(buyer, id, { reason })],
    [
      "a refund is ruled",
      1,
      (deal) => expectAccepted(ruleDispute(fresh(deal), deal.id, { ruling: "refund", sum: 110_000, reason })),
    ],
    named,
    ["the same account is entered again", 1, ({ buyer, id }) => saveRefundDestination(buyer, id, home)],
  ],
  "overpaid, confirmed, disputed and closed: the excess stays, void records stay void": [
    invoice,
    tooMuch,
    bank,
    confirm("buyer"),
    confirm("seller"),
    dispute("buyer"),
    ["the dispute is withdrawn", 60, ({ buyer, id }) => expectAccepted(withdrawDispute(buyer, id))],
    ["an administrator closes the trade", 5, (deal) => expectAccepted(adminComplete(fresh(deal), deal.id))],
  ],
  "every step twice": [
    ...pay,
    ["handed over", 5, ({ seller, id }) => expectAccepted(handOver(seller, id, { note: "by post" }))],
    ["handed over again", 5, ({ seller, id }) => expectAccepted(handOver(seller, id, { note: "by post" }))],
    bank,
    bank,
    askCancel("seller"),
    askCancel("seller"),
    ["the request is withdrawn", 5, ({ seller, id }) => expectAccepted(withdrawCancellation(seller, id))],
    [
      "the request is withdrawn again",
      5,
      ({ seller, id }) => expectAccepted(withdrawCancellation(seller, id)),
    ],
    confirm("buyer"),
    confirm("buyer"),
    ["cancelled", 5, (deal) => expectAccepted(adminCancel(fresh(deal), deal.id))],
    ["cancelled again", 5, (deal) => expectAccepted(adminCancel(fresh(deal), deal.id))],
  ],
  "disputed and refunded": [
    ...pay,
    dispute("seller"),
    [
      "a refund is ruled",
      1,
      (deal) => expectAccepted(ruleDispute(fresh(deal), deal.id, { ruling: "refund", sum: 110_000, reason })),
    ],
    named,
    sent,
  ],
  "disputed after both confirmed, and released by a ruling": [
    ...pay,
    bank,
    ["handed over", 5, ({ seller, id }) => expectAccepted(handOver(seller, id, { note: "by post" }))],
    confirm("buyer"),
    confirm("seller"),
    dispute("buyer"),
    next("dispute_ruling"),
    next("dispute_ruling"),
    [
      "a release is ruled",
      1,
      (deal) =>
        expectAccepted(ruleDispute(fresh(deal), deal.id, { ruling: "release", sum: 100_000, reason })),
    ],
    sent,
  ],
  "disputed and released by the buyer": [...pay, bank, dispute("seller"), release],
  "disputed, withdrawn, and closed by an administrator": [
    ...pay,
    bank,
    dispute("buyer"),
    ["the dispute is withdrawn", 60, ({ buyer, id }) => expectAccepted(withdrawDispute(buyer, id))],
    [
      "an administrator pays the seller",
      5,
      (deal) => expectAccepted(adminPaySeller(fresh(deal), deal.id, { sum: 100_000 })),
    ],
    ["an administrator closes the trade", 5, (deal) => expectAccepted(adminComplete(fresh(deal), deal.id))],
  ],
  "a dispute refused while the transfer is made": [
    ...pay,
    bank,
    confirm("buyer"),
    confirm("seller"),
    [
      "the transfer is claimed",
      5,
      async (deal) => {
        const [payout] = await payoutsOf(db(), deal.id);
        await expectAccepted(approvePayout(fresh(deal), payout?.id ?? 0));
      },
    ],
    ["the buyer tries to open a dispute", 5, ({ buyer, id }) => openDispute(buyer, id, { reason })],
  ],
  "cancelled by both in the end": [
    ...pay,
    askCancel("buyer"),
    ["the request is withdrawn", 5, ({ buyer, id }) => expectAccepted(withdrawCancellation(buyer, id))],
    askCancel("seller"),
    declineCancel("buyer"),
    declineCancel("buyer"),
    askCancel("seller"),
    askCancel("buyer"),
  ],
  "cancelled by an administrator as Midman's fault": [
    ...pay,
    ["cancelled", 5, (deal) => expectAccepted(adminCancel(fresh(deal), deal.id, { ourFault: true }))],
  ],
  "never paid": [invoice, next("payment_window"), next("payment_window")],
  "paid in part, and expired": [
    invoice,
    [
      "a part payment arrives",
      5,
      async (deal) => {
        await market.pay(deal, { amount: 70_000 });
        await expectAccepted(verifyPayment(deal.buyer, deal.id));
      },
    ],
    next("payment_window"),
    next("payment_window"),
  ],
  "every deadline passes": [
    ...pay,
    next("hand_over"),
    next("hand_over"),
    ["handed over late", 5, ({ seller, id }) => expectAccepted(handOver(seller, id))],
    next("buyer_finish"),
    next("buyer_finish"),
    next("admin_review"),
    confirm("buyer"),
    next("seller_finish"),
    next("seller_finish"),
    bank,
    confirm("seller"),
    next("payout"),
    next("payout"),
  ],
};

const texts = (() => {
  const found = new Map<string, string[]>();
  try {
    for (const part of readFileSync(approved, "utf8").trimEnd().split("\n\n")) {
      const [name = "", ...lines] = part.split("\n");
      found.set(name, lines);
    }
  } catch {
    // The file has not been written yet.
  }
  return found;
})();

/** What an operation returns: whether it took effect, or why not. */
function answered(answer: unknown): string {
  if (typeof answer !== "object" || answer === null) return "";
  const parts = Object.entries(answer).filter(([key]) =>
    ["ok", "changed", "code", "current", "textKey", "corrected", "both", "first"].includes(key),
  );
  return `: ${parts.map(([key, value]) => `${key} ${value}`).join(", ")}`;
}

async function begun(): Promise<PlantedTrade> {
  at = new Date("2030-03-05T04:00:00Z");
  const [seller, buyer, admin] = await Promise.all([
    plantUser({ displayName: "Saran" }),
    plantUser({ displayName: "Bold", language: "mn" }),
    plantUser({ displayName: "Anu", isAdmin: true }),
  ]);
  for (const { userId } of [seller, buyer, admin]) {
    const owner = { userId, sessionId: userId, device: "a test", at };
    await runInTransaction((tx) => keepPushDevice(tx, owner, service.browser()));
  }
  return { id: 0, roomId: await plantRoom(seller.userId, buyer.userId), seller, buyer, admin };
}

test.each(Object.entries(courses))("%s", async (name, steps) => {
  const people = await begun();
  const asked = {
    chatRoomId: people.roomId,
    amount: 100_000,
    feePayer: "buyer",
    description: "a saddle",
  } as const;
  const { trade } = await expectAccepted(createTrade(people.seller, asked));
  const deal = { ...people, id: trade.id };
  const watch = watchTrade(deal);
  const lines = ["- the payment is requested", ...(await watch.look(at))];
  for (const [what, minutes, act] of steps) {
    clock(minutes);
    lines.push(`- ${what}${answered(await act(deal))}`, ...(await watch.look(at)));
  }
  watch.deaf();
  written.push(...(written.length === 0 ? [] : [""]), name, ...lines);
  if (process.env.COURSES !== "write") expect(lines).toEqual(texts.get(name) ?? []);
});
