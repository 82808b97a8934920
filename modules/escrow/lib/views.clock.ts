import type { DeadlineKind, Deadlines } from "./machine/types.ts";

/** A promise of time that both sides see. */
export type Clock = { kind: DeadlineKind; dueAt: string; overdue: boolean; paused: boolean };

/** The running clocks of a trade, the earliest first. A halted one is never overdue. */
export function clocksOf(deadlines: Deadlines, at: Date): Clock[] {
  return Object.entries(deadlines)
    .map(([kind, { dueAt, pausedAt }]) => ({
      kind: kind as DeadlineKind,
      dueAt: dueAt.toISOString(),
      overdue: pausedAt === null && dueAt <= at,
      paused: pausedAt !== null,
    }))
    .sort((a, b) => (a.dueAt < b.dueAt ? -1 : 1));
}
