import { Elysia } from "elysia";
import { z } from "zod";
import { settlementSchema, stepReasonSchema } from "#forms/payments";
import { withActor } from "#modules/identity";
import * as forms from "../../../forms.ts";
import { replySuccess } from "../../core/route-replies.ts";
import { discardSettlementEntry, enterSettlement } from "./enter-settlement.ts";
import * as calls from "./operations.ts";
import { readSettlements } from "./settlement-view.ts";

/** Routes of QPay's settlements to Midman's bank account, as administrators saw them on the statement. */
export const settlementRoutes = new Elysia({ name: "escrow.settling" })
  .use(withActor)
  .get(
    "/api/admin/settlements",
    async ({ actor, query }) => {
      const answer = await readSettlements(actor, query);
      return answer.ok ? answer.settlements : answer;
    },
    { query: z.object({ before: forms.pageQuerySchema.shape.before }), detail: calls.listSettlements },
  )
  .post(
    "/api/admin/settlements",
    async ({ actor, body }) => {
      const answer = await enterSettlement(actor, body);
      if (!answer.ok) return answer;
      const word = answer.state === "recorded" ? "settlementRecorded" : "settlementProposed";
      return { ...replySuccess(actor, word), state: answer.state };
    },
    { body: settlementSchema, detail: calls.enterSettlement },
  )
  .post(
    "/api/admin/settlements/:id/lay-aside",
    async ({ actor, params: { id }, body }) => {
      const answer = await discardSettlementEntry(actor, id, body);
      return answer.ok ? replySuccess(actor, "settlementLaidAside") : answer;
    },
    { params: forms.pathId, body: stepReasonSchema, detail: calls.dismissSettlement },
  );
