import { Elysia } from "elysia";
import { resolveHoldSchema, stepReasonSchema } from "#forms/payments";
import { withActor } from "#modules/identity";
import * as forms from "../../forms.ts";
import { replySuccess } from "../core/route-replies.ts";
import { transactionView } from "../trade/view/transaction-view.ts";
import * as operations from "./operations.ts";
import { reportFraud } from "./report-fraud.ts";
import { resolveTradeHold } from "./resolve-hold.ts";
import { holdsOfTrade, tradesOnHold } from "./view.ts";

/** Routes of a trade's holds: the open ones with all their facts, and their resolution. */
export const holdRoutes = new Elysia({ name: "escrow.holds" })
  .use(withActor)
  .get("/api/admin/holds", async ({ actor }) => withoutOk(await tradesOnHold(actor)), {
    detail: operations.listHolds,
  })
  .get(
    "/api/admin/transactions/:id/holds",
    async ({ actor, params: { id } }) => withoutOk(await holdsOfTrade(actor, id)),
    { params: forms.pathId, detail: operations.listTradeHolds },
  )
  .post(
    "/api/admin/transactions/:id/hold",
    async ({ actor, params: { id }, body }) => {
      const answer = await reportFraud(actor, id, body);
      return answer.ok
        ? { ...replySuccess(actor, "putOnHold"), transaction: transactionView(answer.trade) }
        : answer;
    },
    { params: forms.pathId, body: stepReasonSchema, detail: operations.putOnHold },
  )
  .post(
    "/api/admin/holds/:id/resolve",
    async ({ actor, params: { id }, body }) => {
      const answer = await resolveTradeHold(actor, id, body);
      if (!answer.ok) return answer;
      return {
        ...replySuccess(actor, answer.state === "closed" ? "holdResolved" : "holdProposed"),
        state: answer.state,
      };
    },
    { params: forms.pathId, body: resolveHoldSchema, detail: operations.resolveHold },
  );

function withoutOk<T extends { ok: boolean }>(answer: T) {
  if (!answer.ok) return answer;
  const { ok: _, ...rest } = answer;
  return rest;
}
