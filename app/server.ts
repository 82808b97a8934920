import { config, isTrial, publicUrl } from "#config";
import { startBus, stopBus } from "#db/bus";
import { isUnavailable } from "#db/client/connection-errors";
import { followReplica } from "#db/client/replica";
import { startJobs, stopJobs, stopTakingJobs } from "#db/jobs";
import { log } from "#db/log";
import { measureProcess } from "#db/metrics";
import { keepPartitionsSoon } from "#db/partitions";
import { openDatabase } from "#db/startup/open-database";
import { startAudit, stopAudit } from "#modules/audit";
import { registerEscrow, startEscrow } from "#modules/escrow";
import { administratorLine, startIdentity } from "#modules/identity";
import { startMailer, stopMailer } from "#modules/mailer";
import { loadBankLogos, startPayments } from "#modules/payments";
import { closeSockets, startRooms, stopRooms } from "#modules/rooms";
import { printLine } from "../config/console-line.ts";
import { startDraining } from "./server/listener/connection-draining.ts";
import { createListener } from "./server/listener/listener.ts";
import { createMaintenanceListener } from "./server/listener/maintenance.ts";
import { shutDownOnSignal, stopListening } from "./server/startup/shutdown.ts";
import {
  checkEncryptionKey,
  checkExternalServices,
  checkLocalSetup,
  checkMoneyProvider,
  checkPort,
  readListenAddress,
  recordInstanceLocation,
} from "./server/startup/startup-checks.ts";

/** Time that running requests get once the listener has closed, and time reserved for the last steps of the shutdown. */
const REQUESTS_MS = 10_000;
const FINAL_STEPS_MS = 3_000;

/** Starts Midman in order, or fails with one clear line per reason; nothing is left half started. */
async function startMidman(): Promise<void> {
  const settings = config();
  if (settings.MAINTENANCE) return serveMaintenance();
  checkLocalSetup();
  await loadBankLogos(settings.BANK_LOGOS_DIR);
  const database = await openDatabase({ exclusive: true });
  await checkMoneyProvider();
  await checkEncryptionKey();
  await recordInstanceLocation();
  const leaveReplica = await followReplica(settings.DATABASE_REPLICA_URL);
  measureProcess();
  await startBus(settings.REDIS_URL, settings.REDIS_CLUSTER);
  // Before any job can write: on a restored database the audit log first opens a new era.
  await startAudit();
  // Before any job can run: jobs that delete rooms and accounts ask escrow first.
  registerEscrow();
  await startJobs(database.url);
  await keepPartitionsSoon();
  await startMailer();
  const { oneTimePassword } = await startIdentity();
  await startRooms();
  await startPayments();
  await startEscrow();
  const server = (await createListener()).listen(readListenAddress());

  shutDownOnSignal(async (left) => {
    await Promise.all([startDraining(), stopTakingJobs()]);
    closeSockets();
    await stopListening(server, Math.min(REQUESTS_MS, left() - FINAL_STEPS_MS));
    await stopRooms();
    await stopJobs(left() - FINAL_STEPS_MS);
    await stopMailer();
    await stopAudit();
    await stopBus();
    await leaveReplica();
    await database.stop();
  });
  printStartupLines(oneTimePassword);
  checkExternalServices().catch((error) =>
    log().error({ err: error }, "the external services could not be checked"),
  );
}

/**
 * An unavailable database is reported to every caller; if an unawaited promise rejects because of it, the process must go on. Any other
 * unhandled rejection is a bug and ends the process.
 */
process.on("unhandledRejection", (error) => {
  log().error({ err: error }, "unhandled promise rejection");
  if (!isUnavailable(error)) process.exit(1);
});

/** Serves the maintenance page. Nothing else starts: no database and no jobs. */
async function serveMaintenance(): Promise<void> {
  checkPort();
  const server = (await createMaintenanceListener()).listen(readListenAddress());
  shutDownOnSignal((left) => stopListening(server, Math.min(REQUESTS_MS, left())));
  printLine(`Midman is closed for maintenance at ${publicUrl()}`);
}

/** Prints the first lines on the console: the address, the administrator's one-time password, and the sandbox's address. */
function printStartupLines(oneTimePassword: string | null): void {
  const { ADMIN_USERNAME, SMTP_URL } = config();
  printLine(`Midman is at ${publicUrl()}`);
  if (oneTimePassword !== null) printLine(administratorLine(ADMIN_USERNAME, oneTimePassword));
  if (isTrial()) {
    printLine(`Sandbox, no real money: pay an invoice at ${publicUrl()}/sandbox/qpay/pay/{invoice}`);
  }
  if (isTrial() && SMTP_URL === undefined) printLine(`Sandbox mailbox: ${publicUrl()}/sandbox/mail`);
}

try {
  await startMidman();
} catch (error) {
  printLine(error instanceof Error ? error.message : String(error), "error");
  process.exit(1);
}
