import { Elysia } from "elysia";
import { nextPage, withActor } from "#modules/identity";
import * as forms from "../../forms.ts";
import { replySuccess } from "../core/route-replies.ts";
import { fileReport } from "./file-report.ts";
import { listReports } from "./list-reports.ts";
import * as operations from "./operations.ts";
import { resolveReport } from "./resolve-report.ts";

/** Routes to file reports, and for administrators to review them. */
export const reportRoutes = new Elysia({ name: "escrow.reports" })
  .use(withActor)
  .post(
    "/api/reports",
    async ({ actor, body, set }) => {
      const answer = await fileReport(actor, body);
      if (!answer.ok) return answer;
      if (answer.changed) set.status = 201;
      return { success: true, number: answer.number };
    },
    { body: forms.fileReportSchema, detail: operations.fileReport },
  )
  .get(
    "/api/admin/reports",
    async ({ actor, query, request, set }) => {
      const answer = await listReports(actor, query);
      if (!answer.ok) return answer;
      if (answer.next !== null) set.headers.link = nextPage(request, answer.next);
      return answer.reports;
    },
    { query: forms.reportQuerySchema, detail: operations.listReports },
  )
  .post(
    "/api/admin/reports/:id/resolve",
    async ({ actor, params: { id }, body }) => {
      const answer = await resolveReport(actor, id, body);
      return answer.ok ? replySuccess(actor, "reportResolved") : answer;
    },
    { params: forms.pathId, body: forms.resolveReportSchema, detail: operations.resolveReport },
  );
