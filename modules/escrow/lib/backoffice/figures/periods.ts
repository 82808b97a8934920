import { currentTime } from "#db/clock";
import { formatDay as dayOf, daysAfter } from "#format";
import { type Actor, type NotAdmin, requireAdmin } from "#modules/identity";
import { figuresFrom } from "./figures.ts";

/** The figures of a day, or of a week that begins on Monday; sums in ₮. */
export type Period = {
  /** The Mongolian day it begins with, `yyyy-MM-dd`. */
  from: string;
  trades: number;
  volume: number;
  fees: number;
  /** How many minutes a seller waited on average, from both confirmations to the transfer; null if nobody was paid. */
  payoutMinutes: number | null;
};

const DAYS = 30;
const WEEKS = 12;

/** The last 30 days or 12 weeks, oldest first, the running one last. Refuses AUTH_REQUIRED, ADMIN_REQUIRED. */
export async function readPeriodFigures(
  actor: Actor,
  { by }: { by: "day" | "week" },
): Promise<{ ok: true; periods: Period[] } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const today = dayOf(currentTime());
  const [last, step, many] = by === "day" ? [today, 1, DAYS] : [mondayOf(today), 7, WEEKS];
  const starts = Array.from({ length: many }, (_, back) => daysAfter(last, (back - many + 1) * step));
  const days = await figuresFrom(starts[0] ?? last);
  return {
    ok: true,
    periods: starts.map((from) => {
      const until = daysAfter(from, step);
      const own = days.filter(({ day }) => day >= from && day < until);
      const sum = (of: (day: (typeof own)[number]) => number) => own.reduce((all, day) => all + of(day), 0);
      const paidOut = sum(({ payouts }) => payouts);
      const seconds = sum(({ payoutSeconds }) => payoutSeconds);
      return {
        from,
        trades: sum(({ trades }) => trades),
        volume: sum(({ volume }) => volume),
        fees: sum(({ fees }) => fees),
        payoutMinutes: paidOut === 0 ? null : Math.round(seconds / paidOut / 60),
      };
    }),
  };
}

function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return daysAfter(day, -((weekday + 6) % 7));
}
