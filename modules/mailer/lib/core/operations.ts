import { z } from "zod";
import { describeCall } from "#calls";
import { keptMailSchema } from "./responses.ts";

export const mailHtml = describeCall({
  summary: "Show a mail of the development mailbox as a page",
  group: "Sandbox",
  by: "anybody",
  file: "text/html",
});

export const mailboxList = describeCall({
  summary: "List the mails of the development mailbox, newest first",
  group: "Sandbox",
  by: "anybody",
  answers: z.array(keptMailSchema),
  refuses: ["NOT_FOUND"],
});
