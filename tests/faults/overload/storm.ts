import type { openClient } from "../../../db/client.ts";
import { pickItem } from "../../support/seeded-random.ts";
import type { FaultProxy } from "../../support/services/fault-proxy.ts";

export type Sky = {
  line: FaultProxy;
  client: ReturnType<typeof openClient>;
  next: () => number;
  scale: number;
};

const between = ({ next, scale }: Sky, least: number, most: number) =>
  Bun.sleep((least + (most - least) * next()) * scale);

/** What happens to the pool while everybody speaks; each is over when it ends. */
const faults: Record<string, (sky: Sky) => Promise<unknown>> = {
  /** Whoever writes a message waits for a table, and keeps the connection. */
  poolHeldByMessages: (sky) => held(sky, "rooms.messages"),
  /** Whoever writes the log waits: every transaction does. */
  poolHeldByLog: (sky) => held(sky, "audit.entries"),
  connectionsCut: async ({ line }) => line.cut(),
  connectionsCutInARow: async (sky) => {
    for (let n = 0; n < 5; n++) {
      sky.line.cut();
      await between(sky, 50, 300);
    }
  },
  repliesLost: async (sky) => {
    sky.line.behave({ loseReplies: true });
    await between(sky, 100, 500);
    sky.line.behave({});
  },
  databaseStalled: async (sky) => {
    sky.line.behave({ stalled: true });
    await between(sky, 1_000, 4_000);
    sky.line.behave({});
  },
  databaseSlow: async (sky) => {
    sky.line.behave({ delayMs: 20 });
    await between(sky, 2_000, 5_000);
    sky.line.behave({});
  },
};

/** In a short run, too, it lasts longer than a transaction waits for its turn (1.5 s), so that something has to be shed. */
function held(sky: Sky, table: string): Promise<unknown> {
  return sky.client.begin(async (tx) => {
    await tx`LOCK TABLE ${sky.client(table)} IN SHARE MODE`;
    const unscaled = { ...sky, scale: 1 };
    await between(unscaled, 3_000, 6_000);
  });
}

/** One fault after the other, with a quiet while between them, until `end`. Counts them by name. */
export async function storm(sky: Sky, end: number, counts: Record<string, number>): Promise<void> {
  const names = Object.keys(faults);
  for (let n = 0; Date.now() < end; n++) {
    const name = n < names.length ? (names[n] ?? "") : pickItem(names, sky.next);
    counts[name] = (counts[name] ?? 0) + 1;
    await faults[name]?.(sky);
    await between(sky, 3_000, 10_000);
  }
}
