import type { Language } from "#format";
import { mongolianBanks } from "#forms/escrow";

/**
 * The name, in the given language, of the bank in an IBAN; null if it is unknown. Positions 5 to 8 identify the bank: two zeros and the
 * first two digits of its clearing code.
 */
export function bankOfIban(iban: string, language: Language): string | null {
  const code = /^MN\d{2}00(\d{2})\d{12}$/.exec(iban.replace(/[\s-]/g, "").toUpperCase())?.[1];
  const bank = code && mongolianBanks.find((one) => one.code?.startsWith(code));
  return bank ? bank[language] : null;
}
