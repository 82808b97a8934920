import { describe, expect, test } from "bun:test";
import type { Invoice, Payout } from "#modules/payments";
import { destinationFor, senderOf } from "../../backoffice/payouts/recipient.ts";
import { hasDateRange, hasNarrowingFilter } from "../../backoffice/transactions/list-filter.ts";
import {
  readSavedFilter,
  readTransactionFilter,
  transactionListSchema,
} from "../../backoffice/transactions/list-query.ts";
import { clocksOf } from "../../deadlines/clock-view.ts";
import { at, tradeIn, tradeStatuses } from "../../machine/trade.fixture.ts";
import type { Party, Status, Trade } from "../../machine/trade-types.ts";
import type { VaultRecord } from "../../vault/vault-records.ts";
import { type ActionFacts, listAllowedActions } from "./allowed-actions.ts";
import { pageOf } from "./history.ts";
import { stepViews } from "./step-views.ts";
import { invoiceView } from "./trade-view.ts";
import { transactionView } from "./transaction-view.ts";
import { turnOf } from "./turn.ts";

// The views are built from given facts: nothing here queries the database.

const minutes = (many: number) => new Date(at.getTime() + many * 60_000);
const iso = (many: number) => minutes(many).toISOString();
const destination = { bankName: "Khan Bank", accountName: "Bat", accountNumber: "5012345678", iban: "MN1" };

/** A payout or refund without any step taken, with the given fields changed. */
const outgoing = (parts: Partial<Payout>) =>
  ({
    ...{ kind: "payout", state: "due", destination: null, claimedBy: null, claimedAt: null },
    ...{ sentAt: null, sentBy: null, ...parts },
  }) as Payout;

test("deadlines are listed earliest first; a paused one is never overdue, and one at its moment is", () => {
  const clocks = clocksOf(
    {
      payout: { dueAt: minutes(1), pausedAt: null },
      hand_over: { dueAt: minutes(-5), pausedAt: minutes(-9) },
      payment_window: { dueAt: at, pausedAt: null },
    },
    at,
    { payout: 90_000, hand_over: 89_999 },
  );
  expect(clocks).toEqual([
    { kind: "hand_over", dueAt: iso(-5), overdue: false, paused: true, extendedMinutes: 1 },
    { kind: "payment_window", dueAt: iso(0), overdue: true, paused: false, extendedMinutes: 0 },
    { kind: "payout", dueAt: iso(1), overdue: false, paused: false, extendedMinutes: 2 },
  ]);
});

test("a trade is shown with all its columns, and without what has not happened", () => {
  const invoiceId = "11111111-1111-4111-8111-111111111111";
  const plain = {
    id: 7,
    transactionCode: "MM-00000000",
    chatRoomId: 3,
    buyerId: 1,
    sellerId: 2,
    amount: 100_000,
    serviceFee: 10_000,
    feePayer: "buyer",
    grossAmount: 110_000,
    netAmount: 100_000,
    status: "initiated",
    paymentMethod: "qpay",
    goods: "other",
    description: null,
    createdAt: "2026-11-21T08:00:00.000Z",
    updatedAt: "2026-11-21T08:00:00.000Z",
    invoiceId: null,
    qrImageUrl: null,
    buyerConfirmedComplete: false,
    sellerConfirmedComplete: false,
    buyerConfirmedCancel: false,
    sellerConfirmedCancel: false,
    handedOverAt: null,
    handOverNote: null,
    receivedOtherwiseAt: null,
    endReason: null,
    endedAt: null,
  } as const;
  expect(transactionView(tradeIn("initiated"))).toEqual(plain);
  expect(transactionView(tradeIn("payment_initiated"))).toEqual({
    ...plain,
    ...{ status: "payment_initiated", invoiceId, qrImageUrl: `/qr/${invoiceId}.png` },
  });
  const moments = { handedOverAt: minutes(1), buyerCompletedAt: minutes(2), sellerCompletedAt: minutes(3) };
  const ending = { buyerCancelAt: minutes(4), sellerCancelAt: minutes(5), endedAt: minutes(6) };
  const words = { description: "A key", handOverNote: "By mail", endReason: "agreed" } as const;
  expect(transactionView(tradeIn("cancelled", { ...moments, ...ending, ...words }))).toEqual({
    ...plain,
    ...{ status: "cancelled", invoiceId, description: "A key", handOverNote: "By mail" },
    ...{ buyerConfirmedComplete: true, sellerConfirmedComplete: true },
    ...{ buyerConfirmedCancel: true, sellerConfirmedCancel: true },
    ...{ handedOverAt: iso(1), endReason: "agreed", endedAt: iso(6) },
  });
});

