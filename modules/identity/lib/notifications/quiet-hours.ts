import { formatTime } from "#format";
import type { NotificationPreferences } from "../core/responses.ts";
import type { UserRow } from "../core/users/find-users.ts";

const DAY = 24 * 60;

/** A person's notification preferences, from their row. */
export function notificationPreferencesOf({
  pushMessages,
  mailMessages,
  quietFrom,
  quietTo,
}: UserRow): NotificationPreferences {
  return { pushMessages, mailMessages, quietFrom: asTime(quietFrom), quietTo: asTime(quietTo) };
}

/** Whether a moment is within a person's quiet hours. */
export function isQuiet(
  notificationPreferences: Pick<NotificationPreferences, "quietFrom" | "quietTo">,
  at: Date,
): boolean {
  return quietLeft(notificationPreferences, at) > 0;
}

/** The end of the quiet hours that contain a moment; the moment itself if none do. */
export function quietUntil(
  notificationPreferences: Pick<NotificationPreferences, "quietFrom" | "quietTo">,
  at: Date,
): Date {
  return new Date(at.getTime() + quietLeft(notificationPreferences, at) * 60_000);
}

/** Minutes of quiet left, by the Mongolian clock. Quiet hours may span midnight and exclude their end time. */
function quietLeft(
  { quietFrom, quietTo }: Pick<NotificationPreferences, "quietFrom" | "quietTo">,
  at: Date,
): number {
  if (quietFrom === null || quietTo === null) return 0;
  const from = asMinutes(quietFrom);
  const length = (asMinutes(quietTo) - from + DAY) % DAY;
  const passed = (asMinutes(formatTime(at)) - from + DAY) % DAY;
  return passed < length ? length - passed : 0;
}

/** Minutes since midnight of an "HH:mm". */
export function asMinutes(time: string): number {
  const [hours, minutes] = time.split(":").map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}

function asTime(minutes: number | null): string | null {
  if (minutes === null) return null;
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
