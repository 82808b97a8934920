import { z } from "zod";
import { dateTimeSchema } from "#calls";
import type { Customizations } from "#forms/mailer";
import { restrictionCauses, restrictionKinds } from "../../forms.ts";
import { passkeySchema } from "../passkeys/responses.ts";
import type { ProfileFields } from "./schema.ts";

/** A user as that user and administrators see them. */
export const userViewSchema = z
  .object({
    id: z.int(),
    username: z.string(),
    displayName: z.string(),
    email: z.string(),
    avatarInitials: z.string(),
    phoneNumber: z.string().nullable(),
    bankAccount: z.string().nullable(),
    isAdmin: z.boolean(),
    createdAt: z.iso.datetime(),
    language: z.enum(["en", "mn"]),
    emailVerified: z.boolean(),
    mustChangePassword: z.boolean(),
    mustChooseName: z.boolean().describe("Whether the user must choose another name before anything else."),
    secondFactor: z.boolean().describe("Whether signing in also needs a one-time code."),
  })
  .meta({ id: "UserView" });
export type UserView = z.output<typeof userViewSchema>;

/** One log entry as administrators read it. `user` is null if no such user exists. */
export const activityLogSchema = z
  .object({
    id: z.int(),
    userId: z.int().nullable(),
    user: z.object({ username: z.string(), displayName: z.string() }).nullable(),
    chatRoomId: z.int().nullable(),
    action: z.string(),
    ipAddress: z
      .string()
      .nullable()
      .describe(
        "Null if unknown, or after thirty days, when it is erased. The same applies to `deviceFingerprint`.",
      ),
    deviceFingerprint: z.string().nullable(),
    createdAt: z.iso.datetime(),
    additionalData: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("Further details of the entry, with its `subject`; null if there are none."),
  })
  .meta({ id: "ActivityLog" });
export type ActivityLog = z.output<typeof activityLogSchema>;

/** A customisable email template with what its editor needs. */
export const mailTemplateSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    version: z.int(),
    customizations: z.object({
      layout: z.enum(["modern", "classic", "minimal"]),
      subjectMn: z.string(),
      subjectEn: z.string(),
      brandName: z.string(),
      logoUrl: z.string(),
      borderRadius: z.int(),
      fontSize: z.int(),
      lineHeight: z.number(),
      primaryColor: z.string(),
      buttonColor: z.string(),
      backgroundColor: z.string(),
      textColor: z.string(),
      headerColor: z.string(),
      buttonTextMn: z.string(),
      buttonTextEn: z.string(),
      footerTextMn: z.string(),
      footerTextEn: z.string(),
      customCss: z.string(),
    }) satisfies z.ZodType<Customizations>,
    savedAt: dateTimeSchema.nullable(),
    variables: z.array(z.enum(["name", "code", "minutes", "amount"])),
    defaultParams: z.union([
      z.object({ name: z.string(), url: z.string() }),
      z.object({ minutes: z.int(), name: z.string(), url: z.string() }),
      z.object({
        role: z.enum(["buyer", "seller"]),
        amount: z.int(),
        name: z.string(),
        code: z.string(),
        url: z.string(),
        goods: z.enum(["account", "licence", "key", "item", "other", ""]),
        price: z.int(),
      }),
    ]),
  })
  .meta({ id: "MailTemplate" });
export type MailTemplate = z.output<typeof mailTemplateSchema>;

/** A device on which a person is signed in. */
export const signedInDeviceSchema = z
  .object({
    sessionId: z.int(),
    device: z.string().describe("The browser's full user agent."),
    browser: z.string().nullable().describe("Its short name; null if unknown."),
    system: z.string().nullable(),
    ip: z.string(),
    createdAt: dateTimeSchema,
    lastSeenAt: dateTimeSchema,
    current: z.boolean(),
  })
  .meta({ id: "SignedInDevice" });
export type SignedInDevice = z.output<typeof signedInDeviceSchema>;

/** State of a second factor. */
export const secondFactorSchema = z.object({
  on: z.boolean(),
  since: dateTimeSchema.nullable(),
  recoveryCodesLeft: z.int(),
  pending: z.boolean(),
});
export type SecondFactor = z.output<typeof secondFactorSchema>;

