import { z } from "zod";
import { describeCall } from "#calls";
import { activityLogSchema } from "../core/responses.ts";
import type { activityLogs, activityLogsOf } from "./activity-log.ts";

export const listActivityLogs = describeCall<typeof activityLogs>({
  summary: "List the activity log, newest first; the `Link` header has the next page",
  group: "Back office: log",
  by: "admin",
  answers: z.array(activityLogSchema),
});

export const listUserActivityLogs = describeCall<typeof activityLogsOf>({
  summary: "List one person's activity log",
  group: "Back office: log",
  by: "admin",
  answers: z.array(activityLogSchema),
  refuses: { USER_NOT_FOUND: true },
});
