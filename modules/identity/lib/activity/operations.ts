import { z } from "zod";
import { call } from "#calls";
import { activityLog } from "../core/responses.ts";

export const logs = call({
  summary: "The log, newest first; the header `Link` names the next page",
  group: "Back office: log",
  by: "admin",
  answers: z.array(activityLog),
});

export const logsOfUser = call({
  summary: "The log of one person",
  group: "Back office: log",
  by: "admin",
  answers: z.array(activityLog),
  refuses: ["USER_NOT_FOUND"],
});
