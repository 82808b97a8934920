import { posesAsMidman } from "#modules/identity";
import type { TradeRefusal } from "../core/outcomes.ts";

/** VALIDATION for a description that could be taken for a notice from Midman, whose payment card shows it; undefined for any other. */
export function descriptionRefusal({
  description,
}: {
  description?: string | null | undefined;
}): TradeRefusal<"VALIDATION"> | undefined {
  if (description == null || !posesAsMidman(description)) return undefined;
  return { ok: false, code: "VALIDATION", fields: { description: ["validation.descriptionReserved"] } };
}
