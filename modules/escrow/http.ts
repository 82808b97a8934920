import { Elysia } from "elysia";
import { payingOut } from "./lib/backoffice/payouts/routes.ts";
import { reconciling } from "./lib/backoffice/reconciliation/routes.ts";
import { settling } from "./lib/backoffice/settlements/routes.ts";
import { deciding, mediating, overseeing } from "./lib/backoffice/transactions/routes.ts";
import { overseeingUsers } from "./lib/backoffice/users/routes.ts";
import { disputing } from "./lib/disputes/routes.ts";
import { evidencing } from "./lib/evidence/routes.ts";
import { headRoutes } from "./lib/heads/routes.ts";
import { holdRoutes } from "./lib/holds/routes.ts";
import { callback, qpay } from "./lib/payment/routes.ts";
import { reportRoutes } from "./lib/reports/routes.ts";
import { supporting } from "./lib/support/routes.ts";
import { exchanging, informing } from "./lib/trade/exchange-routes.ts";
import { paying, reading, talking } from "./lib/trade/routes.ts";
import { vaulting } from "./lib/vault/routes.ts";

/** Escrow's part of the API (specification §7). Refusals leave as they are: the listener words them. */
export const escrowHttp = new Elysia({ name: "escrow.http" })
  .use(reading)
  .use(talking)
  .use(paying)
  .use(informing)
  .use(exchanging)
  .use(vaulting)
  .use(disputing)
  .use(evidencing)
  .use(headRoutes)
  .use(qpay)
  .use(callback)
  .use(overseeing)
  .use(deciding)
  .use(mediating)
  .use(overseeingUsers)
  .use(payingOut)
  .use(holdRoutes)
  .use(reconciling)
  .use(settling)
  .use(supporting)
  .use(reportRoutes);
