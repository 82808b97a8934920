import { z } from "zod";

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
