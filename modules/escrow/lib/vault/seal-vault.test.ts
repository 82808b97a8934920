import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantTrade, plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  createInvoicedTrade,
  createPaidTrade,
  expectAccepted,
  readAuditActions,
  readMailTemplates,
  readNoticeCodes,
  runAtTime,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import {
  createOpenedTrade,
  createSealedTrade,
  vaultCredentials,
} from "../../../../tests/support/trades/vault-trades.ts";
import type { VaultInput } from "../../forms.ts";
import { tradeNow } from "../core/trade.fixture.ts";
import { handOver } from "../trade/party-commands.ts";
import { readTrade } from "../trade/view/trade-view.ts";
import { openVault } from "./open-vault.ts";
import { sealVault } from "./seal-vault.ts";

useDatabase();
useSandboxProvider();

async function vaultOf(deal: Awaited<ReturnType<typeof createPaidTrade>>) {
  const seen = await expectAccepted(readTrade(deal.seller, deal.id));
  return seen.trade.vault;
}

/** How many keys of a trade's records are left. */
async function keys(deal: { id: number }): Promise<number> {
  const rows = await db().execute(sql`
    SELECT 1 FROM escrow.vault_keys k JOIN escrow.vaults v ON v.id = k.vault_id WHERE v.trade_id = ${deal.id}`);
  return rows.length;
}

