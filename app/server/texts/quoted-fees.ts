import { quoteTrade } from "#modules/escrow";
import type { Quotes } from "../../ui/trade/types.ts";

/** What a price costs each party, by who pays the fee; null if the price is not allowed. */
export function quoteFees(amount: number): Quotes {
  const of = (feePayer: keyof Quotes) => {
    const quoted = quoteTrade(amount, feePayer);
    if (!quoted.ok) return null;
    const { buyerPays, sellerGets } = quoted.quote;
    return { buyerPays, sellerGets };
  };
  return { buyer: of("buyer"), seller: of("seller"), split: of("split") };
}
