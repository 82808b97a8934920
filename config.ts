import { z } from "zod";
import { secureUrlSchema, urlSchema } from "./config/address-schemas.ts";
import { findMissingSettings } from "./config/missing-settings.ts";
import { findUnknownNames } from "./config/unknown-settings.ts";

/** The settings' schemas. docs/settings.md lists the names, defaults and meanings. */
const flagSchema = z
  .enum(["true", "false", "1", "0", ""])
  .transform((value) => value === "true" || value === "1");
const secretSchema = z.string().min(32, "must be at least 32 characters (128 bits as hex)");

/** A line about the operator, as the terms and the privacy policy print it. */
const operatorSchema = z
  .string()
  .trim()
  .min(2)
  .max(200)
  .regex(/^[^\p{Cc}{}]+$/u, "must be one line of text");

/** An elliptic curve key as web push uses it: this many bytes in base64url. */
const curveKeySchema = (bytes: number) =>
  z.string().refine((value) => /^[\w-]+$/.test(value) && Buffer.from(value, "base64url").length === bytes, {
    message: `must be ${bytes} bytes in base64url`,
  });

/** Whether a URL may receive signed heads of the log. Plain http is allowed only to this machine. */
function isAnchor(value: string): boolean {
  const url = URL.parse(value);
  if (url === null) return false;
  if (url.protocol === "mailto:") {
    return url.search === "" && z.email().safeParse(decodeURIComponent(url.pathname)).success;
  }
  if (url.protocol === "s3:") return /^[a-z0-9][a-z0-9.-]{1,62}$/.test(url.hostname) && url.search === "";
  return secureUrlSchema.safeParse(value).success;
}

const settingsSchema = z.object({
  NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  PUBLIC_URL: urlSchema("http", "https").optional(),
  DATA_DIR: z.string().min(1).default("./.data"),
  DATABASE_URL: urlSchema("postgres", "postgresql").optional(),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(4).max(500).default(20),
  DATABASE_OWNER_URL: urlSchema("postgres", "postgresql").optional(),
  DATABASE_REPLICA_URL: urlSchema("postgres", "postgresql").optional(),
  REDIS_URL: urlSchema("redis", "rediss").optional(),
  REDIS_CLUSTER: flagSchema.default(false),
  SESSION_SECRET: secretSchema.optional(),
  ENCRYPTION_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, "must be 64 hexadecimal characters (32 bytes)")
    .optional(),
  ENCRYPTION_KEYS_BEFORE: z
    .string()
    .regex(
      /^[0-9a-f]{64}(,[0-9a-f]{64})*$/i,
      "must be keys of 64 hexadecimal characters each, separated by commas",
    )
    .optional(),
  ADMIN_USERNAME: z.string().min(3).default("admin"),
  ADMIN_PASSWORD: z.string().min(12).optional(),
  ADMIN_EMAIL: z.email().default("admin@midman.example"),
  QPAY_BASE_URL: secureUrlSchema.optional(),
  QPAY_USERNAME: z.string().min(1).optional(),
  QPAY_PASSWORD: z.string().min(1).optional(),
  QPAY_INVOICE_CODE: z.string().min(1).max(45).optional(),
  BANK_LOGOS_DIR: z.string().min(1).optional(),
  ALLOW_SANDBOX: flagSchema.default(false),
  OPERATOR_NAME: operatorSchema.default("Example LLC"),
  OPERATOR_REGISTRATION: operatorSchema.default("0000000"),
  OPERATOR_ADDRESS: operatorSchema.default("1 Example Street, Ulaanbaatar"),
  DOCUMENTS_CHANGE_ON: z.iso.date("must be a date, such as 2027-01-15").optional(),
  SUPPORT_EMAIL: z.email().default("support@midman.example"),
  SUPPORT_PHONE: z.string().min(1).default("+976 7700 0000"),
  SUPPORT_FACEBOOK: urlSchema("https").default("https://facebook.example/midman"),
  SUPPORT_INSTAGRAM: urlSchema("https").default("https://instagram.example/midman"),
  SMTP_URL: urlSchema("smtp", "smtps").optional(),
  MAIL_FROM: z.string().min(3).default("Midman <no-reply@midman.example>"),
  MAIL_ADMIN: z.email().default("admin@midman.example"),
  MAIL_TRANSACTIONS: z.email().default("transactions@midman.example"),
  MAIL_ACCOUNTS: z.email().default("accounts@midman.example"),
  VAPID_PUBLIC_KEY: curveKeySchema(65).optional(),
  VAPID_PRIVATE_KEY: curveKeySchema(32).optional(),
  VAPID_SUBJECT: urlSchema("mailto", "https").optional(),
  PUSH_HOSTS: z.string().default(""),
  AUDIT_ANCHOR: z
    .string()
    .refine(isAnchor, "must be mailto:address, https://… or s3://bucket/prefix")
    .optional(),
  S3_ENDPOINT: secureUrlSchema.optional(),
  S3_REGION: z.string().min(1).optional(),
  S3_BUCKET: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  BACKUP_RECIPIENTS: z
    .string()
    .regex(/^age1[0-9a-z]{58}(,age1[0-9a-z]{58})*$/, "must be age recipients (age1…), separated by commas")
    .optional(),
  FEE_POLICY: z.enum(["standard", "terms"]).default("standard"),
  PAYOUT_FOUR_EYES_ABOVE: z
    .union([z.literal("off"), z.coerce.number().int().positive()], {
      error: "must be whole tugrik above 0, or off",
    })
    .optional(),
  TRUST_PROXY: flagSchema.default(false),
  MAINTENANCE: flagSchema.default(false),
  DRAIN_SECONDS: z.coerce.number().min(0).max(15).optional(),
  METRICS_TOKEN: secretSchema.optional(),
  LOG_FORMAT: z.enum(["text", "json"]).default("text"),
  AUDIT_LOG: flagSchema.default(false),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  THROTTLE_FACTOR: z.coerce.number().positive().default(1),
});

