const mongolianTimeZone = "Asia/Ulaanbaatar";
// Swedes write a moment as `2026-11-21 18:05`: one look gives both, the same in every browser.
const momentFormat = new Intl.DateTimeFormat("sv-SE", {
  dateStyle: "short",
  timeStyle: "short",
  timeZone: mongolianTimeZone,
});
const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });

/** `HH:mm` in Mongolian time, of an ISO 8601 moment. */
export function formatClockTime(at: string): string {
  return momentFormat.format(new Date(at)).slice(-5);
}

/** `yyyy-MM-dd` in Mongolian time, of an ISO 8601 moment. */
export function dayOf(at: string): string {
  return momentFormat.format(new Date(at)).slice(0, 10);
}

/**
 * A day as people call it, beside the day that is today (both `yyyy-MM-dd`): "Today", "Yesterday", else by the pattern
 * `day`. Made of numbers and English names alone, for browsers know Mongolian in different editions.
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
