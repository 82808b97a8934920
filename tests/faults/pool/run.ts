import type { Sql } from "postgres";
import { withPreparedStatements } from "../../../db/client/prepared-statements.ts";
import { openClient } from "../../../db/client.ts";
import { freshDatabase } from "../../support/database/test-database.ts";
import { seededRandom, shuffleItems } from "../../support/seeded-random.ts";
import { startFaultProxy } from "../../support/services/fault-proxy.ts";
import type { Figures } from "../report.ts";
import { crowd, phases, type Scene } from "./phases.ts";
import { codeOf, isLoss, Work } from "./work.ts";

export type Options = {
  seed: number;
  /** How often the line is cut, each time in the next phase. */
  cuts: number;
  /** Connections of the pool. */
  connections: number;
  progress?: (words: string) => void;
};

/** As `bun run faults pool` runs it. */
export const full = { cuts: 2_000, connections: 5 };

/** So long nothing may wait once the line is good again. */
const PATIENCE_MS = 10_000;
const NAME = "pool under faults";

/**
 * The driver's pool, whose connections are cut in every phase of what they do: afterwards each of them can be had again, every
 * query was answered, by its own answer or by an error, and what was acknowledged stands once.
 */
export async function run(options: Options): Promise<Figures> {
  const began = performance.now();
  const next = seededRandom(options.seed);
  const fresh = await freshDatabase(true);
  const line = await startFaultProxy(fresh.url);
  const observer = openClient(fresh.url, { max: 1 });
  await observer`CREATE TABLE public.kept (what text)`;
  const opened = openClient(line.url, {
    max: options.connections,
    connect_timeout: 5,
    connection: { application_name: NAME },
    backoff: () => 0.001,
  });
  const client = withPreparedStatements(opened);
  const work = new Work(client);
  const terminate = async () => {
    await observer`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${NAME}`;
  };
  const scene: Scene = { work, line, next, width: options.connections, terminate };
  const counts: Record<string, number> = { cuts: 0 };
  try {
    while ((counts.cuts ?? 0) < options.cuts && work.failures.length === 0) {
      for (const [name, phase] of shuffleItems(Object.entries(phases), next)) {
        if ((counts.cuts ?? 0) >= options.cuts || work.failures.length > 0) break;
        await oneCut(name, phase, scene, client);
        counts.cuts = (counts.cuts ?? 0) + 1;
        counts[`cut ${name}`] = (counts[`cut ${name}`] ?? 0) + 1;
        if (counts.cuts % 100 === 0) options.progress?.(`${counts.cuts} cuts`);
      }
    }
    await prove(work, observer, counts);
  } finally {
    await client.end({ timeout: 1 });
    await observer.end();
    await line.close();
    await fresh.drop();
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  return { suite: "pool", seed: options.seed, counts, failures: work.failures, seconds };
}

async function oneCut(
  name: string,
  phase: (scene: Scene) => Promise<void>,
  scene: Scene,
  client: Sql,
): Promise<void> {
  const { work, line, width } = scene;
  const before = work.failures.length;
  crowd(scene);
  await phase(scene);
  line.behave({});
  await work.answered(PATIENCE_MS);
  const fault = await faultOfWidth(client, width);
  if (fault !== undefined) work.failures.push(fault);
  for (let n = before; n < work.failures.length; n++) work.failures[n] = `cut ${name}: ${work.failures[n]}`;
}

/**
 * Has as many transactions as there are connections stand at once, each on one of its own and in no transaction of before. The
 * driver may not have heard yet of a connection's end, so what is lost is asked again; a connection that stays lost is told.
 */
async function faultOfWidth(client: Sql, width: number): Promise<string | undefined> {
  let refused = "";
  for (const from = Date.now(); Date.now() - from < PATIENCE_MS; await Bun.sleep(2)) {
    const all = Promise.withResolvers<void>();
    const backends = new Set<number>();
    refused = "";
    const one = () =>
      client.begin(async (tx) => {
        const [row] = await tx`SELECT pg_backend_pid() AS pid, pg_current_xact_id_if_assigned() AS written`;
        if (row?.written !== null) throw new Error("a transaction began within another");
        backends.add(row?.pid);
        if (backends.size === width) all.resolve();
        await all.promise;
      });
    const asked = Array.from({ length: width }, () =>
      one().catch((error) => {
        refused = codeOf(error);
        all.resolve();
        return isLoss(error) ? undefined : refused;
      }),
    );
    const late = Bun.sleep(PATIENCE_MS).then(() => ["late"]);
    const faults = await Promise.race([Promise.all(asked), late]);
    all.resolve();
    if (faults[0] === "late") return `only ${backends.size} of ${width} connections can be had`;
    const fault = faults.find((each) => each !== undefined);
    if (fault !== undefined) return fault;
    if (refused === "") return undefined;
  }
  return `a connection that was lost is given to whoever asks: ${refused}`;
}

/** Holds what was said against the table. */
async function prove(work: Work, observer: Sql, counts: Record<string, number>): Promise<void> {
  const found = await observer`SELECT what, count(*)::int AS times FROM public.kept GROUP BY what`;
  const rows = new Map(found.map(({ what, times }) => [what as string, times as number]));
  for (const what of work.acknowledged)
    if (rows.get(what) !== 1)
      work.failures.push(`${what} was acknowledged, and stands ${rows.get(what) ?? 0} times`);
  for (const what of work.undone)
    if (rows.has(what)) work.failures.push(`${what} stands, and was taken back`);
  for (const [one, other] of work.together)
    if (rows.has(one) !== rows.has(other))
      work.failures.push(`half of a transaction stands: ${one}, ${other}`);
  Object.assign(counts, {
    acknowledged: work.acknowledged.size,
    takenBack: work.undone.size,
    lost: work.lost,
  });
}
