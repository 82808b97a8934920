import { type SubmissionResult, useForm } from "@conform-to/react";
import { getZodConstraint } from "@conform-to/zod/v4";
import type { z } from "zod";

/** The response of a page's action: which form was posted, and what Conform needs to fill it in again. */
export interface PostedForm {
  form: string;
  result: SubmissionResult<string[]>;
  review?: FormReview;
}

/** Set if the input is valid and is shown for review before it is saved, with the resulting amounts. */
export interface FormReview {
  figures?: { amount: number; feePayer: string; fee: number; buyerPays: number; sellerGets: number };
}

/** The state of one form of a page, filled in again if it is the posted one. `defaults` are its initial values. */
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
