import { afterAll, beforeAll, expect, test } from "bun:test";
import { overrideConfig } from "#config";
import { takeEdgeTokens } from "./edge-limits.ts";

beforeAll(() => overrideConfig({ THROTTLE_FACTOR: 1 }));
afterAll(() => overrideConfig({ THROTTLE_FACTOR: 1 }));

const megabyte = 1024 * 1024;

/** The seconds that an address has to wait after it has sent a number of bodies of a length. */
function after(ip: string, bodies: number, length: number): number {
  const sent = () =>
    takeEdgeTokens(
      new Request("http://localhost/", { method: "POST", headers: { "Content-Length": String(length) } }),
      ip,
    );
  const waits = Array.from({ length: bodies }, sent);
  return waits.at(-1) ?? 0;
}

test("an address may send sixteen megabytes at once, then waits; others do not", () => {
  expect(after("198.51.100.1", 16, megabyte)).toBe(0);
  expect(after("198.51.100.1", 1, megabyte)).toBe(1);
  expect(after("198.51.100.2", 1, megabyte)).toBe(0);
});

test("small bodies count only as a request", () => {
  expect(after("198.51.100.3", 900, 60_000)).toBe(0);
});
