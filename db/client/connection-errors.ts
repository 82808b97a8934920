import { DrizzleQueryError } from "drizzle-orm";

/** Codes of postgres.js, and of the system below it, for a connection that cannot be opened or was lost. */
const lostConnectionCodes =
  /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|EAI_AGAIN)$/;

/** Codes of Postgres: connection exceptions (08), too many connections, shutting down or starting up (57P01 to 57P03). */
const refusedConnectionCodes = /^(08\w{3}|53300|57P0[123])$/;

/** Code of Postgres: the disk is full, so it can read but not write. */
const diskFullCode = "53100";

/** Midman's own code: the pool is exhausted (`db/client/transaction-turns.ts`). */
const overloadedCode = "OVERLOADED";

/**
 * True if an error or one of its causes says that the database cannot be reached, or cannot write, at the moment. It is not a bug, and a
 * person may try again in a minute.
 */
export function isUnavailable(error: unknown): boolean {
  return hasCode(
    error,
    (code) =>
      [overloadedCode, diskFullCode].includes(code) ||
      lostConnectionCodes.test(code) ||
      refusedConnectionCodes.test(code),
  );
}

/**
 * True only where the connection to the database failed: not for an exhausted pool, nor for a lost connection to another server. A code of the
 * system (ECONNRESET) counts only in the error of a query or in its causes.
 */
export function isLost(error: unknown): boolean {
  return isLostAt(error, false, 0);
}

/** Codes of postgres.js that neither the system nor another library uses. */
const driverCodes = /^CONNECT(?:ION_(?:CLOSED|ENDED|DESTROYED)|_TIMEOUT)$/;

function isLostAt(error: unknown, inQuery: boolean, depth: number): boolean {
  if (!(error instanceof Error) || depth >= 5) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const ofQuery = inQuery || isQueryError(error);
  if (typeof code === "string") {
    if (
      driverCodes.test(code) ||
      refusedConnectionCodes.test(code) ||
      (ofQuery && lostConnectionCodes.test(code))
    )
      return true;
  }
  const isLostBelow = (one: unknown) => isLostAt(one, ofQuery, depth + 1);
  const several = error instanceof AggregateError ? error.errors : [];
  if (several.length === 0) return isLostBelow(cause);
  // One query may have tried several addresses. Errors of several tasks must all be lost connections.
  return ofQuery ? several.some(isLostBelow) : several.every(isLostBelow);
}

/** An error of Drizzle or of the driver: postgres.js sets the query and its parameters on every error that it rejects a query with. */
function isQueryError(error: Error): boolean {
  return error instanceof DrizzleQueryError || ("query" in error && "parameters" in error);
}

function hasCode(error: unknown, matches: (code: string) => boolean): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof AggregateError && at.errors.some((one) => hasCode(one, matches))) return true;
    const { code } = at as { code?: unknown };
    // A missing file is ENOENT too; only that of a socket counts.
    if (code === "ENOENT" && (at as NodeJS.ErrnoException).syscall !== "connect") continue;
    if (typeof code === "string" && matches(code)) return true;
  }
  return false;
}
