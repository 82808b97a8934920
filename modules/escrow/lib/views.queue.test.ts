import { beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../tests/support/database.ts";
import { plantUser } from "../../../tests/support/trade.ts";
import { workQueue } from "./views.queue.ts";

useDatabase();

let admin: Awaited<ReturnType<typeof plantUser>>;
beforeAll(async () => {
  admin = await plantUser({ isAdmin: true });
});

async function queue() {
  const found = await workQueue(admin);
  if (!found.ok) throw new Error(found.code);
  return found.queue;
}

/** So many payouts or refunds, the first due so many hours ago and each a second later. */
const due = (kind: "payout" | "refund", source: string, { count, hours }: { count: number; hours: number }) =>
  db().execute(sql`
    INSERT INTO payments.payouts (reference, kind, source, amount, fee, state, due_at, created_at)
    SELECT ${hours * 1000}::int + n, ${kind}, ${source}, 100, 0, 'due',
      now() - ${hours}::int * interval '1 hour' + n * interval '1 second', now()
    FROM generate_series(1, ${count}::int) AS n`);

const failedMails = (count: number) =>
  db().execute(sql`
    INSERT INTO mailer.messages (message_id, template, language, recipient, data, state, attempts, last_error, created_at, ended_at)
    SELECT gen_random_uuid()::text, 'welcome', 'en', 'bat@example.mn', '{}', 'failed', 1, 'full', now(), now()
    FROM generate_series(1, ${count}::int)`);

test("refunds wait in the work however many payouts are due before them, and of each kind it is said whether there are more", async () => {
  await failedMails(100);
  await due("payout", "escrow", { count: 101, hours: 9 });
  await due("refund", "escrow", { count: 2, hours: 2 });
  await due("refund", "suspense:1", { count: 1, hours: 1 });
  const { payouts, chores, more } = await queue();
  const of = (wanted: string, from: (source: string) => boolean) =>
    payouts.filter(({ kind, source }) => kind === wanted && from(source)).length;
  const own = (source: string) => source === "escrow";
  expect([of("payout", own), of("refund", own), of("refund", (source) => !own(source))]).toEqual([100, 2, 1]);
  expect(chores).toHaveLength(100);
  expect(more).toEqual(["payout"]);
  expect(payouts.map(({ dueAt }) => dueAt)).toEqual(payouts.map(({ dueAt }) => dueAt).sort());
  await failedMails(1);
  const now = await queue();
  expect(now.chores).toHaveLength(100);
  expect(now.more).toEqual(["payout", "mail"]);
});
