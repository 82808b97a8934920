import { beforeAll, describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "#db/client";
import { acceptRow, sealEarlierRecords, verifyChain, verifyChainWithin } from "#modules/audit";
import { setAdmin } from "#modules/identity";
import { holdsOf, openHolds, payoutsOf } from "#modules/payments";
import {
  approvePayout,
  ruleDispute,
  sendPayout,
} from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { acceptAltered } from "../../../../tests/support/database/accept-altered.ts";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  confirmByBoth,
  createPaidTrade,
  expectAccepted,
  type PlantedTrade,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { switchOutgoingMoney } from "../backoffice/treasury/treasury.ts";
import { openDispute } from "../disputes/open-dispute.ts";
import { reportFraud } from "../holds/report-fraud.ts";
import { resolveTradeHold } from "../holds/resolve-hold.ts";
import { confirmInfo, shareInfo } from "../information/share-information.ts";
import { handOver } from "../trade/party-commands.ts";

useDatabase();
useSandboxProvider();

let deal: PlantedTrade;
let second: PlantedTrade["admin"];

/**
 * A trade with every kind of record: both parties shared information, a dispute was ruled, two administrators lifted a hold, and the payout
 * left.
 */
beforeAll(async () => {
  deal = await createPaidTrade();
  second = await plantUser({ isAdmin: true });
  await sealEarlierRecords(new Date());
  await saveSellerAccount(deal);
  for (const who of [deal.seller, deal.buyer])
    expect(await shareInfo(who, deal.id, { info: "level 60" })).toMatchObject({ ok: true });
  for (const who of [deal.seller, deal.buyer])
    expect(await confirmInfo(who, deal.id)).toMatchObject({ ok: true });
  await expectAccepted(handOver(deal.seller, deal.id, { note: "by the game's own post" }));
  const facts = { providerPaymentId: "QP-7", amount: "110000.50", paymentId: 7 };
  const odd = { reference: deal.id, reason: "FRACTIONAL_AMOUNT", subject: "payment:QP-7", facts } as const;
  await runInTransaction((tx) => openHolds(tx, [odd], new Date()));
  const [hold] = await holdsOf(db(), deal.id);
  for (const who of [deal.admin, second])
    await expectAccepted(
      resolveTradeHold(who, hold?.id ?? 0, { outcome: "dismissed", note: "another account" }),
    );
  await expectAccepted(openDispute(deal.buyer, deal.id, { reason: "The password is wrong" }));
  const reason = "the seller showed that it works";
  await expectAccepted(ruleDispute(deal.admin, deal.id, { ruling: "release", sum: 100_000, reason }));
  const [record] = await payoutsOf(db(), deal.id);
  await expectAccepted(approvePayout(deal.admin, record?.id ?? 0));
  await expectAccepted(sendPayout(deal.admin, record?.id ?? 0, { bankReference: "FT26112501" }));
});

class Undone extends Error {}

/** What the verification reports after the owner of the database has changed something without any trigger; the change is undone. */
async function foundAfter(...statements: SQL[]): Promise<string> {
  let said = "";
  const altered = ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    for (const statement of statements) await tx.execute(statement);
    const verdict = await verifyChainWithin(tx as unknown as Tx);
    said = verdict.ok ? "whole" : verdict.reason;
    throw new Undone();
  });
  await altered.catch((error) => {
    if (!(error instanceof Undone)) throw error;
  });
  return said;
}

/** What no digest covers, and why. */
const uncovered: Record<string, Record<string, string>> = {
  "escrow.trades": {
    updated_at: "for clients that poll",
    goods: "of words at the bank; the entries that tell of the request hold it",
    hidden_at: "of lists",
    on_hold_since: "of a notice; the holds are covered",
  },
  "escrow.steps": {},
  "escrow.disputes": { taken_by: "until it is given back", taken_at: "until it is given back" },
  "payments.payouts": {
    due_at: "a gap puts it off",
    reason: "erasable words",
    named_reason: "erasable words",
    claim_note: "erasable words",
    erased_at: "what is erased is covered",
    account_digest: "counts once the account is erased",
  },
  "payments.holds": {
    facts_digest: "counts once the facts are erased",
    note: "erasable words",
    proposed_note: "erasable words",
    told_at: "of a mail",
  },
};

