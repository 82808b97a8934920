import { boolean, primaryKey, text } from "drizzle-orm/pg-core";
import { bigintColumn, timestampColumn } from "#db/columns";
import { restrictionCauses, restrictionKinds } from "../../forms.ts";
import { identitySchema } from "../core/schema.ts";

/** Mirrors db/migrations/0003_identity.sql, which holds the constraints. */

export const restrictionsTable = identitySchema.table("restrictions", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  userId: bigintColumn("user_id").notNull(),
  kind: text("kind", { enum: restrictionKinds }).notNull(),
  cause: text("cause", { enum: restrictionCauses }).notNull(),
  note: text("note"),
  placedBy: bigintColumn("placed_by").notNull(),
  placedAt: timestampColumn("placed_at").notNull(),
  until: timestampColumn("until").notNull(),
  forGood: boolean("for_good").notNull(),
  confirmedBy: bigintColumn("confirmed_by"),
  confirmedAt: timestampColumn("confirmed_at"),
  endedAt: timestampColumn("ended_at"),
  endedBy: bigintColumn("ended_by"),
  endedHow: text("ended_how", { enum: ["lifted", "replaced", "deleted"] }),
  endNote: text("end_note"),
  expiryNotifiedAt: timestampColumn("expiry_notified_at"),
});

export type RestrictionRow = typeof restrictionsTable.$inferSelect;

export const identifierKinds = ["phone", "bank", "email"] as const;
export type IdentifierKind = (typeof identifierKinds)[number];

export const identifierHashesTable = identitySchema.table(
  "restriction_signs",
  {
    userId: bigintColumn("user_id").notNull(),
    kind: text("kind", { enum: identifierKinds }).notNull(),
    digest: text("digest").notNull(),
    keptAt: timestampColumn("kept_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.digest, table.userId] })],
);

export const suspendedSessionsTable = identitySchema.table("suspended_sessions", {
  tokenHash: text("token_hash").primaryKey(),
  userId: bigintColumn("user_id").notNull(),
  expiresAt: timestampColumn("expires_at").notNull(),
});
