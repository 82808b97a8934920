import { describeCall } from "#calls";
import { vaultValuesSchema } from "../core/responses.ts";
import { vaultReplySchema } from "../trade/view/responses.ts";
import type * as check from "./check-vault.ts";
import type * as open from "./open-vault.ts";
import type * as seal from "./seal-vault.ts";

export const sealVault = describeCall<typeof seal.sealVault>({
  summary: "Add what the buyer gets to the vault",
  group: "Exchange",
  by: "user",
  answers: vaultReplySchema,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    SELLER_ONLY: true,
    NOT_PAID_YET: true,
    VAULT_CLOSED: true,
    CANCELLATION_PENDING: true,
    TRADE_ON_HOLD: true,
    VAULT_CHANGED: true,
    THROTTLED: true,
  },
});

export const openVault = describeCall<typeof open.openVault>({
  summary: "Open the vault",
  group: "Exchange",
  by: "user",
  answers: vaultReplySchema.extend({ values: vaultValuesSchema }),
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    BUYER_ONLY: true,
    NOT_PAID_YET: true,
    VAULT_CLOSED: true,
    VAULT_EMPTY: true,
    DISPUTE_OPEN: true,
    CANCELLATION_PENDING: true,
    TRADE_ON_HOLD: true,
    VAULT_UNREADABLE: true,
    THROTTLED: true,
  },
});

export const checkVault = describeCall<typeof check.checkVault>({
  summary: "Update the account-security checklist",
  group: "Exchange",
  by: "user",
  answers: vaultReplySchema,
  refuses: {
    TRANSACTION_NOT_FOUND: true,
    BUYER_ONLY: true,
    NOT_PAID_YET: true,
    VAULT_CLOSED: true,
    VAULT_EMPTY: true,
    VAULT_NOT_OPENED: true,
  },
});
