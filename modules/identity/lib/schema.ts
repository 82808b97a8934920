import { bigint, boolean, pgSchema, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/** The mirror of db/migrations/0003_identity.sql; the rules themselves live there. */
export const identity = pgSchema("identity");

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
const id = () => bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity();

export const users = identity.table("users", {
  id: id(),
  username: text("username").notNull(),
  usernameKey: text("username_key"),
  email: text("email"),
  displayName: text("display_name").notNull(),
  avatarInitials: text("avatar_initials").notNull(),
  phoneNumber: text("phone_number"),
  bankAccount: text("bank_account"),
  passwordHash: text("password_hash"),
  mustChangePassword: boolean("must_change_password").notNull().default(false),
  isAdmin: boolean("is_admin").notNull().default(false),
  language: text("language", { enum: ["mn", "en"] }).notNull(),
  emailVerifiedAt: moment("email_verified_at"),
  createdAt: moment("created_at").notNull(),
  updatedAt: moment("updated_at").notNull(),
  deletedAt: moment("deleted_at"),
});

export const consents = identity.table(
  "consents",
  {
    userId: bigint("user_id", { mode: "number" }).notNull(),
    document: text("document", { enum: ["terms", "privacy"] }).notNull(),
    version: text("version").notNull(),
    consentedAt: moment("consented_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.document, table.version] })],
);

export const sessions = identity.table("sessions", {
  id: id(),
  tokenHash: text("token_hash").notNull(),
  userId: bigint("user_id", { mode: "number" }).notNull(),
  createdAt: moment("created_at").notNull(),
  authenticatedAt: moment("authenticated_at").notNull(),
  lastSeenAt: moment("last_seen_at").notNull(),
  expiresAt: moment("expires_at").notNull(),
  ip: text("ip").notNull(),
  device: text("device").notNull(),
});

export const tokens = identity.table("tokens", {
  tokenHash: text("token_hash").primaryKey(),
  kind: text("kind", { enum: ["password_reset", "email_verification"] }).notNull(),
  userId: bigint("user_id", { mode: "number" }).notNull(),
  email: text("email").notNull(),
  createdAt: moment("created_at").notNull(),
  expiresAt: moment("expires_at").notNull(),
});
