import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { daySpan, daysAfter } from "#format";
import { listEntries } from "#modules/audit";
import { useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../../tests/support/expect-match.ts";
import { plantTrade, plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import { type PlantedUser, runAtTime } from "../../../../../tests/support/trades/sandbox-trades.ts";
import { discardSettlementEntry, enterSettlement } from "../settlements/enter-settlement.ts";
import { readSettlements } from "../settlements/settlement-view.ts";
import {
  at,
  destination,
  dueTo,
  given,
  iso,
  minutes,
  nobody,
  payIn,
  send,
} from "../transactions/trade-money.fixture.ts";
import { isOutgoingHalted, readTreasury, switchOutgoingMoney, transfersOf } from "./treasury.ts";

// What administrators read of the treasury and of settlements.

useDatabase();

let exports = 0;

let admin: PlantedUser;
let member: PlantedUser;
beforeAll(async () => {
  admin = await plantUser({ isAdmin: true, displayName: "Desk" });
  member = await plantUser();
});

describe("the treasury", () => {
  const desk = async (input?: { before?: number | undefined }) =>
    (await given(readTreasury(admin, input))).treasury;

  test("shows the state of the halt switch, since when, by whom and why", async () => {
    const reason = "the bank is down";
    const setter = await plantUser({ isAdmin: true, displayName: "Switcher" });
    const moment = new Date();
    const turn = (on: boolean, who = setter) =>
      runAtTime(moment, () => switchOutgoingMoney(who, { on, reason }));
    expect(await turn(true, member)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
    const stale = { ...setter, authenticatedAt: new Date(moment.getTime() - 86_400_000) };
    expect(await turn(true, stale)).toMatchObject({ ok: false, code: "REAUTH_REQUIRED" });
    expect(await isOutgoingHalted()).toBe(false);
    expect(await turn(true)).toEqual({ ok: true, changed: true, halted: true });
    expect(await isOutgoingHalted()).toBe(true);
    const stopped = { halted: true, reason, by: "Switcher", at: moment.toISOString(), resume: null };
    expect((await desk()).halt).toEqual(stopped);
    expect(await turn(true)).toEqual({ ok: true, changed: false, halted: true });
    const [entry] = (await listEntries({ action: "money.halted" })).entries;
    expectMatch(entry, { userId: setter.userId, ip: setter.ip, device: setter.device, at: moment });
    expect(await turn(false)).toEqual({ ok: true, changed: true, halted: true });
    const proposed = { by: "Switcher", own: false, at: moment.toISOString(), reason };
    expect((await desk()).halt).toEqual({ ...stopped, resume: proposed });
    expect(await turn(false, setter)).toEqual({ ok: true, changed: false, halted: true });
    const another = await plantUser({ isAdmin: true, displayName: "Second switcher" });
    expect(await turn(false, another)).toEqual({ ok: true, changed: true, halted: false });
    expect((await desk()).halt).toEqual({ ...stopped, halted: false, by: "Second switcher" });
    const [turned] = await db().execute<{ reason: string; by: string }>(
      sql`SELECT reason, changed_by AS by FROM payments.halt`,
    );
    await db().execute(sql`UPDATE payments.halt SET changed_by = ${nobody}`);
    expect((await desk()).halt).toEqual({ ...stopped, halted: false, by: null });
    await db().execute(sql`UPDATE payments.halt SET reason = NULL, changed_by = NULL, changed_at = NULL`);
    const never = { halted: false, reason: null, by: null, at: null, resume: null };
    expect((await desk()).halt).toEqual(never);
    // Restores the values that the audit log has, or no money could leave.
    await db().execute(sql`
      UPDATE payments.halt SET changed_at = ${moment.toISOString()}, reason = ${turned?.reason}, changed_by = ${turned?.by}::bigint`);
    expect(await readTreasury(member)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  });

  test("lists money without a trade, what it was paid for and the state of its refund, page by page", async () => {
    const [first, second] = [await plantTrade(), await plantTrade()];
    const one = await payIn(first, { amount: 115_000 });
    const night = new Date("2026-11-21T16:30:00Z");
    const rest = { paidAt: iso(0), wallet: "Toki", payerBank: "050000" };
    const refund = { state: "due", destination: false } as const;
    const excess = {
      ...{ ...rest, paymentId: expect.any(Number), providerPaymentId: one, amount: 5_000, refund },
      transaction: { id: first.id, code: first.code },
    };
    const before = await runAtTime(night, () => desk());
    expect(before.today).toBe("2026-11-22");
    expect(before.suspense[0]).toEqual(excess);
    await db().execute(
      sql`UPDATE payments.payouts SET destination = ${JSON.stringify(destination)}::jsonb WHERE reference = ${first.id}`,
    );
    expect((await desk()).suspense[0]?.refund).toEqual({ state: "due", destination: true });
    const strange = await payIn({ ...first, id: 7_000_000 }, { amount: 120_000 });
    expect((await desk()).suspense[0]).toMatchObject({ providerPaymentId: strange, transaction: null });
    for (let many = 0; many < 27; many++) await payIn(second, { amount: 110_000 + many });
    const stray = await db().execute<{ id: string }>(
      sql`SELECT id FROM payments.payments WHERE to_suspense > 0 ORDER BY id`,
    );
    const ids = stray.map(({ id }) => Number(id));
    const page = async (before?: number) => {
      const { suspense, next } = await desk({ before });
      return { ids: suspense.map(({ paymentId }) => paymentId), next };
    };
    expect(await page(ids[26])).toEqual({ ids: ids.slice(1, 26).reverse(), next: ids[1] ?? 0 });
    expect(await page(ids[25])).toEqual({ ids: ids.slice(0, 25).reverse(), next: null });
    expect((await page()).ids).toEqual(ids.slice(-25).reverse());
  });

  test("exports what was sent on a day, and logs the export", async () => {
    const day = daysAfter("2020-01-01", 2 * ++exports);
    const [first, second] = [await plantTrade("settlement_pending"), await plantTrade("settlement_pending")];
    const sent = daySpan(day).from;
    const made: number[] = [];
    for (const [planted, sender] of [
      [first, admin.userId],
      [second, nobody],
    ] as const) {
      await payIn(planted);
      const payout = await dueTo(planted);
      await send(payout, sender, { sentAt: sent, reference: `REF-${planted.id}` });
      made.push(payout);
    }
    const tell = (who = admin, of = day) => runAtTime(minutes(0), () => transfersOf(who, { day: of }));
    const line = { kind: "payout", amount: 100_000, fee: 10_000, state: "sent", ...destination } as const;
    expect(await tell()).toEqual({
      ok: true,
      transfers: [
        {
          ...{ ...line, id: made[0] ?? 0, transactionCode: first.code, bankReference: `REF-${first.id}` },
          ...{ sentAt: sent.toISOString(), sentBy: admin.username },
        },
        {
          ...{ ...line, id: made[1] ?? 0, transactionCode: second.code, bankReference: `REF-${second.id}` },
          ...{ sentAt: sent.toISOString(), sentBy: "" },
        },
      ],
    });
    const [entry] = (await listEntries({ action: "money.exported" })).entries;
    expectMatch(entry, {
      ...{ userId: admin.userId, at, ip: admin.ip, device: admin.device },
      ...{ subject: { kind: "money", id: day }, data: { transfers: 2 } },
    });
    expect(await tell(admin, daysAfter(day, 1))).toEqual({ ok: true, transfers: [] });
    expect((await tell(admin, "2026-11-21")).ok).toBe(true);
    expect(await tell(admin, "2026-11-22")).toEqual({ ok: false, code: "DAY_AHEAD" });
    expect(await tell(member)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  });
});

test("settlements of QPay are listed with who entered and confirmed them, twenty-five per page, waiting ones without figures", async () => {
  const [first, second] = [
    await plantUser({ isAdmin: true, displayName: "First" }),
    await plantUser({ isAdmin: true, displayName: "Second" }),
  ];
  const moment = new Date();
  const enter = (who: PlantedUser, bankReference: string) =>
    runAtTime(moment, () => given(enterSettlement(who, { bankReference, received: 9_900, cost: 100 })));
  const listed = async (before?: number) => (await given(readSettlements(first, { before }))).settlements;
  const made = Array.from({ length: 27 }, () => `QPAY-${crypto.randomUUID().toUpperCase()}`);
  for (const bankReference of made) {
    await enter(first, bankReference);
    await enter(second, bankReference);
  }
  const aside = made.map((reference) => `${reference}-A`)[0] ?? "";
  await enter(first, aside);
  const open = (await listed()).waiting.at(-1);
  await runAtTime(moment, () => given(discardSettlementEntry(second, open?.id ?? 0, { reason: "not ours" })));
  await enter(first, `${aside}-B`);
  const all = await listed();
  const row = {
    received: 9_900,
    cost: 100,
    enteredBy: "First",
    confirmedBy: "Second",
    at: moment.toISOString(),
  };
  expect(all.recorded).toEqual(
    made
      .toReversed()
      .slice(0, 25)
      .map((bankReference) => ({ id: expect.any(Number), bankReference, ...row })) as never,
  );
  const own = { id: expect.any(Number), by: "First", own: true, obstacle: null };
  expect(all.waiting.at(-1)).toEqual({ ...own, enteredAt: moment.toISOString() } as never);
  const laid = {
    id: open?.id ?? 0,
    by: "First",
    asideBy: "Second",
    at: moment.toISOString(),
    reason: "not ours",
  };
  expect(all.laidAside[0]).toEqual(laid);
  const posted = await db().execute<{ journal: string; id: string }>(
    sql`SELECT journal_id AS journal, id FROM payments.settlements WHERE journal_id IS NOT NULL ORDER BY journal_id`,
  );
  const [ids, journals] = [posted.map(({ id }) => Number(id)), posted.map(({ journal }) => Number(journal))];
  const page = async (before?: number) => {
    const { recorded, next } = await listed(before);
    return { ids: recorded.map(({ id }) => id), next };
  };
  expect((await page()).ids).toEqual(ids.slice(-25).reverse());
  expect(await page(journals[26])).toEqual({ ids: ids.slice(1, 26).reverse(), next: journals[1] ?? 0 });
  expect(await page(journals[25])).toEqual({ ids: ids.slice(0, 25).reverse(), next: null });
  expect((await given(readSettlements(first))).settlements).toEqual(await listed());
  expect(await readSettlements(member)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  await given(discardSettlementEntry(second, all.waiting.at(-1)?.id ?? 0, { reason: "not ours either" }));
});
