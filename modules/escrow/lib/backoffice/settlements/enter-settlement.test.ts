import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { listEntries } from "#modules/audit";
import { setAdmin } from "#modules/identity";
import { verifyLedger } from "#modules/payments";
import { useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { grantAnew, plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import { expectAccepted, type PlantedUser } from "../../../../../tests/support/trades/sandbox-trades.ts";
import { workQueue } from "../work-queue/work-queue.ts";
import { discardSettlementEntry, enterSettlement } from "./enter-settlement.ts";
import { readSettlements } from "./settlement-view.ts";

useDatabase();

let statements = 0;
const newSettlement = () => ({ bankReference: `QPAY-${++statements}`, received: 9_900, cost: 100 });
const desk = () => plantUser({ isAdmin: true });

async function shown(reader: PlantedUser) {
  const found = await readSettlements(reader);
  if (!found.ok) throw new Error(found.code);
  return found.settlements;
}

async function queued(reader: PlantedUser) {
  const found = await workQueue(reader);
  if (!found.ok) throw new Error(found.code);
  return found.queue.settlements;
}

const posted = async (reference: string) =>
  Number(
    (
      await db().execute<{ n: string }>(
        sql`SELECT count(*) AS n FROM payments.journals WHERE event = ${`settlement:${reference}`}`,
      )
    )[0]?.n,
  );

describe("a settlement of QPay", () => {
  test("waits for a second administrator, and is posted once they enter the same", async () => {
    const [first, second] = [await desk(), await desk()];
    const seen = newSettlement();
    expect(await expectAccepted(enterSettlement(first, seen))).toMatchObject({
      changed: true,
      state: "proposed",
    });
    expect(await expectAccepted(enterSettlement(first, seen))).toMatchObject({
      changed: false,
      state: "proposed",
    });
    const [work] = await queued(second);
    expect(work).toMatchObject({ proposal: { own: false, obstacle: null } });
    const day = Date.parse(work?.dueAt ?? "") - Date.parse(work?.proposedAt ?? "");
    expect(day).toBe(24 * 3_600_000);
    expect(JSON.stringify([await queued(second), (await shown(second)).waiting])).not.toMatch(/QPAY-|9900/);
    expect(await posted(seen.bankReference)).toBe(0);
    expect(await expectAccepted(enterSettlement(second, seen))).toMatchObject({
      changed: true,
      state: "recorded",
    });
    expect(await expectAccepted(enterSettlement(first, seen))).toMatchObject({
      changed: false,
      state: "recorded",
    });
    expect(await posted(seen.bankReference)).toBe(1);
    expect(await queued(second)).toEqual([]);
    const [recorded] = (await shown(first)).recorded;
    expect(recorded).toMatchObject({
      ...seen,
      enteredBy: first.displayName,
      confirmedBy: second.displayName,
    });
    expect(await enterSettlement(second, { ...seen, cost: 99 })).toMatchObject({
      code: "SETTLEMENT_CONFLICT",
    });
    expect(await verifyLedger()).toMatchObject({ ok: true });
  });

  test("with different figures from the second one is not posted until they agree", async () => {
    const [first, second] = [await desk(), await desk()];
    const seen = newSettlement();
    await expectAccepted(enterSettlement(first, { ...seen, cost: 1_000 }));
    expect(await enterSettlement(second, seen)).toMatchObject({ code: "PROPOSAL_DIFFERS" });
    expect(await expectAccepted(enterSettlement(first, seen))).toMatchObject({
      changed: true,
      state: "proposed",
    });
    expect(await expectAccepted(enterSettlement(second, seen))).toMatchObject({ state: "recorded" });
    expect(await posted(seen.bankReference)).toBe(1);
  });

  test("entered by fifteen or by two at once is posted once", async () => {
    const [first, second] = [await desk(), await desk()];
    const seen = newSettlement();
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, nth) =>
        expectAccepted(enterSettlement(nth % 2 === 0 ? first : second, seen)),
      ),
    );
    const changed = answers.filter((answer) => answer.changed).map(({ state }) => state);
    expect(changed.sort()).toEqual(["proposed", "recorded"]);
    expect(await posted(seen.bankReference)).toBe(1);
  });

  test("is entered again by someone who has lost the right since and regained it", async () => {
    const [first, second] = [await desk(), await desk()];
    const seen = newSettlement();
    await expectAccepted(enterSettlement(first, seen));
    await grantAnew(first.userId);
    expect(await enterSettlement(second, seen)).toMatchObject({ code: "PROPOSER_NOT_ADMIN" });
    expect(await expectAccepted(enterSettlement(first, seen))).toMatchObject({
      changed: true,
      state: "proposed",
    });
    expect(await expectAccepted(enterSettlement(second, seen))).toMatchObject({ state: "recorded" });
  });

  test("cannot be confirmed by an administrator related to the first, nor after the first lost the right", async () => {
    const [first, second, member] = [await desk(), await desk(), await plantUser()];
    expect(await setAdmin(first, member.userId, true)).toEqual({ ok: true });
    const made = { ...member, isAdmin: true };
    const seen = newSettlement();
    await expectAccepted(enterSettlement(first, seen));
    expect(await enterSettlement(made, seen)).toMatchObject({ code: "FOUR_EYES_RELATED" });
    expect((await shown(made)).waiting.at(-1)).toMatchObject({ obstacle: "FOUR_EYES_RELATED" });
    await db().execute(sql`UPDATE identity.users SET is_admin = false WHERE id = ${first.userId}`);
    expect(await enterSettlement(second, seen)).toMatchObject({ code: "PROPOSER_NOT_ADMIN" });
    const [waiting] = (await shown(second)).waiting.slice(-1);
    expect(waiting).toMatchObject({ obstacle: "PROPOSER_NOT_ADMIN" });
    await expectAccepted(
      discardSettlementEntry(second, waiting?.id ?? 0, { reason: "Whoever entered it has left" }),
    );
    expect((await shown(second)).laidAside[0]).toMatchObject({
      ...{ id: waiting?.id, by: first.displayName, asideBy: second.displayName },
      reason: "Whoever entered it has left",
    });
    await expectAccepted(enterSettlement(second, seen));
    expect(await posted(seen.bankReference)).toBe(0);
  });

  test("needs an administrator with a fresh login, whose right is checked again", async () => {
    const [member, first] = [await plantUser(), await desk()];
    const seen = newSettlement();
    expect(await enterSettlement(member, seen)).toMatchObject({ code: "ADMIN_REQUIRED" });
    expect(await readSettlements(member)).toMatchObject({ code: "ADMIN_REQUIRED" });
    expect(await discardSettlementEntry(member, 1, { reason: "x" })).toMatchObject({
      code: "ADMIN_REQUIRED",
    });
    const stale = { ...first, authenticatedAt: new Date(Date.now() - 11 * 60_000) };
    expect(await enterSettlement(stale, seen)).toMatchObject({ code: "REAUTH_REQUIRED" });
    await db().execute(sql`UPDATE identity.users SET is_admin = false WHERE id = ${first.userId}`);
    expect(await enterSettlement(first, seen)).toMatchObject({ code: "ADMIN_REQUIRED" });
    expect(await discardSettlementEntry(first, 1, { reason: "x" })).toMatchObject({ code: "ADMIN_REQUIRED" });
    expect(await posted(seen.bankReference)).toBe(0);
  });

  test("differs by either figure alone, is corrected by its author, and is discarded once, with the first reason", async () => {
    const [first, second] = [await desk(), await desk()];
    const seen = newSettlement();
    const entered = () =>
      db().execute<Record<string, unknown>>(sql`
      SELECT id::integer, received::integer, cost::integer, proposed_by::integer AS by, laid_aside_at IS NULL AS waits
      FROM payments.settlements WHERE bank_reference = ${seen.bankReference} ORDER BY id`);
    const state = { ok: true, changed: true, state: "proposed" } as const;
    const given = [seen, { ...seen, received: 1 }, { ...seen, received: 1, cost: 2 }];
    for (const one of given) {
      expect(await enterSettlement(first, one)).toEqual(state);
      expect(await enterSettlement(first, one)).toEqual({ ...state, changed: false });
    }
    const rows = [...(await entered())];
    expect(rows).toMatchObject(
      given.map(({ received, cost }, at) => ({ received, cost, by: first.userId, waits: at === 2 })),
    );
    for (const other of [
      { ...seen, received: 1 },
      { ...seen, cost: 2 },
    ])
      expect(await enterSettlement(second, other)).toEqual({ ok: false, code: "PROPOSAL_DIFFERS" });
    const [corrected, id] = [Number(rows[0]?.id), Number(rows[2]?.id)];
    const { entries } = await listEntries({ subject: { kind: "settlement", id }, limit: 1 });
    const { userId, ip, device } = first;
    expect(entries).toMatchObject([{ action: "settlement.proposed", userId, ip, device }]);
    const aside = (which: number, reason: string) => discardSettlementEntry(second, which, { reason });
    expect(await aside(corrected, "x")).toEqual({ ok: false, code: "PROPOSAL_CHANGED" });
    expect(await aside(999_999, "x")).toEqual({ ok: false, code: "NOT_FOUND" });
    expect(await aside(id, "Not ours")).toEqual({ ok: true, changed: true });
    expect(await aside(id, "Another word")).toEqual({ ok: true, changed: false });
    const [last] = (await listEntries({ subject: { kind: "settlement", id }, limit: 1 })).entries;
    expect(last).toMatchObject({ action: "settlement.laid_aside", userId: second.userId, ip: second.ip });
    expect((await shown(first)).laidAside[0]).toMatchObject({ id, reason: "Not ours" });
    expect(await enterSettlement(second, seen)).toEqual(state);
    expect(await enterSettlement(first, seen)).toEqual({ ok: true, changed: true, state: "recorded" });
    for (const who of [first, second])
      expect(await enterSettlement(who, seen)).toEqual({ ok: true, changed: false, state: "recorded" });
    const posts = { code: "SETTLEMENT_CONFLICT" };
    expect(await enterSettlement(first, { ...seen, received: 1 })).toMatchObject(posts);
    expect(await enterSettlement(first, { ...seen, cost: 1 })).toMatchObject(posts);
  });
});
