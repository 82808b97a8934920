import { formatMoment } from "#format";
import type { NotificationPreferences } from "../../forms.ts";
import type { UserRow } from "../core/users/find-users.ts";

const DAY = 24 * 60;

/** How a person wants to be told, as it stands in their row. */
export function notificationPreferencesOf({
  pushMessages,
  mailMessages,
  quietFrom,
  quietTo,
}: UserRow): NotificationPreferences {
  return { pushMessages, mailMessages, quietFrom: asTime(quietFrom), quietTo: asTime(quietTo) };
}

/** Whether a moment lies in a person's quiet hours. */
export function isQuiet(telling: Pick<NotificationPreferences, "quietFrom" | "quietTo">, at: Date): boolean {
  return quietLeft(telling, at) > 0;
}

/** The end of the quiet hours that a moment lies in; the moment itself when it lies in none. */
export function quietUntil(telling: Pick<NotificationPreferences, "quietFrom" | "quietTo">, at: Date): Date {
  return new Date(at.getTime() + quietLeft(telling, at) * 60_000);
}

/** Minutes of quiet that are left, by Mongolia's clock; the hours may go over midnight, and their last minute is no more quiet. */
function quietLeft(
  { quietFrom, quietTo }: Pick<NotificationPreferences, "quietFrom" | "quietTo">,
  at: Date,
): number {
  if (quietFrom === null || quietTo === null) return 0;
  const from = asMinutes(quietFrom);
  const length = (asMinutes(quietTo) - from + DAY) % DAY;
  const passed = (asMinutes(formatMoment(at).slice(-5)) - from + DAY) % DAY;
  return passed < length ? length - passed : 0;
}

/** The minute of the day of an "HH:mm". */
export function asMinutes(time: string): number {
  const [hours, minutes] = time.split(":").map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}

function asTime(minutes: number | null): string | null {
  if (minutes === null) return null;
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
