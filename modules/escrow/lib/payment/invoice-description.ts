import { translateText } from "#locales";
import type { Trade } from "../machine/trade-types.ts";

/**
 * What the payer reads at the bank: that it is Midman's escrow, the code to look up, and the kind of goods, in both languages, with no
 * word that a member chose. Who was told to pay it for something else sees by it that they are being used (triangle fraud). At most 120
 * characters, since banks cut long ones; the provider takes 255.
 */
export function invoiceDescription({ code, goods }: Pick<Trade, "code" | "goods">): string {
  return `Midman эскроу/escrow ${code}: ${translateText("mn", `trade.goods.${goods}`)} / ${translateText("en", `trade.goods.${goods}`)}`;
}
