import { type SubmissionResult, useForm } from "@conform-to/react";
import { getZodConstraint } from "@conform-to/zod/v4";
import type { z } from "zod";

/** What a page's action answered: which of its forms was posted, and what Conform needs to fill it in again. */
export interface PostedForm {
  form: string;
  result: SubmissionResult<string[]>;
  review?: FormReview;
}

/** Set where all that was typed is right and is shown once more before it counts, with the sums that would follow. */
export interface FormReview {
  figures?: { amount: number; feePayer: string; fee: number; buyerPays: number; sellerGets: number };
}

/** One form of a page, filled in again when it is the one that was posted. `defaults` is what it first holds. */
export function usePostedForm<Schema extends z.ZodType<unknown, Record<string, unknown>>>(
  id: string,
  schema: Schema,
  posted: PostedForm | null | undefined,
  defaults?: Partial<Record<keyof z.input<Schema>, string | number | null | undefined>>,
) {
  return useForm<z.input<Schema>, z.output<Schema>, string[]>({
    id,
    lastResult: posted?.form === id ? posted.result : null,
    constraint: getZodConstraint(schema as never) as never,
    defaultValue: defaults as never,
  });
}
