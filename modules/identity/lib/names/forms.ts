import { z } from "zod";
import { accountFieldLimits, textLineSchema } from "../core/form-fields.ts";
import { chosenNameRefusal, displayNameRefusal, usernameRefusal } from "./name-refusals.ts";

// Each name uses one alphabet, so that "аdmin" with a Cyrillic "а" cannot pass for "admin".
const USERNAME = /^(?:[A-Za-z0-9._-]+|[А-Яа-яЁёӨөҮү0-9._-]+)$/u;

/** Username that the operator may give an administrator; names reserved for Midman are allowed. */
export const operatorUsernameSchema = textLineSchema(accountFieldLimits.username.max, "validation.username")
  .min(accountFieldLimits.username.min, { message: "validation.username", abort: true })
  .regex(USERNAME, { message: "validation.usernameCharacters", abort: true });

/** Username that a person may choose: none that is reserved for Midman or looks like one. */
export const usernameSchema = operatorUsernameSchema.superRefine((value, context) => {
  const message = usernameRefusal(value);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});

const nameLineSchema = textLineSchema(accountFieldLimits.displayName.max, "validation.displayName").min(
  accountFieldLimits.displayName.min,
  { message: "validation.displayName", abort: true },
);

/** A display name that an account may keep: it must not be Midman's, look like it, or contain a link. */
export const keptDisplayNameSchema = nameLineSchema.superRefine((value, context) => {
  const message = displayNameRefusal(value);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});

/** The name shown above a person's messages, as they choose it: it must not read like a notice either. */
export const displayNameSchema = nameLineSchema.superRefine((value, context) => {
  const message = chosenNameRefusal(value);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});

/** New names that replace ones no longer allowed; an absent or empty field stays unchanged. */
export const chooseNameInput = z.object({
  username: z.preprocess((value) => (value === "" ? undefined : value), usernameSchema.optional()).optional(),
  displayName: z
    .preprocess((value) => (value === "" ? undefined : value), displayNameSchema.optional())
    .optional(),
});
export type ChooseNameInput = z.output<typeof chooseNameInput>;

/**
 * The one or two letters of an avatar: those given, or else the first letters of the first two words of the display
 * name, or the first two letters of a single word. Upper case.
 */
export function avatarInitials(given: string | null | undefined, displayName: string): string {
  const [first = "", second] = displayName.trim().split(/\s+/);
  const derived = second === undefined ? first : `${[...first][0] ?? ""}${[...second][0] ?? ""}`;
  const chosen = given?.trim() ? given.trim() : derived;
  // Upper-casing may lengthen the text ("ß" → "SS"), so it comes before the cut.
  return [...chosen.toUpperCase()].slice(0, accountFieldLimits.avatarInitials.max).join("");
}
