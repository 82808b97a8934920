import { integer, pgSchema, primaryKey, text } from "drizzle-orm/pg-core";
import { bigintColumn, timestampColumn } from "#db/columns";
import type { Party } from "../machine/trade-types.ts";

/** Mirrors db/migrations/0007_escrow.sql, which holds the constraints. */
const escrowSchema = pgSchema("escrow");

export const informationTable = escrowSchema.table(
  "information",
  {
    tradeId: bigintColumn("trade_id").notNull(),
    side: text("side").$type<Party>().notNull(),
    givenAt: timestampColumn("given_at"),
    correctedAt: timestampColumn("corrected_at"),
    sharedAt: timestampColumn("shared_at"),
    confirmedAt: timestampColumn("confirmed_at"),
    confirmedVersion: integer("confirmed_version"),
  },
  (table) => [primaryKey({ columns: [table.tradeId, table.side] })],
);

/** Kinds of information: the seller's account, the buyer's contact details, free text, and the account for a refund. */
export type DetailKind = "bank" | "contact" | "info" | "refund";

export const detailsTable = escrowSchema.table("details", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  tradeId: bigintColumn("trade_id").notNull(),
  side: text("side").$type<Party>().notNull(),
  kind: text("kind").$type<DetailKind>().notNull(),
  version: integer("version").notNull(),
  givenBy: bigintColumn("given_by").notNull(),
  givenAt: timestampColumn("given_at").notNull(),
  /** The device from which it was given, for the administrator who approves a payout to it. */
  givenDevice: text("given_device"),
  accountName: text("account_name"),
  bankName: text("bank_name"),
  accountNumber: text("account_number"),
  iban: text("iban"),
  phoneNumber: text("phone_number"),
  email: text("email"),
  body: text("body"),
});

export type InformationRow = typeof informationTable.$inferSelect;
export type DetailRow = typeof detailsTable.$inferSelect;