test("the five steps are in order, those not reached without a time", () => {
  expect(stepViews({ exchange_info: minutes(2), initiated: at })).toEqual([
    { step: "initiated", completedAt: iso(0) },
    { step: "payment_initiated", completedAt: null },
    { step: "payment_processing", completedAt: null },
    { step: "exchange_info", completedAt: iso(2) },
    { step: "completed", completedAt: null },
  ]);
});

test("an invoice is expired from its last moment on", () => {
  const invoice = { id: "a", amount: 5, qrImageUrl: "/qr/a.png", shortUrl: null, bankLinks: [] };
  const shown = (expiresAt: Date) => invoiceView({ ...invoice, expiresAt } as unknown as Invoice, at);
  const rest = { invoiceId: "a", amount: 5, qrImageUrl: "/qr/a.png", shortUrl: null, bankLinks: [] };
  expect(shown(at)).toEqual({ ...rest, expiresAt: iso(0), expired: true });
  expect(shown(minutes(1))).toEqual({ ...rest, expiresAt: iso(1), expired: false });
});

test("a page has a limited number of rows, and says where to continue if there is more", () => {
  const rows = (many: number) => Array.from({ length: many }, (_, at) => ({ id: 9 - at }));
  expect(pageOf(rows(3), 2)).toEqual({ shown: [{ id: 9 }, { id: 8 }], next: 8 });
  expect(pageOf(rows(9), 4).next).toBe(6);
  expect(pageOf(rows(2), 2)).toEqual({ shown: [{ id: 9 }, { id: 8 }], next: null });
  expect(pageOf([], 2)).toEqual({ shown: [], next: null });
});

describe("whose turn it is", () => {
  test("follows from the state alone if nothing was requested", () => {
    const turns = Object.fromEntries(tradeStatuses.map((status) => [status, turnOf(tradeIn(status), [])]));
    expect(turns).toEqual({
      initiated: "buyer_pay",
      payment_initiated: "buyer_pay",
      payment_pending: "buyer_pay",
      payment_processing: "buyer_pay",
      payment_failed: "buyer_pay",
      payment_confirmed: "seller_hand_over",
      exchange_completed: "seller_confirm",
      settlement_pending: "admin",
      disputed: "admin",
      completed: "none",
      cancelled: "none",
    });
  });

  const refund = (parts: Partial<Payout> = {}) => outgoing({ kind: "refund", ...parts });
  test.each<[string, Status, Partial<Trade>, Payout[], string]>([
    ["the buyer asks to cancel", "payment_confirmed", { buyerCancelAt: at }, [], "seller_answer_cancel"],
    ["the seller asks to cancel", "payment_confirmed", { sellerCancelAt: at }, [], "buyer_answer_cancel"],
    ["it was handed over", "payment_confirmed", { handedOverAt: at }, [], "buyer_confirm"],
    ["no account", "exchange_completed", { sellerDestination: false }, [], "seller_destination"],
    ["no account", "settlement_pending", { sellerDestination: false }, [], "seller_destination"],
    ["a refund without account", "settlement_pending", {}, [refund()], "buyer_refund_account"],
    ["a refund with account", "settlement_pending", {}, [refund({ destination })], "admin"],
    ["a refund without account", "cancelled", {}, [refund()], "buyer_refund_account"],
    ["a refund with account", "cancelled", {}, [refund({ destination })], "admin"],
    ["a refund that was sent", "cancelled", {}, [refund({ destination, state: "sent" })], "none"],
    ["a payout without account", "completed", {}, [outgoing({})], "admin"],
  ])("%s, %s", (_, status, patch, payouts, turn) => {
    expect(turnOf(tradeIn(status, patch), payouts)).toBe(turn as ReturnType<typeof turnOf>);
  });

  test("in a dispute is that of the side that must still explain, then the mediator's", () => {
    const disputed = tradeIn("disputed");
    expect(turnOf(disputed, [], ["seller"])).toBe("seller_explain");
    expect(turnOf(disputed, [], ["buyer"])).toBe("buyer_explain");
    expect(turnOf(disputed, [], [])).toBe("admin");
  });
});

