import { and, eq, gt, ne } from "drizzle-orm";
import type { z } from "zod";
import type { Executor } from "#db/client";
import type { clockSchema } from "../core/responses.ts";
import { deadlinesTable as rows } from "../core/schema.ts";
import type { DeadlineKind, Deadlines } from "../machine/trade-types.ts";

export type Clock = z.output<typeof clockSchema>;

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
