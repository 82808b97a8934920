import { and, eq, gt, ne } from "drizzle-orm";
import type { Executor } from "#db/client";
import { deadlinesTable as rows } from "../core/schema.ts";
import type { DeadlineKind, Deadlines } from "../machine/trade-types.ts";

/** A deadline as both parties see it; `extendedMinutes`: by how much it was extended because Midman itself was not running. */
export type Clock = {
  kind: DeadlineKind;
  dueAt: string;
  overdue: boolean;
  paused: boolean;
  extendedMinutes: number;
};

type Extensions = Partial<Record<DeadlineKind, number>>;

/** The open deadlines of a trade, earliest first. A paused one is never overdue. */
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

/** By how many ms each open deadline of a trade was extended. */
export async function extensionsOf(exec: Executor, tradeId: number): Promise<Extensions> {
  const live = and(eq(rows.tradeId, tradeId), ne(rows.state, "closed"), gt(rows.extendedMs, 0));
  const found = await exec.select({ kind: rows.kind, by: rows.extendedMs }).from(rows).where(live);
  return Object.fromEntries(found.map(({ kind, by }) => [kind, by]));
}