describe("filling a vault", () => {
  test("counts as the handover: deadlines, notice, mail and log, and its own entry besides", async () => {
    const deal = await createPaidTrade();
    const before = await readMailTemplates(deal.buyer);
    const done = await expectAccepted(sealVault(deal.seller, deal.id, vaultCredentials));
    expect(done.changed).toBe(true);
    const now = await tradeNow(deal);
    expect(now.handedOverAt).not.toBeNull();
    expect(Object.keys(now.deadlines).sort()).toEqual(["admin_review", "buyer_finish"]);
    expect((await readNoticeCodes(deal)).at(-1)).toBe("handedOverByVault");
    expect(await readNoticeCodes(deal)).not.toContain("vaultSealed");
    const [notice] = await db().execute<{ params: object }>(
      sql`SELECT params FROM rooms.messages WHERE room_id = ${deal.roomId} ORDER BY seq DESC LIMIT 1`,
    );
    expect(notice?.params).toEqual({ transactionId: deal.id, code: now.code, by: "seller" });
    expect((await readMailTemplates(deal.buyer)).slice(before.length)).toEqual(["handedOver"]);
    expect((await readAuditActions(deal)).slice(-2)).toEqual([
      "transaction.vault_sealed",
      "transaction.hand_over",
    ]);
    expect(await vaultOf(deal)).toMatchObject({
      state: "sealed",
      openedAt: null,
      openedCount: 0,
      checkBy: null,
    });
  });

  test("is for the seller only, from the confirmed payment until the buyer has confirmed or disputed", async () => {
    const deal = await createPaidTrade();
    const stranger = await plantUser();
    expect(await sealVault(deal.buyer, deal.id, vaultCredentials)).toMatchObject({ code: "SELLER_ONLY" });
    expect(await sealVault(deal.admin, deal.id, vaultCredentials)).toMatchObject({
      code: "TRANSACTION_NOT_FOUND",
    });
    expect(await sealVault(stranger, deal.id, vaultCredentials)).toMatchObject({
      code: "TRANSACTION_NOT_FOUND",
    });
    const unpaid = await createInvoicedTrade();
    expect(await sealVault(unpaid.seller, unpaid.id, vaultCredentials)).toMatchObject({
      code: "NOT_PAID_YET",
      current: "payment_initiated",
    });
    for (const status of ["exchange_completed", "settlement_pending", "disputed", "completed", "cancelled"]) {
      const late = await plantTrade(status);
      expect(await sealVault(late.seller, late.id, vaultCredentials)).toMatchObject({
        code: "VAULT_CLOSED",
        current: status,
      });
      const seen = await expectAccepted(readTrade(late.seller, late.id));
      expect(seen.trade.can.seal).toBe(false);
    }
    expect(await keys(unpaid)).toBe(0);
  });

  test("twice, or five times at once, stores one record; an edit under the same id is another record", async () => {
    const deal = await createPaidTrade();
    const input = { ...vaultCredentials, clientId: crypto.randomUUID() };
    const all = await Promise.all(
      Array.from({ length: 5 }, () => expectAccepted(sealVault(deal.seller, deal.id, input))),
    );
    expect(all.filter(({ changed }) => changed)).toHaveLength(1);
    expect((await readNoticeCodes(deal)).filter((code) => /vault/i.test(code))).toEqual([
      "handedOverByVault",
    ]);
    const edited = await expectAccepted(sealVault(deal.seller, deal.id, { ...input, password: "another" }));
    expect(edited.changed).toBe(true);
    expect((await expectAccepted(openVault(deal.buyer, deal.id))).values.password).toBe("another");
    // The first request arrives again, late: its record was replaced, and it replaces nothing.
    expect(await sealVault(deal.seller, deal.id, input)).toMatchObject({ code: "VAULT_CHANGED" });
    expect((await expectAccepted(openVault(deal.buyer, deal.id))).values.password).toBe("another");
  });

  test("again before the opening replaces the record and destroys its key; the buyer's deadline stays", async () => {
    const deal = await createSealedTrade();
    const first = await tradeNow(deal);
    const sent = (await readMailTemplates(deal.buyer)).length;
    await expectAccepted(sealVault(deal.seller, deal.id, { login: "the right one" }));
    expect(await keys(deal)).toBe(1);
    expect((await tradeNow(deal)).handedOverAt).toEqual(first.handedOverAt);
    expect((await tradeNow(deal)).deadlines).toEqual(first.deadlines);
    expect((await readMailTemplates(deal.buyer)).length).toBe(sent);
    expect((await readNoticeCodes(deal)).at(-1)).toBe("vaultSealedAnew");
    expect((await expectAccepted(openVault(deal.buyer, deal.id))).values).toEqual({ login: "the right one" });
    expect((await vaultOf(deal)).earlier).toMatchObject([{ openedAt: null }]);
  });

  test("again after the opening is opened separately: both are recorded, and the buyer is notified", async () => {
    const deal = await createOpenedTrade();
    const sent = (await readMailTemplates(deal.buyer)).length;
    await expectAccepted(sealVault(deal.seller, deal.id, { password: "corrected" }));
    expect((await readMailTemplates(deal.buyer)).slice(sent)).toEqual(["handedOver"]);
    const waiting = await vaultOf(deal);
    expect(waiting).toMatchObject({ state: "sealed", openedAt: null, checkBy: null });
    expect(waiting.earlier).toHaveLength(1);
    expect(waiting.earlier[0]?.openedAt).toBeString();
    expect((await expectAccepted(openVault(deal.buyer, deal.id))).values).toEqual({ password: "corrected" });
    expect(await vaultOf(deal)).toMatchObject({ state: "opened", openedCount: 1 });
    const told = (await readNoticeCodes(deal)).filter((code) => /vault/i.test(code));
    expect(told).toEqual(["handedOverByVault", "vaultOpened", "vaultSealedAnew", "vaultOpened"]);
  });

  test("after a handover reported without it adds no second handover", async () => {
    const deal = await createPaidTrade();
    await expectAccepted(handOver(deal.seller, deal.id, { note: "in the game" }));
    await expectAccepted(sealVault(deal.seller, deal.id, vaultCredentials));
    expect((await readNoticeCodes(deal)).filter((code) => code === "handedOver")).toHaveLength(1);
    expect((await tradeNow(deal)).handOverNote).toBe("in the game");
  });

  test("is limited to twenty times an hour, and refused to a visitor", async () => {
    const deal = await createPaidTrade();
    const at = new Date();
    const answers: unknown[] = [];
    for (let n = 0; n < 21; n++) {
      const answer = await runAtTime(at, () => sealVault(deal.seller, deal.id, { login: `No. ${n}` }));
      if (!answer.ok) answers.push(answer);
    }
    expect(answers).toEqual([{ ok: false, code: "THROTTLED", retryAfterSeconds: 180 }]);
    expect((await vaultOf(deal)).earlier).toHaveLength(19);
    const visitor = { kind: "visitor", ip: "", device: "", language: "en", requestId: "" } as const;
    const outside = { ok: false, code: "AUTH_REQUIRED" } as const;
    expect(await sealVault(visitor, deal.id, vaultCredentials)).toEqual(outside);
    expect(await openVault(visitor, deal.id)).toEqual(outside);
  });

  test("is not answered as done if other contents have replaced it since", async () => {
    const deal = await createPaidTrade();
    const typed = { clientId: crypto.randomUUID(), login: "one" };
    await expectAccepted(sealVault(deal.seller, deal.id, typed));
    await expectAccepted(sealVault(deal.seller, deal.id, { login: "two" }));
    for (const again of [typed, { ...typed, login: "three" }])
      expect(await sealVault(deal.seller, deal.id, again)).toMatchObject({ code: "VAULT_CHANGED" });
    expect(await expectAccepted(openVault(deal.buyer, deal.id))).toMatchObject({ values: { login: "two" } });
  });

  test("stores the form's id only with its first record, the records in order, and no empty fields", async () => {
    const deal = await createPaidTrade();
    const clientId = crypto.randomUUID();
    const sealing = (values: VaultInput) => expectAccepted(sealVault(deal.seller, deal.id, values));
    const asked = { clientId, login: "one", password: undefined };
    expect(await sealing(asked)).toMatchObject({ changed: true });
    expect(await sealing(asked)).toMatchObject({ changed: false });
    expect(await sealing({ clientId, login: "one" })).toMatchObject({ changed: false });
    expect(await sealing({ clientId, login: "two" })).toMatchObject({ changed: true });
    // Its answer was lost, and the form is sent again.
    expect(await sealing({ clientId, login: "two" })).toMatchObject({ changed: false });
    expect(await sealing({ login: "two" })).toMatchObject({ changed: true });
    expect(await sealing({ clientId: crypto.randomUUID(), login: "two" })).toMatchObject({ changed: true });
    const rows = await db().execute(sql`SELECT version, client_id IS NOT DISTINCT FROM ${clientId} AS same,
      client_id IS NULL AS none FROM escrow.vaults WHERE trade_id = ${deal.id} ORDER BY version`);
    expect([...rows]).toEqual([
      { version: 1, same: true, none: false },
      { version: 2, same: false, none: true },
      { version: 3, same: false, none: true },
      { version: 4, same: false, none: false },
    ]);
    expect((await expectAccepted(openVault(deal.buyer, deal.id))).values).toEqual({ login: "two" });
    const log = await db().execute(sql`SELECT data - 'digest' AS data FROM audit.entries
      WHERE action = 'transaction.vault_sealed' AND subject_id = ${String(deal.id)} ORDER BY id`);
    expect(log.map(({ data }) => data)).toEqual(
      [1, 2, 3, 4].map((version) => ({ version, replaced: version > 1 })),
    );
  });
});
