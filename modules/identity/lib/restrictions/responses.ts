import { z } from "zod";
import type { JsonView } from "#calls";
import { restrictionCauses, restrictionKinds } from "../../forms.ts";
import type { LinkedAccount } from "./linked-accounts.ts";
import type { RestrictionView } from "./restriction-views.ts";
import { identifierKinds } from "./schema.ts";

const dateTimeSchema = z.iso.datetime();
const administratorNameSchema = z.string().nullable().describe("Null once that administrator is deleted.");

export const restrictionViewSchema = z
  .object({
    id: z.int(),
    kind: z.enum(restrictionKinds),
    cause: z.enum(restrictionCauses),
    note: z.string().nullable(),
    by: administratorNameSchema,
    at: dateTimeSchema,
    until: dateTimeSchema.nullable().describe("Null for good."),
    inForce: z.boolean(),
    proposed: z
      .object({
        obstacle: z.enum(["FOUR_EYES_REQUIRED", "FOUR_EYES_RELATED", "PROPOSER_NOT_ADMIN"]).nullable(),
      })
      .nullable()
      .describe("It waits for a second administrator to make it last for good, and why who asks cannot."),
    confirmed: z.object({ by: administratorNameSchema, at: dateTimeSchema }).nullable(),
    ended: z
      .object({
        by: administratorNameSchema,
        at: dateTimeSchema,
        how: z.enum(["lifted", "replaced", "deleted"]),
        note: z.string().nullable(),
      })
      .nullable(),
  })
  .meta({ id: "Restriction" }) satisfies z.ZodType<JsonView<RestrictionView>>;

export const linkedAccountSchema = z
  .object({ userId: z.int(), username: z.string().nullable(), kinds: z.array(z.enum(identifierKinds)) })
  .meta({ id: "LinkedAccount" }) satisfies z.ZodType<JsonView<LinkedAccount>>;
