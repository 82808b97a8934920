import { z } from "zod";
import type { JsonView } from "#calls";
import type { MailServer } from "#modules/mailer";
import {
  type NotificationChoices,
  type NotificationPreferences,
  restrictionCauses,
  restrictionKinds,
} from "../../forms.ts";
import type { PersonalData } from "../account/personal-data.ts";
import type { ActivityLog } from "../activity/activity-log.ts";
import type { NotifiedDevice } from "../notifications/push-devices.ts";
import { passkeySchema } from "../passkeys/responses.ts";
import type { SignedInDevice } from "../sessions/signed-in-devices.ts";
import type { ProfileFields } from "./schema.ts";
import type { UserView } from "./users/user-view.ts";

const dateTimeSchema = z.iso.datetime();

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
    createdAt: dateTimeSchema,
    language: z.enum(["en", "mn"]),
    emailVerified: z.boolean(),
    mustChangePassword: z.boolean(),
    mustChooseName: z.boolean().describe("Whether another name must be chosen before anything else."),
    secondFactor: z.boolean().describe("Whether a login needs a code too."),
  })
  .meta({ id: "UserView" }) satisfies z.ZodType<JsonView<UserView>>;

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
      .describe("Null once erased, as the device: after thirty days, or where none was known."),
    deviceFingerprint: z.string().nullable(),
    createdAt: dateTimeSchema,
    additionalData: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("What the entry says further, with what it is about (`subject`); null when it says nothing."),
  })
  .meta({ id: "ActivityLog" }) satisfies z.ZodType<JsonView<ActivityLog>>;

export const mailServerSchema = z
  .object({
    configured: z.boolean(),
    host: z.string().nullable(),
    port: z.int().nullable(),
    user: z.string().nullable(),
    addresses: z.object({ admin: z.string(), transaction: z.string(), account: z.string() }),
  })
  .meta({ id: "MailServer" }) satisfies z.ZodType<JsonView<MailServer>>;

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
    }),
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
      }),
    ]),
  })
  .meta({ id: "MailTemplate" });

export const signedInDeviceSchema = z
  .object({
    sessionId: z.int(),
    device: z.string().describe("What the browser calls itself, at length."),
    browser: z.string().nullable().describe("The same as people name it; null where it cannot be told."),
    system: z.string().nullable(),
    ip: z.string(),
    createdAt: dateTimeSchema,
    lastSeenAt: dateTimeSchema,
    current: z.boolean(),
  })
  .meta({ id: "SignedInDevice" }) satisfies z.ZodType<JsonView<SignedInDevice>>;

export const notificationChoicesSchema = z
  .object({ reminders: z.boolean(), roomActivity: z.boolean(), requests: z.boolean() })
  .meta({ id: "NotificationChoices" }) satisfies z.ZodType<JsonView<NotificationChoices>>;

export const notificationPreferencesSchema = z
  .object({
    pushMessages: z.boolean(),
    mailMessages: z.boolean(),
    quietFrom: z.string().nullable(),
    quietTo: z.string().nullable(),
  })
  .meta({ id: "Telling" }) satisfies z.ZodType<JsonView<NotificationPreferences>>;

export const notifiedDeviceSchema = z
  .object({
    id: z.int(),
    browser: z.string().nullable().describe("As people name them; null where it cannot be told."),
    system: z.string().nullable(),
    createdAt: dateTimeSchema,
    usedAt: dateTimeSchema.nullable().describe("When one last reached the browser's push service."),
    current: z.boolean().describe("The browser that asks."),
  })
  .meta({ id: "NotifiedDevice" }) satisfies z.ZodType<JsonView<NotifiedDevice>>;

const profileFieldsSchema = z
  .object({
    displayName: z.string().optional(),
    phoneNumber: z.string().nullable().optional(),
    bankAccount: z.string().nullable().optional(),
  })
  .meta({ id: "ProfileFields" }) satisfies z.ZodType<JsonView<ProfileFields>>;

const loggedActivitySchema = z
  .object({
    at: dateTimeSchema,
    action: z.string(),
    roomId: z.int().nullable(),
    ip: z.string().nullable(),
    device: z.string().nullable(),
  })
  .meta({ id: "Activity" });

export const personalDataSchema = z
  .object({
    generatedAt: dateTimeSchema,
    profile: userViewSchema,
    consents: z.array(z.object({ document: z.string(), version: z.string(), consentedAt: dateTimeSchema })),
    sessions: z.array(signedInDeviceSchema),
    notifications: notificationChoicesSchema,
    telling: notificationPreferencesSchema,
    passkeys: z.array(passkeySchema),
    notifiedDevices: z.array(notifiedDeviceSchema),
    profileChanges: z
      .array(z.object({ at: dateTimeSchema, before: profileFieldsSchema, after: profileFieldsSchema }))
      .describe("What administrators changed in the profile."),
    savedFilters: z
      .array(z.object({ page: z.string(), name: z.string(), createdAt: dateTimeSchema }))
      .describe("The filters an administrator keeps, by their names: what they look for is of other people."),
    restrictions: z
      .array(
        z.object({
          kind: z.enum(restrictionKinds),
          cause: z.enum(restrictionCauses),
          placedAt: dateTimeSchema,
          until: dateTimeSchema.nullable().describe("Null for good."),
          endedAt: dateTimeSchema.nullable(),
        }),
      )
      .describe("How administrators limited or suspended the account."),
    activity: z.array(loggedActivitySchema),
  })
  // Other modules add their own parts.
  .catchall(z.unknown())
  .meta({ id: "PersonalData" }) satisfies z.ZodType<JsonView<PersonalData>>;

/** The action was done; `message` is the text to show. */
export const successReplySchema = z.object({ success: z.boolean(), message: z.string() });

export const sessionStateSchema = z.object({ isAuthenticated: z.boolean(), user: userViewSchema.nullable() });
export const savedProfileSchema = successReplySchema.extend({ user: userViewSchema });
export const signInReplySchema = successReplySchema.extend({ user: userViewSchema });
/** The only response that shows the recovery codes. */
export const recoveryCodesSchema = successReplySchema.extend({ recoveryCodes: z.array(z.string()) });
