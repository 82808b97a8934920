import { integer, pgSchema, uuid } from "drizzle-orm/pg-core";
import { bigintColumn, bytea, timestampColumn } from "#db/columns";

/** Mirrors db/migrations/0007_escrow.sql, which holds the constraints. */
const escrowSchema = pgSchema("escrow");

export const vaultsTable = escrowSchema.table("vaults", {
  id: uuid("id").primaryKey(),
  tradeId: bigintColumn("trade_id").notNull(),
  version: integer("version").notNull(),
  clientId: uuid("client_id"),
  sealedBy: bigintColumn("sealed_by").notNull(),
  sealedAt: timestampColumn("sealed_at").notNull(),
  openedAt: timestampColumn("opened_at"),
  openedCount: integer("opened_count").notNull().default(0),
  passwordAt: timestampColumn("password_at"),
  secondFactorAt: timestampColumn("second_factor_at"),
  recoveryAt: timestampColumn("recovery_at"),
  remindedAt: timestampColumn("reminded_at"),
  destroyedAt: timestampColumn("destroyed_at"),
  body: bytea("body"),
});

export const vaultKeysTable = escrowSchema.table("vault_keys", {
  vaultId: uuid("vault_id").primaryKey(),
  key: bytea("key").notNull(),
});

export type VaultRow = typeof vaultsTable.$inferSelect;
