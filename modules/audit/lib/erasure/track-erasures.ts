import { createHash } from "node:crypto";
import { LOG_DAYS } from "../core/retention-periods.ts";
import type { ErasedEntry, KeptEntry } from "../entries/stored-entries.ts";

const DAY_MS = 86_400_000;

/** What the entry of an erasing holds of it: a name, how many entries went, and the digest of their lines in order. */
export type ErasureRecord = { batch: string; count: number; lines: string };

/** Keeps account of erased entries and of what was recorded of their erasing, while the log is walked in its order. */
export type ErasureTracker = {
  /** An erased entry was met in a block sealed at that moment. */
  met(entry: ErasedEntry, sealedAt: string): void;
  /** An entry was met; should it record an erasing, what is wrong with that, if anything. */
  recorded(entry: KeptEntry["sealed"]): string | undefined;
  /** At the end: what was erased though no entry records it. */
  unexplained(): string | undefined;
};

/**
 * An erasing stands in the log with the digest of all that it took, so nobody erases more than is recorded; and it takes nothing
 * that a block younger than `LOG_DAYS` holds.
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
        return `what entry ${id} says was erased is not what is gone`;
      }
      const early = Date.parse(one.newest) > Date.parse(at ?? "") - LOG_DAYS * DAY_MS;
      return early ? `entry ${id} tells of erasing what was not ${LOG_DAYS} days old` : undefined;
    },
    unexplained() {
      return open.size === 0 ? undefined : "entries were erased that no entry tells of";
    },
  };
}

/** The digest of the lines of an erasing, in the order of the log. */
export function linesDigest(lines: readonly string[]): string {
  const hash = createHash("sha256");
  for (const line of lines) hash.update(`${line}\n`);
  return hash.digest("hex");
}
