import { z } from "zod";
import { call } from "#calls";
import { keptMail } from "./responses.ts";

export const mailHtml = call({
  summary: "A mail of the development mailbox as a page",
  group: "Sandbox",
  by: "anybody",
  file: "text/html",
});

export const mails = call({
  summary: "The development mailbox, the latest mail first",
  group: "Sandbox",
  by: "anybody",
  answers: z.array(keptMail),
  refuses: ["NOT_FOUND"],
});
