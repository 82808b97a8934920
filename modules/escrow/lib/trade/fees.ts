import { config } from "#config";
import { MAX_AMOUNT } from "../core/form-fields.ts";
import type { FeePayer, FeePolicy, TradeFigures } from "../machine/trade-types.ts";

/** The figures of both fee policies: whole tugrik, and percent of the amount. */
export const feeRules = {
  minimum: 5_000,
  standard: { flatUpTo: 50_000, percent: 5, atMost: 20 },
  terms: { percent: 7 },
} as const;

/**
 * The fee in whole tugrik. `standard`: 5,000 for amounts up to 50,000; above that 5,000 + 5%, at most 20% of the amount, rounded. `terms`:
 * 7%, at least 5,000, rounded. An amount that is no positive number costs 5,000.
 */
export function feeOf(amount: number, policy: FeePolicy = config().FEE_POLICY): number {
  const { minimum, standard, terms } = feeRules;
  if (!Number.isFinite(amount)) return minimum;
  if (policy === "terms") return Math.max(minimum, Math.round((amount * terms.percent) / 100));
  if (amount <= standard.flatUpTo) return minimum;
  return Math.round(Math.min(minimum + (amount * standard.percent) / 100, (amount * standard.atMost) / 100));
}

/** The amounts of a trade as the payment box, the calculator and the API show them; all in whole tugrik. */
export type Quote = TradeFigures & {
  /** What the buyer is charged: the gross. */
  buyerPays: number;
  /** What the seller gets: the net. */
  sellerGets: number;
  /** The buyer's part of the fee. */
  buyerFee: number;
};

export type QuoteResult =
  | { ok: true; quote: Quote }
  | { ok: false; code: "NET_TOO_SMALL" | "AMOUNT_INVALID" }
  | AmountTooLarge;

/** The refusal of an amount above the limit; its text names the limit. */
type AmountTooLarge = {
  ok: false;
  code: "AMOUNT_INVALID";
  textKey: "validation.amountMost" | "validation.grossMost";
  params: { max: number };
};

const tooLarge = (textKey: AmountTooLarge["textKey"]): AmountTooLarge => ({
  ok: false,
  code: "AMOUNT_INVALID",
  textKey,
  params: { max: MAX_AMOUNT },
});

/**
 * What a trade of `amount` costs each party; the odd tugrik of a split fee is the buyer's. Refuses AMOUNT_INVALID for anything but 1 …
 * 999,999,999 whole tugrik, fee included, and NET_TOO_SMALL if nothing would be left for the seller.
 */
export function quoteTrade(
  amount: number,
  feePayer: FeePayer,
  policy: FeePolicy = config().FEE_POLICY,
): QuoteResult {
  if (!Number.isInteger(amount) || amount < 1) return { ok: false, code: "AMOUNT_INVALID" };
  if (amount > MAX_AMOUNT) return tooLarge("validation.amountMost");
  const fee = feeOf(amount, policy);
  const buyerFee = { buyer: fee, seller: 0, split: Math.ceil(fee / 2) }[feePayer];
  const gross = amount + buyerFee;
  const net = gross - fee;
  if (net < 1) return { ok: false, code: "NET_TOO_SMALL" };
  if (gross > MAX_AMOUNT) return tooLarge("validation.grossMost");
  const figures: TradeFigures = { amount, fee, feePayer, feePolicy: policy, gross, net };
  return { ok: true, quote: { ...figures, buyerPays: gross, sellerGets: net, buyerFee } };
}
