import { z } from "zod";

/** A name, title or reference: one line, cut to 200 characters rather than refused, because sending the mail matters more. */
export const lineTextSchema = z.string().transform((value) =>
  value
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .trim()
    .slice(0, 200)
    .toWellFormed(),
);

/** A user's text, with its line breaks but without characters that change its direction; cut to the length that the form allows. */
export const proseSchema = z.string().transform((value) =>
  value
    .replace(/\r\n?/g, "\n")
    .replace(/(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, " ")
    .trim()
    .slice(0, 4000)
    .toWellFormed(),
);
