import { z } from "zod";
import type { JsonView } from "#calls";
import { reportAbout, reportHappened } from "../../forms.ts";
import type { ReportView } from "./list-reports.ts";

const dateTimeSchema = z.iso.datetime();
const reportedPersonSchema = z.object({
  id: z.int(),
  username: z.string().nullable().describe("Null once the account is deleted, as the name."),
  displayName: z.string().nullable(),
});

export const reportViewSchema = z
  .object({
    id: z.int(),
    number: z.string(),
    about: z.enum(reportAbout),
    happened: z.enum(reportHappened),
    words: z.string(),
    reporter: reportedPersonSchema.nullable().describe("Null for a visitor."),
    email: z.string().nullable(),
    person: reportedPersonSchema.extend({ restriction: z.enum(["limit", "suspend"]).nullable() }).nullable(),
    roomId: z.int().nullable(),
    transaction: z.object({ id: z.int(), code: z.string() }).nullable(),
    message: z
      .object({ text: z.string(), at: dateTimeSchema })
      .nullable()
      .describe("As it stood when it was reported."),
    held: z.boolean().describe("It put the transaction on hold."),
    suspect: z.boolean().describe("A field that people do not see was filled in."),
    createdAt: dateTimeSchema,
    resolved: z.object({ by: z.string().nullable(), at: dateTimeSchema, note: z.string() }).nullable(),
  })
  .meta({ id: "Report" }) satisfies z.ZodType<JsonView<ReportView>>;
