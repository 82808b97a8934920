import { call } from "#calls";
import { vaultValues } from "../core/responses.ts";
import { withVault } from "../trade/view/responses.ts";

export const seal = call({
  summary: "Seal what the buyer gets",
  group: "Exchange",
  by: "user",
  answers: withVault,
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

export const openVault = call({
  summary: "Open what was sealed",
  group: "Exchange",
  by: "user",
  answers: withVault.extend({ values: vaultValues }),
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

export const checkVault = call({
  summary: "Tick what one has made one's own",
  group: "Exchange",
  by: "user",
  answers: withVault,
  refuses: [
    "TRANSACTION_NOT_FOUND",
    "BUYER_ONLY",
    "NOT_PAID_YET",
    "VAULT_CLOSED",
    "VAULT_EMPTY",
    "VAULT_NOT_OPENED",
  ],
});
