import { and, eq, gt, ne } from "drizzle-orm";
import type { Executor } from "#db/client";
import { deadlinesTable as rows } from "../core/schema.ts";
import type { DeadlineKind, Deadlines } from "../machine/trade-types.ts";

/** A promise of time that both sides see; `extendedMinutes`: put off by so much because Midman itself was away. */
export type Clock = {
  kind: DeadlineKind;
  dueAt: string;
  overdue: boolean;
  paused: boolean;
  extendedMinutes: number;
};

type Extensions = Partial<Record<DeadlineKind, number>>;

/** The running clocks of a trade, the earliest first. A halted one is never overdue. */
export function clocksOf(deadlines: Deadlines, at: Date, extended: Extensions = {}): Clock[] {
  return Object.entries(deadlines)
    .map(([name, { dueAt, pausedAt }]) => {
      const kind = name as DeadlineKind;
      return {
        kind,
        dueAt: dueAt.toISOString(),
        overdue: pausedAt === null && dueAt <= at,
        paused: pausedAt !== null,
        extendedMinutes: Math.round((extended[kind] ?? 0) / 60_000),
      };
    })
    .sort((a, b) => a.dueAt.localeCompare(b.dueAt));
}

/** By how many milliseconds each live deadline of a trade was put off. */
export async function extensionsOf(exec: Executor, tradeId: number): Promise<Extensions> {
  const live = and(eq(rows.tradeId, tradeId), ne(rows.state, "closed"), gt(rows.extendedMs, 0));
  const found = await exec.select({ kind: rows.kind, by: rows.extendedMs }).from(rows).where(live);
  return Object.fromEntries(found.map(({ kind, by }) => [kind, by]));
}
