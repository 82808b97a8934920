import { config, isTrial, publicUrl } from "#config";
import { startBus, stopBus } from "#db/bus";
import { restJobs, startJobs, stopJobs } from "#db/jobs";
import { log } from "#db/log";
import { measureProcess } from "#db/metrics";
import { keepPartitionsSoon } from "#db/partitions";
import { followReplica } from "#db/replica";
import { openDatabase } from "#db/start";
import { isUnavailable } from "#db/unavailable";
import { startAudit, stopAudit } from "#modules/audit";
import { registerEscrow, startEscrow } from "#modules/escrow";
import { administratorLine, startIdentity } from "#modules/identity";
import { startMailer, stopMailer } from "#modules/mailer";
import { startPayments } from "#modules/payments";
import { closeSockets, startRooms, stopRooms } from "#modules/rooms";
import { printLine } from "../config/console-line.ts";
import { takeLeave } from "./server/listener/leaving-client.ts";
import { listener } from "./server/listener/listener.ts";
import { closedListener } from "./server/listener/maintenance.ts";
import { endBySignal, stopListening } from "./server/startup/shutdown.ts";
import {
  checkBooks,
  checkKeys,
  checkOwnPlace,
  checkPort,
  checkSurroundings,
  keepWhereWeAre,
  ownPort,
} from "./server/startup/startup-checks.ts";

/** How long a request may go on once the listener has closed, and what is kept for the last steps of an end. */
const REQUESTS_MS = 10_000;
const LAST_MS = 3_000;

/** Brings Midman up in order, or ends with one clear line a reason; nothing is left half started. */
async function start(): Promise<void> {
  const settings = config();
  if (settings.MAINTENANCE) return stayClosed();
  checkOwnPlace();
  const database = await openDatabase({ exclusive: true });
  await checkBooks();
  await checkKeys();
  await keepWhereWeAre();
  const leaveReplica = await followReplica(settings.DATABASE_REPLICA_URL);
  measureProcess();
  await startBus(settings.REDIS_URL, settings.REDIS_CLUSTER);
  // Before any job may write: on a restored database the log opens a new era first.
  await startAudit();
  // Before any job may run: what ends rooms and accounts asks escrow first.
  registerEscrow();
  await startJobs(database.url);
  await keepPartitionsSoon();
  await startMailer();
  const { oneTimePassword } = await startIdentity();
  await startRooms();
  await startPayments();
  await startEscrow();
  const server = (await listener()).listen(ownPort());

  endBySignal(async (left) => {
    await Promise.all([takeLeave(), restJobs()]);
    closeSockets();
    await stopListening(server, Math.min(REQUESTS_MS, left() - LAST_MS));
    await stopRooms();
    await stopJobs(left() - LAST_MS);
    await stopMailer();
    await stopAudit();
    await stopBus();
    await leaveReplica();
    await database.stop();
  });
  announce(oneTimePassword);
  checkSurroundings().catch((error) =>
    log().error({ err: error }, "the surroundings could not be looked at"),
  );
}

/**
 * The database being away is told to whoever asks; where a promise that nobody awaits says so it must not end the process.
 * Anything else is a fault of ours and does.
 */
process.on("unhandledRejection", (error) => {
  log().error({ err: error }, "a promise that nobody awaited failed");
  if (!isUnavailable(error)) process.exit(1);
});

/** Under maintenance nothing else starts: no database, no jobs, only the page that says so. */
async function stayClosed(): Promise<void> {
  checkPort();
  const server = (await closedListener()).listen(ownPort());
  endBySignal((left) => stopListening(server, Math.min(REQUESTS_MS, left())));
  printLine(`Midman is closed for maintenance at ${publicUrl()}`);
}

/** The first lines on the console: address, the administrator's one-time password, where the sandbox is. */
function announce(oneTimePassword: string | null): void {
  const { ADMIN_USERNAME, SMTP_URL } = config();
  printLine(`Midman is at ${publicUrl()}`);
  if (oneTimePassword !== null) printLine(administratorLine(ADMIN_USERNAME, oneTimePassword));
  if (isTrial()) {
    printLine(`Sandbox, no real money: payments are pressed at ${publicUrl()}/sandbox/qpay/pay/{invoice}`);
  }
  if (isTrial() && SMTP_URL === undefined) printLine(`Sandbox mailbox: ${publicUrl()}/sandbox/mail`);
}

try {
  await start();
} catch (error) {
  printLine(error instanceof Error ? error.message : String(error), "error");
  process.exit(1);
}
