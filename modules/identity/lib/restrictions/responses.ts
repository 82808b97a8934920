import { z } from "zod";
import { restrictionCauses, restrictionKinds } from "../../forms.ts";
import { identifierKinds } from "./schema.ts";

const dateTimeSchema = z.iso.datetime();
const administratorNameSchema = z
  .string()
  .nullable()
  .describe("Null once that administrator's account is deleted.");

/** One restriction of a person, for administrators. */
export const restrictionViewSchema = z
  .object({
    id: z.int(),
    kind: z.enum(restrictionKinds),
    cause: z.enum(restrictionCauses),
    note: z.string().nullable(),
    by: administratorNameSchema,
    at: dateTimeSchema,
    until: dateTimeSchema.nullable().describe("When it ends by itself; null if permanent."),
    inForce: z.boolean(),
    proposed: z
      .object({
        obstacle: z.enum(["FOUR_EYES_REQUIRED", "FOUR_EYES_RELATED", "PROPOSER_NOT_ADMIN"]).nullable(),
      })
      .nullable()
      .describe(
        "Set while a proposal to make it permanent waits for a second administrator. `obstacle` is why you can't confirm it.",
      ),
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
  .meta({ id: "Restriction" });
export type RestrictionView = z.output<typeof restrictionViewSchema>;

/** A restricted account that shares identifiers with another. `username` is null once it is deleted. */
export const linkedAccountSchema = z
  .object({ userId: z.int(), username: z.string().nullable(), kinds: z.array(z.enum(identifierKinds)) })
  .meta({ id: "LinkedAccount" });
export type LinkedAccount = z.output<typeof linkedAccountSchema>;
