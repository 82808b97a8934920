import { z } from "zod";
import { describeCall } from "#calls";
import { successReplySchema } from "../trade/view/responses.ts";
import { reportViewSchema } from "./responses.ts";

export const fileReport = describeCall({
  summary: "Report a person or a message in one of your rooms, or a transaction code",
  group: "Support",
  by: "anybody",
  answers: z.object({ success: z.boolean(), number: z.string() }),
  status: [200, 201],
  refuses: [
    "AUTH_REQUIRED",
    "PASSWORD_CHANGE_REQUIRED",
    "NAME_CHANGE_REQUIRED",
    "REPORT_SUBJECT_NOT_FOUND",
    "THROTTLED",
  ],
});

export const listReports = describeCall({
  summary: "List reports; the `Link` header has the next page",
  group: "Back office: people",
  by: "admin",
  answers: z.array(reportViewSchema),
});

export const resolveReport = describeCall({
  summary: "Resolve a report and note what was found",
  group: "Back office: people",
  by: "admin",
  answers: successReplySchema,
  refuses: ["NOT_FOUND", "OWN_REPORT"],
});
