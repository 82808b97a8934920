import { expect, test } from "bun:test";
import { readConfig } from "#config";
import { mailSettings } from "../support/server/midman-server.ts";

/** What stops the start, and how it is told: everything that is wrong or missing at once, one line a setting. */

const provider = {
  QPAY_BASE_URL: "https://merchant.example/v2",
  QPAY_USERNAME: "m",
  QPAY_PASSWORD: "m",
  QPAY_INVOICE_CODE: "M",
};
const bucket = {
  S3_ENDPOINT: "https://s3.example",
  S3_REGION: "r",
  S3_BUCKET: "b",
  S3_ACCESS_KEY_ID: "k",
  S3_SECRET_ACCESS_KEY: "s",
};
const secrets = { SESSION_SECRET: "ab".repeat(32), ENCRYPTION_KEY: "cd".repeat(32) };
const mail = { ...mailSettings, SMTP_URL: "smtp://mail.midman.mn" };
const real = { ...provider, ...mail, PUBLIC_URL: "https://midman.mn" };

function told(environment: Record<string, string>): string[] {
  const read = readConfig(environment);
  return read.ok ? [] : read.lines;
}
const named = (environment: Record<string, string>) =>
  told(environment).map((line) => line.slice(0, line.indexOf(":")));

test("with nothing set every missing setting is named, and how to start a trial", () => {
  expect(named({})).toEqual([...Object.keys(provider), "PUBLIC_URL", "ALLOW_SANDBOX"]);
  for (const line of told({})) expect(line).toMatch(/^[A-Z_]+: (is missing; |or set it to true for )/);
  // An empty variable is what a compose file makes of one that is not set.
  expect(named({ QPAY_BASE_URL: "", PUBLIC_URL: "", ALLOW_SANDBOX: "" })).toEqual(named({}));
});

test("a trial needs nothing, a provider its four settings and the public address", () => {
  for (const yes of ["true", "1"]) expect(told({ ALLOW_SANDBOX: yes })).toEqual([]);
  expect(named({ ALLOW_SANDBOX: "false" })).toEqual(named({}));
  expect(told(real)).toEqual([]);
  expect(named({ ...provider, ...mail })).toEqual(["PUBLIC_URL"]);
  expect(named({ QPAY_USERNAME: "m", ...mail, ALLOW_SANDBOX: "true" })).toEqual([
    ...["QPAY_BASE_URL", "QPAY_PASSWORD", "QPAY_INVOICE_CODE", "PUBLIC_URL"],
  ]);
});

test("a provider is not called back at a reserved example address", () => {
  for (const host of ["midman.example", "www.example.com", "EXAMPLE.org", "midman.test:8443", "x.invalid"])
    expect(told({ ...real, PUBLIC_URL: `https://${host}/` })).toEqual([
      `PUBLIC_URL: https://${host}/ is an example; with a payment provider, set the address at which people and QPay's callbacks reach Midman`,
    ]);
  for (const host of ["example.mn", "myexample.com", "test.mn", "localhost:3000", "127.0.0.1:3000"])
    expect(told({ ...real, PUBLIC_URL: `https://${host}` })).toEqual([]);
  expect(told({ ALLOW_SANDBOX: "true", PUBLIC_URL: "https://midman.example" })).toEqual([]);
});

test("a provider needs outgoing mail, from and to real addresses: each missing one is named in its own line", () => {
  for (const name of Object.keys(mail)) {
    expect(told({ ...real, [name]: "" })).toEqual([
      expect.stringMatching(new RegExp(`^${name}: is missing; `)),
    ]);
  }
  expect(new Set(named({ ...provider, PUBLIC_URL: real.PUBLIC_URL }))).toEqual(new Set(Object.keys(mail)));
  for (const place of [
    "midman.example",
    "example.com",
    "mail.example.org",
    "EXAMPLE.NET",
    "box.test",
    "x.invalid",
  ]) {
    expect(named({ ...real, MAIL_ADMIN: `admin@${place}` })).toEqual(["MAIL_ADMIN"]);
    expect(named({ ...real, ADMIN_EMAIL: `admin@${place}` })).toEqual(["ADMIN_EMAIL"]);
    expect(named({ ...real, MAIL_FROM: `Midman <no-reply@${place}>` })).toEqual(["MAIL_FROM"]);
  }
  expect(named({ ...real, SUPPORT_PHONE: "+976 7700 0000" })).toEqual(["SUPPORT_PHONE"]);
  expect(told({ ...real, OPERATOR_NAME: "Example LLC" })).toEqual([
    "OPERATOR_NAME: Example LLC is an example; with a payment provider, set the registered name of the company that operates Midman",
  ]);
  expect(named({ ...real, OPERATOR_REGISTRATION: "0000000" })).toEqual(["OPERATOR_REGISTRATION"]);
  expect(named({ ...real, OPERATOR_ADDRESS: "1 Example Street, Ulaanbaatar" })).toEqual(["OPERATOR_ADDRESS"]);
  for (const place of ["example.mn", "myexample.com", "test.mn"]) {
    expect(told({ ...real, MAIL_ADMIN: `admin@${place}` })).toEqual([]);
  }
  // A trial keeps its mail, and its examples.
  expect(told({ ALLOW_SANDBOX: "true", MAIL_ADMIN: "admin@example.com" })).toEqual([]);
});

