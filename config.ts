import { z } from "zod";

/** What every setting may be. Names, defaults and meanings are those of docs/settings.md. */
const flag = z.enum(["true", "false", "1", "0", ""]).transform((value) => value === "true" || value === "1");
const url = (...protocols: string[]) =>
  z.url().refine((value) => protocols.some((protocol) => value.startsWith(`${protocol}:`)), {
    message: `must start with ${protocols.map((protocol) => `${protocol}://`).join(" or ")}`,
  });
/** Credentials and what is people's own go there: https, but for what runs on this machine. */
const guarded = url("http", "https").refine(
  (value) =>
    value.startsWith("https:") ||
    ["127.0.0.1", "localhost", "[::1]"].includes(URL.parse(value)?.hostname ?? ""),
  { message: "must start with https:// but on this machine" },
);
const secret = z.string().min(32, "must be at least 32 characters (128 bits as hex)");

/** An elliptic curve's key as web push has it: so many bytes in base64url. */
const key = (bytes: number) =>
  z.string().refine((value) => /^[\w-]+$/.test(value) && Buffer.from(value, "base64url").length === bytes, {
    message: `must be ${bytes} bytes in base64url`,
  });

const schema = z.object({
  NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  PUBLIC_URL: url("http", "https").optional(),
  DATA_DIR: z.string().min(1).default("./.data"),
  DATABASE_URL: url("postgres", "postgresql").optional(),
  REDIS_URL: url("redis", "rediss").optional(),
  SESSION_SECRET: secret.optional(),
  ENCRYPTION_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, "must be 64 hexadecimal characters (32 bytes)")
    .optional(),
  ENCRYPTION_KEYS_BEFORE: z
    .string()
    .regex(
      /^[0-9a-f]{64}(,[0-9a-f]{64})*$/i,
      "must be keys of 64 hexadecimal characters each, comma by comma",
    )
    .optional(),
  ADMIN_USERNAME: z.string().min(3).default("admin"),
  ADMIN_PASSWORD: z.string().min(12).optional(),
  ADMIN_EMAIL: z.email().default("admin@midman.example"),
  QPAY_BASE_URL: guarded.optional(),
  QPAY_USERNAME: z.string().min(1).optional(),
  QPAY_PASSWORD: z.string().min(1).optional(),
  QPAY_INVOICE_CODE: z.string().min(1).max(45).optional(),
  ALLOW_SANDBOX: flag.default(false),
  SUPPORT_EMAIL: z.email().default("support@midman.example"),
  SUPPORT_PHONE: z.string().min(1).default("+976 7700 0000"),
  SUPPORT_FACEBOOK: url("https").default("https://facebook.example/midman"),
  SUPPORT_INSTAGRAM: url("https").default("https://instagram.example/midman"),
  SMTP_URL: url("smtp", "smtps").optional(),
  MAIL_FROM: z.string().min(3).default("Midman <no-reply@midman.example>"),
  MAIL_ADMIN: z.email().default("admin@midman.example"),
  MAIL_TRANSACTIONS: z.email().default("transactions@midman.example"),
  MAIL_ACCOUNTS: z.email().default("accounts@midman.example"),
  VAPID_PUBLIC_KEY: key(65).optional(),
  VAPID_PRIVATE_KEY: key(32).optional(),
  VAPID_SUBJECT: url("mailto", "https").optional(),
  PUSH_HOSTS: z.string().default(""),
  S3_ENDPOINT: guarded.optional(),
  S3_REGION: z.string().min(1).optional(),
  S3_BUCKET: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  FEE_POLICY: z.enum(["standard", "terms"]).default("standard"),
  PAYOUT_FOUR_EYES_ABOVE: z.coerce.number().int().positive().optional(),
  TRUST_PROXY: flag.default(false),
  MAINTENANCE: flag.default(false),
  DRAIN_SECONDS: z.coerce.number().min(0).max(15).optional(),
  METRICS_TOKEN: secret.optional(),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  THROTTLE_FACTOR: z.coerce.number().positive().default(1),
});

export type Config = z.infer<typeof schema>;

/**
 * Reads the settings from an environment.
 * Promises a whole, valid configuration or one line for each bad value, naming it; an empty variable counts as unset.
 */
export function readConfig(
  environment: Record<string, string | undefined>,
): { ok: true; config: Config } | { ok: false; lines: string[] } {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    return {
      ok: false,
      lines: parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`),
    };
  }
  const missing = missingTogether(parsed.data);
  return missing.length > 0 ? { ok: false, lines: missing } : { ok: true, config: parsed.data };
}

/** Rules that join several settings: a provider is named whole or not at all, and none means an allowed sandbox; keys are a pair. */
function missingTogether(config: Config): string[] {
  if ((config.VAPID_PUBLIC_KEY === undefined) !== (config.VAPID_PRIVATE_KEY === undefined)) {
    return ["VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY: one is missing; the two go together"];
  }
  const bucket = [
    "S3_ENDPOINT",
    "S3_REGION",
    "S3_BUCKET",
    "S3_ACCESS_KEY_ID",
    "S3_SECRET_ACCESS_KEY",
  ] as const;
  const unset = bucket.filter((name) => config[name] === undefined);
  if (unset.length > 0 && unset.length < bucket.length) {
    return unset.map((name) => `${name}: is missing; the five S3_ settings go together`);
  }
  const provider = ["QPAY_BASE_URL", "QPAY_USERNAME", "QPAY_PASSWORD", "QPAY_INVOICE_CODE"] as const;
  const absent = provider.filter((name) => config[name] === undefined);
  if (absent.length > 0 && absent.length < provider.length) {
    return absent.map((name) => `${name}: is missing; the four QPAY_ settings go together`);
  }
  if (absent.length > 0 && !config.ALLOW_SANDBOX) {
    return [
      `${provider.join(", ")}: no payment provider is configured; set them, or ALLOW_SANDBOX=true for a trial without real money`,
    ];
  }
  if (
    absent.length === 0 &&
    config.PUBLIC_URL !== undefined &&
    !guarded.safeParse(config.PUBLIC_URL).success
  ) {
    return ["PUBLIC_URL: must start with https:// where real money moves"];
  }
  return [];
}

let current: Config | undefined;

/** The running configuration, read once from the process environment; a bad value throws one line a setting. */
export function config(): Config {
  if (current === undefined) {
    const read = readConfig(process.env);
    if (!read.ok) throw new Error(`Midman cannot start.\n${read.lines.join("\n")}`);
    current = read.config;
  }
  return current;
}

/** Replaces parts of the running configuration; for tests only. */
export function configure(parts: Partial<Config>): void {
  current = { ...config(), ...parts };
}

/** True where no real money moves: the sandbox is allowed and no provider is configured. Anything else is production. */
export function isTrial(): boolean {
  return config().ALLOW_SANDBOX && config().QPAY_BASE_URL === undefined;
}

/** The address people reach Midman at, without a trailing slash. */
export function publicUrl(): string {
  return (config().PUBLIC_URL ?? `http://localhost:${config().PORT}`).replace(/\/$/, "");
}

/** True for a contact of support that nobody has set: the default is an example and reaches nobody. */
export function isExample(
  contact: "SUPPORT_EMAIL" | "SUPPORT_PHONE" | "SUPPORT_FACEBOOK" | "SUPPORT_INSTAGRAM",
): boolean {
  return config()[contact] === schema.shape[contact].parse(undefined);
}
