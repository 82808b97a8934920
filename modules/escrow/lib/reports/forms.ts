import { z } from "zod";
import {
  coercedIdSchema,
  emailSchema,
  lineSchema,
  optionalSchema,
  pageSizeSchema,
  proseSchema,
  tradeFieldLimits,
} from "../core/form-fields.ts";

/** What a report is about; `reportHappened` lists what may have happened. */
export const reportAbout = ["person", "message", "code"] as const;
export type ReportAbout = (typeof reportAbout)[number];
export const reportHappened = ["fraud", "other_payment", "impersonation", "abuse", "other"] as const;
export type ReportHappened = (typeof reportHappened)[number];

const reportSubjectFields = {
  about: z.enum(reportAbout, "validation.invalid"),
  roomId: optionalSchema(coercedIdSchema),
  personId: optionalSchema(coercedIdSchema),
  messageId: optionalSchema(coercedIdSchema),
  code: optionalSchema(lineSchema(tradeFieldLimits.name)),
};

/** The subject of a report, from the query of the form's address. */
export const reportSubjectSchema = z.object(reportSubjectFields);
export type ReportSubject = z.output<typeof reportSubjectSchema>;

/**
 * Body of POST /api/reports. Members report a person or a message of one of their rooms; anyone may report a code. A visitor may leave an
 * email address.
 */
export const fileReportSchema = z.object(
  {
    ...reportSubjectFields,
    happened: z.enum(reportHappened, "validation.reportHappened"),
    words: proseSchema(tradeFieldLimits.reason, tradeFieldLimits.supportMessageMin, "validation.reportWords"),
    email: optionalSchema(emailSchema),
    clientId: optionalSchema(z.guid("validation.id").toLowerCase()),
    website: optionalSchema(lineSchema(tradeFieldLimits.name)),
  },
  "validation.object",
);
export type ReportInput = z.output<typeof fileReportSchema>;

/** What an administrator found about a report, and what they did. */
export const resolveReportSchema = z.object(
  { note: proseSchema(tradeFieldLimits.reason, 1, "validation.found") },
  "validation.object",
);

const reportPageSizes = { most: 100, page: 25 };

/** Query of the administrators' report list in the API. */
export const reportQuerySchema = z.object({
  show: z.enum(["open", "resolved"], "validation.invalid").default("open"),
  person: coercedIdSchema.optional(),
  report: coercedIdSchema.optional(),
  before: coercedIdSchema.optional(),
  limit: pageSizeSchema(reportPageSizes.most).default(reportPageSizes.page),
});

/** The same query in the page's address, where an invalid value counts as absent. */
export const reportFilterSchema = z.object({
  show: z.enum(["open", "resolved"]).catch("open"),
  person: coercedIdSchema.optional().catch(undefined),
  report: coercedIdSchema.optional().catch(undefined),
  before: coercedIdSchema.optional().catch(undefined),
  limit: pageSizeSchema(reportPageSizes.most).catch(reportPageSizes.page),
});
export type ReportFilter = z.output<typeof reportFilterSchema>;