test("a misspelt setting is named with the one that was meant", () => {
  for (const [wrong, meant] of [
    ["PAYOUT_FOUR_EYE_ABOVE", "PAYOUT_FOUR_EYES_ABOVE"],
    ["PAYOUTS_FOUR_EYES_ABOVE", "PAYOUT_FOUR_EYES_ABOVE"],
    ["TRUST_PROXI", "TRUST_PROXY"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["DATABSE_URL", "DATABASE_URL"],
    ["MAIL_FORM", "MAIL_FROM"],
  ] as const)
    expect(told({ ...real, [wrong]: "1" })).toEqual([
      `${wrong}: is not a setting of Midman; did you mean ${meant}?`,
    ]);
  expect(told({ ...real, QPAY_CALLBACK_ADDRESS: "x" })).toEqual([
    "QPAY_CALLBACK_ADDRESS: is not a setting of Midman",
  ]);
  // What the machine, a cluster or compose sets is none of ours.
  const theirs = ["HOSTNAME", "MAIL", "LOGNAME", "SESSION_MANAGER", "REDIS_PORT", "REDIS_PORT_6379_TCP_ADDR"];
  for (const name of [
    ...theirs,
    "MIDMAN_SERVICE_HOST",
    "MIDMAN_PORT_80_TCP",
    "POSTGRES_PASSWORD",
    "MIDMAN_VERSION",
  ])
    expect([name, told({ ...real, [name]: "1" })]).toEqual([name, []]);
});

test("the owner's address needs the application's too", () => {
  const owner = "postgres://midman@db.midman.mn/midman";
  expect(named({ ...real, DATABASE_OWNER_URL: owner })).toEqual(["DATABASE_URL"]);
  expect(
    told({ ...real, DATABASE_OWNER_URL: owner, DATABASE_URL: owner.replace("midman@", "midman_app@") }),
  ).toEqual([]);
});

test("an invalid value does not hide missing ones", () => {
  expect(
    named({ PORT: "99999", REDIS_URL: "http://wrong", QPAY_USERNAME: "alone", S3_BUCKET: "b", ...mail }),
  ).toEqual([
    ...["PORT", "REDIS_URL", "QPAY_BASE_URL", "QPAY_PASSWORD", "QPAY_INVOICE_CODE", "PUBLIC_URL"],
    ...["S3_ENDPOINT", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
  ]);
  expect(new Set(named({ ...provider, ...mail, PUBLIC_URL: "not an address" }))).toEqual(
    new Set(["PUBLIC_URL"]),
  );
});

test("several instances, and one without a lasting DATA_DIR, must be given their secrets", () => {
  const elsewhere = { ...real, DATABASE_URL: "postgres://midman@db.example/midman" };
  const redis = { REDIS_URL: "redis://redis.example" };
  for (const more of [bucket, redis, { ...bucket, ...redis }]) {
    expect(named({ ...elsewhere, ...more })).toEqual(["SESSION_SECRET", "ENCRYPTION_KEY"]);
    expect(named({ ...elsewhere, ...more, SESSION_SECRET: secrets.SESSION_SECRET })).toEqual([
      "ENCRYPTION_KEY",
    ]);
    expect(told({ ...elsewhere, ...more, ...secrets })).toEqual([]);
    // One instance alone keeps what it made beside its database.
    expect(told({ ...real, ...more })).toEqual([]);
  }
  expect(told(elsewhere)).toEqual([]);
});
