import { boolean, integer, jsonb, numeric, pgSchema, text, uuid } from "drizzle-orm/pg-core";
import { bigintColumn, timestampColumn } from "#db/columns";
import type { Act, Manners } from "./scripted-behavior.ts";

/** Mirrors db/migrations/0006_sandbox.sql: the provider stand-in's own records, which no other part of Midman reads. */
const sandboxSchema = pgSchema("sandbox");
const sumColumn = (name: string) => numeric(name, { precision: 18, scale: 2 });

export type InvoiceStatus = "OPEN" | "CLOSED" | "CANCELED";

export const sandboxTokensTable = sandboxSchema.table("tokens", {
  token: text("token").primaryKey(),
  kind: text("kind").$type<"access" | "refresh">().notNull(),
  expiresAt: timestampColumn("expires_at").notNull(),
});

export const sandboxInvoicesTable = sandboxSchema.table("invoices", {
  id: uuid("id").primaryKey(),
  senderInvoiceNo: text("sender_invoice_no").notNull(),
  receiverCode: text("receiver_code").notNull(),
  description: text("description").notNull(),
  amount: sumColumn("amount").notNull(),
  callbackUrl: text("callback_url").notNull(),
  qrText: text("qr_text").notNull(),
  shortUrl: text("short_url").notNull(),
  status: text("status").$type<InvoiceStatus>().notNull().default("OPEN"),
  createdAt: timestampColumn("created_at").notNull(),
});

export const sandboxPaymentsTable = sandboxSchema.table("payments", {
  id: text("id").primaryKey(),
  sequence: bigintColumn("sequence").notNull().generatedAlwaysAsIdentity(),
  invoiceId: uuid("invoice_id").notNull(),
  status: text("status").notNull(),
  amount: sumColumn("amount").notNull(),
  currency: text("currency").notNull(),
  kind: text("kind").$type<"P2P" | "CARD">().notNull(),
  paidAt: timestampColumn("paid_at").notNull(),
  /** False while the list does not contain the payment yet. */
  listed: boolean("listed").notNull().default(true),
  /** The invoice that the list names instead of the payment's own. */
  namesInvoice: text("names_invoice"),
});

export const scriptedActsTable = sandboxSchema.table("behaviours", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  operation: text("operation").notNull(),
  remaining: integer("remaining"),
  told: jsonb("told").$type<Act>().notNull(),
});

export const sandboxMannersTable = sandboxSchema.table("manners", {
  one: boolean("one").primaryKey().default(true),
  told: jsonb("told").$type<Partial<Manners>>().notNull().default({}),
});

export const callCountsTable = sandboxSchema.table("calls", {
  operation: text("operation").primaryKey(),
  count: integer("count").notNull(),
});

export const callbackDeliveriesTable = sandboxSchema.table("deliveries", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  paymentId: text("payment_id").notNull(),
  outcome: text("outcome").notNull(),
  at: timestampColumn("at").notNull(),
});

export type SandboxInvoiceRow = typeof sandboxInvoicesTable.$inferSelect;
export type SandboxPaymentRow = typeof sandboxPaymentsTable.$inferSelect;