describe("the transfer of a payout", () => {
  const who = new Map([[4, { displayName: "Tuya" }]]);
  const claimed = { claimedBy: 4, claimedAt: at };
  const tuya = { id: 4, displayName: "Tuya", since: iso(0) };
  test.each<[string, Partial<Payout>, object | null]>([
    ["approved", { state: "approved", ...claimed }, tuya],
    [
      "of somebody deleted",
      { state: "approved", ...claimed, claimedBy: 5 },
      { ...tuya, id: 5, displayName: "" },
    ],
    ["in doubt, not posted", { state: "unknown", ...claimed }, tuya],
    ["in doubt, posted", { state: "unknown", ...claimed, sentAt: at }, null],
    ["due", { state: "due", ...claimed }, null],
    ["sent", { state: "sent", ...claimed, sentAt: at }, null],
    ["approved, taken by nobody", { state: "approved", claimedAt: at }, null],
    ["approved, taken at no moment", { state: "approved", claimedBy: 4 }, null],
  ])("%s: who is making it", (_, parts, sender) => {
    expect(senderOf(outgoing(parts), who)).toEqual(sender as ReturnType<typeof senderOf>);
  });

  const hidden = { bankName: "Khan Bank", accountName: "Bat", accountNumber: "••••5678" };
  test.each<[string, Partial<Payout>, Payout["destination"]]>([
    ["approved and the reader's", { state: "approved", claimedBy: 4 }, destination],
    ["in doubt and the reader's", { state: "unknown", claimedBy: 4 }, destination],
    ["approved and another's", { state: "approved", claimedBy: 5 }, hidden],
    ["in doubt and another's", { state: "unknown", claimedBy: 5 }, hidden],
    ["due", { state: "due", claimedBy: 4 }, hidden],
    ["void", { state: "void", claimedBy: 4 }, hidden],
    ["sent by the reader", { state: "sent", sentAt: at, sentBy: 4 }, destination],
    ["sent by another", { state: "approved", sentAt: at, sentBy: 5, claimedBy: 4 }, hidden],
  ])("%s: where it goes", (_, parts, shown) => {
    expect(destinationFor(4, outgoing({ destination, ...parts }))).toEqual(shown);
    expect(destinationFor(4, outgoing({ ...parts, destination: null }))).toBeNull();
  });
});

