import { Elysia } from "elysia";
import { z } from "zod";
import { activityPaging, activityQuery } from "../../forms.ts";
import { withActor } from "../core/with-actor.ts";
import { nextPage } from "../request/next-page.ts";
import { activityLogs, activityLogsOf } from "./activity-log.ts";
import * as calls from "./operations.ts";

const userParamsSchema = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number),
});

/** The log for administrators: newest first, with the next page in the `Link` header. */
export const activityLogRoutes = new Elysia({ name: "identity.activity" })
  .use(withActor)
  .get(
    "/api/admin/activity-logs",
    async ({ actor, query, request, set }) => {
      const answer = await activityLogs(actor, query);
      if (!answer.ok) return answer;
      if (answer.next !== null) set.headers.link = nextPage(request, answer.next);
      return answer.logs;
    },
    { query: activityQuery, detail: calls.listActivityLogs },
  )
  .get(
    "/api/admin/users/:id/activity-logs",
    async ({ actor, params, query, request, set }) => {
      const answer = await activityLogsOf(actor, params.id, query);
      if (!answer.ok) return answer;
      if (answer.next !== null) set.headers.link = nextPage(request, answer.next);
      return answer.logs;
    },
    { params: userParamsSchema, query: activityPaging, detail: calls.listUserActivityLogs },
  );