/** Which optional emails a person wants, by group. */
export const notificationChoicesSchema = z
  .object({ reminders: z.boolean(), roomActivity: z.boolean(), requests: z.boolean() })
  .meta({ id: "NotificationChoices" });
export type NotificationChoices = z.output<typeof notificationChoicesSchema>;

/**
 * How a person is notified of unread messages, and the quiet hours in which only notifications about money make a sound ("22:00", "08:00").
 */
export const notificationPreferencesSchema = z
  .object({
    pushMessages: z.boolean(),
    mailMessages: z.boolean(),
    quietFrom: z.string().nullable(),
    quietTo: z.string().nullable(),
  })
  .meta({ id: "Telling" });
export type NotificationPreferences = z.output<typeof notificationPreferencesSchema>;

/** A browser that shows a person's notifications. */
export const notifiedDeviceSchema = z
  .object({
    id: z.int(),
    browser: z.string().nullable().describe("Its short name; null if unknown."),
    system: z.string().nullable(),
    createdAt: dateTimeSchema,
    usedAt: dateTimeSchema
      .nullable()
      .describe("When a notification last reached the browser's push service."),
    current: z.boolean().describe("Whether this is the browser making the request."),
  })
  .meta({ id: "NotifiedDevice" });
export type NotifiedDevice = z.output<typeof notifiedDeviceSchema>;

const profileFieldsSchema = z
  .object({
    displayName: z.string().optional(),
    phoneNumber: z.string().nullable().optional(),
    bankAccount: z.string().nullable().optional(),
  })
  .meta({ id: "ProfileFields" }) satisfies z.ZodType<ProfileFields>;

/** One action of a person, as the log stores it; `ip` and `device` are null once erased. */
const loggedActivitySchema = z
  .object({
    at: dateTimeSchema,
    action: z.string(),
    roomId: z.int().nullable(),
    ip: z.string().nullable(),
    device: z.string().nullable(),
  })
  .meta({ id: "Activity" });

/** Everything Midman keeps about one person. Higher modules add their parts (`registerDataCollector`). */
export const personalDataSchema = z
  .object({
    generatedAt: z.iso.datetime(),
    profile: userViewSchema,
    consents: z.array(z.object({ document: z.string(), version: z.string(), consentedAt: dateTimeSchema })),
    sessions: z.array(signedInDeviceSchema),
    notifications: notificationChoicesSchema,
    telling: notificationPreferencesSchema,
    passkeys: z.array(passkeySchema),
    notifiedDevices: z.array(notifiedDeviceSchema),
    profileChanges: z
      .array(z.object({ at: dateTimeSchema, before: profileFieldsSchema, after: profileFieldsSchema }))
      .describe("Changes that administrators made to the profile."),
    savedFilters: z
      .array(z.object({ page: z.string(), name: z.string(), createdAt: dateTimeSchema }))
      .describe(
        "Names of the filters an administrator saved. Their contents are left out because they concern other people.",
      ),
    restrictions: z
      .array(
        z.object({
          kind: z.enum(restrictionKinds),
          cause: z.enum(restrictionCauses),
          placedAt: dateTimeSchema,
          until: dateTimeSchema.nullable().describe("Null if permanent."),
          endedAt: dateTimeSchema.nullable(),
        }),
      )
      .describe("Restrictions that administrators placed on the account."),
    activity: z.array(loggedActivitySchema),
  })
  // Other modules add their own parts.
  .catchall(z.unknown())
  .meta({ id: "PersonalData" });
export type PersonalData = z.output<typeof personalDataSchema>;

/** The action was done; `message` is the text to show. */
export const successReplySchema = z.object({ success: z.boolean(), message: z.string() });

export const sessionStateSchema = z.object({ isAuthenticated: z.boolean(), user: userViewSchema.nullable() });
export const savedProfileSchema = successReplySchema.extend({ user: userViewSchema });
export const signInReplySchema = successReplySchema.extend({ user: userViewSchema });
/** The only response that shows the recovery codes. */
export const recoveryCodesSchema = successReplySchema.extend({ recoveryCodes: z.array(z.string()) });
