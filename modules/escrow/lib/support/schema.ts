import { boolean, pgSchema, text } from "drizzle-orm/pg-core";
import { bigintColumn, timestampColumn } from "#db/columns";
import type { SupportTopic } from "../../forms.ts";

/** Mirrors db/migrations/0007_escrow.sql, which holds the constraints. */
const escrowSchema = pgSchema("escrow");

export const supportRequestsTable = escrowSchema.table("support_requests", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  number: text("number").notNull(),
  fingerprint: text("fingerprint").notNull(),
  userId: bigintColumn("user_id"),
  name: text("name"),
  email: text("email"),
  topic: text("topic").$type<SupportTopic>().notNull(),
  code: text("code"),
  tradeId: bigintColumn("trade_id"),
  message: text("message").notNull(),
  suspect: boolean("suspect").notNull(),
  createdAt: timestampColumn("created_at").notNull(),
});
