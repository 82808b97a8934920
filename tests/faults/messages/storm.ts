import { pickItem, shuffleItems } from "../../support/seeded-random.ts";
import type { FragileInstances } from "../../support/server/fragile-instances.ts";

type Fault = (world: FragileInstances, next: () => number, scale: number) => Promise<void>;

/** Milliseconds between the two, by the scale of the run. */
const between = (least: number, most: number, next: () => number, scale: number) =>
  Bun.sleep((least + (most - least) * next()) * scale);

const door = (world: FragileInstances, next: () => number) => pickItem(world.doors, next);
const one = (next: () => number) => (next() < 0.5 ? 0 : 1);

async function postgresAgain({ postgres }: FragileInstances, downMs: number): Promise<void> {
  await postgres.stopAtOnce();
  await Bun.sleep(downMs);
  await postgres.start();
}

/** Everything that happens to a Midman, each by itself; every one of them is over when it ends. */
export const faults: Record<string, Fault> = {
  socketsCut: async (world, next) => door(world, next).cut(),
  framesCut: async (world, next, scale) => {
    const line = door(world, next);
    line.behave({ cutAfter: { up: 40 + Math.floor(next() * 2_000), down: 40 + Math.floor(next() * 4_000) } });
    await between(200, 1_000, next, scale);
    line.behave({});
  },
  repliesLost: async (world, next, scale) => {
    const line = door(world, next);
    line.behave({ loseReplies: true });
    await between(200, 1_000, next, scale);
    line.behave({});
  },
  clientsStalled: async (world, next, scale) => {
    const line = door(world, next);
    line.behave({ stalled: true });
    await between(500, 5_000, next, scale);
    line.behave({});
  },
  clientsSlow: async (world, next, scale) => {
    const line = door(world, next);
    line.behave({ delayMs: 40, bytesPerSecond: 20_000 });
    await between(1_000, 3_000, next, scale);
    line.behave({});
  },
  instanceKilled: async (world, next, scale) => world.reborn(one(next), next() * 2_000 * scale),
  bothKilled: async (world) => {
    await Promise.all([world.reborn(0), world.reborn(1)]);
  },
  redisRestarted: async ({ redis }) => {
    await redis.kill();
    await redis.restart();
  },
  redisStopped: async ({ redis }, next, scale) => {
    await redis.kill();
    await between(3_000, 8_000, next, scale);
    await redis.restart();
  },
  redisSlow: async ({ lines }, next, scale) => {
    lines.bus.behave({ delayMs: 500 });
    await between(2_000, 5_000, next, scale);
    lines.bus.behave({});
  },
  redisSilent: async ({ lines }, next, scale) => {
    lines.bus.behave({ stalled: true });
    await between(1_000, 5_000, next, scale);
    lines.bus.behave({});
  },
  postgresRestarted: (world, next, scale) => postgresAgain(world, next() * 1_000 * scale),
  databaseCut: async ({ lines }) => lines.database.cut(),
  databaseRepliesLost: async ({ lines }, next, scale) => {
    lines.database.behave({ loseReplies: true });
    await between(100, 500, next, scale);
    lines.database.behave({});
  },
  databaseStalled: async ({ lines }, next, scale) => {
    lines.database.behave({ stalled: true });
    await between(500, 3_000, next, scale);
    lines.database.behave({});
  },
  postgresAndInstance: async (world, next, scale) => {
    await Promise.all([postgresAgain(world, next() * 500 * scale), world.reborn(one(next))]);
  },
};

/** So often more than the others, of any hundred faults. */
const often = ["instanceKilled", "instanceKilled", "instanceKilled", "socketsCut", "postgresRestarted"];

/** The names of so many faults in an order of chance, every kind about as often as the next. */
export function forecast(count: number, next: () => number): string[] {
  const kinds = [...Object.keys(faults), ...often];
  const decks = Array.from({ length: Math.ceil(count / kinds.length) }, () => shuffleItems(kinds, next));
  return decks.flat().slice(0, count);
}
