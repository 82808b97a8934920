import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { paymentKey } from "./payment-key.ts";

useDatabase();

test.each([
  ["0", "0"],
  ["000", "0"],
  ["007700", "7700"],
  ["7700", "7700"],
  ["6F9619FF-8B86-D011-B42D-00CF4FC964FF", "6f9619ff8b86d011b42d00cf4fc964ff"],
  ["6f9619ff8b86d011b42d00cf4fc964ff", "6f9619ff8b86d011b42d00cf4fc964ff"],
  ["P-0077", "P-0077"],
  ["?odd", "?odd"],
  ["", ""],
])("%p is stored under %p, here and in the database", async (id, key) => {
  expect(paymentKey(id)).toBe(key);
  const [row] = await db().execute<{ key: string }>(sql`SELECT payments.payment_key(${id}) AS key`);
  expect(row?.key).toBe(key);
});
