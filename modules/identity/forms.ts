// What a browser may load of identity: the inputs and limits of each capability. Error messages are keys of the catalogues (`validation.*`);
// the code that shows them translates them.

export {
  type DeleteAccountInput,
  deleteAccountInput,
  type ProfileInput,
  profileInput,
} from "./lib/account/forms.ts";
export {
  type ActivitySearch,
  activityPaging,
  activityQuery,
  activitySearch,
  daysBetween,
} from "./lib/activity/activity-search.ts";
export {
  deleteUserInput,
  type EditUserInput,
  editUserInput,
  type FilterPage,
  filterPages,
  type PeopleFilter,
  peopleFilter,
  peopleListKinds,
  peopleQuery,
  peopleSorts,
  saveFilterInput,
} from "./lib/administrators/forms.ts";
export { accountFieldLimits, isPhone } from "./lib/core/form-fields.ts";
export {
  type AdminLoginInput,
  adminLoginInput,
  consentVersions,
  type LoginInput,
  loginInput,
  type RegisterInput,
  registerInput,
  type VerifyEmailInput,
  verifyEmailInput,
} from "./lib/login/forms.ts";
export {
  avatarInitials,
  type ChooseNameInput,
  chooseNameInput,
  operatorUsernameSchema,
} from "./lib/names/forms.ts";
export {
  type NotificationGroup,
  type NotificationPreferencesInput,
  type NotificationsInput,
  notificationGroups,
  notificationPreferencesForm,
  notificationPreferencesInput,
  notificationsForm,
  notificationsInput,
} from "./lib/notifications/forms.ts";
export {
  passkeyAssertionForm,
  passkeyLimits,
  registerPasskeyForm,
  renamePasskeyInput,
} from "./lib/passkeys/forms.ts";

// Messages are translation keys (`validation.*`); the code that shows them translates them.

/** Minimum and maximum length of each field: characters, except `passwordBytes` (UTF-8 bytes). */
export const accountFieldLimits = {
  username: { min: 3, max: 32 },
  displayName: { min: 2, max: 60 },
  avatarInitials: { max: 2 },
  email: { max: 254 },
  password: { min: 6, adminMin: 12 },
  passwordBytes: { max: 200 },
  phoneNumber: { max: 32 },
  bankAccount: { max: 120 },
  filterName: { max: 40 },
  note: { max: 2_000 },
} as const;

/** Words tied to Midman, in lower case. A password whose letters are only these words is refused. */
export const passwordWords = [
  ...["midman", "middleman", "escrow", "qpay", "admin", "mongolia"],
  ...["мидман", "эскроу", "админ", "монгол"],
] as const;

/** The versions (dates) of the texts that a registration consents to. A new text gets a new version here. */
export const consentVersions = { terms: "2025-05-12", privacy: "2025-05-12" } as const;

// Control characters end lines and strings unexpectedly; bidirectional overrides make one name look like another; a lone surrogate cannot
// be stored.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u;
// Each name uses one alphabet, so that "аdmin" with a Cyrillic "а" cannot pass for "admin".
const USERNAME = /^(?:[A-Za-z0-9._-]+|[А-Яа-яЁёӨөҮү0-9._-]+)$/u;

const isPrintable = (value: string) => !UNPRINTABLE.test(value);
const countUtf8Bytes = (value: string) => new TextEncoder().encode(value).length;
const countCharacters = (value: string) => [...value].length;

/**
 * Checked before normalising: NFC composes at most four characters into one, so a longer value is too long in any form, and composing a
 * megabyte of combining marks would take a fifth of a second.
 */
const isSafeToNormalize = (max: number) => (value: string) => value.length <= 4 * max;
const tooLongIssue = { message: "validation.tooLong", abort: true };

const textLineSchema = (max: number, wrong: string) =>
  z
    .string(wrong)
    .refine(isSafeToNormalize(max), tooLongIssue)
    .refine(isPrintable, { message: "validation.characters", abort: true })
    .normalize("NFC")
    .trim()
    .max(max, tooLongIssue);