/** A value other than the current one of a column. */
function another(column: string, type: string): SQL {
  const is = sql.identifier(column);
  if (type === "text") return sql`coalesce(${is}, '') || 'x'`;
  if (type === "bigint" || type === "integer") return sql`coalesce(${is}, 0) + 1`;
  if (type === "boolean") return sql`NOT coalesce(${is}, false)`;
  if (type === "timestamp with time zone") return sql`coalesce(${is}, now()) + interval '1 millisecond'`;
  if (type === "uuid") return sql`gen_random_uuid()`;
  if (type === "bytea") return sql`uuid_send(gen_random_uuid())`;
  if (type === "jsonb") return sql`jsonb_set(${is}, '{accountNumber}', '"5000001111"')`;
  throw new Error(`another ${type}?`);
}

const named: Record<string, (id: number) => Promise<string>> = {
  "escrow.trades": async (id) => `trade ${id}`,
  "escrow.steps": async (id) => `trade ${id}`,
  "escrow.disputes": async (id) => `trade ${id}`,
  "payments.payouts": async (id) => `transfer ${(await payoutsOf(db(), id))[0]?.id}`,
  "payments.holds": async (id) => `hold ${(await holdsOf(db(), id))[0]?.id}`,
};

describe("changes by the database's owner that the log does not have are detected", () => {
  test.each(Object.keys(uncovered))(
    "in each column of %s except those with a stated reason",
    async (table) => {
      const [schema = "", name = ""] = table.split(".");
      const columns = await ownerDatabase().execute<{ column_name: string; data_type: string }>(sql`
      SELECT column_name, data_type FROM information_schema.columns
      WHERE table_schema = ${schema} AND table_name = ${name} AND column_name <> 'id' ORDER BY ordinal_position`);
      const checks = await ownerDatabase().execute<{ conname: string }>(sql`
      SELECT conname FROM pg_constraint WHERE conrelid = ${table}::regclass AND contype = 'c'`);
      const free = [...checks].map(
        ({ conname }) => sql`ALTER TABLE ${sql.raw(table)} DROP CONSTRAINT ${sql.identifier(conname)}`,
      );
      const key = /trades$/.test(table) ? "id" : /steps|disputes/.test(table) ? "trade_id" : "reference";
      const unseen: string[] = [];
      for (const { column_name: column, data_type: type } of columns) {
        const change = sql`${sql.identifier(column)} = ${another(column, type)}`;
        const only = name === "steps" ? sql`AND step = 'exchange_info'` : sql``;
        const said = await foundAfter(
          ...free,
          sql`UPDATE ${sql.raw(table)} SET ${change} WHERE ${sql.identifier(key)} = ${deal.id} ${only}`,
        );
        if (said === "whole") unseen.push(column);
        else expect(said).toBe(`${await named[table]?.(deal.id)} was altered`);
      }
      expect(unseen.sort()).toEqual(Object.keys(uncovered[table] ?? {}).sort());
    },
  );

  test("in each column of a hold that waits for its second administrator", async () => {
    const open = await createPaidTrade();
    await expectAccepted(reportFraud(open.admin, open.id, { reason: "sold twice" }));
    const [hold] = await holdsOf(db(), open.id);
    await expectAccepted(
      resolveTradeHold(open.admin, hold?.id ?? 0, { outcome: "dismissed", note: "another account" }),
    );
    expect(await verifyChain()).toMatchObject({ ok: true });
    for (const [column, value] of [
      ["proposed_by", second.userId],
      ["proposed_outcome", "taken_back"],
      ["proposed_at", new Date().toISOString()],
      ["figures", "another report"],
    ] as const) {
      const change = sql`UPDATE payments.holds SET ${sql.identifier(column)} = ${value} WHERE id = ${hold?.id ?? 0}`;
      expect(await foundAfter(change)).toBe(`hold ${hold?.id} was altered`);
    }
  });

  test("in added or removed rows of a trade's steps, disputes, holds or transfers", async () => {
    const altered = `trade ${deal.id} was altered`;
    const of = sql`= ${deal.id}`;
    const [record] = await payoutsOf(db(), deal.id);
    const [hold] = await holdsOf(db(), deal.id);
    expect(await foundAfter(sql`DELETE FROM escrow.steps WHERE trade_id ${of} AND step = 'completed'`)).toBe(
      altered,
    );
    expect(await foundAfter(sql`DELETE FROM escrow.disputes WHERE trade_id ${of}`)).toBe(altered);
    expect(await foundAfter(sql`DELETE FROM payments.holds WHERE reference ${of}`)).toBe(
      `hold ${hold?.id} was removed`,
    );
    expect(await foundAfter(sql`DELETE FROM payments.payouts WHERE reference ${of}`)).toBe(
      `transfer ${record?.id} was removed`,
    );
    const more = await foundAfter(sql`
      INSERT INTO payments.holds (reference, reason, subject, facts, opened_at) VALUES (${deal.id}, 'ODD_ROW', 'x', '{}', now())`);
    expect(more).toMatch(/^hold \d+ was added$/);
  });

  test("in rights given or removed, and in grants lost or invented", async () => {
    const person = await plantUser();
    const giver = { ...deal.admin, authenticatedAt: new Date() };
    expect(await setAdmin(giver, person.userId, true)).toEqual({ ok: true });
    expect(await verifyChain()).toMatchObject({ ok: true });
    const right = (to: boolean) =>
      sql`UPDATE identity.users SET is_admin = ${to} WHERE id = ${person.userId}`;
    const it = `user ${person.userId}`;
    expect(await foundAfter(right(false))).toBe(`${it} lost administrator rights without an entry`);
    expect(await foundAfter(sql`DELETE FROM identity.admin_grants WHERE made = ${person.userId}`)).toBe(
      `${it} lost a grant of administrator rights without an entry`,
    );
    const grant = sql`INSERT INTO identity.admin_grants (made, by, at) VALUES (${second.userId}, ${person.userId}, now())`;
    expect(await foundAfter(grant)).toBe(
      `user ${second.userId} has a grant of administrator rights without an entry`,
    );
    expect(await setAdmin(giver, person.userId, false)).toEqual({ ok: true });
    expect(await verifyChain()).toMatchObject({ ok: true });
    expect(await foundAfter(right(true))).toBe(`${it} has administrator rights without an entry`);
  });
});

