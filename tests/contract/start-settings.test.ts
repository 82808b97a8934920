import { expect, test } from "bun:test";
import { readConfig } from "#config";

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
const real = { ...provider, PUBLIC_URL: "https://midman.example" };

function told(environment: Record<string, string>): string[] {
  const read = readConfig(environment);
  return read.ok ? [] : read.lines;
}
const named = (environment: Record<string, string>) =>
  told(environment).map((line) => line.slice(0, line.indexOf(":")));

test("with nothing set every setting that is missing is named, and the way to a trial", () => {
  expect(named({})).toEqual([...Object.keys(real), "ALLOW_SANDBOX"]);
  for (const line of told({})) expect(line).toMatch(/^[A-Z_]+: (is missing; |or set it to true, )/);
  // An empty variable is what a compose file makes of one that is not set.
  expect(named({ QPAY_BASE_URL: "", PUBLIC_URL: "", ALLOW_SANDBOX: "" })).toEqual(named({}));
});

test("a trial needs nothing, a provider its four settings and the address people come to", () => {
  for (const yes of ["true", "1"]) expect(told({ ALLOW_SANDBOX: yes })).toEqual([]);
  expect(named({ ALLOW_SANDBOX: "false" })).toEqual(named({}));
  expect(told(real)).toEqual([]);
  expect(named(provider)).toEqual(["PUBLIC_URL"]);
  expect(named({ QPAY_USERNAME: "m", ALLOW_SANDBOX: "true" })).toEqual([
    ...["QPAY_BASE_URL", "QPAY_PASSWORD", "QPAY_INVOICE_CODE", "PUBLIC_URL"],
  ]);
});

test("a bad value does not hide what is missing", () => {
  expect(named({ PORT: "99999", REDIS_URL: "http://wrong", QPAY_USERNAME: "alone", S3_BUCKET: "b" })).toEqual(
    [
      ...["PORT", "REDIS_URL", "QPAY_BASE_URL", "QPAY_PASSWORD", "QPAY_INVOICE_CODE", "PUBLIC_URL"],
      ...["S3_ENDPOINT", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
    ],
  );
  expect(new Set(named({ ...provider, PUBLIC_URL: "not an address" }))).toEqual(new Set(["PUBLIC_URL"]));
});

test("several instances, and one that keeps nothing in DATA_DIR, are given their secrets: no two would make the same", () => {
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
