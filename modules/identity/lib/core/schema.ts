import { bigint, boolean, jsonb, pgSchema, primaryKey, smallint, text, timestamp } from "drizzle-orm/pg-core";
import { bytea } from "#db/columns";
import { filterPages, restrictionKinds } from "../../forms.ts";

/**
 * The mirror of db/migrations/0003_identity.sql, 0010_second_factor.sql, 0014_push.sql, 0021_users_desk.sql,
 * 0026_saved_filters.sql, 0027_admin_grants.sql and 0049_passkeys.sql; the rules themselves live there.
 */
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
  secondFactorAt: moment("second_factor_at"),
  mailReminders: boolean("mail_reminders").notNull().default(true),
  mailRoomActivity: boolean("mail_room_activity").notNull().default(true),
  mailRequests: boolean("mail_requests").notNull().default(true),
  pushMessages: boolean("push_messages").notNull().default(true),
  mailMessages: boolean("mail_messages").notNull().default(true),
  quietFrom: smallint("quiet_from"),
  quietTo: smallint("quiet_to"),
  /** With db/migrations/0047_restrictions.sql; in force until that moment (`restrictionOf`). */
  restriction: text("restriction", { enum: restrictionKinds }),
  restrictedUntil: moment("restricted_until"),
});

/** Every time somebody was made an administrator; append-only. */
export const adminGrants = identity.table("admin_grants", {
  id: id(),
  made: bigint("made", { mode: "number" }).notNull(),
  by: bigint("by", { mode: "number" }).notNull(),
  at: moment("at").notNull(),
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
  passkeyId: bigint("passkey_id", { mode: "number" }),
});

export const tokens = identity.table("tokens", {
  tokenHash: text("token_hash").primaryKey(),
  kind: text("kind", { enum: ["password_reset", "email_verification"] }).notNull(),
  userId: bigint("user_id", { mode: "number" }).notNull(),
  email: text("email").notNull(),
  createdAt: moment("created_at").notNull(),
  expiresAt: moment("expires_at").notNull(),
});

export const secondFactors = identity.table("second_factors", {
  userId: bigint("user_id", { mode: "number" }).primaryKey(),
  secret: bytea("secret").notNull(),
  begunAt: moment("begun_at").notNull(),
  usedStep: bigint("used_step", { mode: "number" }).notNull().default(0),
});

export const recoveryCodes = identity.table(
  "recovery_codes",
  {
    userId: bigint("user_id", { mode: "number" }).notNull(),
    codeHash: text("code_hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

export const loginTickets = identity.table("login_tickets", {
  tokenHash: text("token_hash").primaryKey(),
  userId: bigint("user_id", { mode: "number" }).notNull(),
  action: text("action", { enum: ["login", "admin_login"] }).notNull(),
  createdAt: moment("created_at").notNull(),
  expiresAt: moment("expires_at").notNull(),
});

/** What an administrator may change of a profile. */
export type ProfileFields = {
  displayName?: string;
  phoneNumber?: string | null;
  bankAccount?: string | null;
};

export const profileChanges = identity.table("profile_changes", {
  id: id(),
  userId: bigint("user_id", { mode: "number" }).notNull(),
  changedBy: bigint("changed_by", { mode: "number" }).notNull(),
  at: moment("at").notNull(),
  before: jsonb("before").$type<ProfileFields>().notNull(),
  after: jsonb("after").$type<ProfileFields>().notNull(),
});

export const savedFilters = identity.table("saved_filters", {
  id: id(),
  userId: bigint("user_id", { mode: "number" }).notNull(),
  page: text("page", { enum: filterPages }).notNull(),
  name: text("name").notNull(),
  query: text("query").notNull(),
  createdAt: moment("created_at").notNull(),
});

export const passkeys = identity.table("passkeys", {
  id: id(),
  userId: bigint("user_id", { mode: "number" }).notNull(),
  userHandle: text("user_handle").notNull(),
  credentialId: text("credential_id").notNull(),
  publicKey: bytea("public_key").notNull(),
  counter: bigint("counter", { mode: "number" }).notNull(),
  transports: text("transports").notNull().default(""),
  name: text("name").notNull(),
  createdAt: moment("created_at").notNull(),
  lastUsedAt: moment("last_used_at"),
  copiedAt: moment("copied_at"),
});

/** What a challenge was made for. */
export const challengePurposes = ["login", "admin_login", "confirm", "register"] as const;

export const passkeyChallenges = identity.table("passkey_challenges", {
  tokenHash: text("token_hash").primaryKey(),
  purpose: text("purpose", { enum: challengePurposes }).notNull(),
  challenge: text("challenge").notNull(),
  userId: bigint("user_id", { mode: "number" }),
  userHandle: text("user_handle"),
  createdAt: moment("created_at").notNull(),
  expiresAt: moment("expires_at").notNull(),
});