test("changes by the application's role that the log does not have are detected too", async () => {
  const [record] = await payoutsOf(db(), deal.id);
  const set = (state: string) =>
    db().execute(sql`UPDATE escrow.trades SET fee_policy = ${state} WHERE id = ${deal.id}`);
  await set("terms");
  expect(await verifyChain()).toMatchObject({ ok: false, reason: `trade ${deal.id} was altered` });
  await set("standard");
  expect(await verifyChain()).toMatchObject({ ok: true });
  await db().execute(sql`
    INSERT INTO payments.holds (reference, reason, subject, facts, opened_at, closed_at, outcome, closed_by, note, proposed_outcome,
      proposed_by, proposed_at, proposed_note)
    VALUES (${deal.id}, 'PAYMENT_REVERSED', ${`payment:${record?.id}`}, '{}', now(), now(), 'taken_back', ${deal.admin.userId}, 'x',
      'taken_back', ${second.userId}, now(), 'x')`);
  const verdict = await verifyChain();
  expectMatch(verdict, { ok: false, reason: expect.stringMatching(/^hold \d+ was added$/) });
  await ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(sql`DELETE FROM payments.holds WHERE reference = ${deal.id} AND outcome = 'taken_back'`);
  });
});

describe("nothing is done with what the application's role altered", () => {
  const altered = { ok: false, code: "RECORD_ALTERED" };
  const own = async () => {
    const open = await createPaidTrade();
    await confirmByBoth(open);
    return { ...open, record: (await payoutsOf(db(), open.id))[0]?.id ?? 0 };
  };
  const set = (table: string, change: SQL, which: SQL) =>
    db().execute(sql`UPDATE ${sql.raw(table)} SET ${change} WHERE ${which}`);

  test("a transfer, a trade, a hold: each step is refused, because it would have hidden the change in the log", async () => {
    const { record: id, ...open } = await own();
    const elsewhere = sql`destination = jsonb_set(destination, '{accountNumber}', '"5099999999"')`;
    await set("payments.payouts", elsewhere, sql`id = ${id}`);
    expect(await approvePayout(open.admin, id)).toMatchObject(altered);
    expect(await verifyChain()).toMatchObject({ ok: false, reason: `transfer ${id} was altered` });
    // The operator has reviewed it.
    await acceptAltered("transfer", id);
    expect(await verifyChain()).toMatchObject({ ok: true });

    await set("escrow.trades", sql`fee_policy = 'terms'`, sql`id = ${open.id}`);
    expect(await openDispute(open.buyer, open.id, { reason: "no" })).toMatchObject(altered);
    await acceptAltered("trade", open.id);

    await expectAccepted(reportFraud(open.admin, open.id, { reason: "sold twice" }));
    const [hold] = await holdsOf(db(), open.id);
    await set("payments.holds", sql`closed_at = now(), outcome = 'cleared'`, sql`id = ${hold?.id ?? 0}`);
    expect(await approvePayout(open.admin, id)).toMatchObject(altered);
    await acceptAltered("hold", hold?.id ?? 0);
  });

  test("an added transfer, a proposal in another's name, a replaced account", async () => {
    const { record: id, ...open } = await own();
    const added = await db().execute<{ id: number }>(sql`
      INSERT INTO payments.payouts (reference, kind, source, amount, fee, state, recipient_id, destination, due_at, created_at)
      SELECT reference, 'refund', source, 1, 0, 'due', recipient_id, destination, due_at, created_at FROM payments.payouts WHERE id = ${id}
      RETURNING id::int`);
    expect(await approvePayout(open.admin, added[0]?.id ?? 0)).toMatchObject(altered);
    await acceptAltered("transfer", added[0]?.id ?? 0);
    await db().execute(sql`
      INSERT INTO escrow.hand_confirmations (trade_id, amount, bank_reference, proposed_by, proposed_at)
      VALUES (${open.id}, 1000, 'FORGED-1', ${second.userId}, now())`);
    expect(await verifyChain()).toMatchObject({ ok: false, reason: `trade ${open.id} was altered` });
    expect(await openDispute(open.buyer, open.id, { reason: "no" })).toMatchObject(altered);
    await acceptAltered("trade", open.id);
  });

  test("an altered halt is reported, and every step waits until money is halted again", async () => {
    const { record: id, admin } = await own();
    const halted = { ...altered, textKey: "escrow.haltAltered" };
    const turn = (on: boolean, who = admin) =>
      switchOutgoingMoney({ ...who, authenticatedAt: new Date() }, { on, reason: "a breach at the bank" });
    const forgeries = [
      sql`halted = false`,
      sql`resume_by = ${second.userId}, resume_at = now(), resume_reason = 'x'`,
    ];
    for (const forgery of forgeries) {
      expect(await turn(true)).toMatchObject({ ok: true, halted: true });
      await set("payments.halt", forgery, sql`true`);
      expect(await verifyChain()).toMatchObject({
        ok: false,
        reason: "the halt of outgoing money was altered",
      });
      expect(await turn(false)).toMatchObject(halted);
      expect(await approvePayout(admin, id)).toMatchObject(halted);
      expect(await turn(true)).toMatchObject({ ok: true, changed: true, halted: true });
      expect(await verifyChain()).toMatchObject({ ok: true });
      expect(await turn(false)).toMatchObject({ ok: true, halted: true });
      expect(await turn(false, second)).toMatchObject({ ok: true, halted: false });
    }
    await expectAccepted(approvePayout(admin, id));
  });

  test("only the database numbers entries: none can be the latest forever", async () => {
    const forged = db().execute(sql`
      INSERT INTO audit.entries (id, at, action, subject_kind, subject_id, data) OVERRIDING SYSTEM VALUE
      VALUES (9000000000000000, now(), 'payout.due', 'payout', '1', '{"after": {}}')`);
    const cause = await forged.then(
      () => null,
      (error: { cause?: { code?: string } }) => error.cause?.code,
    );
    expect(cause).toBe("42501");
  });

  test("a moment without end differs from none", async () => {
    const of = sql`= ${deal.id}`;
    const without = sql`UPDATE escrow.trades SET seller_cancel_at = 'infinity' WHERE id ${of}`;
    expect(await foundAfter(without)).toBe(`trade ${deal.id} was altered`);
  });
});

