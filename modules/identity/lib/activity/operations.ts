import { z } from "zod";
import { describeCall } from "#calls";
import { activityLogSchema } from "../core/responses.ts";

export const listActivityLogs = describeCall({
  summary: "The log, newest first; the header `Link` names the next page",
  group: "Back office: log",
  by: "admin",
  answers: z.array(activityLogSchema),
});

export const listUserActivityLogs = describeCall({
  summary: "The log of one person",
  group: "Back office: log",
  by: "admin",
  answers: z.array(activityLogSchema),
  refuses: ["USER_NOT_FOUND"],
});
