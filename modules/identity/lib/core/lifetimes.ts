const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long a session may live at most, and how long unused. An administrator's is short: it can move money. */
export function sessionLifetimes(isAdmin: boolean): { absolute: number; idle: number } {
  return isAdmin ? { absolute: 12 * hour, idle: 2 * hour } : { absolute: 30 * day, idle: 7 * day };
}

/** How long the links in our mails work. */
export const linkLifetimes = { password_reset: hour, email_verification: day } as const;

/** `lastSeenAt` is written at most this often. */
export const touchEvery = minute;
