import { z } from "zod";
import { describeCall } from "#calls";
import { activityLogSchema } from "../core/responses.ts";

export const listActivityLogs = describeCall({
  summary: "List the log, newest first; the `Link` header names the next page",
  group: "Back office: log",
  by: "admin",
  answers: z.array(activityLogSchema),
});

export const listUserActivityLogs = describeCall({
  summary: "List the log of one person",
  group: "Back office: log",
  by: "admin",
  answers: z.array(activityLogSchema),
  refuses: ["USER_NOT_FOUND"],
});
