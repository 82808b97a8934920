import { Elysia } from "elysia";
import { evidencing } from "./lib/evidence/http.ts";
import { headRoutes } from "./lib/heads/http.ts";
import { holdRoutes } from "./lib/holds/routes.ts";
import { deciding, mediating, overseeing } from "./lib/http.admin.ts";
import { disputing } from "./lib/http.disputes.ts";
import { exchanging, informing } from "./lib/http.exchange.ts";
import { payingOut } from "./lib/http.payouts.ts";
import { callback, qpay } from "./lib/http.qpay.ts";
import { reconciling } from "./lib/http.reconciliation.ts";
import { settling } from "./lib/http.settlements.ts";
import { supporting } from "./lib/http.support.ts";
import { paying, reading, talking } from "./lib/http.trades.ts";
import { overseeingUsers } from "./lib/http.users.ts";
import { reportRoutes } from "./lib/reports/routes.ts";
import { vaulting } from "./lib/vault/http.ts";

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
