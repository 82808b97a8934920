import { Elysia } from "elysia";
import { z } from "zod";
import { confirmRestrictionInput, liftInput, restrictInput } from "../../forms.ts";
import { done } from "../core/route-words.ts";
import { withActor } from "../core/with-actor.ts";
import { confirmRestriction } from "./confirm-restriction.ts";
import { liftRestriction } from "./lift-restriction.ts";
import * as operations from "./operations.ts";
import { restrictPerson } from "./restrict-person.ts";
import { restrictionsOf } from "./view.ts";

const at = "/api/admin/users/:id/restriction";
const params = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number),
});

/** What administrators do against who abuses Midman. */
export const restrictionRoutes = new Elysia({ name: "identity.restrictions" })
  .use(withActor)
  .get(
    `${at}s`,
    async ({ actor, params: { id } }) => {
      const answer = await restrictionsOf(actor, id);
      if (!answer.ok) return answer;
      const { ok: _, ...rest } = answer;
      return rest;
    },
    { params, detail: operations.listRestrictions },
  )
  .post(
    at,
    async ({ actor, params: { id }, body }) => {
      const answer = await restrictPerson(actor, id, body);
      return answer.ok ? done(actor, body.kind === "suspend" ? "userSuspended" : "userLimited") : answer;
    },
    { params, body: restrictInput, detail: operations.restrictUser },
  )
  .post(
    `${at}/confirm`,
    async ({ actor, params: { id }, body }) => {
      const answer = await confirmRestriction(actor, id, body);
      return answer.ok ? done(actor, "restrictionConfirmed") : answer;
    },
    { params, body: confirmRestrictionInput, detail: operations.confirm },
  )
  .post(
    `${at}/lift`,
    async ({ actor, params: { id }, body }) => {
      const answer = await liftRestriction(actor, id, body);
      return answer.ok ? done(actor, "restrictionLifted") : answer;
    },
    { params, body: liftInput, detail: operations.lift },
  );
