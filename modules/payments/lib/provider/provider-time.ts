/** Years outside of which a moment is no payment's: the database could not date it, or no list of a day would show it. */
const [EARLIEST, LATEST] = [2020, 2199];

/**
 * Reads a moment as the provider writes it: ISO with a zone, or a plain local time, which is Ulaanbaatar's (+08:00, no
 * summer time since 2017). Null when it is neither, and for years that no payment is of.
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
