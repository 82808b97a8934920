import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { defineJob, startJobs, stopJobs } from "#db/jobs";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { startPayments } from "./start.ts";

const database = useDatabase();

test("ended invoices are withdrawn every quarter of an hour, and each morning the previous day is compared", async () => {
  await db().execute(sql`DELETE FROM pgboss.schedule`);
  for (const name of ["payments.withdraw", "payments.reconcile"]) {
    defineJob(name, async () => {}, { cron: "0 0 1 1 *" });
  }
  await startPayments();
  await startJobs(database.url);
  await stopJobs();
  const planned = await db().execute(
    sql`SELECT name, cron FROM pgboss.schedule WHERE name LIKE 'payments.%' ORDER BY name`,
  );
  expect([...planned]).toEqual([
    { name: "payments.reconcile", cron: "10 23 * * *" },
    { name: "payments.verify", cron: "50 19 * * *" }, // the ledger's nightly verification
    { name: "payments.withdraw", cron: "*/15 * * * *" },
  ]);
});