test("an erased account is no alteration, whoever erased it; a replacement is", async () => {
  const [record] = await payoutsOf(db(), deal.id);
  const erase = sql`
    UPDATE payments.payouts SET destination = NULL, reason = NULL, named_reason = NULL, erased_at = now() WHERE reference = ${deal.id}`;
  let said: unknown;
  const undone = ownerDatabase().transaction(async (tx) => {
    await tx.execute(erase);
    const erased = await verifyChainWithin(tx as unknown as Tx);
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(
      sql`UPDATE payments.payouts SET account_digest = base.digest_of(ARRAY['x']) WHERE reference = ${deal.id}`,
    );
    said = [erased.ok, await verifyChainWithin(tx as unknown as Tx)];
    throw new Undone();
  });
  await undone.catch((error) => expect(error).toBeInstanceOf(Undone));
  expect(said).toMatchObject([
    true,
    { ok: false, chain: false, reason: `transfer ${record?.id} was altered` },
  ]);
});

test("erased facts of a closed hold are no alteration; those of an open one are, and so are replacements", async () => {
  const [closed] = await holdsOf(db(), deal.id);
  const erase = sql`UPDATE payments.holds SET facts = '{}', note = '', proposed_note = '' WHERE reference = ${deal.id}`;
  const said: unknown[] = [];
  const undone = db().transaction(async (tx) => {
    const look = async () => said.push(await verifyChainWithin(tx as unknown as Tx));
    await tx.execute(erase);
    await look();
    await tx.execute(sql`UPDATE payments.holds SET facts = '{"paymentId": 8}' WHERE reference = ${deal.id}`);
    await look();
    throw new Undone();
  });
  await undone.catch((error) => expect(error).toBeInstanceOf(Undone));
  expect(said).toMatchObject([{ ok: true }, { ok: false, reason: `hold ${closed?.id} was altered` }]);

  const open = await createPaidTrade();
  const odd = {
    reference: open.id,
    reason: "ODD_ROW",
    subject: "payment:QP-8",
    facts: { paymentId: 8 },
  } as const;
  await runInTransaction((tx) => openHolds(tx, [odd], new Date()));
  const [hold] = await holdsOf(db(), open.id);
  const emptied = sql`UPDATE payments.holds SET facts = '{}' WHERE id = ${hold?.id ?? 0}`;
  expect(await foundAfter(emptied)).toBe(`hold ${hold?.id} was altered`);
});

