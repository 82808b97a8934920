import { translateText } from "#locales";
import type { Trade } from "../machine/trade-types.ts";

/**
 * What the payer reads at the bank: Midman's escrow, the code to look up, and the kind of goods, in both languages, without any text that a
 * member wrote. It shows a payer who was told to pay for something else that they are being used (triangle fraud). At most 120 characters,
 * because banks cut longer texts; the provider accepts 255.
 */
export function invoiceDescription({ code, goods }: Pick<Trade, "code" | "goods">): string {
  return `Midman эскроу/escrow ${code}: ${translateText("mn", `trade.goods.${goods}`)} / ${translateText("en", `trade.goods.${goods}`)}`;
}
