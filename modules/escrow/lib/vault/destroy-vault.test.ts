import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { ruleDispute, settleShownTrade } from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  confirmByBoth,
  expectAccepted,
  type PlantedTrade,
  readAuditActions,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { createOpenedTrade } from "../../../../tests/support/trades/vault-trades.ts";
import { adminCancel, adminComplete } from "../backoffice/transactions/administrator-commands.ts";

import { openDispute } from "../disputes/open-dispute.ts";
import { requestCancellation } from "../trade/party-commands.ts";
import { readTrade } from "../trade/view/trade-view.ts";
import { openVault } from "./open-vault.ts";
import { sealVault } from "./seal-vault.ts";

useDatabase();
useSandboxProvider();

const reason = "what both have said";

/** Every way in which a trade ends after its payment. */
const ends: Record<string, (deal: PlantedTrade) => Promise<unknown>> = {
  "paid out": async (deal) => {
    await confirmByBoth(deal);
    await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: `S-${deal.id}` }));
  },
  "cancelled by both": async (deal) => {
    await expectAccepted(requestCancellation(deal.buyer, deal.id));
    await expectAccepted(requestCancellation(deal.seller, deal.id, { vaultShown: "sealed:2" }));
  },
  "cancelled by both in a dispute": async (deal) => {
    await expectAccepted(openDispute(deal.buyer, deal.id, { reason }));
    await expectAccepted(requestCancellation(deal.seller, deal.id, { vaultShown: "sealed:2" }));
    await expectAccepted(requestCancellation(deal.buyer, deal.id));
  },
  "cancelled by an administrator": (deal) =>
    expectAccepted(adminCancel(deal.admin, deal.id, { vaultShown: "sealed:2" })),
  "completed by an administrator": async (deal) => {
    await confirmByBoth(deal);
    await expectAccepted(adminComplete(deal.admin, deal.id));
  },
  "ruled for the buyer": async (deal) => {
    await expectAccepted(openDispute(deal.buyer, deal.id, { reason }));
    await expectAccepted(
      ruleDispute(deal.admin, deal.id, {
        ...{ ruling: "refund", reason, sum: 110_000, vaultShown: "sealed:2" },
      }),
    );
  },
  "ruled for the seller and paid out": async (deal) => {
    await saveSellerAccount(deal);
    await expectAccepted(openDispute(deal.seller, deal.id, { reason }));
    await expectAccepted(
      ruleDispute(deal.admin, deal.id, {
        ...{ ruling: "release", reason, sum: 100_000, vaultShown: "sealed:2" },
      }),
    );
    await expectAccepted(settleShownTrade(deal.admin, deal.id, { bankReference: `R-${deal.id}` }));
  },
};

async function left(deal: PlantedTrade) {
  const [row] = await db().execute<{ bodies: number; keys: number; records: number }>(sql`
    SELECT count(body)::int AS bodies, count(k.key)::int AS keys, count(*)::int AS records
    FROM escrow.vaults v LEFT JOIN escrow.vault_keys k ON k.vault_id = v.id WHERE trade_id = ${deal.id}`);
  return row;
}

describe("at a trade's end", () => {
  for (const [how, end] of Object.entries(ends)) {
    test(`${how}: text and key are destroyed, the times stay`, async () => {
      const deal = await createOpenedTrade();
      await expectAccepted(sealVault(deal.seller, deal.id, { login: "corrected" }));
      const before = (await expectAccepted(readTrade(deal.seller, deal.id))).trade.vault;
      await end(deal);
      const seen = (await expectAccepted(readTrade(deal.seller, deal.id))).trade;
      expect(["completed", "cancelled"]).toContain(seen.status);
      expect(await left(deal)).toEqual({ bodies: 0, keys: 0, records: 2 });
      expect(seen.vault).toMatchObject({
        state: "destroyed",
        sealedAt: before.sealedAt,
        earlier: before.earlier,
        destroyedAt: seen.endedAt,
      });
      expect(seen.can).toMatchObject({ seal: false, openVault: false, checkVault: false });
      expect(await openVault(deal.buyer, deal.id)).toMatchObject({ code: "VAULT_CLOSED" });
      const log = await readAuditActions(deal);
      expect(log.filter((action) => action === "transaction.vault_destroyed")).toHaveLength(1);
    });
  }

  test("a trade that waits for its payout still has them", async () => {
    const deal = await createOpenedTrade();
    await confirmByBoth(deal);
    expect(await left(deal)).toEqual({ bodies: 1, keys: 1, records: 1 });
  });

  test("the database commits no end with a vault that can be opened", async () => {
    const deal = await createOpenedTrade();
    const end = async () =>
      db().execute(sql`
        UPDATE escrow.trades SET status = 'cancelled', end_reason = 'admin', ended_at = now() WHERE id = ${deal.id}`);
    await expect(end()).rejects.toThrow();
    expect(await left(deal)).toEqual({ bodies: 1, keys: 1, records: 1 });
  });

  test("an opening at the same moment either comes first or is refused", async () => {
    const deal = await createOpenedTrade();
    const [first, , last] = await Promise.all([
      openVault(deal.buyer, deal.id),
      adminCancel(deal.admin, deal.id, { vaultShown: "opened:1" }),
      openVault(deal.buyer, deal.id),
    ]);
    for (const one of [first, last]) expect(one.ok ? "VAULT_CLOSED" : one.code).toBe("VAULT_CLOSED");
    expect(await left(deal)).toEqual({ bodies: 0, keys: 0, records: 1 });
  });
});
