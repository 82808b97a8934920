import { boolean, jsonb, pgSchema, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { bigintColumn, bytea, timestampColumn } from "#db/columns";
import { filterPages, restrictionKinds } from "../../forms.ts";

/** Mirrors db/migrations/0003_identity.sql, which holds the constraints. */
export const identitySchema = pgSchema("identity");

const idColumn = () => bigintColumn("id").primaryKey().generatedAlwaysAsIdentity();

export const usersTable = identitySchema.table("users", {
  id: idColumn(),
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
  emailVerifiedAt: timestampColumn("email_verified_at"),
  createdAt: timestampColumn("created_at").notNull(),
  updatedAt: timestampColumn("updated_at").notNull(),
  deletedAt: timestampColumn("deleted_at"),
  secondFactorAt: timestampColumn("second_factor_at"),
  mailReminders: boolean("mail_reminders").notNull().default(true),
  mailRoomActivity: boolean("mail_room_activity").notNull().default(true),
  mailRequests: boolean("mail_requests").notNull().default(true),
  pushMessages: boolean("push_messages").notNull().default(true),
  mailMessages: boolean("mail_messages").notNull().default(true),
  quietFrom: smallint("quiet_from"),
  quietTo: smallint("quiet_to"),
  /** In force until `restrictedUntil` (`restrictionOf`). */
  restriction: text("restriction", { enum: restrictionKinds }),
  restrictedUntil: timestampColumn("restricted_until"),
});

/** One row for each time someone was made an administrator; append-only. */
export const adminGrantsTable = identitySchema.table("admin_grants", {
  id: idColumn(),
  made: bigintColumn("made").notNull(),
  by: bigintColumn("by").notNull(),
  at: timestampColumn("at").notNull(),
});

export const consentsTable = identitySchema.table(
  "consents",
  {
    userId: bigintColumn("user_id").notNull(),
    document: text("document", { enum: ["terms", "privacy"] }).notNull(),
    version: text("version").notNull(),
    consentedAt: timestampColumn("consented_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.document, table.version] })],
);

export const sessionsTable = identitySchema.table("sessions", {
  id: idColumn(),
  tokenHash: text("token_hash").notNull(),
  userId: bigintColumn("user_id").notNull(),
  createdAt: timestampColumn("created_at").notNull(),
  authenticatedAt: timestampColumn("authenticated_at").notNull(),
  lastSeenAt: timestampColumn("last_seen_at").notNull(),
  expiresAt: timestampColumn("expires_at").notNull(),
  ip: text("ip").notNull(),
  device: text("device").notNull(),
  passkeyId: bigintColumn("passkey_id"),
});

export const tokensTable = identitySchema.table("tokens", {
  tokenHash: text("token_hash").primaryKey(),
  kind: text("kind", { enum: ["password_reset", "email_verification"] }).notNull(),
  userId: bigintColumn("user_id").notNull(),
  email: text("email").notNull(),
  createdAt: timestampColumn("created_at").notNull(),
  expiresAt: timestampColumn("expires_at").notNull(),
});

export const secondFactorsTable = identitySchema.table("second_factors", {
  userId: bigintColumn("user_id").primaryKey(),
  secret: bytea("secret").notNull(),
  begunAt: timestampColumn("begun_at").notNull(),
  usedStep: bigintColumn("used_step").notNull().default(0),
});

export const recoveryCodesTable = identitySchema.table(
  "recovery_codes",
  {
    userId: bigintColumn("user_id").notNull(),
    codeHash: text("code_hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

export const loginTicketsTable = identitySchema.table("login_tickets", {
  tokenHash: text("token_hash").primaryKey(),
  userId: bigintColumn("user_id").notNull(),
  action: text("action", { enum: ["login", "admin_login"] }).notNull(),
  createdAt: timestampColumn("created_at").notNull(),
  expiresAt: timestampColumn("expires_at").notNull(),
});

/** Profile fields that an administrator may change. */
export type ProfileFields = {
  displayName?: string;
  phoneNumber?: string | null;
  bankAccount?: string | null;
};

export const profileChangesTable = identitySchema.table("profile_changes", {
  id: idColumn(),
  userId: bigintColumn("user_id").notNull(),
  changedBy: bigintColumn("changed_by").notNull(),
  at: timestampColumn("at").notNull(),
  before: jsonb("before").$type<ProfileFields>().notNull(),
  after: jsonb("after").$type<ProfileFields>().notNull(),
});

export const savedFiltersTable = identitySchema.table("saved_filters", {
  id: idColumn(),
  userId: bigintColumn("user_id").notNull(),
  page: text("page", { enum: filterPages }).notNull(),
  name: text("name").notNull(),
  query: text("query").notNull(),
  createdAt: timestampColumn("created_at").notNull(),
});

export const passkeysTable = identitySchema.table("passkeys", {
  id: idColumn(),
  userId: bigintColumn("user_id").notNull(),
  userHandle: text("user_handle").notNull(),
  credentialId: text("credential_id").notNull(),
  publicKey: bytea("public_key").notNull(),
  counter: bigintColumn("counter").notNull(),
  transports: text("transports").notNull().default(""),
  name: text("name").notNull(),
  createdAt: timestampColumn("created_at").notNull(),
  lastUsedAt: timestampColumn("last_used_at"),
  copiedAt: timestampColumn("copied_at"),
});

/** What a challenge is for. */
export const challengePurposes = ["login", "admin_login", "confirm", "register"] as const;

export const passkeyChallengesTable = identitySchema.table("passkey_challenges", {
  tokenHash: text("token_hash").primaryKey(),
  purpose: text("purpose", { enum: challengePurposes }).notNull(),
  challenge: text("challenge").notNull(),
  userId: bigintColumn("user_id"),
  userHandle: text("user_handle"),
  createdAt: timestampColumn("created_at").notNull(),
  expiresAt: timestampColumn("expires_at").notNull(),
});
