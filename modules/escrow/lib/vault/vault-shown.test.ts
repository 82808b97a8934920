import { describe, expect, test } from "bun:test";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  createPaidTrade,
  expectAccepted,
  moneyOf,
  type PlantedTrade,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { withdrawDispute } from "../../../../tests/support/trades/shown-disputes.ts";
import {
  createOpenedTrade,
  createSealedTrade,
  vaultCredentials,
} from "../../../../tests/support/trades/vault-trades.ts";
import {
  adminCancel,
  adminCancelForSum,
  adminComplete,
  adminPaySeller,
} from "../backoffice/transactions/administrator-commands.ts";
import { adminTrade } from "../backoffice/transactions/transaction-view.ts";
import { adminDispute } from "../disputes/dispute-view.ts";
import { openDispute } from "../disputes/open-dispute.ts";
import { ruleDispute } from "../disputes/rule.ts";
import { shareInfo } from "../information/share-information.ts";
import { confirmReceipt, requestCancellation, withdrawCancellation } from "../trade/party-commands.ts";
import { readTrade } from "../trade/view/trade-view.ts";
import { openVault } from "./open-vault.ts";
import { sealVault } from "./seal-vault.ts";

useDatabase();
useSandboxProvider();

type Side = "buyer" | "seller";

async function viewOf(deal: PlantedTrade, side: Side) {
  return (await expectAccepted(readTrade(deal[side], deal.id))).trade;
}

/** What the form of a page that a party opens now would send: to agree to the other party's request, or only to ask. */
async function shownTo(deal: PlantedTrade, side: Side) {
  const { cancellationRequests, vault } = await viewOf(deal, side);
  const agreesTo = cancellationRequests[side === "buyer" ? "seller" : "buyer"];
  return { agreesTo, vaultShown: vault.revision };
}

/** What the form of an administrator's page that is opened now would send. */
async function shownToAdmin(deal: PlantedTrade) {
  const { detail } = await expectAccepted(adminTrade(deal.admin, deal.id));
  return { vaultShown: detail.vault.revision };
}

const statusOf = async (deal: PlantedTrade) => (await viewOf(deal, "seller")).status;
const refund = "refund 110000+0 escrow due";

describe("cancelling", () => {
  test("names the vault: a seller who saw it closed does not give the money back for an opened one", async () => {
    const deal = await createSealedTrade();
    const before = await shownTo(deal, "seller");
    await expectAccepted(openVault(deal.buyer, deal.id));
    expect(await requestCancellation(deal.seller, deal.id, before)).toEqual({
      ...{ ok: false, code: "VAULT_CHANGED", current: "payment_confirmed" },
    });
    await expectAccepted(requestCancellation(deal.buyer, deal.id));
    const { agreesTo } = await shownTo(deal, "seller");
    const stale = { agreesTo, vaultShown: before.vaultShown };
    expect(await requestCancellation(deal.seller, deal.id, stale)).toMatchObject({ code: "VAULT_CHANGED" });
    expect(await moneyOf(deal)).toMatchObject({ held: 110_000, records: [] });
    await expectAccepted(requestCancellation(deal.seller, deal.id, await shownTo(deal, "seller")));
    expect(await statusOf(deal)).toBe("cancelled");
    // Pressed again, by then the vault is destroyed.
    expect(await requestCancellation(deal.seller, deal.id, stale)).toMatchObject({ changed: false });
  });

  test("names each version of the contents: opened before they were replaced is not closed", async () => {
    const deal = await createSealedTrade();
    const before = await shownTo(deal, "seller");
    await expectAccepted(openVault(deal.buyer, deal.id));
    await expectAccepted(sealVault(deal.seller, deal.id, { ...vaultCredentials, notes: "corrected" }));
    expect((await shownTo(deal, "seller")).vaultShown).toBe("sealed:2");
    expect(await requestCancellation(deal.seller, deal.id, before)).toMatchObject({ code: "VAULT_CHANGED" });
  });

  test("without naming it, a seller whose vault was opened is refused, and anybody else is not", async () => {
    const opened = await createOpenedTrade();
    expect(await requestCancellation(opened.seller, opened.id)).toMatchObject({ code: "VAULT_CHANGED" });
    await expectAccepted(requestCancellation(opened.buyer, opened.id));
    expect(await requestCancellation(opened.seller, opened.id)).toMatchObject({ code: "VAULT_CHANGED" });
    const closed = await createSealedTrade();
    await expectAccepted(requestCancellation(closed.buyer, closed.id));
    await expectAccepted(requestCancellation(closed.seller, closed.id));
    expect(await statusOf(closed)).toBe("cancelled");
  });

  test("only asks where the page offered to ask, whatever the other party has asked meanwhile", async () => {
    const deal = await createPaidTrade();
    const before = await shownTo(deal, "seller");
    expect(before).toEqual({ agreesTo: null, vaultShown: "none" });
    await expectAccepted(requestCancellation(deal.buyer, deal.id));
    expect(await requestCancellation(deal.seller, deal.id, before)).toMatchObject({
      code: "CANCELLATION_CHANGED",
    });
    expect(await statusOf(deal)).toBe("payment_confirmed");
  });

  test("agrees to the request that was shown, not to one that was asked after it was withdrawn", async () => {
    const deal = await createPaidTrade();
    await expectAccepted(requestCancellation(deal.buyer, deal.id));
    const before = await shownTo(deal, "seller");
    await expectAccepted(withdrawCancellation(deal.buyer, deal.id));
    const refused = { code: "CANCELLATION_CHANGED", current: "payment_confirmed" };
    expect(await requestCancellation(deal.seller, deal.id, before)).toMatchObject(refused);
    await expectAccepted(requestCancellation(deal.buyer, deal.id));
    expect(await requestCancellation(deal.seller, deal.id, before)).toMatchObject(refused);
    await expectAccepted(requestCancellation(deal.seller, deal.id, await shownTo(deal, "seller")));
    expect(await statusOf(deal)).toBe("cancelled");
  });
});

