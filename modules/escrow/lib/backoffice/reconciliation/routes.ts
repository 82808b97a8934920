import { Elysia } from "elysia";
import { z } from "zod";
import {
  haltSwitchSchema,
  mongolianDaySchema,
  reconcileDaySchema,
  resolveDifferenceSchema,
} from "#forms/payments";
import { withActor } from "#modules/identity";
import * as forms from "../../../forms.ts";
import { replySuccess } from "../../core/route-replies.ts";
import { readTreasury, switchOutgoingMoney } from "../treasury/treasury.ts";
import * as calls from "./operations.ts";
import {
  askAboutDifference,
  readReconciliation,
  runReconciliation,
  settleDifference,
} from "./reconciliation.ts";

const params = forms.pathId;
const bodilessOptions = { params, parse: "none" } as const;
const beforeSchema = forms.pageQuerySchema.shape.before;

/** Routes of the reconciliation with the provider, the halt switch and the money in suspense. */
export const reconciliationRoutes = new Elysia({ name: "escrow.reconciling" })
  .use(withActor)
  .get(
    "/api/admin/reconciliation",
    async ({ actor, query }) => {
      const answer = await readReconciliation(actor, query);
      return answer.ok ? answer.reconciliation : answer;
    },
    {
      query: z.object({ day: mongolianDaySchema.optional(), before: beforeSchema }),
      detail: calls.showReconciliation,
    },
  )
  .post(
    "/api/admin/reconciliation",
    async ({ actor, body }) => {
      const answer = await runReconciliation(actor, body);
      return answer.ok ? { ...replySuccess(actor, "reconciled"), run: answer.run } : answer;
    },
    { body: reconcileDaySchema, detail: calls.compareDay },
  )
  .post(
    "/api/admin/differences/:id/resolve",
    async ({ actor, params: { id }, body }) => {
      const answer = await settleDifference(actor, id, body);
      return answer.ok ? replySuccess(actor, "differenceResolved") : answer;
    },
    { params, body: resolveDifferenceSchema, detail: calls.resolveDifference },
  )
  .post(
    "/api/admin/differences/:id/ask",
    async ({ actor, params: { id } }) => {
      const answer = await askAboutDifference(actor, id);
      return answer.ok ? replySuccess(actor, "differenceAsked") : answer;
    },
    { ...bodilessOptions, detail: calls.askAboutDifference },
  )
  .get(
    "/api/admin/money",
    async ({ actor, query }) => {
      const answer = await readTreasury(actor, query);
      return answer.ok ? answer.treasury : answer;
    },
    { query: z.object({ before: beforeSchema }), detail: calls.showTreasury },
  )
  .post(
    "/api/admin/money/halt",
    async ({ actor, body }) => {
      const answer = await switchOutgoingMoney(actor, body);
      if (!answer.ok) return answer;
      const word = body.on ? "moneyHalted" : answer.halted ? "resumeProposed" : "moneyResumed";
      return { ...replySuccess(actor, word), halted: answer.halted };
    },
    { body: haltSwitchSchema, detail: calls.haltOutgoingMoney },
  );
