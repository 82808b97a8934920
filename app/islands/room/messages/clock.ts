const mongolianTimeZone = "Asia/Ulaanbaatar";
// The Swedish format is `2026-11-21 18:05`: date and time in one call, the same in every browser.
const momentFormat = new Intl.DateTimeFormat("sv-SE", {
  dateStyle: "short",
  timeStyle: "short",
  timeZone: mongolianTimeZone,
});
const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });

/** `HH:mm` in Mongolian time, of an ISO 8601 time. */
export function formatClockTime(at: string): string {
  return momentFormat.format(new Date(at)).slice(-5);
}

/** `yyyy-MM-dd` in Mongolian time, of an ISO 8601 time. */
export function dayOf(at: string): string {
  return momentFormat.format(new Date(at)).slice(0, 10);
}

/**
 * Names a day relative to `today` (both `yyyy-MM-dd`): "Today", "Yesterday", otherwise by the pattern `day`. Uses numbers and English names
 * only, because browsers ship different Mongolian locales.
 */
export function dayName(
  of: string,
  today: string,
  words: { today: string; yesterday: string; day: string },
): string {
  const passed = (Date.parse(today) - Date.parse(of)) / 86_400_000;
  if (passed === 0) return words.today;
  if (passed === 1) return words.yesterday;
  const [y = "", m = "", d = ""] = of.split("-").map((part) => String(Number(part)));
  return words.day
    .replace("[month]", monthFormat.format(new Date(of)))
    .replace("[y]", y)
    .replace("[m]", m)
    .replace("[d]", d);
}
