import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Breach, keyOf } from "./breach.ts";

/** `noticed`: the requirement's own test failed. `lived`: it passed. `unclear`: something else failed, such as the start. */
export type Fate = "noticed" | "lived" | "unclear";
/** `by` is the first line that the test failed with. */
export type Result = { digest: string; fate: Fate; by: string };
export type Results = Record<string, Result>;

const data = join(import.meta.dir, "results.json");

/** What earlier runs found, by `keyOf`. */
export function readResults(): Results {
  return existsSync(data) ? JSON.parse(readFileSync(data, "utf8")) : {};
}

/** Keeps what was found of the given breaches, in their order; results of breaches that are gone go too. */
export function writeResults(results: Results, breaches: readonly Breach[]): void {
  const kept = breaches.map(keyOf).flatMap((key) => (results[key] ? [[key, results[key]] as const] : []));
  writeFileSync(data, `${JSON.stringify(Object.fromEntries(kept), null, 1)}\n`);
}
