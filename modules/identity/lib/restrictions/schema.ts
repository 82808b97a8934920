import { bigint, boolean, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { restrictionCauses, restrictionKinds } from "../../forms.ts";
import { identity } from "../core/schema.ts";

/**
 * The mirror of db/migrations/0047_restrictions.sql, 0051_restrictions_that_ran_out.sql,
 * 0052_suspended_sessions.sql and 0054_suspension_expiry_notices.sql, where the rules are.
 */
const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
const person = (name: string) => bigint(name, { mode: "number" });

export const restrictions = identity.table("restrictions", {
  id: person("id").primaryKey().generatedAlwaysAsIdentity(),
  userId: person("user_id").notNull(),
  kind: text("kind", { enum: restrictionKinds }).notNull(),
  cause: text("cause", { enum: restrictionCauses }).notNull(),
  note: text("note"),
  placedBy: person("placed_by").notNull(),
  placedAt: moment("placed_at").notNull(),
  until: moment("until").notNull(),
  forGood: boolean("for_good").notNull(),
  confirmedBy: person("confirmed_by"),
  confirmedAt: moment("confirmed_at"),
  endedAt: moment("ended_at"),
  endedBy: person("ended_by"),
  endedHow: text("ended_how", { enum: ["lifted", "replaced", "deleted"] }),
  endNote: text("end_note"),
  expiryNotifiedAt: moment("expiry_notified_at"),
});

export type RestrictionRow = typeof restrictions.$inferSelect;

export const identifierKinds = ["phone", "bank", "email"] as const;
export type IdentifierKind = (typeof identifierKinds)[number];

export const identifierHashes = identity.table(
  "restriction_signs",
  {
    userId: person("user_id").notNull(),
    kind: text("kind", { enum: identifierKinds }).notNull(),
    digest: text("digest").notNull(),
    keptAt: moment("kept_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.digest, table.userId] })],
);

export const suspendedSessions = identity.table("suspended_sessions", {
  tokenHash: text("token_hash").primaryKey(),
  userId: person("user_id").notNull(),
  expiresAt: moment("expires_at").notNull(),
});
