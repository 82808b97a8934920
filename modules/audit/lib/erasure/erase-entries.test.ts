import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { listEntries, recordAuditEntry, verifyChain } from "../../index.ts";
import { meddle, sealAll } from "../chain/chain.fixture.ts";
import { eraseEntries } from "./erase-entries.ts";
import { applyRetention, logActions, recordActions } from "./erase-outdated-entries.ts";

useDatabase();
const day = 86_400_000;
const begun = new Date("2026-01-01T00:00:00Z");
const after = (days: number) => new Date(begun.getTime() + days * day);

/** Writes entries about sign-in, messages and money on one day, and seals them on that day. */
async function lived(days: number): Promise<void> {
  const at = after(days);
  const by = { userId: 7, ip: "203.0.113.9", device: "Firefox" };
  await runInTransaction((tx) =>
    recordAuditEntry(tx, [
      { by, action: "login", at },
      { by, action: "message_sent", at, roomId: 3 },
      { by, action: "payment.booked", at, data: { amount: 100 } },
    ]),
  );
  await sealAll(at);
}

async function left(): Promise<Record<string, number>> {
  const rows = await db().execute<{ action: string; count: number }>(
    sql`SELECT action, count(*)::int AS count FROM audit.entries GROUP BY action ORDER BY action`,
  );
  return Object.fromEntries(rows.map(({ action, count }) => [action, count]));
}

test("every action of the log has a deliberate retention period", async () => {
  const en = await Bun.file(`${import.meta.dir}/../../../../locales/en.json`).json();
  const forGood = [
    /^(hold|transaction|payout|refund|payment|invoice|journal|money|reconciliation|settlement|deadlines)\./,
    /^admin_(created|granted|revoked|password_set)$/,
    /^(bank|contact)_info_(given|corrected)$/,
    /^(info_confirmed|info_shared|refund_destination_given)$/,
    /^(user_deleted|user_edited|user_signed_out|second_factor_removed|passkeys_removed)$/,
    /^(user_(limited|suspended|restricted_for_good|restriction_lifted)|report_resolved)$/,
    /^(backup_made|backup_drilled|backup_restored|operator_password_set|operator_factor_removed)$/,
    /^(log_erased|(journals|trades|transfers|holds|administrators)_digested|keys_renewed|logs_exported|transcript_read|mail_template_saved|mail_failure_settled)$/,
  ];
  const decided = new Set<string>([...logActions, ...recordActions]);
  const names = Object.keys(flat(en.actions));
  expect(names.filter((name) => !decided.has(name) && !forGood.some((rule) => rule.test(name)))).toEqual([]);
  expect([...decided].filter((name) => !names.includes(name) || forGood.some((r) => r.test(name)))).toEqual(
    [],
  );
  expect(decided.size).toBe(logActions.length + recordActions.length);
});

function flat(tree: object, before = ""): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(tree).map(([key, value]) =>
      typeof value === "string" ? { [before + key]: value } : flat(value, `${before}${key}.`),
    ),
  );
}

test("after 90 days sign-ins are erased, after two years conversations; money stays, and the chain is intact", async () => {
  await lived(0);
  await lived(60);
  expect(await left()).toEqual({ login: 2, message_sent: 2, "payment.booked": 2 });
  await applyRetention(after(90));
  expect((await left()).login).toBe(2);
  await applyRetention(after(91));
  expect(await left()).toMatchObject({ login: 1, message_sent: 2, "payment.booked": 2, log_erased: 1 });
  const [traces] = await db().execute(sql`SELECT count(*)::int AS count FROM audit.traces`);
  expect(traces).toEqual({ count: 0 });
  await sealAll(after(91));
  expect(await verifyChain()).toMatchObject({ ok: true, unsealed: 0 });
  await applyRetention(after(2 * 365 + 30));
  expect(await left()).toMatchObject({ message_sent: 1, "payment.booked": 2 });
  expect((await left()).login).toBeUndefined();
  expect(await verifyChain()).toMatchObject({ ok: true });
  const page = await listEntries({ userId: 7 });
  expect(page.entries.map(({ action }) => action).sort()).toEqual([
    "message_sent",
    "payment.booked",
    "payment.booked",
  ]);
});

test("erasing again removes and records nothing", async () => {
  const before = await left();
  await applyRetention(after(2 * 365 + 30));
  expect(await left()).toEqual(before);
});

