import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { DrizzleQueryError } from "drizzle-orm";
import "../../tests/support/environment.ts";
import { openClient } from "../client.ts";
import { isLost, isUnavailable } from "./connection-errors.ts";

const failing = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test("a database that nobody serves counts as unreachable, over a socket or a port, however the error is wrapped", async () => {
  for (const url of ["postgres://a:b@%2Fno-such-folder/x", "postgres://a:b@127.0.0.1:1/x"]) {
    const client = openClient(url, { max: 1 });
    const error = await failing(client`SELECT 1`);
    await client.end({ timeout: 1 });
    expect(isUnavailable(error)).toBe(true);
    expect(isUnavailable(new Error("Failed query", { cause: error }))).toBe(true);
    expect([isLost(error), isLost(new Error("Failed", { cause: error }))]).toEqual([true, true]);
  }
});

test("Postgres shutting down, starting or full counts as unreachable; errors of a statement do not", () => {
  const said = (code: string) => isUnavailable(Object.assign(new Error("said"), { code }));
  expect(["57P01", "57P02", "57P03", "53300", "08006", "CONNECTION_CLOSED"].map(said)).not.toContain(false);
  expect(["42P01", "23505", "40001", "57014", "P0001", ""].map(said)).not.toContain(true);
});

test("a write on a full disk may be retried, and is not a lost connection", () => {
  const full = Object.assign(new Error("No space left on device"), { code: "53100" });
  const failed = new DrizzleQueryError("INSERT INTO t", [], full);
  expect([isUnavailable(full), isUnavailable(failed)]).toEqual([true, true]);
  expect([isLost(full), isLost(failed)]).toEqual([false, false]);
});

test("a missing file is Midman's fault, and so is anything that is not an error", async () => {
  expect(isUnavailable(await failing(readFile("/no/such/file")))).toBe(false);
  for (const thrown of [
    undefined,
    null,
    "ECONNREFUSED",
    { code: "ECONNREFUSED" },
    new Error("ECONNREFUSED"),
  ]) {
    expect(isUnavailable(thrown)).toBe(false);
  }
});

test("a lost connection to another server is not the database's", async () => {
  for (const code of ["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EPIPE", "ENOTFOUND"]) {
    const error = Object.assign(new Error("said"), { code });
    expect([code, isLost(error), isLost(new Error("x", { cause: error }))]).toEqual([code, false, false]);
    expect([code, isLost(new DrizzleQueryError("SELECT 1", [], error))]).toEqual([code, true]);
  }
  for (const code of ["CONNECTION_CLOSED", "CONNECT_TIMEOUT", "57P01", "08006"])
    expect([code, isLost(Object.assign(new Error("said"), { code }))]).toEqual([code, true]);
  expect(isLost(new DrizzleQueryError("SELECT 1", [], Object.assign(new Error(), { code: "23505" })))).toBe(
    false,
  );
});