test("an entry without a valid subject id is skipped, and hides nothing", async () => {
  const forged = sql`
    INSERT INTO audit.entries (at, action, subject_kind, subject_id, data) VALUES (now(), 'transaction.created', 'transaction', 'x', '{}'),
      (now(), 'admin_granted', 'user', '', '{}'), (now(), 'hold.opened', NULL, NULL, '{"hold": "y"}')`;
  expect(await foundAfter(forged)).toBe("whole");
});

describe("rows from before sealing", () => {
  test("cause no alarm, and are covered from the next start on", async () => {
    const before = await createPaidTrade();
    const old = sql`UPDATE audit.entries SET data = data - 'digest' WHERE subject_kind = 'transaction' AND subject_id = ${String(before.id)}`;
    await ownerDatabase().transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL session_replication_role = replica`);
      await tx.execute(old);
    });
    const change = sql`UPDATE escrow.trades SET confirmed_at = confirmed_at + interval '1 hour' WHERE id = ${before.id}`;
    expect(await foundAfter(change)).toBe("whole");
    await sealEarlierRecords(new Date());
    expect(await verifyChain()).toMatchObject({ ok: true });
    expect(await foundAfter(change)).toBe(`trade ${before.id} was altered`);
  });
});

test("accepting a record that does not exist adds nothing to the log", async () => {
  const entries = async () =>
    (await db().execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM audit.entries`))[0]?.n;
  const before = await entries();
  expect(await acceptRow("trade", 999_999, new Date())).toBe(false);
  expect(await entries()).toBe(before);
});
