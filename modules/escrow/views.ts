export type { PayoutMoment, PayoutRow, PayoutView } from "./lib/backoffice/payouts/payout-view.ts";
export type { PayoutTask, Sender } from "./lib/backoffice/payouts/responses.ts";
export type { CorrectionView } from "./lib/backoffice/transfers/account-correction.ts";
