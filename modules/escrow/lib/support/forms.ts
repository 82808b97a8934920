import { z } from "zod";
import {
  emailSchema,
  lineSchema,
  optionalSchema,
  proseSchema,
  tradeFieldLimits,
} from "../core/form-fields.ts";
import { readTransactionCode } from "../core/transaction-code.ts";

/** Topics of a support request. */
export const supportTopics = ["payment", "room", "account", "dispute", "other"] as const;
export type SupportTopic = (typeof supportTopics)[number];

/** Support replies within this many hours: the shortest and the longest time. */
export const replyHours = [24, 48] as const;

const transactionCodeSchema = lineSchema(tradeFieldLimits.name).transform((value, context) => {
  const code = readTransactionCode(value);
  if (code !== undefined) return code;
  context.addIssue("validation.transactionCode");
  return z.NEVER;
});

/** Body of POST /api/support. The account gives a signed-in user's name and address; those in the form are ignored. */
export const askSupportSchema = z.object(
  {
    topic: z.enum(supportTopics, "validation.supportTopic"),
    code: optionalSchema(transactionCodeSchema),
    name: optionalSchema(lineSchema(tradeFieldLimits.name)),
    email: optionalSchema(emailSchema),
    message: proseSchema(
      tradeFieldLimits.message,
      tradeFieldLimits.supportMessageMin,
      "validation.supportMessage",
    ),
    clientId: z.guid("validation.id").toLowerCase().optional(),
    /** Hidden from people: only programs fill it in. */
    website: z.string("validation.invalid").max(tradeFieldLimits.reason, "validation.tooLong").optional(),
  },
  "validation.object",
);

/** The page's form for a visitor who is not signed in. */
export const visitorSupportSchema = askSupportSchema.extend({
  name: lineSchema(tradeFieldLimits.name, 1, "validation.supportName"),
  email: emailSchema,
});

export type SupportInput = z.infer<typeof askSupportSchema>;
