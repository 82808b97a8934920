import { type Logger, pino } from "pino";
import { config } from "#config";

let logger: Logger | undefined;

/**
 * The program's own log: one JSON line each on standard error, from LOG_LEVEL up. It is for operators: what people did
 * belongs in the audit log, and nothing personal (a name, an address, an account, a token) belongs here.
 */
export function log(): Logger {
  logger ??= pino(
    { level: config().LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
  return logger;
}
