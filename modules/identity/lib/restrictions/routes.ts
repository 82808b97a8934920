import { Elysia } from "elysia";
import { z } from "zod";
import { confirmRestrictionInput, liftRestrictionInput, restrictInput } from "../../forms.ts";
import { replySuccess } from "../core/route-replies.ts";
import { withActor } from "../core/with-actor.ts";
import { confirmRestriction } from "./confirm-restriction.ts";
import { liftRestriction } from "./lift-restriction.ts";
import * as operations from "./operations.ts";
import { restrictPerson } from "./restrict-person.ts";
import { restrictionsOf } from "./restriction-views.ts";

const restrictionPath = "/api/admin/users/:id/restriction";
const userParamsSchema = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number),
});

/** Restrictions that administrators place on people who abuse Midman. */
export const restrictionRoutes = new Elysia({ name: "identity.restrictions" })
  .use(withActor)
  .get(
    `${restrictionPath}s`,
    async ({ actor, params: { id } }) => {
      const answer = await restrictionsOf(actor, id);
      if (!answer.ok) return answer;
      const { ok: _, ...rest } = answer;
      return rest;
    },
    { params: userParamsSchema, detail: operations.listRestrictions },
  )
  .post(
    restrictionPath,
    async ({ actor, params: { id }, body }) => {
      const answer = await restrictPerson(actor, id, body);
      return answer.ok
        ? replySuccess(actor, body.kind === "suspend" ? "userSuspended" : "userLimited")
        : answer;
    },
    { params: userParamsSchema, body: restrictInput, detail: operations.restrictUser },
  )
  .post(
    `${restrictionPath}/confirm`,
    async ({ actor, params: { id }, body }) => {
      const answer = await confirmRestriction(actor, id, body);
      return answer.ok ? replySuccess(actor, "restrictionConfirmed") : answer;
    },
    {
      params: userParamsSchema,
      body: confirmRestrictionInput,
      detail: operations.confirmPermanentRestriction,
    },
  )
  .post(
    `${restrictionPath}/lift`,
    async ({ actor, params: { id }, body }) => {
      const answer = await liftRestriction(actor, id, body);
      return answer.ok ? replySuccess(actor, "restrictionLifted") : answer;
    },
    { params: userParamsSchema, body: liftRestrictionInput, detail: operations.liftUserRestriction },
  );
