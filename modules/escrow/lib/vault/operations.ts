import { describeCall } from "#calls";
import { vaultValuesSchema } from "../core/responses.ts";
import { vaultReplySchema } from "../trade/view/responses.ts";

export const sealVault = describeCall({
  summary: "Add what the buyer gets to the vault",
  group: "Exchange",
  by: "user",
  answers: vaultReplySchema,
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "SELLER_ONLY",
    "NOT_PAID_YET",
    "VAULT_CLOSED",
    "CANCELLATION_PENDING",
    "TRADE_ON_HOLD",
    "THROTTLED",
  ],
});

export const openVault = describeCall({
  summary: "Open the vault",
  group: "Exchange",
  by: "user",
  answers: vaultReplySchema.extend({ values: vaultValuesSchema }),
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "BUYER_ONLY",
    "NOT_PAID_YET",
    "VAULT_CLOSED",
    "VAULT_EMPTY",
    "TRADE_ON_HOLD",
    "VAULT_UNREADABLE",
    "THROTTLED",
  ],
});

export const checkVault = describeCall({
  summary: "Tick the items of the checklist after opening the vault",
  group: "Exchange",
  by: "user",
  answers: vaultReplySchema,
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "BUYER_ONLY",
    "NOT_PAID_YET",
    "VAULT_CLOSED",
    "VAULT_EMPTY",
    "VAULT_NOT_OPENED",
  ],
});
