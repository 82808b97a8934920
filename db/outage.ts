import { isLost } from "./unavailable.ts";

/** During an outage, the shortest time between two summaries of the suppressed lines. */
const REPORT_MS = 10_000;
/** The time between two probes of the database during an outage. */
const PROBE_MS = 500;
/** A probe that takes longer counts as failed. */
const PROBE_TIMEOUT_MS = 3_000;

type WriteLine = (level: "error" | "warn", facts: object, message: string) => void;

/**
 * Keeps a database outage from flooding the log. The first line with a connection error is written, and starts a probe of the database. While
 * probes fail, further such lines are suppressed and counted by message; a summary of each message with its count (`times`) is written at most
 * every ten seconds. The start and the end of the outage are logged once each.
 */
export class Outage {
  #query: (() => Promise<unknown>) | undefined;
  #timer: Timer | undefined;
  #since = 0;
  #reportedAt = 0;
  #isAway = false;
  #suppressed = new Map<string, { times: number; reason: string }>();
  #suppressedLines = 0;

  constructor(
    private readonly writeLine: WriteLine,
    private readonly reasonOf: (error: unknown) => string,
    private readonly pace = { reportMs: REPORT_MS, probeMs: PROBE_MS },
  ) {}

  /** Sets the query that probes the database. With undefined, probing ends and no line is suppressed. */
  probeWith(query: (() => Promise<unknown>) | undefined): void {
    this.#query = query;
    if (query === undefined) this.#end();
  }

  /** Whether to drop a log line, because it repeats that the database cannot be reached. Counts the line if so. */
  suppresses(error: unknown, message: string): boolean {
    if (this.#query === undefined || !isLost(error)) return false;
    if (this.#timer === undefined) {
      this.#since = performance.now();
      this.#reportedAt = this.#since;
      this.#probeIn(0);
      return false;
    }
    const times = (this.#suppressed.get(message)?.times ?? 0) + 1;
    this.#suppressed.set(message, { times, reason: this.reasonOf(error) });
    this.#suppressedLines += 1;
    return true;
  }

  #probeIn(ms: number): void {
    this.#timer = setTimeout(() => void this.#probe(), ms);
    this.#timer.unref();
  }

  async #probe(): Promise<void> {
    const timedOut = Promise.withResolvers<boolean>();
    const timeout = setTimeout(() => timedOut.resolve(true), PROBE_TIMEOUT_MS);
    timeout.unref();
    const failed = (this.#query ?? (async () => {}))().then(() => false, isLost);
    const isAway = await Promise.race([failed, timedOut.promise]).finally(() => clearTimeout(timeout));
    if (this.#timer === undefined) return;
    if (!isAway) return this.#end();
    if (!this.#isAway) this.writeLine("error", {}, "the database does not answer");
    this.#isAway = true;
    if (performance.now() - this.#reportedAt >= this.pace.reportMs) this.#report();
    this.#probeIn(this.pace.probeMs);
  }

  #report(): void {
    this.#reportedAt = performance.now();
    for (const [message, facts] of this.#suppressed) this.writeLine("error", facts, message);
    this.#suppressed.clear();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#report();
    const seconds = Math.round((performance.now() - this.#since) / 100) / 10;
    if (this.#isAway)
      this.writeLine("warn", { seconds, lines: this.#suppressedLines }, "the database answers again");
    this.#isAway = false;
    this.#suppressedLines = 0;
  }
}
