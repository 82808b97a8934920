import { createHash } from "node:crypto";
import { LOG_DAYS } from "../core/retention-periods.ts";
import type { ErasedEntry, KeptEntry } from "../entries/stored-entries.ts";

const DAY_MS = 86_400_000;

/** What the entry of an erasure records: the batch's name, the number of erased entries, and the digest of their lines in order. */
export type ErasureRecord = { batch: string; count: number; lines: string };

/** Matches erased entries with the recorded erasures while the log is read in order. */
export type ErasureTracker = {
  /** Call for every erased entry, with the sealing time of its block. */
  met(entry: ErasedEntry, sealedAt: string): void;
  /** Call for every entry: what is wrong with it if it records an erasure; undefined otherwise. */
  recorded(entry: KeptEntry["sealed"]): string | undefined;
  /** At the end: a reason if entries were erased that no entry records. */
  unexplained(): string | undefined;
};

/**
 * The log records each erasure with the digest of all erased lines, so that nobody can erase more unnoticed; and an erasure must not touch
 * a block younger than `LOG_DAYS`.
 */
export function trackErasures(): ErasureTracker {
  const open = new Map<string, { hash: ReturnType<typeof createHash>; count: number; newest: string }>();
  return {
    met({ line, batch }, sealedAt) {
      const one = open.get(batch) ?? { hash: createHash("sha256"), count: 0, newest: "" };
      one.hash.update(`${line}\n`);
      one.count += 1;
      if (sealedAt > one.newest) one.newest = sealedAt;
      open.set(batch, one);
    },
    recorded({ action, at, data, id }) {
      if (action !== "log_erased") return undefined;
      const { batch, count, lines } = JSON.parse(data ?? "{}") as ErasureRecord;
      const one = open.get(batch);
      open.delete(batch);
      if (one?.count !== count || one.hash.digest("hex") !== lines) {
        return `what entry ${id} records as erased is not what is missing`;
      }
      const early = Date.parse(one.newest) > Date.parse(at ?? "") - LOG_DAYS * DAY_MS;
      return early
        ? `entry ${id} records the erasure of entries that were not ${LOG_DAYS} days old`
        : undefined;
    },
    unexplained() {
      return open.size === 0 ? undefined : "entries were erased, and no entry records it";
    },
  };
}

/** The digest of the lines of an erasure, in the log's order. */
export function linesDigest(lines: readonly string[]): string {
  const hash = createHash("sha256");
  for (const line of lines) hash.update(`${line}\n`);
  return hash.digest("hex");
}
