import { Elysia } from "elysia";
import { withActor } from "#modules/identity";
import * as forms from "../../forms.ts";
import { askSupport } from "./ask-support.ts";
import * as calls from "./operations.ts";

/** The route of support requests, open to everyone. */
export const supportRoutes = new Elysia({ name: "escrow.supporting" }).use(withActor).post(
  "/api/support",
  async ({ actor, body, set }) => {
    const answer = await askSupport(actor, body);
    if (!answer.ok) return answer;
    if (answer.changed) set.status = 201;
    return { success: true, number: answer.number };
  },
  { body: forms.askSupportSchema, detail: calls.askSupport },
);
