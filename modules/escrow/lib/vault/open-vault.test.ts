import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { unsealRowSecret } from "#db/secrets/sealed-secrets";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  confirmByBoth,
  createInvoicedTrade,
  createPaidTrade,
  expectAccepted,
  readAuditActions,
  readNoticeCodes,
  runAtTime,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { withdrawDispute } from "../../../../tests/support/trades/shown-disputes.ts";
import {
  createOpenedTrade,
  createSealedTrade,
  vaultCredentials,
} from "../../../../tests/support/trades/vault-trades.ts";
import { adminTrade } from "../backoffice/transactions/transaction-view.ts";
import { openDispute } from "../disputes/open-dispute.ts";
import { confirmCompletion, requestCancellation, withdrawCancellation } from "../trade/party-commands.ts";
import { readTrade } from "../trade/view/trade-view.ts";
import { openVault } from "./open-vault.ts";
import { sealVault } from "./seal-vault.ts";

useDatabase();
useSandboxProvider();

/** Changes data as someone with access to the database would: past the tables' own triggers. */
async function tampering(statement: ReturnType<typeof sql>): Promise<void> {
  await ownerDatabase().execute(sql`ALTER TABLE escrow.vaults DISABLE TRIGGER keep_vault`);
  await ownerDatabase().execute(sql`ALTER TABLE escrow.vault_keys DISABLE TRIGGER keep_vault_key`);
  await ownerDatabase().execute(statement);
  await ownerDatabase().execute(sql`ALTER TABLE escrow.vaults ENABLE TRIGGER keep_vault`);
  await ownerDatabase().execute(sql`ALTER TABLE escrow.vault_keys ENABLE TRIGGER keep_vault_key`);
}

async function counts(deal: { id: number }) {
  const [row] = await db().execute<{ opened: string | null; count: number }>(sql`
    SELECT opened_at AS opened, opened_count AS count FROM escrow.vaults WHERE trade_id = ${deal.id}
    ORDER BY version DESC LIMIT 1`);
  return row;
}

