import { z } from "zod";
import { isDay } from "#format";
import { shownDestinationFields } from "#forms/payments";
import {
  bankReference,
  lineSchema,
  optionalSchema,
  pageQuerySchema,
  tradeFieldLimits,
  typedSumSchema,
  vaultShownSchema,
} from "../../core/form-fields.ts";

/** Body of POST …/complete: empty, or the account and the state of the vault that were shown. */
export const completeTradeSchema = z.object(
  { ...shownDestinationFields, vaultShown: vaultShownSchema },
  "validation.object",
);

/** Body of POST …/settle: the bank's reference of the transfer, and optionally the account that was shown. */
export const settleTradeSchema = z.object({ bankReference, ...shownDestinationFields }, "validation.object");

/** Body of POST …/cancel: empty, or what the administrator knew of the vault. */
export const cancelAsAdministratorSchema = z.object({ vaultShown: vaultShownSchema }, "validation.object");

/** Body of POST …/pay-seller, and the page's form for each decision about held money: the typed sum, and what was known of the vault. */
export const decideHeldMoneySchema = z.object(
  { sum: typedSumSchema, vaultShown: vaultShownSchema },
  "validation.object",
);

/** The states of a trade's money by which the administrators' transaction list can be filtered, as its rows show them. */
export const moneyFilters = [
  "waiting",
  "held",
  "disputed",
  "released",
  "refunding",
  "returned",
  "none",
] as const;
export type MoneyFilter = (typeof moneyFilters)[number];
const moneyFilterSchema = z.enum(moneyFilters, "validation.invalid");
/** The list's filter by the state of the money, in its address. */
export const listMoneyFilterSchema = optionalSchema(moneyFilterSchema);

/** The orders of that list. */
export const transactionSorts = ["newest", "oldest", "largest", "smallest"] as const;
export type TransactionSort = (typeof transactionSorts)[number];

const daySchema = z.string("validation.day").refine(isDay, "validation.day");

/**
 * Query of the administrators' transaction list: one status or a name for several; text of the code, the description or a party's username;
 * the state of the money (`held` until a refund is sent); and the first and last day, in Mongolian time.
 */
export const transactionFilterSchema = pageQuerySchema.extend({
  status: optionalSchema(lineSchema(tradeFieldLimits.name)),
  search: optionalSchema(lineSchema(tradeFieldLimits.name)),
  money: optionalSchema(moneyFilterSchema.exclude(["refunding"])),
  from: optionalSchema(daySchema),
  to: optionalSchema(daySchema),
  sort: optionalSchema(z.enum(transactionSorts, "validation.invalid")),
});
