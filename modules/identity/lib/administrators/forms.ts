import { z } from "zod";
import { rangeMessage } from "#format";
import { deleteAccountInput } from "../account/forms.ts";
import { accountFieldLimits, phoneNumberSchema, textLineSchema } from "../core/form-fields.ts";
import { keptDisplayNameSchema } from "../names/forms.ts";

/** What an administrator may change in someone's profile. The form sends all fields; an absent or empty one is cleared. */
export const editUserInput = z.object({
  displayName: keptDisplayNameSchema,
  phoneNumber: phoneNumberSchema.nullish(),
  bankAccount: textLineSchema(accountFieldLimits.bankAccount.max, "validation.required").nullish(),
});
export type EditUserInput = z.output<typeof editUserInput>;

/** The username of the person to delete, typed again to confirm. */
export const deleteUserInput = z.object({ confirmation: deleteAccountInput.shape.confirmation });

export const peopleListKinds = ["living", "admins", "restricted", "deleted"] as const;
export const peopleSorts = ["newest", "name"] as const;

const largestPage = 500;
const pageSizeIssue = rangeMessage(1, largestPage);

/** Query of the API call that lists people for administrators; an invalid field is refused by its name. */
export const peopleQuery = z.object({
  search: textLineSchema(100, "validation.characters").optional(),
  show: z.enum(peopleListKinds, "validation.invalid").default("living"),
  sort: z.enum(peopleSorts, "validation.invalid").default("newest"),
  before: z.coerce.number("validation.id").int("validation.id").positive("validation.id").optional(),
  limit: z.coerce
    .number(pageSizeIssue)
    .int(pageSizeIssue)
    .min(1, pageSizeIssue)
    .max(largestPage, pageSizeIssue)
    .default(100),
});

/**
 * The same query in the page's address, where an invalid value counts as absent: words to find, which people to list, their order, and the
 * id to continue after.
 */
export const peopleFilter = z.object({
  q: textLineSchema(100, "validation.required").optional().catch(undefined),
  show: z.enum(peopleListKinds).catch("living"),
  sort: z.enum(peopleSorts).catch("newest"),
  before: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional().catch(undefined),
  limit: z.coerce.number().int().min(1).max(largestPage).catch(100),
});
export type PeopleFilter = z.output<typeof peopleFilter>;

/** The back-office lists whose filters can be saved. */
export const filterPages = ["transactions", "users", "activity-logs"] as const;
export type FilterPage = (typeof filterPages)[number];

/** The name that its owner gives a saved filter. */
export const saveFilterInput = z.object({
  name: textLineSchema(accountFieldLimits.filterName.max, "validation.required").min(
    1,
    "validation.required",
  ),
});
