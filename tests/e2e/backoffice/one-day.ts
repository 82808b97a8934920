import type { test } from "@playwright/test";
import { daySpan, formatDay } from "#format";

/**
 * Sees to it that a test begins and ends on one Mongolian day, whatever the hour: lists, files and comparisons are of a day. A
 * test that could reach midnight before its time-out waits for it, and has all of its time after it.
 */
export async function withinOneDay({ info, setTimeout }: typeof test, at = new Date()): Promise<void> {
  const left = daySpan(formatDay(at)).until.getTime() - at.getTime();
  const { timeout } = info();
  if (left > timeout) return;
  const wait = left + 1_000;
  setTimeout(timeout + wait);
  await Bun.sleep(wait);
}
