import { z } from "zod";
import type { Sent } from "#calls";
import type { MailServer } from "#modules/mailer";
import { type NotificationChoices, restrictionCauses, restrictionKinds, type Telling } from "../../forms.ts";
import type { PersonalData } from "../account/personal-data.ts";
import type { ActivityLog } from "../activity/activity-log.ts";
import type { NotifiedDevice } from "../notifications/push-devices.ts";
import { passkey } from "../passkeys/responses.ts";
import type { SignedInDevice } from "../sessions/signed-in-devices.ts";
import type { ProfileFields } from "./schema.ts";
import type { UserView } from "./user-view.ts";

const moment = z.iso.datetime();

export const userView = z
  .object({
    id: z.int(),
    username: z.string(),
    displayName: z.string(),
    email: z.string(),
    avatarInitials: z.string(),
    phoneNumber: z.string().nullable(),
    bankAccount: z.string().nullable(),
    isAdmin: z.boolean(),
    createdAt: moment,
    language: z.enum(["en", "mn"]),
    emailVerified: z.boolean(),
    mustChangePassword: z.boolean(),
    mustChooseName: z.boolean().describe("Whether another name must be chosen before anything else."),
    secondFactor: z.boolean().describe("Whether a login needs a code too."),
  })
  .meta({ id: "UserView" }) satisfies z.ZodType<Sent<UserView>>;

export const activityLog = z
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
    createdAt: moment,
    additionalData: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("What the entry says further, with what it is about (`subject`); null when it says nothing."),
  })
  .meta({ id: "ActivityLog" }) satisfies z.ZodType<Sent<ActivityLog>>;

export const mailServer = z
  .object({
    configured: z.boolean(),
    host: z.string().nullable(),
    port: z.int().nullable(),
    user: z.string().nullable(),
    addresses: z.object({ admin: z.string(), transaction: z.string(), account: z.string() }),
  })
  .meta({ id: "MailServer" }) satisfies z.ZodType<Sent<MailServer>>;

export const mailTemplate = z
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
    savedAt: moment.nullable(),
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

export const signedInDevice = z
  .object({
    sessionId: z.int(),
    device: z.string().describe("What the browser calls itself, at length."),
    browser: z.string().nullable().describe("The same as people name it; null where it cannot be told."),
    system: z.string().nullable(),
    ip: z.string(),
    createdAt: moment,
    lastSeenAt: moment,
    current: z.boolean(),
  })
  .meta({ id: "SignedInDevice" }) satisfies z.ZodType<Sent<SignedInDevice>>;

export const notificationChoices = z
  .object({ reminders: z.boolean(), roomActivity: z.boolean(), requests: z.boolean() })
  .meta({ id: "NotificationChoices" }) satisfies z.ZodType<Sent<NotificationChoices>>;

export const telling = z
  .object({
    pushMessages: z.boolean(),
    mailMessages: z.boolean(),
    quietFrom: z.string().nullable(),
    quietTo: z.string().nullable(),
  })
  .meta({ id: "Telling" }) satisfies z.ZodType<Sent<Telling>>;

export const notifiedDevice = z
  .object({
    id: z.int(),
    browser: z.string().nullable().describe("As people name them; null where it cannot be told."),
    system: z.string().nullable(),
    createdAt: moment,
    usedAt: moment.nullable().describe("When one last reached the browser's push service."),
    current: z.boolean().describe("The browser that asks."),
  })
  .meta({ id: "NotifiedDevice" }) satisfies z.ZodType<Sent<NotifiedDevice>>;

const profileFields = z
  .object({
    displayName: z.string().optional(),
    phoneNumber: z.string().nullable().optional(),
    bankAccount: z.string().nullable().optional(),
  })
  .meta({ id: "ProfileFields" }) satisfies z.ZodType<Sent<ProfileFields>>;

const activity = z
  .object({
    at: moment,
    action: z.string(),
    roomId: z.int().nullable(),
    ip: z.string().nullable(),
    device: z.string().nullable(),
  })
  .meta({ id: "Activity" });

export const personalData = z
  .object({
    generatedAt: moment,
    profile: userView,
    consents: z.array(z.object({ document: z.string(), version: z.string(), consentedAt: moment })),
    sessions: z.array(signedInDevice),
    notifications: notificationChoices,
    telling: telling,
    passkeys: z.array(passkey),
    notifiedDevices: z.array(notifiedDevice),
    profileChanges: z
      .array(z.object({ at: moment, before: profileFields, after: profileFields }))
      .describe("What administrators changed in the profile."),
    savedFilters: z
      .array(z.object({ page: z.string(), name: z.string(), createdAt: moment }))
      .describe("The filters an administrator keeps, by their names: what they look for is of other people."),
    restrictions: z
      .array(
        z.object({
          kind: z.enum(restrictionKinds),
          cause: z.enum(restrictionCauses),
          placedAt: moment,
          until: moment.nullable().describe("Null for good."),
          endedAt: moment.nullable(),
        }),
      )
      .describe("How administrators limited or suspended the account."),
    activity: z.array(activity),
  })
  // Other modules add what they keep.
  .catchall(z.unknown())
  .meta({ id: "PersonalData" }) satisfies z.ZodType<Sent<PersonalData>>;

/** It was done, and what to tell about it. */
export const done = z.object({ success: z.boolean(), message: z.string() });

export const sessionAnswer = z.object({ isAuthenticated: z.boolean(), user: userView.nullable() });
export const savedProfile = done.extend({ user: userView });
export const signedIn = done.extend({ user: userView });
/** Recovery codes are shown this once. */
export const recoveryCodes = done.extend({ recoveryCodes: z.array(z.string()) });
