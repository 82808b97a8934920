import { z } from "zod";
import { describeCall } from "#calls";
import type { listMail, readMail } from "../sending/sandbox-mailbox.ts";
import { keptMailSchema } from "./responses.ts";

export const mailHtml = describeCall<typeof readMail>({
  summary: "Get an email from the development mailbox as a page",
  group: "Sandbox",
  by: "anybody",
  file: "text/html",
  refuses: { NOT_FOUND: true },
});

export const mailboxList = describeCall<typeof listMail>({
  summary: "List emails in the development mailbox, newest first",
  group: "Sandbox",
  by: "anybody",
  answers: z.array(keptMailSchema),
  refuses: { NOT_FOUND: true },
});
