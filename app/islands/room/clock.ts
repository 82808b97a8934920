const time = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "Asia/Ulaanbaatar",
});

/** `HH:mm` in Mongolian time, of an ISO 8601 moment. */
export function clock(at: string): string {
  return time.format(new Date(at));
}
