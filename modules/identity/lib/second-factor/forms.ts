import { z } from "zod";
import { textLineSchema } from "../core/form-fields.ts";

/**
 * Six digits from the authenticator app, or a recovery code with any grouping. Recovery codes have 24 characters; older ones have 16. Their
 * alphabet has no 0, 1 or 8, so these are read as O, I and B.
 */
const secondFactorCodeSchema = textLineSchema(60, "validation.secondFactorCode")
  .transform((value) => value.replace(/[\s-]/g, "").toUpperCase())
  .transform((value) => (value.length === 6 ? value : asRecoveryCode(value)))
  .refine((value) => /^(?:\d{6}|[A-Z2-7]{16}|[A-Z2-7]{24})$/.test(value), "validation.secondFactorCode");

function asRecoveryCode(value: string): string {
  return value.replaceAll("0", "O").replaceAll("1", "I").replaceAll("8", "B");
}

/** Required only if the second factor is on; an empty field counts as absent. */
export const optionalCodeSchema = z
  .preprocess((value) => (value === "" ? undefined : value), secondFactorCodeSchema.optional())
  .optional();

/** The code that finishes a login or confirms the password again: from the app, or a recovery code. */
export const finishLoginInput = z.object({ code: secondFactorCodeSchema });
export type FinishLoginInput = z.output<typeof finishLoginInput>;

/** The app's first code, which turns the second factor on. */
export const confirmSecondFactorInput = z.object({
  code: textLineSchema(60, "validation.secondFactorDigits")
    .transform((value) => value.replace(/[\s-]/g, ""))
    .refine((value) => /^\d{6}$/.test(value), "validation.secondFactorDigits"),
});
export type ConfirmSecondFactorInput = z.output<typeof confirmSecondFactorInput>;
