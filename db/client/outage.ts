import { isLost } from "./connection-errors.ts";

/** During an outage, the shortest time between two summaries of the suppressed lines. */
const REPORT_MS = 10_000;
/** The time between two probes of the database during an outage. */
const PROBE_MS = 500;
/** A probe that takes longer counts as failed. */
const PROBE_TIMEOUT_MS = 3_000;

/** How many different values of each fact a summary keeps. */
const VALUES_MOST = 5;

type WriteLine = (level: "error" | "warn", facts: object, message: string) => void;
/** A log line: its facts with the error as `err`, and `write`, which writes facts with this line's level and message. */
export type LogLine = {
  level: string;
  message: string;
  facts: { err?: unknown };
  write: (facts: object) => void;
};
type Value = string | number;
type SuppressedLines = { times: number; last: LogLine; values: Map<string, Set<Value>> };

/**
 * Keeps a database outage from flooding the log. The first line with a connection error is written, and starts a probe of the database. While
 * probes fail, further such lines are suppressed and counted by level and message; a summary of each is written at most every ten seconds and when
 * the process ends. A single line is then written as it was given; several as their count (`times`), the last `reason` and up to five
 * values of each fact. The start and the end of the outage are logged once each.
 */
export class Outage {
  #query: (() => Promise<unknown>) | undefined;
  #timer: Timer | undefined;
  #since = 0;
  #reportedAt = 0;
  #isAway = false;
  #suppressed = new Map<string, SuppressedLines>();
  #suppressedLines = 0;

  constructor(
    private readonly writeLine: WriteLine,
    private readonly reasonOf: (error: unknown) => string,
    private readonly pace = { reportMs: REPORT_MS, probeMs: PROBE_MS },
  ) {}

  /** Sets the query that probes the database. With undefined, probing ends and no line is suppressed. */
  probeWith(query: (() => Promise<unknown>) | undefined): void {
    this.#query = query;
    if (query === undefined) this.#reset();
  }

  /** Whether to drop a log line, because it repeats that the database cannot be reached. Keeps it for the next summary if so. */
  suppresses(line: LogLine): boolean {
    if (this.#query === undefined || !isLost(line.facts.err)) return false;
    if (this.#timer === undefined) {
      this.#since = performance.now();
      this.#reportedAt = this.#since;
      this.#probeIn(0);
      return false;
    }
    const kind = `${line.level} ${line.message}`;
    const { times, values } = this.#suppressed.get(kind) ?? { times: 0, values: new Map() };
    addValues(values, line.facts);
    this.#suppressed.set(kind, { times: times + 1, last: line, values });
    this.#suppressedLines += 1;
    return true;
  }

  /** Writes the summaries of the suppressed lines now. */
  report(): void {
    this.#reportedAt = performance.now();
    const all = [...this.#suppressed.values()];
    this.#suppressed.clear();
    for (const { times, last, values } of all) {
      const facts = Object.fromEntries([...values].map(([name, some]) => [name, [...some]]));
      if (times === 1) last.write(last.facts);
      else last.write({ ...facts, times, reason: this.reasonOf(last.facts.err) });
    }
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
    if (performance.now() - this.#reportedAt >= this.pace.reportMs) this.report();
    this.#probeIn(this.pace.probeMs);
  }

  #end(): void {
    const [wasAway, lines] = [this.#isAway, this.#suppressedLines];
    this.#reset();
    const seconds = Math.round((performance.now() - this.#since) / 100) / 10;
    if (wasAway) this.writeLine("warn", { seconds, lines }, "the database answers again");
  }

  #reset(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.report();
    this.#isAway = false;
    this.#suppressedLines = 0;
  }
}

/** Keeps the first values of each fact that is text or a number: such facts name something (a request, a transaction, a payout). */
function addValues(values: SuppressedLines["values"], { err: _, ...facts }: LogLine["facts"]): void {
  for (const [name, value] of Object.entries<unknown>(facts)) {
    if (typeof value !== "string" && typeof value !== "number") continue;
    const known = values.get(name) ?? new Set<Value>();
    if (known.size < VALUES_MOST) values.set(name, known.add(value));
  }
}
