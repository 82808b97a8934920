import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { settleShownTrade } from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  createPaidTrade,
  expectAccepted,
  readAuditActions,
  readMailTemplates,
  readNoticeCodes,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { vaultCredentials } from "../../../../tests/support/trades/vault-trades.ts";
import { confirmCompletion, confirmReceipt, handOver } from "../trade/party-commands.ts";
import { readTrade } from "../trade/view/trade-view.ts";
import { openVault } from "../vault/open-vault.ts";
import { sealVault } from "../vault/seal-vault.ts";
import { tradeNow } from "./trade.fixture.ts";

useDatabase();
useSandboxProvider();

const seen = async (deal: Awaited<ReturnType<typeof createPaidTrade>>) =>
  (await expectAccepted(readTrade(deal.buyer, deal.id))).trade;

describe("a completion before any handover", () => {
  test("is accepted, recorded as received another way, and shows no handover to either side", async () => {
    const deal = await createPaidTrade();
    await saveSellerAccount(deal);
    await expectAccepted(confirmCompletion(deal.buyer, deal.id));
    const confirmed = await seen(deal);
    expect(confirmed).toMatchObject({
      status: "exchange_completed",
      handedOverAt: null,
      standing: { done: ["agreed", "paid", "held"], handOverSkipped: true },
    });
    expect(confirmed.receivedOtherwiseAt).toBe(confirmed.confirmations.buyer);
    expect((await readNoticeCodes(deal)).at(-1)).toBe("buyerReceivedOtherwise");
    const [entry] = await db().execute<{ data: object }>(sql`
      SELECT data FROM audit.entries WHERE action = 'transaction.confirm' AND subject_id = ${String(deal.id)}`);
    expect(entry?.data).toMatchObject({ who: "buyer", receivedOtherwise: true });
    await expectAccepted(confirmCompletion(deal.seller, deal.id));
    await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: `R-${deal.id}` }));
    for (const side of [deal.buyer, deal.seller]) {
      const over = (await expectAccepted(readTrade(side, deal.id))).trade;
      expect(over.standing.done).toEqual(["agreed", "paid", "held", "confirmed", "paidOut"]);
      expect(over.receivedOtherwiseAt).toBe(confirmed.receivedOtherwiseAt);
    }
  });

  test("that refers to a recorded handover is refused while there is none", async () => {
    const deal = await createPaidTrade();
    expect(await confirmReceipt(deal.buyer, deal.id, "handed_over")).toMatchObject({
      code: "NOT_HANDED_OVER",
      current: "payment_confirmed",
    });
    await expectAccepted(handOver(deal.seller, deal.id));
    await expectAccepted(confirmReceipt(deal.buyer, deal.id, "handed_over"));
    expect(await tradeNow(deal)).toMatchObject({ status: "exchange_completed", receivedOtherwiseAt: null });
    expect((await readNoticeCodes(deal)).at(-1)).toBe("buyerConfirmed");
  });

  test("leaves the vault to the seller: it can be filled and opened until the end, and is then destroyed", async () => {
    const deal = await createPaidTrade();
    await saveSellerAccount(deal);
    await expectAccepted(confirmCompletion(deal.buyer, deal.id));
    expect((await expectAccepted(readTrade(deal.seller, deal.id))).trade.can).toMatchObject({
      seal: true,
      handOver: true,
    });
    const told = (await readMailTemplates(deal.buyer)).length;
    await expectAccepted(sealVault(deal.seller, deal.id, vaultCredentials));
    const after = await seen(deal);
    expect(after).toMatchObject({ status: "exchange_completed", vault: { state: "sealed" } });
    expect(after.handedOverAt).not.toBeNull();
    expect(after.receivedOtherwiseAt).not.toBeNull();
    expect(after.standing).toMatchObject({
      done: ["agreed", "paid", "held", "handedOver"],
      handOverSkipped: false,
    });
    expect(after.clocks.map(({ kind }) => kind)).toEqual(["seller_finish"]);
    expect((await readNoticeCodes(deal)).at(-1)).toBe("handedOverByVaultLate");
    expect((await readMailTemplates(deal.buyer)).slice(told)).toEqual(["handedOver"]);
    expect((await readAuditActions(deal)).slice(-2)).toEqual([
      "transaction.vault_sealed",
      "transaction.hand_over",
    ]);
    // After the confirmation, the seller cannot replace what was handed over.
    expect(await sealVault(deal.seller, deal.id, { login: "another" })).toMatchObject({
      code: "VAULT_CLOSED",
    });
    await expectAccepted(confirmCompletion(deal.seller, deal.id));
    expect((await expectAccepted(openVault(deal.buyer, deal.id))).values).toMatchObject({
      login: vaultCredentials.login,
    });
    await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: `V-${deal.id}` }));
    expect((await seen(deal)).vault.state).toBe("destroyed");
  });

  test("can be followed by a late handover after the seller confirmed, but not after a confirmed handover", async () => {
    const deal = await createPaidTrade();
    await saveSellerAccount(deal);
    await expectAccepted(confirmCompletion(deal.buyer, deal.id));
    await expectAccepted(confirmCompletion(deal.seller, deal.id));
    await expectAccepted(handOver(deal.seller, deal.id, { note: "By mail" }));
    expect(await tradeNow(deal)).toMatchObject({ status: "settlement_pending", handOverNote: "By mail" });
    const other = await createPaidTrade();
    await expectAccepted(handOver(other.seller, other.id, { note: "By mail" }));
    await expectAccepted(confirmCompletion(other.buyer, other.id));
    expect(await sealVault(other.seller, other.id, vaultCredentials)).toMatchObject({ code: "VAULT_CLOSED" });
    expect(await expectAccepted(handOver(other.seller, other.id))).toMatchObject({ changed: false });
  });
});
