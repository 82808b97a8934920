import { Elysia } from "elysia";
import { z } from "zod";
import { day, halt, reconcile, resolveDifference } from "#forms/payments";
import { withActor } from "#modules/identity";
import * as forms from "../../../forms.ts";
import { done } from "../../core/route-words.ts";
import { moneyDesk, switchMoney } from "../treasury/treasury.ts";
import * as calls from "./operations.ts";
import { askAboutDifference, reconciliation, runReconciliation, settleDifference } from "./reconciliation.ts";

const params = forms.pathId;
const bare = { params, parse: "none" } as const;
const before = forms.page.shape.before;

/** The provider's list against our books, the halt switch and the money of no trade (design §6). */
export const reconciling = new Elysia({ name: "escrow.reconciling" })
  .use(withActor)
  .get(
    "/api/admin/reconciliation",
    async ({ actor, query }) => {
      const answer = await reconciliation(actor, query);
      return answer.ok ? answer.reconciliation : answer;
    },
    { query: z.object({ day: day.optional(), before }), detail: calls.show },
  )
  .post(
    "/api/admin/reconciliation",
    async ({ actor, body }) => {
      const answer = await runReconciliation(actor, body);
      return answer.ok ? { ...done(actor, "reconciled"), run: answer.run } : answer;
    },
    { body: reconcile, detail: calls.compare },
  )
  .post(
    "/api/admin/differences/:id/resolve",
    async ({ actor, params: { id }, body }) => {
      const answer = await settleDifference(actor, id, body);
      return answer.ok ? done(actor, "differenceResolved") : answer;
    },
    { params, body: resolveDifference, detail: calls.resolveDifference },
  )
  .post(
    "/api/admin/differences/:id/ask",
    async ({ actor, params: { id } }) => {
      const answer = await askAboutDifference(actor, id);
      return answer.ok ? done(actor, "differenceAsked") : answer;
    },
    { ...bare, detail: calls.askAboutDifference },
  )
  .get(
    "/api/admin/money",
    async ({ actor, query }) => {
      const answer = await moneyDesk(actor, query);
      return answer.ok ? answer.desk : answer;
    },
    { query: z.object({ before }), detail: calls.desk },
  )
  .post(
    "/api/admin/money/halt",
    async ({ actor, body }) => {
      const answer = await switchMoney(actor, body);
      if (!answer.ok) return answer;
      const word = body.on ? "moneyHalted" : answer.halted ? "resumeProposed" : "moneyResumed";
      return { ...done(actor, word), halted: answer.halted };
    },
    { body: halt, detail: calls.halt },
  );
