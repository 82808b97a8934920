import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { configureCoercion } from "@conform-to/zod/v4/future";
import { data, type HeadersArgs } from "react-router";
import type { z } from "zod";
import { packMessage, unpackMessage } from "#format";
import { vaultSecrets } from "#forms/escrow";
import { hasText } from "#locales";
import type { FormReview, PostedForm } from "../../ui/forms/posted-form.ts";
import { parseAmount } from "../texts/parse-amount.ts";
import { statusOf, type VerbRefusal } from "./refusal-responses.ts";
import type { Toast } from "./toast-cookie.ts";

/** The response of an action that stays on the page. */
export type FormAnswer = ReturnType<typeof data<PostedForm>>;

/** Fields that are never sent back in a page. */
export const secretFields: readonly string[] = [
  ...["password", "newPassword", "confirmPassword", "currentPassword", "credential"],
  ...vaultSecrets,
];

/** Numbers are parsed in people's notation, not in programs'. */
const { coerceFormValue } = configureCoercion({ type: { number: parseAmount } });

/**
 * Parses a posted form by its schema. Returns the value, or a ready response (422, with the form filled in and each message beside its
 * field). `refuse` makes such a response from a verb's refusal, with the refusal's status; `key` replaces its text. `again` shows the form
 * again with its input, or the input for review.
 */
export function readForm<Schema extends z.ZodType>(form: string, body: FormData, schema: Schema) {
  const submission = parseWithZod(flattenFields(body), {
    schema: coerceFormValue(schema),
    disableAutoCoercion: true,
  });
  const answer = (result: SubmissionResult<string[]>, status: number, headers = {}): FormAnswer =>
    data({ form, result: translateZodMessages(withoutSecrets(result)) }, { status, headers });
  if (submission.status !== "success") {
    return { ok: false as const, answer: answer(submission.reply(), 422) };
  }
  const refuse = (refusal: VerbRefusal, key = errorKey(refusal)): FormAnswer => {
    const fieldErrors = refusal.fields ?? {};
    const formErrors = Object.keys(fieldErrors).length > 0 ? [] : [packMessage(key, paramsOf(refusal))];
    const { retryAfterSeconds } = refusal;
    const headers = retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
    return answer(submission.reply({ fieldErrors, formErrors }), statusOf(refusal.code), headers);
  };
  const again = (review?: FormReview): FormAnswer =>
    data({ form, result: withoutSecrets(submission.reply()), ...(review && { review }) }, { status: 200 });
  return { ok: true as const, value: submission.value as z.output<Schema>, refuse, again };
}

/** The response that shows the input for review, or the form again for editing; null once it was confirmed. */
export function reviewOrConfirm(
  read: { again: (review?: FormReview) => FormAnswer },
  body: FormData,
  review: FormReview = {},
): FormAnswer | null {
  if (body.has("edit")) return read.again();
  return body.get("confirmed") === "1" ? null : read.again(review);
}

const mostFields = 100;

/**
 * Keeps fields with plain names only, at most as many as any form has; none of them is nested. The parser would build a list as long as
 * `name[99999999]` says, and copy the list of a name that occurs 90,000 times as often: one small request would block the process for
 * minutes.
 */
function flattenFields(body: FormData): FormData {
  const fields = new FormData();
  for (const [name, value] of [...body].slice(0, mostFields)) {
    if (/^\w{1,40}$/.test(name)) fields.append(name, value);
  }
  return fields;
}

/** The `headers` of a route whose forms may be throttled: passes on the headers of the action. */
export function forwardActionHeaders({ actionHeaders }: Pick<HeadersArgs, "actionHeaders">): Headers {
  return actionHeaders;
}

/** The catalogue key of a refusal's text. */
function errorKey(refusal: VerbRefusal): string {
  const key = refusal.textKey ?? `errors.${refusal.code}`;
  return hasText(key) ? key : "errors.UNKNOWN";
}

/** A refusal as a packed message with its text's parameters. */
export function packRefusal(refusal: VerbRefusal): string {
  return packMessage(errorKey(refusal), paramsOf(refusal));
}

/** A refusal as a toast with its text's parameters. */
export function refusalToast(refusal: VerbRefusal): Toast {
  return { kind: "error", key: errorKey(refusal), params: paramsOf(refusal) };
}

function paramsOf({ params, retryAfterSeconds }: VerbRefusal): Record<string, string | number> {
  return { ...params, ...(retryAfterSeconds !== undefined && { seconds: retryAfterSeconds }) };
}

/** zod's built-in messages (a wrong type, a missing part) become one general message. */
function translateZodMessages(result: SubmissionResult<string[]>): SubmissionResult<string[]> {
  const error = Object.entries(result.error ?? {}).map(([name, messages]) => [
    name,
    messages?.map((message) => (hasText(unpackMessage(message).key) ? message : "validation.invalid")) ??
      null,
  ]);
  return { ...result, ...(result.error && { error: Object.fromEntries(error) }) };
}

function withoutSecrets(result: SubmissionResult<string[]>): SubmissionResult<string[]> {
  const kept = Object.entries(result.initialValue ?? {}).filter(([name]) => !secretFields.includes(name));
  return { ...result, initialValue: Object.fromEntries(kept) };
}
