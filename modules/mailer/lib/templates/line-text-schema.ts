import { z } from "zod";

/** A name, a title, a reference: one line, cut rather than refused, since the mail matters more than its length. */
export const lineTextSchema = z.string().transform((value) =>
  value
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .trim()
    .slice(0, 200)
    .toWellFormed(),
);
