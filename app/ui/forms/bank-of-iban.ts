import { mongolianBanks } from "#forms/escrow";

/**
 * The bank that an IBAN names, in the language asked for; null where it names none that we know. Places 5 to 8 are the bank: the
 * first two figures of its clearing code behind two noughts.
 */
export function bankOfIban(iban: string, language: "en" | "mn"): string | null {
  const code = /^MN\d{2}00(\d{2})\d{12}$/.exec(iban.replace(/[\s-]/g, "").toUpperCase())?.[1];
  const bank = code && mongolianBanks.find((one) => one.code?.startsWith(code));
  return bank ? bank[language] : null;
}