describe("opening a vault", () => {
  test("the first time ends the seller's request to cancel, so nobody has both goods and money; later times do not", async () => {
    const deal = await createSealedTrade();
    await expectAccepted(requestCancellation(deal.seller, deal.id));
    expect((await expectAccepted(readTrade(deal.buyer, deal.id))).trade.can).toMatchObject({
      agreeCancellation: true,
    });
    await expectAccepted(openVault(deal.buyer, deal.id));
    expect((await expectAccepted(readTrade(deal.buyer, deal.id))).trade).toMatchObject({
      sellerConfirmedCancel: false,
      can: { agreeCancellation: false },
    });
    expect((await readNoticeCodes(deal)).slice(-2)).toEqual(["cancelLapsed", "vaultOpened"]);
    await expectAccepted(requestCancellation(deal.buyer, deal.id));
    expect((await expectAccepted(readTrade(deal.buyer, deal.id))).trade.status).toBe("payment_confirmed");
    // A party who asks to cancel again knows that the vault was opened.
    await expectAccepted(requestCancellation(deal.seller, deal.id, { vaultShown: "opened:1" }));
    expect((await expectAccepted(readTrade(deal.seller, deal.id))).trade.status).toBe("cancelled");
  });

  test("for the first time waits while the buyer asks for the money back, or a dispute is open; reading again does not", async () => {
    const deal = await createSealedTrade();
    const opening = () => openVault(deal.buyer, deal.id);
    const offered = async () => (await expectAccepted(readTrade(deal.buyer, deal.id))).trade.can.openVault;
    await expectAccepted(requestCancellation(deal.buyer, deal.id));
    expect(await opening()).toMatchObject({ code: "CANCELLATION_PENDING", current: "payment_confirmed" });
    expect(await offered()).toBe(false);
    await expectAccepted(withdrawCancellation(deal.buyer, deal.id));
    expect(await offered()).toBe(true);
    for (const side of ["seller", "buyer"] as const) {
      await expectAccepted(openDispute(deal[side], deal.id, { reason: "Not what was agreed" }));
      expect(await opening()).toMatchObject({ code: "DISPUTE_OPEN", current: "disputed" });
      expect(await offered()).toBe(false);
      await expectAccepted(withdrawDispute(deal[side], deal.id));
    }
    expect(await counts(deal)).toMatchObject({ opened: null, count: 0 });
    await expectAccepted(opening());
    await expectAccepted(requestCancellation(deal.buyer, deal.id));
    await expectAccepted(opening());
    await expectAccepted(openDispute(deal.buyer, deal.id, { reason: "Not what was agreed" }));
    await expectAccepted(opening());
    expect(await counts(deal)).toMatchObject({ count: 3 });
  });

  test("gives the buyer exactly what was sealed; the first time is announced to both, each later one counted", async () => {
    const deal = await createSealedTrade();
    const moment = new Date("2030-01-05T06:03:00Z");
    const first = await runAtTime(moment, () => expectAccepted(openVault(deal.buyer, deal.id)));
    expect(first.values).toEqual(vaultCredentials);
    expect(first.openedAt).toEqual(moment);
    const second = await runAtTime(new Date("2030-01-05T07:00:00Z"), () =>
      expectAccepted(openVault(deal.buyer, deal.id)),
    );
    expectMatch(second, { openedAt: moment, first: false });
    for (const side of [deal.buyer, deal.seller]) {
      const seen = await expectAccepted(readTrade(side, deal.id));
      expect(seen.trade.vault).toMatchObject({
        state: "opened",
        openedAt: moment.toISOString(),
        openedCount: 2,
        checkBy: "2030-01-05T07:03:00.000Z",
      });
    }
    const [notice] = await db().execute<{ params: { time: string } }>(sql`
      SELECT params FROM rooms.messages WHERE room_id = ${deal.roomId} AND code = 'vaultOpened'`);
    expect(notice?.params.time).toBe("14:03");
    expect((await readNoticeCodes(deal)).filter((code) => code === "vaultOpened")).toHaveLength(1);
    expect((await readAuditActions(deal)).filter((action) => action.endsWith("vault_opened"))).toHaveLength(
      2,
    );
  });

  test("eight times at once is one first opening and eight counted ones", async () => {
    const deal = await createSealedTrade();
    const all = await Promise.all(
      Array.from({ length: 8 }, () => expectAccepted(openVault(deal.buyer, deal.id))),
    );
    expect(all.filter(({ first }) => first)).toHaveLength(1);
    expect(await counts(deal)).toMatchObject({ count: 8 });
    expect((await readNoticeCodes(deal)).filter((code) => code === "vaultOpened")).toHaveLength(1);
    const jobs = await db().execute(sql`
      SELECT 1 FROM pgboss.job WHERE name = 'escrow.vault_check' AND state = 'created'`);
    expect(jobs.length).toBeGreaterThan(0);
  });

  test("is for the buyer only: no seller, administrator or third person reads it, and their attempts are not recorded", async () => {
    const deal = await createSealedTrade();
    const stranger = await plantUser();
    expect(await openVault(deal.seller, deal.id)).toMatchObject({ code: "BUYER_ONLY" });
    expect(await openVault(deal.admin, deal.id)).toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
    expect(await openVault(stranger, deal.id)).toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
    expect(await counts(deal)).toMatchObject({ opened: null, count: 0 });
    const office = await adminTrade(deal.admin, deal.id);
    if (!office.ok) throw new Error(office.code);
    expect(office.detail.vault.state).toBe("sealed");
    for (const text of [JSON.stringify(office), JSON.stringify(await readTrade(deal.buyer, deal.id))]) {
      for (const secret of Object.values(vaultCredentials))
        expect(text).not.toContain(secret.trim().split("\n")[0]);
    }
  });

  test("needs the payment and the contents, stays possible in a dispute, and ends with the trade", async () => {
    const unpaid = await createInvoicedTrade();
    expect(await openVault(unpaid.buyer, unpaid.id)).toMatchObject({ code: "NOT_PAID_YET" });
    const empty = await createPaidTrade();
    expect(await openVault(empty.buyer, empty.id)).toMatchObject({ code: "VAULT_EMPTY" });
    const deal = await createSealedTrade();
    await saveSellerAccount(deal);
    await expectAccepted(confirmCompletion(deal.buyer, deal.id));
    await expectAccepted(openVault(deal.buyer, deal.id));
    await expectAccepted(confirmCompletion(deal.seller, deal.id));
    await expectAccepted(openVault(deal.buyer, deal.id));
    await expectAccepted(openDispute(deal.buyer, deal.id, { reason: "it does not work" }));
    await expectAccepted(openVault(deal.buyer, deal.id));
    expect(await sealVault(deal.seller, deal.id, { login: "later" })).toMatchObject({ code: "VAULT_CLOSED" });
  });

  test("is limited to thirty times an hour", async () => {
    const deal = await createSealedTrade();
    const results = await Promise.all(Array.from({ length: 33 }, () => openVault(deal.buyer, deal.id)));
    expect(results.filter((one) => !one.ok && one.code === "THROTTLED")).toHaveLength(3);
  });
});

