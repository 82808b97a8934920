import { quoteTrade } from "#modules/escrow";
import { packRefusal } from "../../server/pages/posted-forms.ts";
import { parseAmount } from "../../server/texts/parse-amount.ts";

const feePayerOptions = ["buyer", "seller", "split"] as const;
type Payer = (typeof feePayerOptions)[number];

/** What a price costs each party, in whole ₮. */
interface Cost {
  amount: number;
  fee: number;
  buyerPays: number;
  sellerGets: number;
}

/** The fee calculator as the landing page shows it. */
export interface FeeCalculation {
  /** The amount as typed. */
  typed: string;
  payer: Payer;
  /** A packed message if the amount is not possible. */
  error: string | null;
  cost: Cost | null;
  examples: Cost[];
}

const exampleAmounts = [20_000, 50_000, 200_000, 1_000_000];
const firstExampleAmount = 200_000;

/** Reads `?amount=…&payer=…` and quotes it by the fee policy in force. Without an amount it quotes an example. */
export function calculateFees(query: URLSearchParams): FeeCalculation {
  const payer = feePayerOptions.find((one) => one === query.get("payer")) ?? "buyer";
  const typed = (query.get("amount") ?? String(firstExampleAmount)).slice(0, 40);
  const quoted = costOf(parseAmount(typed), payer);
  const examples = exampleAmounts
    .map((amount) => costOf(amount, payer))
    .filter((cost) => typeof cost !== "string");
  return typeof quoted === "string"
    ? { typed, payer, error: quoted, cost: null, examples }
    : { typed, payer, error: null, cost: quoted, examples };
}

/** What a price costs; the packed message of a refused one. */
function costOf(amount: number, payer: Payer): Cost | string {
  const done = quoteTrade(amount, payer);
  if (!done.ok) return packRefusal(done);
  const { fee, buyerPays, sellerGets } = done.quote;
  return { amount, fee, buyerPays, sellerGets };
}
