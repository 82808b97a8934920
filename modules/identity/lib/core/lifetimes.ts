const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Maximum and idle lifetime of a session (ms). An administrator's is short, since it can move money. */
export function sessionLifetimes(isAdmin: boolean): { absolute: number; idle: number } {
  return isAdmin ? { absolute: 12 * hourMs, idle: 2 * hourMs } : { absolute: 30 * dayMs, idle: 7 * dayMs };
}

/** How long mailed links work (ms). */
export const linkLifetimes = { password_reset: hourMs, email_verification: dayMs } as const;

/** `lastSeenAt` is written at most this often (ms). */
export const touchIntervalMs = minuteMs;