test("a seller who asks to cancel shares nothing more, until they withdraw the request", async () => {
  const deal = await createPaidTrade();
  const info = { info: "the code is 4711" };
  await expectAccepted(shareInfo(deal.seller, deal.id, info));
  await expectAccepted(requestCancellation(deal.seller, deal.id));
  expect(await shareInfo(deal.seller, deal.id, { info: "and the key is 42" })).toMatchObject({
    ...{ code: "CANCELLATION_PENDING", current: "payment_confirmed" },
  });
  expect((await viewOf(deal, "seller")).can.shareInfo).toBe(false);
  expect(await expectAccepted(shareInfo(deal.seller, deal.id, info))).toMatchObject({ changed: false });
  await expectAccepted(shareInfo(deal.buyer, deal.id, { info: "my account is bat" }));
  await expectAccepted(withdrawCancellation(deal.seller, deal.id));
  await expectAccepted(shareInfo(deal.seller, deal.id, { info: "and the key is 42" }));
});

describe("at the same time", () => {
  const rounds = Array.from({ length: 6 }, (_, round) => round);

  test.each(rounds)("opening the vault and cancelling never both take effect (%d)", async (round) => {
    const deal = await createSealedTrade();
    const asker: Side = round % 2 === 0 ? "seller" : "buyer";
    const other: Side = asker === "seller" ? "buyer" : "seller";
    await expectAccepted(requestCancellation(deal[asker], deal.id, { agreesTo: null }));
    const shown = await shownTo(deal, other);
    const [opened, agreed] = await Promise.all([
      openVault(deal.buyer, deal.id),
      requestCancellation(deal[other], deal.id, shown),
    ]);
    expect([opened.ok, agreed.ok].filter(Boolean)).toHaveLength(1);
    expect(await statusOf(deal)).toBe(agreed.ok ? "cancelled" : "payment_confirmed");
    expect((await moneyOf(deal)).records).toEqual(agreed.ok ? [refund] : []);
  });

  test("eight agreements are one", async () => {
    const deal = await createPaidTrade();
    await expectAccepted(requestCancellation(deal.buyer, deal.id));
    const shown = await shownTo(deal, "seller");
    const all = await Promise.all(
      Array.from({ length: 8 }, () => expectAccepted(requestCancellation(deal.seller, deal.id, shown))),
    );
    expect(all.filter(({ changed }) => changed)).toHaveLength(1);
    expect((await moneyOf(deal)).records).toEqual([refund]);
  });

  test.each(rounds)(
    "an agreement and a repeated request: only the one that was shown counts (%d)",
    async () => {
      const deal = await createPaidTrade();
      await expectAccepted(requestCancellation(deal.buyer, deal.id));
      const shown = await shownTo(deal, "seller");
      const [agreed, repeated] = await Promise.all([
        requestCancellation(deal.seller, deal.id, shown),
        withdrawCancellation(deal.buyer, deal.id).then(() => requestCancellation(deal.buyer, deal.id)),
      ]);
      // Asked again after the end, it changes nothing.
      expect(repeated.ok).toBe(true);
      expect(await statusOf(deal)).toBe(agreed.ok ? "cancelled" : "payment_confirmed");
      expect((await moneyOf(deal)).records).toEqual(agreed.ok ? [refund] : []);
    },
  );

  test("two who only ask do not agree", async () => {
    const deal = await createPaidTrade();
    const ask = { agreesTo: null, vaultShown: "none" };
    const both = await Promise.all([
      requestCancellation(deal.buyer, deal.id, ask),
      requestCancellation(deal.seller, deal.id, ask),
    ]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.find(({ ok }) => !ok)).toMatchObject({ code: "CANCELLATION_CHANGED" });
    expect(await statusOf(deal)).toBe("payment_confirmed");
  });
});

