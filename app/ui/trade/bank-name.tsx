import type { Language } from "#format";
import { mongolianBanks } from "#forms/escrow";
import { useLanguage } from "../frame/i18n.tsx";

/** A bank's name as somebody wrote it, marked with its language where that is not the page's, so that a screen reader says it right. */
export function BankName({ name }: { name: string }) {
  const language = useLanguage();
  const written = languageOf(name);
  return written === undefined || written === language ? name : <span lang={written}>{name}</span>;
}

/** The language in which a known bank is named; of another name, only Mongolian can be told, by its letters. */
function languageOf(name: string): Language | undefined {
  const written = name.trim().toLowerCase();
  const bank = mongolianBanks.find(({ en, mn }) => [en, mn].some((one) => one.toLowerCase() === written));
  if (bank !== undefined) return bank.en.toLowerCase() === written ? "en" : "mn";
  return /\p{sc=Cyrl}/u.test(name) ? "mn" : undefined;
}