export type Config = z.infer<typeof settingsSchema>;

/**
 * Reads the settings from an environment. Returns a complete, valid configuration, or everything that is wrong or missing, one line per
 * setting with its name. An empty variable counts as unset.
 */
export function readConfig(
  environment: Record<string, string | undefined>,
): { ok: true; config: Config } | { ok: false; lines: string[] } {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = settingsSchema.safeParse(given);
  const lines = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  lines.push(
    ...findMissingSettings(given),
    ...findUnknownNames(Object.keys(given), Object.keys(settingsSchema.shape)),
  );
  return parsed.success && lines.length === 0 ? { ok: true, config: parsed.data } : { ok: false, lines };
}

let currentConfig: Config | undefined;

/** The running configuration, read once from the process environment. Throws with one line per wrong setting. */
export function config(): Config {
  if (currentConfig === undefined) {
    const read = readConfig(process.env);
    if (!read.ok) throw new Error(`Midman cannot start.\n${read.lines.join("\n")}`);
    currentConfig = read.config;
  }
  return currentConfig;
}

/** Replaces parts of the running configuration; for tests only. */
export function overrideConfig(parts: Partial<Config>): void {
  currentConfig = { ...config(), ...parts };
}

/** Has the next call read the process environment again; for tests only. */
export function resetConfig(): void {
  currentConfig = undefined;
}

/** True if no real money moves: the sandbox is allowed and no provider is configured. Everything else is production. */
export function isTrial(): boolean {
  return config().ALLOW_SANDBOX && config().QPAY_BASE_URL === undefined;
}

/**
 * Default of PAYOUT_FOUR_EYES_ABOVE in ₮: a trade above it needs two administrators when real money moves; see
 * docs/decisions/0018-four-eyes-count-the-trade.md.
 */
const FOUR_EYES_ABOVE = 1_000_000;

/**
 * The amount of a trade in ₮ above which two administrators decide. Null if one always may: the setting is `off`, or it is unset and no
 * real money moves.
 */
export function fourEyesAbove(): number | null {
  const above = config().PAYOUT_FOUR_EYES_ABOVE;
  if (above === "off") return null;
  return above ?? (isTrial() ? null : FOUR_EYES_ABOVE);
}

/** The age recipients that backups are encrypted for. Empty: backups are not encrypted. */
export function backupRecipients(): string[] {
  return config().BACKUP_RECIPIENTS?.split(",") ?? [];
}

/** Midman's public address, without a trailing slash. */
export function publicUrl(): string {
  return (config().PUBLIC_URL ?? `http://localhost:${config().PORT}`).replace(/\/$/, "");
}

/** True for a support contact that is not set: the default is an example and reaches nobody. */
export function isExample(
  contact: "SUPPORT_EMAIL" | "SUPPORT_PHONE" | "SUPPORT_FACEBOOK" | "SUPPORT_INSTAGRAM",
): boolean {
  return config()[contact] === settingsSchema.shape[contact].parse(undefined);
}