test("a confirmation names the vault: contents that were replaced since are not confirmed unread", async () => {
  const deal = await createOpenedTrade();
  const { vaultShown } = await shownTo(deal, "buyer");
  await expectAccepted(sealVault(deal.seller, deal.id, { ...vaultCredentials, notes: "corrected" }));
  const confirming = (shown: string) =>
    confirmReceipt(deal.buyer, deal.id, "handed_over", { vaultShown: shown });
  expect(await confirming(vaultShown)).toMatchObject({ code: "VAULT_CHANGED" });
  expect(await statusOf(deal)).toBe("payment_confirmed");
  await expectAccepted(openVault(deal.buyer, deal.id));
  await expectAccepted(confirming("opened:2"));
  expect(await expectAccepted(confirming(vaultShown))).toMatchObject({ changed: false });
});

test("a ruling names the vault: what was decided on a closed one is not given on an opened one", async () => {
  const deal = await createSealedTrade();
  const reason = "what both have said";
  const given = { ruling: "refund", sum: 110_000, reason, warningsConfirmed: true } as const;
  const shown = async () => {
    const { dispute } = await expectAccepted(adminDispute(deal.admin, deal.id));
    return { ...given, vaultShown: dispute.vault.revision };
  };
  await expectAccepted(openDispute(deal.buyer, deal.id, { reason }));
  const before = await shown();
  await expectAccepted(withdrawDispute(deal.buyer, deal.id));
  await expectAccepted(openVault(deal.buyer, deal.id));
  await expectAccepted(openDispute(deal.buyer, deal.id, { reason }));
  for (const stale of [before, given])
    expect(await ruleDispute(deal.admin, deal.id, stale)).toMatchObject({
      ...{ code: "VAULT_CHANGED", current: "disputed" },
    });
  expect((await moneyOf(deal)).records).toEqual([]);
  await expectAccepted(ruleDispute(deal.admin, deal.id, await shown()));
  expect(await statusOf(deal)).toBe("cancelled");
});

test("an administrator's cancellation names the vault: one opened since is not refunded unseen", async () => {
  const deal = await createSealedTrade();
  const shown = () => shownToAdmin(deal);
  const before = await shown();
  await expectAccepted(openVault(deal.buyer, deal.id));
  const stale = { ok: false, code: "VAULT_CHANGED", current: "payment_confirmed" } as const;
  expect(await adminCancelForSum(deal.admin, deal.id, { ...before, sum: 110_000 })).toEqual(stale);
  for (const terms of [before, {}, { ourFault: true, ...before }])
    expect(await adminCancel(deal.admin, deal.id, terms)).toEqual(stale);
  expect(await moneyOf(deal)).toMatchObject({ held: 110_000, records: [] });
  await expectAccepted(adminCancelForSum(deal.admin, deal.id, { ...(await shown()), sum: 110_000 }));
  expect(await statusOf(deal)).toBe("cancelled");
  // Pressed again, by then the vault is destroyed.
  expect(await adminCancel(deal.admin, deal.id, before)).toMatchObject({ changed: false });
});

test("an administrator's payout names the vault: one filled again since, or never opened, is not paid for unseen", async () => {
  const deal = await createOpenedTrade();
  await saveSellerAccount(deal);
  const before = await shownToAdmin(deal);
  await expectAccepted(sealVault(deal.seller, deal.id, { ...vaultCredentials, notes: "corrected" }));
  for (const terms of [before, {}]) {
    expect(await adminComplete(deal.admin, deal.id, terms)).toMatchObject({ code: "VAULT_CHANGED" });
    const paying = { sum: 100_000, ...terms };
    expect(await adminPaySeller(deal.admin, deal.id, paying)).toMatchObject({ code: "VAULT_CHANGED" });
  }
  expect(await moneyOf(deal)).toMatchObject({ held: 110_000, records: [] });
  const informed = { sum: 100_000, ...(await shownToAdmin(deal)) };
  await expectAccepted(adminPaySeller(deal.admin, deal.id, informed));
  expect(await statusOf(deal)).toBe("settlement_pending");
});
