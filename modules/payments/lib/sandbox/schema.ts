import {
  bigint,
  boolean,
  integer,
  jsonb,
  numeric,
  pgSchema,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import type { Act, Manners } from "./scripted-behaviour.ts";

/** The mirror of db/migrations/0009_sandbox.sql and 0044_sandbox_listing.sql: the far end's own books, which no other part of Midman reads. */
const schema = pgSchema("sandbox");
const id = (name: string) => bigint(name, { mode: "number" });
const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
const sum = (name: string) => numeric(name, { precision: 18, scale: 2 });

export type InvoiceStatus = "OPEN" | "CLOSED" | "CANCELED";

export const sandboxTokens = schema.table("tokens", {
  token: text("token").primaryKey(),
  kind: text("kind").$type<"access" | "refresh">().notNull(),
  expiresAt: at("expires_at").notNull(),
});

export const sandboxInvoices = schema.table("invoices", {
  id: uuid("id").primaryKey(),
  senderInvoiceNo: text("sender_invoice_no").notNull(),
  receiverCode: text("receiver_code").notNull(),
  description: text("description").notNull(),
  amount: sum("amount").notNull(),
  callbackUrl: text("callback_url").notNull(),
  qrText: text("qr_text").notNull(),
  shortUrl: text("short_url").notNull(),
  status: text("status").$type<InvoiceStatus>().notNull().default("OPEN"),
  createdAt: at("created_at").notNull(),
});

export const sandboxPayments = schema.table("payments", {
  id: text("id").primaryKey(),
  sequence: id("sequence").notNull().generatedAlwaysAsIdentity(),
  invoiceId: uuid("invoice_id").notNull(),
  status: text("status").notNull(),
  amount: sum("amount").notNull(),
  currency: text("currency").notNull(),
  kind: text("kind").$type<"P2P" | "CARD">().notNull(),
  paidAt: at("paid_at").notNull(),
  /** False while the list lags behind what was paid. */
  listed: boolean("listed").notNull().default(true),
  /** The invoice that the list names in the place of its own. */
  namesInvoice: text("names_invoice"),
});

export const behaviours = schema.table("behaviours", {
  id: id("id").primaryKey().generatedAlwaysAsIdentity(),
  operation: text("operation").notNull(),
  remaining: integer("remaining"),
  told: jsonb("told").$type<Act>().notNull(),
});

export const manners = schema.table("manners", {
  one: boolean("one").primaryKey().default(true),
  told: jsonb("told").$type<Partial<Manners>>().notNull().default({}),
});

export const calls = schema.table("calls", {
  operation: text("operation").primaryKey(),
  count: integer("count").notNull(),
});

export const callbackDeliveries = schema.table("deliveries", {
  id: id("id").primaryKey().generatedAlwaysAsIdentity(),
  paymentId: text("payment_id").notNull(),
  outcome: text("outcome").notNull(),
  at: at("at").notNull(),
});

export type SandboxInvoiceRow = typeof sandboxInvoices.$inferSelect;
export type SandboxPaymentRow = typeof sandboxPayments.$inferSelect;
