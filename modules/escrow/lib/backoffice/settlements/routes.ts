import { Elysia } from "elysia";
import { z } from "zod";
import { because, settlement } from "#forms/payments";
import { withActor } from "#modules/identity";
import * as forms from "../../../forms.ts";
import { done } from "../../core/route-words.ts";
import { enterSettlement, setSettlementAside } from "./enter-settlement.ts";
import * as calls from "./operations.ts";
import { settlements } from "./settlement-view.ts";

/** What QPay settled to our bank account, as administrators saw it on the statement (design §6). */
export const settling = new Elysia({ name: "escrow.settling" })
  .use(withActor)
  .get(
    "/api/admin/settlements",
    async ({ actor, query }) => {
      const answer = await settlements(actor, query);
      return answer.ok ? answer.settlements : answer;
    },
    { query: z.object({ before: forms.page.shape.before }), detail: calls.listSettlements },
  )
  .post(
    "/api/admin/settlements",
    async ({ actor, body }) => {
      const answer = await enterSettlement(actor, body);
      if (!answer.ok) return answer;
      const word = answer.state === "recorded" ? "settlementRecorded" : "settlementProposed";
      return { ...done(actor, word), state: answer.state };
    },
    { body: settlement, detail: calls.enter },
  )
  .post(
    "/api/admin/settlements/:id/lay-aside",
    async ({ actor, params: { id }, body }) => {
      const answer = await setSettlementAside(actor, id, body);
      return answer.ok ? done(actor, "settlementLaidAside") : answer;
    },
    { params: forms.pathId, body: because, detail: calls.dismissSettlement },
  );
