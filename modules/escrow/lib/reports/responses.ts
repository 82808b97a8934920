import { z } from "zod";
import { reportAbout, reportHappened } from "../../forms.ts";

/** A person in a report. */
const reportedPersonSchema = z.object({
  id: z.int(),
  username: z.string().nullable().describe("Null once the account is deleted, like the name."),
  displayName: z.string().nullable(),
});

/** A report as administrators read it. */
export const reportViewSchema = z
  .object({
    id: z.int(),
    number: z.string(),
    about: z.enum(reportAbout),
    happened: z.enum(reportHappened),
    words: z.string(),
    reporter: reportedPersonSchema.nullable().describe("Null for a visitor, who can leave an email address."),
    email: z.string().nullable(),
    person: reportedPersonSchema.extend({ restriction: z.enum(["limit", "suspend"]).nullable() }).nullable(),
    roomId: z.int().nullable(),
    transaction: z.object({ id: z.int(), code: z.string() }).nullable(),
    message: z
      .object({ text: z.string(), at: z.iso.datetime() })
      .nullable()
      .describe("The message as it was when it was reported."),
    held: z.boolean().describe("Whether the report put the transaction on hold."),
    suspect: z.boolean().describe("Whether the hidden field was filled in, which suggests a program."),
    createdAt: z.iso.datetime(),
    resolved: z.object({ by: z.string().nullable(), at: z.iso.datetime(), note: z.string() }).nullable(),
  })
  .meta({ id: "Report" });
export type ReportView = z.output<typeof reportViewSchema>;
