import { sql } from "drizzle-orm";

/** In a question to `information_schema`: a table as such, and not a partition of one, which has the same columns. */
export const noPartition = sql`NOT EXISTS (
  SELECT FROM pg_class p WHERE p.relispartition AND p.oid = to_regclass(format('%I.%I', table_schema, table_name)))`;
