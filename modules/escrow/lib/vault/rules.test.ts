import { expect, test } from "bun:test";
import { at, tradeIn } from "../machine/trade.fixture.ts";
import { tradeStatuses } from "../machine/trade-types.ts";
import { allChecked, checkingRefused, openingRefused, sealingRefused } from "./rules.ts";
import type { VaultRecord } from "./vault-records.ts";
import { vaultView } from "./view.ts";

const record: VaultRecord = {
  ...{ id: "r", tradeId: 7, version: 1, clientId: null, sealedBy: 1, sealedAt: at },
  ...{ openedAt: null, openedCount: 0, passwordAt: null, secondFactorAt: null, recoveryAt: null },
  ...{ remindedAt: null, destroyedAt: null },
};
const opened: VaultRecord = { ...record, openedAt: at, openedCount: 3 };
const allTicked: VaultRecord = { ...opened, passwordAt: at, secondFactorAt: at, recoveryAt: at };
const after = (minutes: number) => new Date(at.getTime() + minutes * 60_000);

test("who may fill, open and tick, in every status", () => {
  const unpaid = [
    "initiated",
    "payment_initiated",
    "payment_pending",
    "payment_processing",
    "payment_failed",
  ];
  const ended = ["completed", "cancelled"];
  for (const status of tradeStatuses) {
    const trade = tradeIn(status);
    const notYet = unpaid.includes(status) ? "NOT_PAID_YET" : null;
    const over = ended.includes(status) ? "VAULT_CLOSED" : null;
    const why = {
      seal: sealingRefused(trade, "seller"),
      sealOfBuyer: sealingRefused(trade, "buyer"),
      open: openingRefused(trade, "buyer", record),
      openOfSeller: openingRefused(trade, "seller", record),
      openNothing: openingRefused(trade, "buyer", undefined),
      tick: checkingRefused(trade, "buyer", opened),
      tickOfSeller: checkingRefused(trade, "seller", opened),
      tickUnopened: checkingRefused(trade, "buyer", record),
      tickNothing: checkingRefused(trade, "buyer", undefined),
    };
    expect({ status, ...why }).toEqual({
      status,
      seal: notYet ?? (status === "payment_confirmed" ? null : "VAULT_CLOSED"),
      sealOfBuyer: "SELLER_ONLY",
      open: notYet ?? over ?? (status === "disputed" ? "DISPUTE_OPEN" : null),
      openOfSeller: "BUYER_ONLY",
      openNothing: notYet ?? over ?? "VAULT_EMPTY",
      tick: notYet ?? over,
      tickOfSeller: "BUYER_ONLY",
      tickUnopened: notYet ?? over ?? "VAULT_NOT_OPENED",
      tickNothing: notYet ?? over ?? "VAULT_EMPTY",
    });
  }
});

test("the vault cannot be filled while the trade is checked, but can while the provider is merely silent", () => {
  const paid = tradeIn("payment_confirmed");
  expect(sealingRefused({ ...paid, holds: ["FRAUD_REPORT"] }, "seller")).toBe("TRADE_ON_HOLD");
  expect(sealingRefused({ ...paid, holds: ["PAYMENT_REVERSED"] }, "seller")).toBe("TRADE_ON_HOLD");
  expect(sealingRefused({ ...paid, holds: ["CHECK_UNANSWERED"] }, "seller")).toBeNull();
});

test("a seller who asks to cancel cannot fill the vault; the buyer's request does not prevent it", () => {
  const paid = tradeIn("payment_confirmed");
  expect(sealingRefused({ ...paid, sellerCancelAt: at }, "seller")).toBe("CANCELLATION_PENDING");
  expect(sealingRefused({ ...paid, buyerCancelAt: at }, "seller")).toBeNull();
});

test("the checklist is complete with all three items, not with two", () => {
  expect(allChecked(allTicked)).toBe(true);
  for (const open of ["passwordAt", "secondFactorAt", "recoveryAt"] as const) {
    expect(allChecked({ ...allTicked, [open]: null })).toBe(false);
  }
});

const moment = at.toISOString();
const unticked = { password: false, secondFactor: false, recovery: false };
const none = {
  state: "none",
  revision: "none",
  ...{ sealedAt: null, openedAt: null, openedCount: 0, checked: unticked },
  ...{ checkBy: null, overdue: false, destroyedAt: null, earlier: [] },
} as const satisfies ReturnType<typeof vaultView>;
const isOpened = {
  ...none,
  state: "opened",
  revision: "opened:1",
  sealedAt: moment,
  openedAt: moment,
  openedCount: 3,
} as const;
const checkBy = after(60).toISOString();

const shown: Record<string, [VaultRecord[], number, ReturnType<typeof vaultView>]> = {
  "nothing was sealed": [[], 0, none],
  "sealed, not opened": [[record], 999, { ...none, state: "sealed", revision: "sealed:1", sealedAt: moment }],
  "opened: the hour runs": [[opened], 59.99, { ...isOpened, checkBy }],
  "the hour is over": [[opened], 60, { ...isOpened, checkBy, overdue: true }],
  "all but one is ticked": [
    [{ ...allTicked, recoveryAt: null }],
    61,
    { ...isOpened, checked: { password: true, secondFactor: true, recovery: false }, checkBy, overdue: true },
  ],
  "only one is ticked": [
    [{ ...opened, recoveryAt: at }],
    0,
    { ...isOpened, checked: { ...unticked, recovery: true }, checkBy },
  ],
  "all is ticked: nothing runs": [
    [allTicked],
    61,
    { ...isOpened, checked: { password: true, secondFactor: true, recovery: true } },
  ],
  "destroyed: nothing runs": [
    [{ ...opened, destroyedAt: after(5) }],
    61,
    { ...isOpened, state: "destroyed", revision: "destroyed:1", destroyedAt: after(5).toISOString() },
  ],
  "destroyed, never opened": [
    [{ ...record, destroyedAt: after(5) }],
    61,
    {
      ...none,
      state: "destroyed",
      revision: "destroyed:1",
      sealedAt: moment,
      destroyedAt: after(5).toISOString(),
    },
  ],
  "the last of three counts": [
    [
      { ...allTicked, destroyedAt: at },
      { ...record, destroyedAt: at, sealedAt: after(1) },
      { ...record, version: 3, sealedAt: after(2) },
    ],
    61,
    {
      ...none,
      state: "sealed",
      revision: "sealed:3",
      sealedAt: after(2).toISOString(),
      earlier: [
        { sealedAt: moment, openedAt: moment },
        { sealedAt: after(1).toISOString(), openedAt: null },
      ],
    },
  ],
};

test.each(Object.entries(shown))("what both sides see of a vault: %s", (_, [records, minutes, view]) => {
  expect(vaultView(records, after(minutes))).toEqual(view);
});
