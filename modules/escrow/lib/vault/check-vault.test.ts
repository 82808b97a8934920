import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { drainJobs } from "#db/jobs";
import { listMail } from "#modules/mailer";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  confirmByBoth,
  expectAccepted,
  type PlantedTrade,
  readAuditActions,
  readMailTemplates,
  runAtTime,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { createOpenedTrade, createSealedTrade } from "../../../../tests/support/trades/vault-trades.ts";
import { adminCancel } from "../backoffice/transactions/administrator-commands.ts";
import { readTrade } from "../trade/view/trade-view.ts";
import { checkVault } from "./check-vault.ts";
import { openVault } from "./open-vault.ts";
import { remindLater } from "./remind-buyer.ts";
import { sealVault } from "./seal-vault.ts";

useDatabase();
useSandboxProvider();

const nothing = { password: false, secondFactor: false, recovery: false };
const all = { password: true, secondFactor: true, recovery: true };

async function vaultOf(deal: PlantedTrade) {
  return (await expectAccepted(readTrade(deal.buyer, deal.id))).trade;
}

/** Runs the jobs that are due this many minutes after the opening, with the clock at that time. */
async function minutesAfterOpening(deal: PlantedTrade, minutes: number): Promise<void> {
  const { vault } = await vaultOf(deal);
  const at = new Date(Date.parse(vault.openedAt ?? "") + minutes * 60_000);
  await runAtTime(at, () => drainJobs(at));
}

const reminders = async (deal: PlantedTrade) =>
  (await readMailTemplates(deal.buyer)).filter((template) => template === "vaultReminder").length;

describe("the checklist", () => {
  test("is ticked item by item, each once; ticks stay, and the deadline ends with the last", async () => {
    const deal = await createOpenedTrade();
    const ticked = await expectAccepted(checkVault(deal.buyer, deal.id, { ...nothing, password: true }));
    expect(ticked.changed).toBe(true);
    const first = await vaultOf(deal);
    expect(first.vault.checked).toEqual({ password: true, secondFactor: false, recovery: false });
    expect(first.vault.checkBy).not.toBeNull();
    const again = await expectAccepted(checkVault(deal.buyer, deal.id, { ...nothing, password: true }));
    expect(again.changed).toBe(false);
    await expectAccepted(checkVault(deal.buyer, deal.id, { ...nothing, secondFactor: true }));
    await expectAccepted(checkVault(deal.buyer, deal.id, all));
    const last = await vaultOf(deal);
    expect(last.vault).toMatchObject({ checked: all, checkBy: null, overdue: false });
    expect(last.can.checkVault).toBe(false);
    const rows = await db().execute<{ data: { done: string[] } }>(sql`
      SELECT data FROM audit.entries WHERE action = 'transaction.vault_checked' AND subject_id = ${String(deal.id)}
      ORDER BY id`);
    expect(rows.map(({ data }) => data.done)).toEqual([["password"], ["secondFactor"], ["recovery"]]);
  });

  test("is for the buyer only, once the vault was opened and while the trade is open", async () => {
    const deal = await createSealedTrade();
    const stranger = await plantUser();
    expect(await checkVault(deal.buyer, deal.id, all)).toMatchObject({ code: "VAULT_NOT_OPENED" });
    expect(await checkVault(deal.seller, deal.id, all)).toMatchObject({ code: "BUYER_ONLY" });
    expect(await checkVault(deal.admin, deal.id, all)).toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
    expect(await checkVault(stranger, deal.id, all)).toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
    await expectAccepted(openVault(deal.buyer, deal.id));
    await expectAccepted(adminCancel(deal.admin, deal.id, { vaultShown: "opened:1" }));
    expect(await checkVault(deal.buyer, deal.id, all)).toMatchObject({ code: "VAULT_CLOSED" });
  });

  test("starts again with a record that corrects the previous one", async () => {
    const deal = await createOpenedTrade();
    await expectAccepted(checkVault(deal.buyer, deal.id, all));
    await expectAccepted(sealVault(deal.seller, deal.id, { login: "corrected" }));
    expect((await vaultOf(deal)).vault.checked).toEqual(nothing);
  });
});

describe("the reminder", () => {
  test("is sent once, an hour after the first opening, while something is not ticked", async () => {
    const deal = await createOpenedTrade();
    await expectAccepted(openVault(deal.buyer, deal.id));
    await minutesAfterOpening(deal, 59);
    expect(await reminders(deal)).toBe(0);
    await expectAccepted(checkVault(deal.buyer, deal.id, { ...nothing, password: true }));
    await minutesAfterOpening(deal, 60);
    await minutesAfterOpening(deal, 180);
    expect(await reminders(deal)).toBe(1);
    expect(
      (await readAuditActions(deal)).filter((action) => action === "transaction.vault_reminded"),
    ).toHaveLength(1);
    const box = await listMail({ to: deal.buyer.email });
    const links = box.ok ? box.mails.flatMap((mail) => mail.links) : [];
    expect(links.filter((link) => link.endsWith(`/chat/${deal.roomId}/vault`))).toHaveLength(1);
    const reminder = box.ok
      ? box.mails.find((mail) => mail.links.some((link) => link.endsWith("/vault")))
      : undefined;
    const opening = (await vaultOf(deal)).vault.openedAt ?? "";
    const inUlaanbaatar = new Date(Date.parse(opening) + 8 * 3_600_000).toISOString();
    expect(reminder?.text).toContain(inUlaanbaatar.slice(11, 16));
    const [entry, ...more] = await db().execute(sql`SELECT user_id, data - 'digest' AS data FROM audit.entries
      WHERE action = 'transaction.vault_reminded' AND subject_id = ${String(deal.id)}`);
    expect([entry, more]).toEqual([{ user_id: null, data: { version: 1 } }, []]);
    const late = new Date(Date.parse((await vaultOf(deal)).vault.checkBy ?? ""));
    expect((await runAtTime(late, () => vaultOf(deal))).vault.overdue).toBe(true);
  });

  test("is sent for the record that is opened last, and once although its job runs again", async () => {
    const deal = await createOpenedTrade();
    await expectAccepted(sealVault(deal.seller, deal.id, { login: "corrected" }));
    await expectAccepted(openVault(deal.buyer, deal.id));
    await minutesAfterOpening(deal, 61);
    expect(await reminders(deal)).toBe(1);
    const [row] = await db().execute<{ id: string }>(sql`
      SELECT id FROM escrow.vaults WHERE trade_id = ${deal.id} AND destroyed_at IS NULL`);
    await runInTransaction((tx) => remindLater(tx, row?.id ?? "", new Date()));
    await minutesAfterOpening(deal, 200);
    expect(await reminders(deal)).toBe(1);
  });

  test("is not sent when all is ticked, the trade has ended, or another record replaced it", async () => {
    const [done, over, corrected] = [
      await createOpenedTrade(),
      await createOpenedTrade(),
      await createOpenedTrade(),
    ];
    await expectAccepted(checkVault(done.buyer, done.id, all));
    await confirmByBoth(over);
    await expectAccepted(adminCancel(over.admin, over.id, { vaultShown: "opened:1" }));
    await expectAccepted(sealVault(corrected.seller, corrected.id, { login: "corrected" }));
    await minutesAfterOpening(done, 61);
    for (const deal of [done, over, corrected]) expect(await reminders(deal)).toBe(0);
    const waiting = await db().execute(sql`
      SELECT 1 FROM pgboss.job WHERE name = 'escrow.vault_check' AND state = 'created'`);
    expect(waiting).toHaveLength(0);
  });
});
