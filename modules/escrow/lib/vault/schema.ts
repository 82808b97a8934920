import { bigint, integer, pgSchema, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytea } from "#db/columns";

/** The mirror of the migration `vault`, where the rules are. */
const schema = pgSchema("escrow");
const big = (name: string) => bigint(name, { mode: "number" });
const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const vaults = schema.table("vaults", {
  id: uuid("id").primaryKey(),
  tradeId: big("trade_id").notNull(),
  version: integer("version").notNull(),
  clientId: uuid("client_id"),
  sealedBy: big("sealed_by").notNull(),
  sealedAt: at("sealed_at").notNull(),
  openedAt: at("opened_at"),
  openedCount: integer("opened_count").notNull().default(0),
  passwordAt: at("password_at"),
  secondFactorAt: at("second_factor_at"),
  recoveryAt: at("recovery_at"),
  remindedAt: at("reminded_at"),
  destroyedAt: at("destroyed_at"),
  body: bytea("body"),
});

export const vaultKeys = schema.table("vault_keys", {
  vaultId: uuid("vault_id").primaryKey(),
  key: bytea("key").notNull(),
});

export type VaultRow = typeof vaults.$inferSelect;
