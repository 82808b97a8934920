/** The range of years of a plausible payment: outside it the database could not store the time, or no daily list would show it. */
const [EARLIEST, LATEST] = [2020, 2199];

/**
 * Reads a time as the provider writes it: ISO with a zone, or local time without one, which is Ulaanbaatar time (+08:00, no daylight saving
 * since 2017). Null for any other text, and for years outside the range.
 */
export function readProviderTime(text: string | null | undefined): Date | null {
  const parts = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?$/i.exec(
    text?.trim() ?? "",
  );
  if (parts === null) return null;
  const moment = new Date(`${parts[1]}T${parts[2]}${parts[3] ?? "+08:00"}`);
  const year = moment.getUTCFullYear();
  return year >= EARLIEST && year <= LATEST ? moment : null;
}
