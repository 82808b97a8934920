import { bigint, integer, jsonb, pgSchema, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytea } from "#db/columns";
import type { AskProblem, BankLink, InvoiceState } from "../provider/provider-types.ts";

/** The mirror of db/migrations/0007_provider.sql, where the rules are. */
const schema = pgSchema("payments");
const id = (name: string) => bigint(name, { mode: "number" });
const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export type CreationState = "sent" | "opened" | "refused" | "unsent" | "lost" | "found";
export type Withdrawal = "cancelled" | "paid" | "absent";

/** The provider's last answer about one invoice, as kept: PAID rows, and how many others it listed. */
export type StoredAnswer = {
  rows: Array<{
    providerPaymentId: string;
    amount: number;
    paidAt: string;
    wallet?: string;
    kind?: string;
    payerBank?: string;
  }>;
  problems: Array<{ code: AskProblem["code"]; providerPaymentId: string; row: unknown }>;
  failed: number;
  pending: number;
  readable: boolean;
  /** The keys of all listed payments; answers that an older version kept have none. */
  listed?: string[];
};

export const invoices = schema.table("invoices", {
  id: uuid("id").primaryKey(),
  reference: id("reference").notNull(),
  amount: id("amount").notNull(),
  description: text("description").notNull(),
  state: text("state").$type<InvoiceState>().notNull().default("reserved"),
  providerId: text("provider_id"),
  qrText: text("qr_text"),
  shortUrl: text("short_url"),
  bankLinks: jsonb("bank_links").$type<BankLink[]>().notNull().default([]),
  createdAt: at("created_at").notNull(),
  expiresAt: at("expires_at").notNull(),
  openedAt: at("opened_at"),
  endedAt: at("ended_at"),
});

export const providerInvoices = schema.table("provider_invoices", {
  id: id("id").primaryKey().generatedAlwaysAsIdentity(),
  invoiceId: uuid("invoice_id").notNull(),
  senderInvoiceNo: text("sender_invoice_no").notNull(),
  secretHash: bytea("secret_hash").notNull(),
  state: text("state").$type<CreationState>().notNull().default("sent"),
  providerId: text("provider_id"),
  refusal: text("refusal"),
  announcedPayment: text("announced_payment"),
  withdrawal: text("withdrawal").$type<Withdrawal>(),
  sentAt: at("sent_at").notNull().defaultNow(),
  asks: integer("asks").notNull().default(0),
  endedAsk: integer("ended_ask").notNull().default(0),
  answeredAsk: integer("answered_ask").notNull().default(0),
  askedAt: at("asked_at"),
  answeredAt: at("answered_at"),
  answer: jsonb("answer").$type<StoredAnswer>(),
  leaseToken: uuid("lease_token"),
  leasedUntil: at("leased_until"),
});

/** Where versions before the holds (`holds/`) kept odd rows; a trigger makes each a hold. */
export const providerProblems = schema.table("provider_problems", {
  id: id("id").primaryKey().generatedAlwaysAsIdentity(),
  invoiceId: uuid("invoice_id").notNull(),
  code: text("code").$type<AskProblem["code"]>().notNull(),
  providerPaymentId: text("provider_payment_id").notNull(),
  row: jsonb("row").notNull(),
  seenAt: at("seen_at").notNull(),
  resolvedAt: at("resolved_at"),
  resolvedBy: id("resolved_by"),
  note: text("note"),
});

export type InvoiceRow = typeof invoices.$inferSelect;
export type ProviderInvoiceRow = typeof providerInvoices.$inferSelect;
