import { z } from "zod";
import { isDay, textIssue } from "#format";
import { accountFieldLimits, isPrintable } from "../core/form-fields.ts";

/** Limited: no new rooms or trades. Suspended: no sign-in. */
export const restrictionKinds = ["limit", "suspend"] as const;
export type RestrictionKind = (typeof restrictionKinds)[number];
/** The reason shown to the person; administrators write to each other in the note. */
export const restrictionCauses = ["fraud", "impersonation", "abuse", "terms"] as const;
export type RestrictionCause = (typeof restrictionCauses)[number];

// Line breaks and tabs are allowed; other unprintable characters are not.
const noteSchema = (missing: string) =>
  z
    .string(textIssue(missing))
    .refine((value) => isPrintable(value.replace(/[\r\n\t]/g, " ")), {
      message: "validation.characters",
      abort: true,
    })
    .normalize("NFC")
    .trim()
    .min(1, { message: missing, abort: true })
    .max(accountFieldLimits.note.max, "validation.tooLong");

/**
 * Limits or suspends a person until the end of a day in Ulaanbaatar. `forGood` proposes a permanent restriction, which a second
 * administrator must confirm.
 */
export const restrictInput = z.object({
  kind: z.enum(restrictionKinds, "validation.invalid"),
  cause: z.enum(restrictionCauses, "validation.restrictionCause"),
  note: noteSchema("validation.known"),
  until: z.string("validation.day").refine(isDay, "validation.day"),
  forGood: z.preprocess((value) => value === true || value === "on", z.boolean()).default(false),
});
export type RestrictInput = z.output<typeof restrictInput>;

/** The id of the restriction that the administrator read when confirming it as permanent. */
export const confirmRestrictionInput = z.object({
  restriction: z.coerce
    .number("validation.id")
    .int("validation.id")
    .positive("validation.id")
    .max(2 ** 53 - 1, "validation.id"),
});

/** Why a restriction is lifted. */
export const liftRestrictionInput = z.object({ note: noteSchema("validation.reasonMissing") });
