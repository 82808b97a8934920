import { type Logger, pino } from "pino";
import { readConfig } from "#config";

let logger: Logger | undefined;

/**
 * The program's own log: one JSON line each on standard error, from LOG_LEVEL up. It is for operators: what people did
 * belongs in the audit log, and nothing personal (a name, an address, an account, a token) belongs here.
 */
export function log(): Logger {
  logger ??= pino(
    { level: level(), base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
  return logger;
}

/** What goes wrong can be told even where the settings are no good. */
function level(): string {
  const read = readConfig(process.env);
  return read.ok ? read.config.LOG_LEVEL : "info";
}
