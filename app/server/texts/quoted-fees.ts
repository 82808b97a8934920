import { quoteTrade } from "#modules/escrow";
import type { Quotes } from "../../ui/trade/types.ts";

/** What a price costs each side by who pays the fee; null where it cannot be asked for. */
export function quoteFees(amount: number): Quotes {
  const of = (feePayer: keyof Quotes) => {
    const quoted = quoteTrade(amount, feePayer);
    if (!quoted.ok) return null;
    const { buyerPays, sellerGets } = quoted.quote;
    return { buyerPays, sellerGets };
  };
  return { buyer: of("buyer"), seller: of("seller"), split: of("split") };
}
