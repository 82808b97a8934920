/** What postgres.js says of a connection that cannot be had or was lost, and what the system says below it. */
const lost =
  /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|EAI_AGAIN)$/;

/** Postgres' own: connection exceptions (08), too many connections, shutting down or starting up (57P01 to 57P03). */
const refused = /^(08\w{3}|53300|57P0[123])$/;

/** Ours: the pool is exhausted (`turns.ts`). */
const overloaded = "OVERLOADED";

/**
 * True when an error, or what caused it, says that the database cannot be reached just now: a person may try again in a
 * minute, and nothing of ours is at fault.
 */
export function isUnavailable(error: unknown): boolean {
  return hasCode(error, (code) => code === overloaded || lost.test(code) || refused.test(code));
}

/** Like `isUnavailable`, without an exhausted pool: true only where the connection to the database failed. */
export function isLost(error: unknown): boolean {
  return hasCode(error, (code) => lost.test(code) || refused.test(code));
}

function hasCode(error: unknown, matches: (code: string) => boolean): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof AggregateError && at.errors.some((one) => hasCode(one, matches))) return true;
    const { code } = at as { code?: unknown };
    // ENOENT is also a missing file's: only that of a socket counts.
    if (code === "ENOENT" && (at as NodeJS.ErrnoException).syscall !== "connect") continue;
    if (typeof code === "string" && matches(code)) return true;
  }
  return false;
}
