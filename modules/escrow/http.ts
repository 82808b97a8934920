import { Elysia } from "elysia";
import { payoutRoutes } from "./lib/backoffice/payouts/routes.ts";
import { reconciliationRoutes } from "./lib/backoffice/reconciliation/routes.ts";
import { settlementRoutes } from "./lib/backoffice/settlements/routes.ts";
import {
  adminDecisionRoutes,
  adminTransactionRoutes,
  mediationRoutes,
} from "./lib/backoffice/transactions/routes.ts";
import { adminUserRoutes } from "./lib/backoffice/users/routes.ts";
import { disputeRoutes } from "./lib/disputes/routes.ts";
import { evidenceRoutes } from "./lib/evidence/routes.ts";
import { headRoutes } from "./lib/heads/routes.ts";
import { holdRoutes } from "./lib/holds/routes.ts";
import { callbackRoutes, qpayRoutes } from "./lib/payment/routes.ts";
import { reportRoutes } from "./lib/reports/routes.ts";
import { supportRoutes } from "./lib/support/routes.ts";
import { exchangeRoutes, informationRoutes } from "./lib/trade/exchange-routes.ts";
import { messageRoutes, paymentRequestRoutes, tradeRoutes } from "./lib/trade/routes.ts";
import { vaultRoutes } from "./lib/vault/routes.ts";

/** Escrow's part of the API. Routes return refusals as they are: the listener adds their texts. */
export const escrowRoutes = new Elysia({ name: "escrow.http" })
  .use(tradeRoutes)
  .use(messageRoutes)
  .use(paymentRequestRoutes)
  .use(informationRoutes)
  .use(exchangeRoutes)
  .use(vaultRoutes)
  .use(disputeRoutes)
  .use(evidenceRoutes)
  .use(headRoutes)
  .use(qpayRoutes)
  .use(callbackRoutes)
  .use(adminTransactionRoutes)
  .use(adminDecisionRoutes)
  .use(mediationRoutes)
  .use(adminUserRoutes)
  .use(payoutRoutes)
  .use(holdRoutes)
  .use(reconciliationRoutes)
  .use(settlementRoutes)
  .use(supportRoutes)
  .use(reportRoutes);