describe("the actions allowed to a side", () => {
  const shared = {
    progress: { sharedAt: at },
    info: { version: 1 },
  } as ActionFacts["sharedInformation"]["buyer"];
  const nobody: ActionFacts = {
    sharedInformation: { buyer: shared, seller: shared },
    payouts: [],
    vault: [],
  };
  function may(trade: Trade, side: Party, facts: Partial<ActionFacts> = {}): string {
    const can = Object.entries(listAllowedActions(trade, side, { ...nobody, ...facts }, at));
    return can
      .filter(([, allows]) => allows)
      .map(([what]) => what)
      .join(" ");
  }
  const give = "bankInfo shareInfo confirmInfo";

  test("are exactly those that the state machine accepts, in every state", () => {
    const both = tradeStatuses.map((status) => {
      return [status, may(tradeIn(status), "buyer"), may(tradeIn(status), "seller")];
    });
    expect(both).toEqual([
      ["initiated", "invoice", "amend amendGoods withdraw invoice"],
      ["payment_initiated", "invoice markPaid verify", "amend withdraw"],
      ["payment_pending", "invoice markPaid verify", "amend withdraw"],
      ["payment_processing", "invoice verify", "amend withdraw"],
      ["payment_failed", "invoice markPaid verify", "amend withdraw"],
      [
        "payment_confirmed",
        `confirm requestCancellation openDispute ${give}`,
        `handOver requestCancellation openDispute ${give} seal`,
      ],
      ["exchange_completed", `openDispute ${give}`, `confirm openDispute ${give}`],
      ["settlement_pending", `openDispute ${give}`, `openDispute ${give}`],
      ["disputed", `confirm requestCancellation withdrawDispute ${give}`, `requestCancellation ${give}`],
      ["completed", give, give],
      ["cancelled", "", ""],
    ]);
  });

  test("with a request to cancel are agreeing to the other's, declining it, or withdrawing one's own", () => {
    const [buyer, seller] = [{ buyerCancelAt: at }, { sellerCancelAt: at }];
    const asked = (by: Partial<Trade>, side: Party) => may(tradeIn("payment_confirmed", by), side);
    expect(asked(buyer, "seller")).toBe(
      `handOver agreeCancellation declineCancellation openDispute ${give} seal`,
    );
    expect(asked(buyer, "buyer")).toBe(`withdrawCancellation openDispute ${give}`);
    expect(asked(seller, "buyer")).toBe(`confirm agreeCancellation declineCancellation openDispute ${give}`);
    const checked = { ...buyer, holds: ["ODD_ROW"] satisfies Trade["holds"] };
    expect(asked(checked, "seller")).toBe(`handOver declineCancellation openDispute ${give}`);
    expect(asked(seller, "seller")).toBe("withdrawCancellation openDispute bankInfo confirmInfo");
  });

  test("for forms end once corrected, confirmed, or already sent", () => {
    const paid = tradeIn("settlement_pending");
    const of = (side: Party, progress: object, payouts: Payout[] = []) => {
      const sharedInformation = {
        ...nobody.sharedInformation,
        [side]: {
          ...shared,
          progress: { ...shared.progress, correctedAt: null, confirmedAt: null, ...progress },
        },
      } as ActionFacts["sharedInformation"];
      return may(paid, side, { sharedInformation, payouts }).replace("openDispute ", "");
    };
    expect(of("seller", {})).toBe(give);
    expect(of("seller", { correctedAt: at })).toBe("shareInfo confirmInfo");
    const confirmed = { confirmedAt: at, confirmedVersion: 1 };
    expect(of("seller", confirmed)).toBe("bankInfo shareInfo");
    expect(of("seller", { ...confirmed, confirmedVersion: 2 })).toBe(give);
    expect(of("buyer", { correctedAt: at, ...confirmed })).toBe("shareInfo");
    const silent = { ...nobody.sharedInformation, buyer: { progress: null } };
    expect(may(paid, "seller", { sharedInformation: silent })).not.toContain("confirmInfo");
    expect(may(paid, "buyer", { sharedInformation: silent })).toContain("confirmInfo");
    const live = (state: Payout["state"], kind: Payout["kind"] = "payout") => [outgoing({ kind, state })];
    expect(of("seller", {}, live("due"))).toBe(give);
    expect(of("seller", {}, live("approved"))).toBe("shareInfo confirmInfo");
    expect(of("seller", {}, live("void"))).toBe(give);
    expect(of("seller", {}, live("approved", "refund"))).toBe(give);
    expect(of("seller", {}, [...live("due"), ...live("approved")])).toBe("shareInfo confirmInfo");
    expect(of("buyer", {}, live("approved"))).toBe(give);
    expect(of("buyer", {}, live("due", "refund"))).toBe(`${give} refundDestination`);
    expect(of("buyer", {}, live("approved", "refund"))).toBe(give);
    expect(of("buyer", {}, [...live("approved", "refund"), ...live("due", "refund")])).toContain("refund");
    expect(of("buyer", {}, live("due"))).toBe(give);
    expect(of("seller", {}, live("due", "refund"))).toBe(give);
  });

  test("for the vault are the buyer's once it is filled, until all is ticked", () => {
    const sealed = {
      openedAt: null,
      passwordAt: null,
      secondFactorAt: null,
      recoveryAt: null,
    } as VaultRecord;
    const opened = { ...sealed, openedAt: at };
    const checked = { ...opened, passwordAt: at, secondFactorAt: at, recoveryAt: at };
    const of = (side: Party, ...vault: VaultRecord[]) => {
      const can = may(tradeIn("payment_confirmed"), side, { vault }).split(" ");
      return can.filter((what) => ["seal", "openVault", "checkVault"].includes(what)).join(" ");
    };
    expect(of("buyer")).toBe("");
    expect(of("buyer", sealed)).toBe("openVault");
    expect(of("buyer", opened)).toBe("openVault checkVault");
    expect(of("buyer", opened, sealed)).toBe("openVault");
    expect(of("buyer", { ...checked, recoveryAt: null })).toBe("openVault checkVault");
    expect(of("buyer", checked)).toBe("openVault");
    expect(of("seller", opened)).toBe("seal");
  });
});

