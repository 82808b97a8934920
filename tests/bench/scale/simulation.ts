import { seededRandom as seeded } from "../../support/seeded-random.ts";
import type { Figures } from "./figures.ts";
import { habits, type Step } from "./steps.ts";

/** What came of an evening minute. Times are in milliseconds, `busy` is the part of its cores' time that a kind was at work. */
export type Evening = { busy: { server: number; database: number }; page: { median: number; p95: number } };

/** Workers who take one piece of work after the other, in the order it came. */
class Queue {
  private readonly free: number[];
  worked = 0;
  constructor(count: number) {
    this.free = Array.from({ length: count }, () => 0);
  }
  /** When work that comes at a moment is done. Moments must not go back much: whoever comes first is served first. */
  done(at: number, takes: number): number {
    let first = 0;
    for (let n = 1; n < this.free.length; n++) {
      if ((this.free[n] ?? 0) < (this.free[first] ?? 0)) first = n;
    }
    const end = Math.max(at, this.free[first] ?? 0) + takes;
    this.free[first] = end;
    this.worked += takes;
    return end;
  }
}

const exponential = (random: () => number, mean: number) => -Math.log(1 - random()) * mean;

/** Simulated, and looked at once what was empty has filled, in seconds. */
const lasts = { warming: 10, looking: 50 };

/**
 * Plays a minute of the busiest hour of so many people. Messages, pages and payments come at random moments (a Poisson
 * process). Each is worked on by an instance drawn by lot and then by the database, first come first served, for times drawn at random
 * around the measured ones (exponentially, which is more uneven than what was seen). A message is also delivered, to both sides.
 */
export function evening(people: number, step: Step, figures: Figures, seed: number): Evening {
  const random = seeded(seed);
  const servers = Array.from({ length: step.instances }, () => new Queue(1));
  const database = new Queue(step.database);
  const perSecond = (people * habits.evening) / 3600;
  let rate = 0;
  const kinds = (["message", "page", "payment"] as const).map((name) => {
    rate += habits[name] * perSecond;
    return { name, below: rate, cost: figures[name] };
  });
  // To the two who sit in a room; within one instance it is cheaper than what was measured over Redis.
  const delivering = 2 * figures.delivery;
  const pages: number[] = [];
  const until = (lasts.warming + lasts.looking) * 1e6;
  // Two stages, each in the order in which work comes to it.
  const works: Array<{ at: number; ready: number; asked: number; page: boolean }> = [];
  for (let at = 0; at < until; at += exponential(random, 1e6 / rate)) {
    const drawn = random() * rate;
    const kind = kinds.find(({ below }) => drawn < below) ?? kinds[0];
    if (kind === undefined) break;
    const server = servers[Math.floor(random() * servers.length)];
    const takes = exponential(random, kind.cost.server) + (kind.name === "message" ? delivering : 0);
    const asked = exponential(random, kind.cost.database);
    works.push({ at, ready: server?.done(at, takes) ?? at, asked, page: kind.name === "page" });
  }
  works.sort((a, b) => a.ready - b.ready);
  for (const { at, ready, asked, page } of works) {
    const end = database.done(ready, asked);
    if (page && at > lasts.warming * 1e6) pages.push((end - at) / 1000);
  }
  pages.sort((a, b) => a - b);
  const served = servers.reduce((sum, { worked }) => sum + worked, 0);
  return {
    busy: { server: served / until / step.instances, database: database.worked / until / step.database },
    page: { median: pages[pages.length >> 1] ?? 0, p95: pages[Math.floor(pages.length * 0.95)] ?? 0 },
  };
}
