import { Worker } from "node:worker_threads";
import { connectDatabase, disconnectDatabase } from "../../../db/client.ts";
import { makeRoomPair } from "../../support/people/registered-people.ts";
import { type Server, startServer } from "../../support/server/midman-server.ts";
import { startWaiting } from "../../support/server/waiting-time.ts";
import { findBookFaults as brokenBooks } from "../../support/trades/trade-books.ts";
import type { Figures } from "../report.ts";
import { type Honest, liveHonestly, makeHonest, type Waits } from "./honest.ts";
import type { Attack } from "./hostile.worker.ts";

export type Options = {
  seed: number;
  /** Pairs of honest people, and for how many seconds they live in peace, then beside hostile clients of either kind. */
  pairs: number;
  seconds: number;
  /**
   * On a machine that does other work: so many times what the same took in peace is allowed as well, since that is slow then too. 0 holds
   * it to the promise alone.
   */
  slack: number;
  progress?: (words: string) => void;
};

/** As `bun run faults hostile` runs it. */
export const full = { pairs: 6, seconds: 60, slack: 0 };

const PEACE = "in peace";
const HOSTILE = 10;
/** What an honest person waits for at most, in milliseconds: the half of the times, and 99 of a hundred. */
const MOST = { half: 1_000, nearlyAll: 3_000 };

/**
 * Ten hostile clients send the worst bodies, frames, slow connections and guesses there are, first each from an address of its own, then
 * all from one; an honest person's sign-in, message, QR and payment succeed, and soon. The throttles are those of production.
 */
export async function run(options: Options): Promise<Figures> {
  const began = performance.now();
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  const environment = { TRUST_PROXY: "true", THROTTLE_FACTOR: "1" };
  const server = await startServer({ environment });
  connectDatabase(server.databaseUrl);
  try {
    const honest: Honest[] = [];
    while (honest.length < options.pairs) honest.push(await makeHonest(server, honest.length + 1));
    const member = await memberOf(server);
    const attack = (addresses: string[]): Attack => ({
      url: server.url,
      port: server.port,
      addresses,
      member,
    });
    const own = Array.from({ length: HOSTILE }, (_, n) => `198.51.100.${n + 1}`);
    const phases: Array<[string, Attack | undefined]> = [
      [PEACE, undefined],
      ["beside ten addresses", attack(own)],
      ["beside one address", attack(Array(HOSTILE).fill("198.51.100.99"))],
    ];
    for (const [name, hostile] of phases) {
      options.progress?.(name);
      await phase(server, honest, { name, hostile, ...options }, { counts, failures });
    }
    for (const fault of await brokenBooks()) failures.push(`books: ${JSON.stringify(fault)}`);
    const broken = /RangeError|TypeError|"level":[56]0/;
    const logged = server
      .output()
      .split("\n")
      .filter((line) => broken.test(line));
    failures.push(...logged.slice(0, 20).map((line) => `logged: ${line.slice(0, 400)}`));
  } finally {
    await disconnectDatabase();
    await server.stop();
  }
  return {
    suite: "hostile",
    seed: options.seed,
    counts,
    failures,
    seconds: Math.round((performance.now() - began) / 1_000),
  };
}

/** A hostile person who has an account, and a room of their own to send frames to. */
async function memberOf(server: Server): Promise<Attack["member"]> {
  const { buyer, roomId } = await makeRoomPair({
    client: () => server.client({ "X-Forwarded-For": "198.51.100.200" }),
  });
  return { cookies: buyer.cookies(), userId: buyer.id, roomId };
}

type Findings = { counts: Record<string, number>; failures: string[] };
type Phase = { name: string; hostile: Attack | undefined; seconds: number; slack: number };

async function phase(server: Server, honest: Honest[], told: Phase, { counts, failures }: Findings) {
  const waits: Waits = { "sign-in": [], message: [], QR: [], payment: [] };
  const worker = told.hostile && new Worker(new URL("./hostile.worker.ts", import.meta.url));
  worker?.postMessage(told.hostile);
  if (worker !== undefined) await Bun.sleep(1_000);
  const other = await startWaiting(server.url);
  const end = Date.now() + told.seconds * 1_000;
  const found = { waits, failures };
  await Promise.all(honest.map((pair, n) => liveHonestly(server, pair, n + 1, end, found)));
  counts[`${told.name}: /healthz, ms (longest)`] = await other.stop();
  if (worker !== undefined) {
    for (const [what, count] of Object.entries(await endOf(worker))) counts[`${told.name}: ${what}`] = count;
  }
  for (const [what, all] of Object.entries(waits)) {
    const [half, nearlyAll] = [quantile(all, 0.5), quantile(all, 0.99)];
    counts[`${told.name}: ${what}s`] = all.length;
    counts[`${told.name}: ${what}, ms (half)`] = half;
    counts[`${told.name}: ${what}, ms (99 %)`] = nearlyAll;
    if (all.length === 0) failures.push(`${told.name}: no ${what} succeeded`);
    const inPeace = (part: string) => told.slack * (counts[`${PEACE}: ${what}, ms (${part})`] ?? 0);
    if (half > Math.max(MOST.half, inPeace("half")))
      failures.push(`${told.name}: half of each ${what} took over ${half} ms`);
    if (nearlyAll > Math.max(MOST.nearlyAll, inPeace("99 %")))
      failures.push(`${told.name}: a ${what} in a hundred took over ${nearlyAll} ms`);
  }
}

async function endOf(worker: Worker): Promise<Record<string, number>> {
  const ended = new Promise<Record<string, number>>((resolve) => worker.once("message", resolve));
  worker.postMessage("end");
  const counts = await ended;
  await worker.terminate();
  return counts;
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.ceil(share * (sorted.length - 1))] ?? 0);
}
