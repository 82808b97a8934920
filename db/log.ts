import { type Logger, pino } from "pino";
import { readConfig } from "#config";
import { Outage } from "./client/outage.ts";

/** Suppresses repeated connection errors while the database cannot be reached. */
export const databaseOutage = new Outage((level, facts, words) => log()[level](facts, words), reasonOf);

// A suppressed line may say why the process ends. The destination is synchronous, so it can still be written here.
process.on("exit", () => databaseOutage.report());

let programLogger: Logger | undefined;

/**
 * The program's own log: JSON lines on standard error, from LOG_LEVEL up. It is for operators. What people did belongs in the audit log,
 * and no personal data (a name, an address, an account, a token) belongs here.
 */
export function log(): Logger {
  programLogger ??= pino(
    {
      ...{ level: readLogLevel(), base: null, timestamp: pino.stdTimeFunctions.isoTime },
      serializers: { err: serializeFailure },
      hooks: {
        logMethod(given, write, level) {
          const [facts, words] = given as unknown as [{ err?: unknown } | null | undefined, unknown];
          const line = {
            level: String(level),
            message: String(words),
            write: (summary: object) => write.call(this, summary, String(words)),
          };
          if (facts?.err !== undefined && databaseOutage.suppresses({ ...line, facts })) return;
          write.apply(this, given);
        },
      },
    },
    pino.destination({ dest: 2, sync: true }),
  );
  return programLogger;
}

let unfilteredLogger: Logger | undefined;

/**
 * A logger that writes info lines whatever LOG_LEVEL says, for records that others collect: erasures, and the audit log with AUDIT_LOG. A missing
 * line there would read as "nothing happened".
 */
export function unfilteredLog(): Logger {
  unfilteredLogger ??= log().child({}, { level: "info" });
  return unfilteredLogger;
}

/**
 * The log's form of something thrown. The message of a failed query contains every written value (addresses, accounts, digests of passwords
 * and tokens), as do the database's details: only statement, code and constraint are kept.
 */
export function serializeFailure(error: unknown): object {
  if (!(error instanceof Error))
    return typeof error === "object" && error !== null ? pickErrorFields(error) : {};
  const { name, stack, cause } = error;
  return {
    type: name,
    message: reasonOf(error),
    ...pickErrorFields(error),
    stack: (stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)),
    ...(cause !== undefined && { cause: serializeFailure(cause) }),
  };
}

/** The message of an error, for a failed query without its values; for a value that is no error, only its type. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\nparams: .*$/s, "") : typeof error;
}

function pickErrorFields(thrown: object): object {
  const kept = ["code", "errno", "status", "statusText", "constraint_name", "table_name"];
  return Object.fromEntries(Object.entries(thrown).filter(([name]) => kept.includes(name)));
}

/** Falls back to "info", so that errors can be logged even if the settings are invalid. */
function readLogLevel(): string {
  const read = readConfig(process.env);
  return read.ok ? read.config.LOG_LEVEL : "info";
}
