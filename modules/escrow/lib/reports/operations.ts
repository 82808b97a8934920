import { z } from "zod";
import { describeCall } from "#calls";
import { successReplySchema } from "../trade/view/responses.ts";
import type * as filing from "./file-report.ts";
import type * as listing from "./list-reports.ts";
import type * as resolving from "./resolve-report.ts";
import { reportViewSchema } from "./responses.ts";

export const fileReport = describeCall<typeof filing.fileReport>({
  summary: "Report a person or a message in one of your rooms, or a transaction code",
  group: "Support",
  by: "anybody",
  answers: z.object({ success: z.boolean(), number: z.string() }),
  status: [200, 201],
  refuses: {
    AUTH_REQUIRED: true,
    PASSWORD_CHANGE_REQUIRED: true,
    NAME_CHANGE_REQUIRED: true,
    CONSENT_REQUIRED: true,
    REPORT_SUBJECT_NOT_FOUND: true,
    THROTTLED: true,
  },
});

export const listReports = describeCall<typeof listing.listReports>({
  summary: "List reports; the `Link` header has the next page",
  group: "Back office: people",
  by: "admin",
  answers: z.array(reportViewSchema),
});

export const resolveReport = describeCall<typeof resolving.resolveReport>({
  summary: "Resolve a report with a note",
  group: "Back office: people",
  by: "admin",
  answers: successReplySchema,
  refuses: { NOT_FOUND: true, OWN_REPORT: true },
});
