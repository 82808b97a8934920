/**
 * Creates a demonstration: `bun run seed`, beside a running instance or alone. It consists of a few people, rooms with conversation, and
 * trades in every state, all created by the verbs that the pages call. Refused unless the sandbox is the provider: a demonstration must not
 * mix with real money. A second run adds a second demonstration.
 *
 * `bun run seed --large` instead fills a database with a year of a busy Midman: 50,000 people, 100,000 transactions, 5,000,000 log entries.
 * It takes minutes and about 5 GB.
 */
import { Elysia } from "elysia";
import { config, overrideConfig } from "#config";
import { startBus, stopBus } from "#db/bus";
import { startJobs, stopJobs } from "#db/jobs";
import { openDatabase } from "#db/startup/open-database";
import { paymentsRoutes } from "#http/payments";
import { registerEscrow, startEscrow } from "#modules/escrow";
import { administratorLine, startIdentity } from "#modules/identity";
import { findProviderMismatch, isSandboxServing, setSandboxOrigin } from "#modules/payments";
import { seedDemonstration } from "./seed/demonstration.ts";
import { fillLarge, largeSizes } from "./seed/large/fill-large.ts";

process.env.ALLOW_SANDBOX ||= "true";

async function runSeed(): Promise<void> {
  if (!isSandboxServing())
    throw new Error("A payment provider is configured; the demonstration data need the sandbox.");
  overrideConfig({ THROTTLE_FACTOR: Math.max(config().THROTTLE_FACTOR, 1_000) });
  const database = await openDatabase();
  const mixed = await findProviderMismatch();
  if (mixed !== undefined) throw new Error(mixed);
  await startBus(config().REDIS_URL, config().REDIS_CLUSTER);
  registerEscrow();
  await startJobs(database.url, { work: false });
  const { oneTimePassword } = await startIdentity();
  if (oneTimePassword !== null) console.log(administratorLine(config().ADMIN_USERNAME, oneTimePassword));
  await startEscrow();
  // The sandbox provider on a port of its own, so that payments use real HTTP here too.
  const provider = new Elysia().use(paymentsRoutes).listen({ port: 0, hostname: "127.0.0.1" });
  setSandboxOrigin(`http://127.0.0.1:${provider.server?.port}`);
  try {
    if (process.argv.includes("--large"))
      await fillLarge(database.ownerUrl ?? database.url, largeSizes, console.log);
    else for (const line of await seedDemonstration()) console.log(line);
  } finally {
    await provider.stop(true);
    await stopJobs();
    await stopBus();
    await database.stop();
  }
}

try {
  await runSeed();
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
