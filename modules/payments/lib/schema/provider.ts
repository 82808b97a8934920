import { integer, jsonb, pgSchema, text, uuid } from "drizzle-orm/pg-core";
import { bigintColumn, bytea, timestampColumn } from "#db/columns";
import type { BankLink, InvoiceState, PaymentProblem } from "../provider/provider-types.ts";

/** Mirrors db/migrations/0005_payments.sql, which holds the constraints. */
const paymentsSchema = pgSchema("payments");

export type CreationState = "sent" | "opened" | "refused" | "unsent" | "lost" | "found";
export type Withdrawal = "cancelled" | "paid" | "absent";

/** The provider's last reply about one invoice, as stored: PAID rows, problems, and the numbers of failed and pending payments. */
export type StoredAnswer = {
  rows: Array<{
    providerPaymentId: string;
    amount: number;
    paidAt: string;
    wallet?: string;
    kind?: string;
    payerBank?: string;
  }>;
  problems: Array<{ code: PaymentProblem["code"]; providerPaymentId: string; row: unknown }>;
  failed: number;
  pending: number;
  readable: boolean;
  /** The keys of all listed payments; absent in replies stored by an older version. */
  listed?: string[];
};

export const invoicesTable = paymentsSchema.table("invoices", {
  id: uuid("id").primaryKey(),
  reference: bigintColumn("reference").notNull(),
  amount: bigintColumn("amount").notNull(),
  description: text("description").notNull(),
  state: text("state").$type<InvoiceState>().notNull().default("reserved"),
  providerId: text("provider_id"),
  qrText: text("qr_text"),
  shortUrl: text("short_url"),
  bankLinks: jsonb("bank_links").$type<BankLink[]>().notNull().default([]),
  createdAt: timestampColumn("created_at").notNull(),
  expiresAt: timestampColumn("expires_at").notNull(),
  openedAt: timestampColumn("opened_at"),
  endedAt: timestampColumn("ended_at"),
});

export const providerInvoicesTable = paymentsSchema.table("provider_invoices", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  invoiceId: uuid("invoice_id").notNull(),
  senderInvoiceNo: text("sender_invoice_no").notNull(),
  secretHash: bytea("secret_hash").notNull(),
  state: text("state").$type<CreationState>().notNull().default("sent"),
  providerId: text("provider_id"),
  refusal: text("refusal"),
  announcedPayment: text("announced_payment"),
  withdrawal: text("withdrawal").$type<Withdrawal>(),
  sentAt: timestampColumn("sent_at").notNull().defaultNow(),
  asks: integer("asks").notNull().default(0),
  endedAsk: integer("ended_ask").notNull().default(0),
  answeredAsk: integer("answered_ask").notNull().default(0),
  askedAt: timestampColumn("asked_at"),
  answeredAt: timestampColumn("answered_at"),
  answer: jsonb("answer").$type<StoredAnswer>(),
  leaseToken: uuid("lease_token"),
  leasedUntil: timestampColumn("leased_until"),
});

export type InvoiceRow = typeof invoicesTable.$inferSelect;
export type ProviderInvoiceRow = typeof providerInvoicesTable.$inferSelect;