test("an unsealed entry is not erased, however old it claims to be", async () => {
  await runInTransaction((tx) => recordAuditEntry(tx, { by: { userId: 9 }, action: "login", at: after(0) }));
  expect(await eraseEntries({ actions: logActions, olderThan: after(400), at: after(500) })).toBe(0);
  expect((await left()).login).toBe(1);
  await sealAll(new Date());
});

test("an entry without a stored digest is not deleted, nor the digest of an erased one", async () => {
  const refused = (statement: string) =>
    expect(ownerDatabase().transaction((tx) => tx.execute(sql.raw(statement)))).rejects.toMatchObject({
      cause: { code: "23001" },
    });
  await refused("DELETE FROM audit.entries WHERE action = 'login'");
  await refused("DELETE FROM audit.erased");
  await refused("UPDATE audit.erased SET line = repeat('a', 64)");
  await refused("TRUNCATE audit.erased");
});

const money = "(SELECT id FROM audit.entries WHERE action = 'payment.booked' ORDER BY id LIMIT 1)";
const attacks: Array<[string, RegExp, string[]]> = [
  [
    "money's entry erased with a digest of its own, under no erasing",
    /altered|no entry records/,
    [
      `INSERT INTO audit.erased SELECT id, era, xid, repeat('a', 64), gen_random_uuid() FROM audit.entries WHERE id = ${money}`,
      `DELETE FROM audit.entries WHERE id = ${money}`,
    ],
  ],
  [
    "one digest of an erasing altered",
    /altered/,
    ["UPDATE audit.erased SET line = repeat('b', 64) WHERE id = (SELECT min(id) FROM audit.erased)"],
  ],
  [
    "an erased entry moved to another erasing",
    /is not what is missing|no entry records/,
    ["UPDATE audit.erased SET batch = gen_random_uuid() WHERE id = (SELECT min(id) FROM audit.erased)"],
  ],
  [
    "a digest taken away",
    /sealed, \d+ are there/,
    ["DELETE FROM audit.erased WHERE id = (SELECT min(id) FROM audit.erased)"],
  ],
];
for (const [what, reason, statements] of attacks) {
  test(`${what}: detected`, async () => {
    await sealAll(new Date());
    for (const table of ["entries", "erased"]) {
      await ownerDatabase().execute(sql.raw(`CREATE TABLE public.${table} AS TABLE audit.${table}`));
    }
    await meddle(...statements);
    const verdict = await verifyChain();
    await meddle(
      "TRUNCATE audit.entries, audit.erased, audit.traces",
      "INSERT INTO audit.entries OVERRIDING SYSTEM VALUE TABLE public.entries",
      "INSERT INTO audit.erased TABLE public.erased",
      "DROP TABLE public.entries, public.erased",
    );
    expect(verdict).toMatchObject({ ok: false, code: "AUDIT_BROKEN" });
    expect(verdict.ok ? "" : verdict.reason).toMatch(reason);
    expect(await verifyChain()).toMatchObject({ ok: true });
  });
}

test("a money entry's true digest under a new erasure is detected as too early", async () => {
  const at = new Date();
  await lived(Math.floor((at.getTime() - begun.getTime()) / day) - 10);
  const gone = await eraseEntries({ actions: ["login"], olderThan: at, at });
  expect(gone).toBeGreaterThan(0);
  expectMatch(await verifyChain(), { ok: false, reason: expect.stringContaining("90 days") });
});

test("entries that prove existing records stay with them, and go once they are gone", async () => {
  await runInTransaction((tx) =>
    recordAuditEntry(tx, [
      { by: { userId: 8 }, action: "image_sent", at: after(0), roomId: 71 },
      { by: { userId: 8 }, action: "image_sent", at: after(0), roomId: 72 },
    ]),
  );
  await sealAll(after(2 * 365 + 29));
  const [actions, olderThan, at] = [["image_sent"], after(2 * 365 + 30), after(2 * 365 + 40)] as const;
  const rooms = async () => {
    const { entries } = await listEntries({ userId: 8 });
    return entries.map(({ roomId }) => roomId);
  };
  const stands = sql`e.room_id = 71`;
  await eraseEntries({ actions, olderThan, at, kept: [{ actions: ["image_sent"], stands }] });
  expect(await rooms()).toEqual([71]);
  await eraseEntries({ actions, olderThan, at });
  expect(await rooms()).toEqual([]);
});
