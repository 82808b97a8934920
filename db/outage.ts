import { isLost } from "./unavailable.ts";

/** While the database is away each kind of line is told at most so often, with how many there were. */
const EVERY_MS = 10_000;
/** How often it is looked whether it answers again, and how long an answer may take. */
const LOOK_MS = 500;
const PATIENCE_MS = 3_000;

type Say = (level: "error" | "warn", facts: object, words: string) => void;

/**
 * Keeps a database that is away from filling the log. The first line that says so is written; the database is asked then, and while it does not
 * answer further lines of that sort are counted: the loss is told once, each kind of line (its words) at most every ten seconds with its
 * `times`, and once that the database answers again.
 */
export class Outage {
  #ask: (() => Promise<unknown>) | undefined;
  #timer: Timer | undefined;
  #since = 0;
  #toldAt = 0;
  #away = false;
  #held = new Map<string, { times: number; reason: string }>();
  #all = 0;

  constructor(
    private readonly say: Say,
    private readonly reasonOf: (error: unknown) => string,
    private readonly pace = { everyMs: EVERY_MS, lookMs: LOOK_MS },
  ) {}

  /** By what the database is asked whether it answers; without one every line is written. */
  lookBy(ask: (() => Promise<unknown>) | undefined): void {
    this.#ask = ask;
    if (ask === undefined) this.#end();
  }

  /** True where a line is to be kept back because it says what was told already: that the database is away. */
  holds(error: unknown, words: string): boolean {
    if (this.#ask === undefined || !isLost(error)) return false;
    if (this.#timer === undefined) {
      this.#since = performance.now();
      this.#toldAt = this.#since;
      this.#lookSoon(0);
      return false;
    }
    const times = (this.#held.get(words)?.times ?? 0) + 1;
    this.#held.set(words, { times, reason: this.reasonOf(error) });
    this.#all += 1;
    return true;
  }

  #lookSoon(ms: number): void {
    this.#timer = setTimeout(() => void this.#look(), ms);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const late = Promise.withResolvers<boolean>();
    const patience = setTimeout(() => late.resolve(true), PATIENCE_MS);
    patience.unref();
    const asked = (this.#ask ?? (async () => {}))().then(() => false, isLost);
    const away = await Promise.race([asked, late.promise]).finally(() => clearTimeout(patience));
    if (this.#timer === undefined) return;
    if (!away) return this.#end();
    if (!this.#away) this.say("error", {}, "the database does not answer");
    this.#away = true;
    if (performance.now() - this.#toldAt >= this.pace.everyMs) this.#tell();
    this.#lookSoon(this.pace.lookMs);
  }

  #tell(): void {
    this.#toldAt = performance.now();
    for (const [words, facts] of this.#held) this.say("error", facts, words);
    this.#held.clear();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#tell();
    const seconds = Math.round((performance.now() - this.#since) / 100) / 10;
    if (this.#away) this.say("warn", { seconds, lines: this.#all }, "the database answers again");
    this.#away = false;
    this.#all = 0;
  }
}