describe("the filter in a list's address", () => {
  const read = (query: string) => readTransactionFilter(new URLSearchParams(query));
  const nothing = { search: undefined, status: undefined, money: undefined, from: undefined, to: undefined };

  test("is read part by part, and unknown parts are skipped", () => {
    const whole = "q= Bat &status=pending&money=held&from=2026-11-01&to=2026-11-30&sort=oldest&before=7";
    const asked = {
      ...{ status: "pending", money: "held", from: "2026-11-01", to: "2026-11-30" },
      ...{ sort: "oldest", before: 7 },
    };
    expect(read(whole)).toEqual({ search: "Bat", ...asked } as ReturnType<typeof readTransactionFilter>);
    expect(readSavedFilter(new URLSearchParams(whole))).toEqual({ q: "Bat", ...asked } as ReturnType<
      typeof readSavedFilter
    >);
    expect(read("status=cancelled").status).toBe("cancelled");
    expect(read("money=refunding").money).toBe("refunding");
    const wrong = "status=nonsense&money=much&from=2026-11-31&to=yesterday&sort=best&before=-1";
    expect(read(wrong)).toEqual({ ...nothing, sort: undefined, before: undefined });
    expect(read("q=&status=&money=&before=")).toEqual({ ...nothing, sort: undefined, before: undefined });
    expect(read("")).toEqual({ ...nothing, sort: undefined, before: undefined });
  });

  test("is refused by the API if the status or the state of the money is unknown", () => {
    expect(transactionListSchema.safeParse({ status: "pending" }).success).toBe(true);
    expect(transactionListSchema.safeParse({}).success).toBe(true);
    const refused = transactionListSchema.safeParse({ status: "nonsense" });
    expect(refused.error?.issues).toMatchObject([{ path: ["status"], message: "validation.invalid" }]);
    const ofPages = transactionListSchema.safeParse({ money: "refunding" });
    expect(ofPages.error?.issues).toMatchObject([{ path: ["money"], message: "validation.invalid" }]);
  });

  test("limits the list by words, money or days alone, with one or both days", () => {
    const by = [{ search: "x" }, { money: "held" as const }, { from: "2026-11-01" }, { to: "2026-11-01" }];
    expect(by.map(hasNarrowingFilter)).toEqual([true, true, true, true]);
    expect([{}, { search: "  " }, { search: "" }, { status: "pending" }].map(hasNarrowingFilter)).toEqual(
      Array(4).fill(false),
    );
    expect(by.map(hasDateRange)).toEqual([false, false, true, true]);
  });
});
