import { config } from "#config";
import { dayInWords, daySpan } from "#format";
import type { Language } from "#locales";

/** The day from which announced terms or an announced privacy policy apply, in words; null if none is announced or the day has come. */
export function announcedChange(now: Date, language: Language): string | null {
  const day = config().DOCUMENTS_CHANGE_ON;
  if (day === undefined || now >= daySpan(day).from) return null;
  return dayInWords(day, language);
}
