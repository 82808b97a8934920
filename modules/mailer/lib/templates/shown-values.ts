import { formatLongMoment, formatMoney } from "#format";
import type { Language } from "#locales";
import { localText } from "./local-text.ts";
import { resolveOwnLink } from "./own-links.ts";

const sumNames: readonly string[] = ["amount", "fee", "total", "refund", "payout"];

/**
 * The values as the mail shows them: amounts in ₮ (empty for zero; the price, which is in a sentence, does not break), times in Ulaanbaatar
 * time, absolute links.
 */
export function shownValues(
  data: Record<string, string | number>,
  language: Language,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, shownValue(name, value, language)]),
  );
}

function shownValue(name: string, value: string | number, language: Language): string {
  if (name === "price") return value === 0 ? "" : formatMoney(Number(value)).replaceAll(" ", "\u00a0");
  if (sumNames.includes(name)) return value === 0 ? "" : formatMoney(Number(value));
  if (name === "deadline" || name === "moment")
    // Empty if there is no deadline: the mail then shows none.
    return value === ""
      ? ""
      : localText(language, "mail.common.time", { time: formatLongMoment(String(value), language) });
  // Empty if the mail has no link.
  if (name !== "url" || value === "") return String(value);
  const link = resolveOwnLink(String(value));
  if (link === undefined) throw new Error("mailer: a link that leads elsewhere");
  return link;
}