const anyPasswordSchema = (wrong: string) =>
  z
    .string(wrong)
    .refine(isSafeToNormalize(accountFieldLimits.passwordBytes.max), tooLongIssue)
    .refine(isPrintable, { message: "validation.characters", abort: true })
    .normalize("NFC")
    .refine((value) => countUtf8Bytes(value) <= accountFieldLimits.passwordBytes.max, tooLongIssue);

const passwordSchema = anyPasswordSchema("validation.password").refine(
  (value) => countCharacters(value) >= accountFieldLimits.password.min,
  {
    message: "validation.password",
  },
);

const typedUsernameSchema = textLineSchema(accountFieldLimits.email.max, "validation.username").min(
  accountFieldLimits.username.min,
  "validation.username",
);

const emailSchema = textLineSchema(accountFieldLimits.email.max, "validation.email").regex(
  z.regexes.email,
  "validation.email",
);

/** The token in a mailed link. The function that redeems it refuses a wrong one, not this schema. */
const linkTokenSchema = textLineSchema(200, "validation.required").min(1, "validation.required");

/** Username that the operator may give an administrator; names reserved for Midman are allowed. */
export const operatorUsernameSchema = textLineSchema(accountFieldLimits.username.max, "validation.username")
  .min(accountFieldLimits.username.min, { message: "validation.username", abort: true })
  .regex(USERNAME, { message: "validation.usernameCharacters", abort: true });

const usernameSchema = operatorUsernameSchema.superRefine((value, context) => {
  const message = usernameRefusal(value);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});

const passwordMismatchIssue = { message: "validation.passwordsDontMatch", path: ["confirmPassword"] };

export const loginInput = z.object({ username: typedUsernameSchema, password: passwordSchema });
export type LoginInput = z.output<typeof loginInput>;

export const adminLoginInput = z.object({
  username: textLineSchema(accountFieldLimits.email.max, "validation.usernameRequired").min(
    1,
    "validation.usernameRequired",
  ),
  password: anyPasswordSchema("validation.passwordRequired").min(1, "validation.passwordRequired"),
});
export type AdminLoginInput = z.output<typeof adminLoginInput>;

// The name shown above a person's messages must not be Midman's, look like it, or contain a link.
const displayNameSchema = textLineSchema(accountFieldLimits.displayName.max, "validation.displayName")
  .min(accountFieldLimits.displayName.min, { message: "validation.displayName", abort: true })
  .superRefine((value, context) => {
    const message = displayNameRefusal(value);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });

export const registerInput = z.object({
  username: usernameSchema,
  password: passwordSchema,
  displayName: displayNameSchema,
  email: emailSchema,
  avatarInitials: z
    .string("validation.avatarInitials")
    .refine(isSafeToNormalize(accountFieldLimits.avatarInitials.max), {
      message: "validation.avatarInitials",
      abort: true,
    })
    .refine(isPrintable, { message: "validation.characters", abort: true })
    .normalize("NFC")
    .trim()
    .refine((value) => countCharacters(value) <= accountFieldLimits.avatarInitials.max, {
      message: "validation.avatarInitials",
      abort: true,
    })
    .superRefine((value, context) => {
      const message = initialsRefusal(value);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .nullish(),
});
export type RegisterInput = z.output<typeof registerInput>;

/** New names that replace ones no longer allowed; an absent or empty field stays unchanged. */
export const chooseNameInput = z.object({
  username: z.preprocess((value) => (value === "" ? undefined : value), usernameSchema.optional()).optional(),
  displayName: z
    .preprocess((value) => (value === "" ? undefined : value), displayNameSchema.optional())
    .optional(),
});
export type ChooseNameInput = z.output<typeof chooseNameInput>;

export const forgotPasswordInput = z.object({ email: emailSchema });
export type ForgotPasswordInput = z.output<typeof forgotPasswordInput>;

export const resetPasswordInput = z.object({ token: linkTokenSchema, newPassword: passwordSchema });
export type ResetPasswordInput = z.output<typeof resetPasswordInput>;

/** The page's form: the same input with the password typed twice. */
export const resetPasswordForm = resetPasswordInput
  .extend({ confirmPassword: passwordSchema })
  .refine((form) => form.newPassword === form.confirmPassword, passwordMismatchIssue);

export const verifyEmailInput = z.object({ token: linkTokenSchema });
export type VerifyEmailInput = z.output<typeof verifyEmailInput>;

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
const optionalCodeSchema = z
  .preprocess((value) => (value === "" ? undefined : value), secondFactorCodeSchema.optional())
  .optional();

const currentPasswordSchema = anyPasswordSchema("validation.passwordRequired").min(
  1,
  "validation.passwordRequired",
);

export const changePasswordInput = z.object({
  currentPassword: currentPasswordSchema,
  newPassword: passwordSchema,
  code: optionalCodeSchema,
});
export type ChangePasswordInput = z.output<typeof changePasswordInput>;

/** The page's form: the same input with the new password typed twice. */
export const changePasswordForm = changePasswordInput
  .extend({ confirmPassword: passwordSchema })
  .refine((form) => form.newPassword === form.confirmPassword, passwordMismatchIssue);

export const confirmPasswordInput = z.object({ password: currentPasswordSchema, code: optionalCodeSchema });
export type ConfirmPasswordInput = z.output<typeof confirmPasswordInput>;

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

/** Groups of optional mails; all other mails are always sent. */
export const notificationGroups = ["reminders", "roomActivity", "requests"] as const;
export type NotificationGroup = (typeof notificationGroups)[number];

const optionalChoiceSchema = z.boolean("validation.choice").optional();

/** Absent fields stay unchanged. */
export const notificationsInput = z.object({
  reminders: optionalChoiceSchema,
  roomActivity: optionalChoiceSchema,
  requests: optionalChoiceSchema,
});
export type NotificationsInput = z.output<typeof notificationsInput>;

const checkboxSchema = z.preprocess((value) => value === "on", z.boolean());

/** The page's form: an unticked checkbox is not sent and counts as false. */
export const notificationsForm = z.object({
  reminders: checkboxSchema,
  roomActivity: checkboxSchema,
  requests: checkboxSchema,
});

const timeOfDaySchema = z.string("validation.time").regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "validation.time");

const quietHoursFields = { quietFrom: timeOfDaySchema.nullable(), quietTo: timeOfDaySchema.nullable() };
const hasBothOrNeither = (given: { quietFrom: string | null; quietTo: string | null }) =>
  (given.quietFrom === null) === (given.quietTo === null);
const hasDistinctTimes = (given: { quietFrom: string | null; quietTo: string | null }) =>
  given.quietFrom === null || given.quietFrom !== given.quietTo;

/** All preferences at once; quiet hours need both times or neither. */
export const notificationPreferencesInput = z
  .object({
    pushMessages: z.boolean("validation.choice"),
    mailMessages: z.boolean("validation.choice"),
    ...quietHoursFields,
  })
  .refine(hasBothOrNeither, { message: "validation.quietBoth", path: ["quietTo"] })
  .refine(hasDistinctTimes, { message: "validation.quietSame", path: ["quietTo"] });

export type NotificationPreferencesInput = z.output<typeof notificationPreferencesInput>;

const optionalTimeSchema = z.preprocess((value) => value || null, timeOfDaySchema.nullable());

/** The page's form: an empty time counts as none. */
export const notificationPreferencesForm = z
  .object({
    pushMessages: checkboxSchema,
    mailMessages: checkboxSchema,
    quietFrom: optionalTimeSchema,
    quietTo: optionalTimeSchema,
  })
  .refine(hasBothOrNeither, { message: "validation.quietBoth", path: ["quietTo"] })
  .refine(hasDistinctTimes, { message: "validation.quietSame", path: ["quietTo"] });

export const deleteAccountInput = z.object({
  password: currentPasswordSchema,
  code: optionalCodeSchema,
  /** The person's own username, typed again to confirm. */
  confirmation: textLineSchema(accountFieldLimits.email.max, "validation.usernameRequired").min(
    1,
    "validation.usernameRequired",
  ),
});
export type DeleteAccountInput = z.output<typeof deleteAccountInput>;

/** True for a phone number that can exist; a number without a country code is read as Mongolian (+976). */
export function isPhone(value: string): boolean {
  return isValidPhoneNumber(value, "MN");
}

const phoneNumberSchema = textLineSchema(accountFieldLimits.phoneNumber.max, "validation.required").refine(
  (value) => value === "" || isPhone(value),
  "validation.phone",
);

/** Absent fields stay unchanged; an empty text clears the field. */
export const profileInput = z.object({
  phoneNumber: phoneNumberSchema.nullish(),
  bankAccount: textLineSchema(accountFieldLimits.bankAccount.max, "validation.required").nullish(),
  language: z.enum(["mn", "en"], "validation.language").optional(),
});
export type ProfileInput = z.output<typeof profileInput>;

/** What an administrator may change in someone's profile. The form sends all fields; an absent or empty one is cleared. */
export const editUserInput = z.object({
  displayName: displayNameSchema,
  phoneNumber: phoneNumberSchema.nullish(),
  bankAccount: textLineSchema(accountFieldLimits.bankAccount.max, "validation.required").nullish(),
});
export type EditUserInput = z.output<typeof editUserInput>;

/** The username of the person to delete, typed again to confirm. */
export const deleteUserInput = z.object({ confirmation: deleteAccountInput.shape.confirmation });

/** Limited: no new rooms or trades. Suspended: no sign-in. */
export const restrictionKinds = ["limit", "suspend"] as const;
export type RestrictionKind = (typeof restrictionKinds)[number];
/** The reason shown to the person; administrators write to each other in the note. */
export const restrictionCauses = ["fraud", "impersonation", "abuse", "terms"] as const;
export type RestrictionCause = (typeof restrictionCauses)[number];

// Line breaks and tabs are allowed; other unprintable characters are not.
const noteSchema = z
  .string("validation.reason")
  .refine((value) => isPrintable(value.replace(/[\r\n\t]/g, " ")), {
    message: "validation.characters",
    abort: true,
  })
  .normalize("NFC")
  .trim()
  .min(1, { message: "validation.reason", abort: true })
  .max(accountFieldLimits.note.max, "validation.tooLong");

/**
 * Limits or suspends a person until the end of a day in Ulaanbaatar. `forGood` proposes a permanent restriction, which a second
 * administrator must confirm.
 */
export const restrictInput = z.object({
  kind: z.enum(restrictionKinds, "validation.invalid"),
  cause: z.enum(restrictionCauses, "validation.restrictionCause"),
  note: noteSchema,
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
export const liftRestrictionInput = z.object({ note: noteSchema });

export const peopleListKinds = ["living", "admins", "restricted", "deleted"] as const;
export const peopleSorts = ["newest", "name"] as const;

/** Query of the API call that lists people for administrators; an invalid field is refused by its name. */
export const peopleQuery = z.object({
  search: textLineSchema(100, "validation.characters").optional(),
  show: z.enum(peopleListKinds, "validation.invalid").default("living"),
  sort: z.enum(peopleSorts, "validation.invalid").default("newest"),
  before: z.coerce.number("validation.id").int("validation.id").positive("validation.id").optional(),
  limit: z.coerce
    .number("validation.id")
    .int("validation.id")
    .min(1, "validation.id")
    .max(500, "validation.id")
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
  limit: z.coerce.number().int().min(1).max(500).catch(100),
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

/**
 * The one or two letters of an avatar (specification §5): those given, or else the first letters of the first two words of the display
 * name, or the first two letters of a single word. Upper case.
 */
export function avatarInitials(given: string | null | undefined, displayName: string): string {
  const [first = "", second] = displayName.trim().split(/\s+/);
  const derived = second === undefined ? first : `${[...first][0] ?? ""}${[...second][0] ?? ""}`;
  const chosen = given?.trim() ? given.trim() : derived;
  // Upper-casing may lengthen the text ("ß" → "SS"), so it comes before the cut.
  return [...chosen.toUpperCase()].slice(0, accountFieldLimits.avatarInitials.max).join("");
}
