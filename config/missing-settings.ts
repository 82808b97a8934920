import { secureUrlSchema, urlSchema } from "./address-schemas.ts";

type GivenSettings = Record<string, string | undefined>;

const bucketSettings = [
  "S3_ENDPOINT",
  "S3_REGION",
  "S3_BUCKET",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
] as const;
/** The settings of the payment provider: all of them are set, or none. */
export const providerSettings = [
  "QPAY_BASE_URL",
  "QPAY_USERNAME",
  "QPAY_PASSWORD",
  "QPAY_INVOICE_CODE",
] as const;

/** Where each provider setting comes from, for an operator who has set none of them. */
const providerWords = new Map<string, string>([
  ["QPAY_BASE_URL", "the address of QPay's merchant API, https://…/v2"],
  ["QPAY_USERNAME", "the merchant's name at QPay"],
  ["QPAY_PASSWORD", "the merchant's password at QPay"],
  ["QPAY_INVOICE_CODE", "the invoice code that QPay gave the merchant"],
]);

/** Checks the rules that concern several settings. Returns everything that is missing, even if another value is invalid. */
export function findMissingSettings(given: GivenSettings): string[] {
  return [
    ...missingOfProvider(given),
    ...missingBesideProvider(given),
    ...missingOfOwner(given),
    ...missingOfKeys(given),
    ...missingOfBucket(given),
    ...missingSecrets(given),
  ];
}

/**
 * Either all provider settings are set or none. Without a provider the sandbox must be allowed; with one, the provider's callbacks need a
 * public address.
 */
function missingOfProvider(given: GivenSettings): string[] {
  const absent = providerSettings.filter((name) => given[name] === undefined);
  const none = absent.length === providerSettings.length;
  if (none && ["true", "1"].includes(given.ALLOW_SANDBOX ?? "")) return [];
  const lines = absent.map(
    (name) =>
      `${name}: is missing; ${none ? providerWords.get(name) : "set all four QPAY_ settings or none"}`,
  );
  if (given.PUBLIC_URL === undefined) {
    lines.push(
      "PUBLIC_URL: is missing; set the https:// address at which people and QPay's callbacks reach Midman",
    );
  } else if (
    urlSchema("http", "https").safeParse(given.PUBLIC_URL).success &&
    !isSecureUrl(given.PUBLIC_URL)
  ) {
    lines.push("PUBLIC_URL: must start with https:// where real money moves");
  } else if (!none && exampleHost.test(URL.parse(given.PUBLIC_URL)?.hostname ?? "")) {
    lines.push(
      `PUBLIC_URL: ${given.PUBLIC_URL} is an example; with a payment provider, set the address at which people and QPay's callbacks reach Midman`,
    );
  }
  if (none)
    lines.push(
      "ALLOW_SANDBOX: or set it to true for a trial without real money, which needs no other setting",
    );
  return lines;
}

/** Host names reserved for examples (RFC 2606). */
const exampleHost = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid)$/;

/** Addresses reserved for examples (RFC 2606), and the example telephone number of a trial. */
const exampleAddress =
  /@(?:[^@>\s]+\.)?(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)>?\s*$|^\+976 ?7700 ?0000$/i;

/** Words and numbers of the examples that a trial shows for the operator. */
const exampleOperator = /\bexample\b|^0+$/i;

/** Who the agreement is with; the terms and the privacy policy name it. */
const operatorWords = new Map<string, string>([
  ["OPERATOR_NAME", "the registered name of the company that operates Midman"],
  ["OPERATOR_REGISTRATION", "the company's registration number"],
  ["OPERATOR_ADDRESS", "the company's postal address"],
]);

/** What each contact setting is needed for when real money moves. */
const peopleWords = new Map<string, string>([
  ["ADMIN_EMAIL", "the administrators' own address, which resets their password"],
  ["MAIL_FROM", "the sender of Midman's mail"],
  ["MAIL_ADMIN", "the address that receives alarms and notices of payouts"],
  ["MAIL_TRANSACTIONS", "the sender of mail about transactions"],
  ["MAIL_ACCOUNTS", "the sender of mail about accounts"],
  ["SUPPORT_EMAIL", "the address for people who need help"],
  ["SUPPORT_PHONE", "the phone number for people who need help"],
]);

/**
 * With a real provider, mail must be sent and must reach people: otherwise nobody learns of money that waits or went wrong. And the terms
 * must name the company that people have the agreement with.
 */
function missingBesideProvider(given: GivenSettings): string[] {
  if (providerSettings.every((name) => given[name] === undefined)) return [];
  const lines =
    given.SMTP_URL === undefined
      ? [
          "SMTP_URL: is missing; with a payment provider, Midman must send mail, because it notifies people of their money",
        ]
      : [];
  const findMissing = (words: Map<string, string>, example: RegExp) =>
    [...words].flatMap(([name, what]) => {
      const value = given[name];
      if (value === undefined) return [`${name}: is missing; with a payment provider, set ${what}`];
      return example.test(value)
        ? [`${name}: ${value} is an example; with a payment provider, set ${what}`]
        : [];
    });
  return [
    ...lines,
    ...findMissing(peopleWords, exampleAddress),
    ...findMissing(operatorWords, exampleOperator),
  ];
}

/** The owner's address alone would leave the application without a role. */
function missingOfOwner({ DATABASE_URL, DATABASE_OWNER_URL }: GivenSettings): string[] {
  return DATABASE_OWNER_URL === undefined || DATABASE_URL !== undefined
    ? []
    : ["DATABASE_URL: is missing; together with DATABASE_OWNER_URL it names the application's role"];
}

function isSecureUrl(address: string): boolean {
  return secureUrlSchema.safeParse(address).success;
}

function missingOfKeys(given: GivenSettings): string[] {
  return (given.VAPID_PUBLIC_KEY === undefined) === (given.VAPID_PRIVATE_KEY === undefined)
    ? []
    : ["VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY: one is missing; set both or neither"];
}

/** The S3_ settings are set together or not at all. */
function missingOfBucket(given: GivenSettings): string[] {
  const absent = bucketSettings.filter((name) => given[name] === undefined);
  const anchored = given.AUDIT_ANCHOR?.startsWith("s3:") === true;
  if (absent.length === bucketSettings.length && anchored) {
    return ["AUDIT_ANCHOR: names a bucket; set the five S3_ settings, which give its address and keys"];
  }
  if (absent.length === bucketSettings.length) return [];
  return absent.map((name) => `${name}: is missing; set all five S3_ settings or none`);
}

/**
 * Secrets generated in DATA_DIR are not enough with an external database if files are stored in a bucket (DATA_DIR then holds nothing else
 * and might be lost) or instances share a Redis: each instance would generate its own secrets, reject the sessions of the others and be
 * unable to open what they sealed.
 */
function missingSecrets(given: GivenSettings): string[] {
  const { DATABASE_URL, REDIS_URL, S3_BUCKET } = given;
  if (DATABASE_URL === undefined || (REDIS_URL === undefined && S3_BUCKET === undefined)) return [];
  const forms = {
    SESSION_SECRET: "at least 32 characters; one that Midman generated before is in DATA_DIR/session-secret",
    ENCRYPTION_KEY:
      "64 hexadecimal characters; one that Midman generated before is in DATA_DIR/encryption-key",
  };
  return Object.entries(forms)
    .filter(([name]) => given[name] === undefined)
    .map(([name, form]) => `${name}: is missing; all instances on one database need the same one (${form})`);
}