describe("an altered vault record", () => {
  const changes = {
    "one byte of the text is another": sql`
      UPDATE escrow.vaults SET body = set_byte(body, 20, 255 - get_byte(body, 20)) WHERE destroyed_at IS NULL`,
    "one byte of the key is another": sql`
      UPDATE escrow.vault_keys SET key = set_byte(key, 20, 255 - get_byte(key, 20))`,
    "its key is deleted": sql`DELETE FROM escrow.vault_keys`,
  };
  for (const [what, change] of Object.entries(changes)) {
    test(`${what}: opening reports it, records nothing, and the seller can fill the vault again`, async () => {
      const deal = await createSealedTrade();
      await tampering(change);
      expect(await openVault(deal.buyer, deal.id)).toMatchObject({ code: "VAULT_UNREADABLE" });
      expect(await counts(deal)).toMatchObject({ opened: null, count: 0 });
      await expectAccepted(sealVault(deal.seller, deal.id, { login: "again" }));
      expect((await expectAccepted(openVault(deal.buyer, deal.id))).values).toEqual({ login: "again" });
    });
  }

  test("copied with its key into another trade does not open there", async () => {
    const [one, other] = [await createSealedTrade(), await createSealedTrade()];
    const of = (deal: { id: number }) => sql`(SELECT id FROM escrow.vaults WHERE trade_id = ${deal.id})`;
    await tampering(sql`
      UPDATE escrow.vaults SET body = (SELECT body FROM escrow.vaults WHERE trade_id = ${one.id})
      WHERE trade_id = ${other.id}`);
    await tampering(sql`
      UPDATE escrow.vault_keys SET key = (SELECT key FROM escrow.vault_keys WHERE vault_id = ${of(one)})
      WHERE vault_id = ${of(other)}`);
    expect(await openVault(other.buyer, other.id)).toMatchObject({ code: "VAULT_UNREADABLE" });
    expect(await openVault(one.buyer, one.id)).toMatchObject({ ok: true });
  });

  test("has a key of its own, and does not open with Midman's key alone", async () => {
    const deals = [await createSealedTrade(), await createSealedTrade()];
    const rows = await db().execute<{ key: Buffer; body: Buffer; id: string; trade: number }>(sql`
      SELECT k.key, v.body, v.id, v.trade_id AS trade FROM escrow.vaults v JOIN escrow.vault_keys k ON k.vault_id = v.id
      WHERE v.trade_id IN (${deals[0]?.id}, ${deals[1]?.id})`);
    const dataKeys = rows.map(({ key, id, trade }) =>
      unsealRowSecret(key, `vault key ${id} of trade ${trade}`).toString("hex"),
    );
    expect(new Set(dataKeys).size).toBe(2);
    for (const { body, id, trade } of rows) {
      // One padded block and what AES-GCM adds: the length reveals nothing.
      expect(body.length).toBe(512 + 28);
      expect(() => unsealRowSecret(body, `vault body ${id} of trade ${trade}`)).toThrow();
    }
  });
});

test("the database refuses to undo an opening, and to delete a record", async () => {
  const deal = await createOpenedTrade();
  const spoil = async (statement: ReturnType<typeof sql>) => {
    await expect((async () => ownerDatabase().execute(statement))()).rejects.toThrow();
  };
  await spoil(sql`UPDATE escrow.vaults SET opened_at = NULL, opened_count = 0 WHERE trade_id = ${deal.id}`);
  await spoil(sql`UPDATE escrow.vaults SET opened_at = now() WHERE trade_id = ${deal.id}`);
  await spoil(sql`UPDATE escrow.vaults SET body = 'x' WHERE trade_id = ${deal.id}`);
  await spoil(sql`DELETE FROM escrow.vaults WHERE trade_id = ${deal.id}`);
  await confirmByBoth(deal);
  expect(await counts(deal)).toMatchObject({ count: 1 });
});
