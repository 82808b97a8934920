const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long a session may live at most, and how long unused. An administrator's is short: it can move money. */
export function sessionLifetimes(isAdmin: boolean): { absolute: number; idle: number } {
  return isAdmin ? { absolute: 12 * hourMs, idle: 2 * hourMs } : { absolute: 30 * dayMs, idle: 7 * dayMs };
}

/** How long the links in our mails work. */
export const linkLifetimes = { password_reset: hourMs, email_verification: dayMs } as const;

/** `lastSeenAt` is written at most this often. */
export const touchIntervalMs = minuteMs;
