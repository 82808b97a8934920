import { z } from "zod";
import { daySpan, isDay, rangeMessage } from "#format";

// Query parameters of an address: text, where each field may be absent or empty.

const isPrintable = (value: string) => !/[\p{Cc}\p{Cs}]/u.test(value);
const searchTextSchema = (max: number) =>
  z
    .string("validation.characters")
    .refine(isPrintable, "validation.characters")
    .trim()
    .max(max, "validation.tooLong");
const optionalFieldSchema = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());
const numericIdSchema = z
  .string("validation.id")
  .regex(/^[1-9]\d{0,14}$/, "validation.id")
  .transform(Number);
const dayOrMomentSchema = z
  .string("validation.day")
  .refine((value) => isDay(value) || isMoment(value), "validation.day");

/** ISO 8601 with a time zone, in years that the database accepts. */
function isMoment(value: string): boolean {
  if (!z.iso.datetime({ offset: true }).safeParse(value).success) return false;
  return isDay(new Date(value).toISOString().slice(0, 10));
}

const dayBegins = (day: string) => daySpan(day).from;
/** The last millisecond of the day: both ends of a range are inclusive. */
const dayEnds = (day: string) => new Date(daySpan(day).until.getTime() - 1);

const ipAddressSchema = searchTextSchema(64);
const actionSchema = searchTextSchema(80);
const largestPage = 100;
const pageSizeIssue = rangeMessage(1, largestPage);
const pagingFields = {
  before: optionalFieldSchema(numericIdSchema),
  limit: optionalFieldSchema(
    z
      .string(pageSizeIssue)
      .regex(/^[1-9]\d{0,14}$/, pageSizeIssue)
      .transform(Number)
      .refine((value) => value <= largestPage, pageSizeIssue),
  ),
};

/** Query of the API call; a date without a time means the whole day in Mongolia. Both ends are inclusive. */
export const activityQuery = z.object({
  userId: optionalFieldSchema(numericIdSchema),
  ipAddress: optionalFieldSchema(ipAddressSchema),
  action: optionalFieldSchema(actionSchema),
  fromDate: optionalFieldSchema(
    dayOrMomentSchema.transform((value) => (isDay(value) ? dayBegins(value) : new Date(value))),
  ),
  toDate: optionalFieldSchema(
    dayOrMomentSchema.transform((value) => (isDay(value) ? dayEnds(value) : new Date(value))),
  ),
  ...pagingFields,
});

export const activityPaging = z.object(pagingFields);

const daySchema = z.string().refine(isDay);
const lenientFieldSchema = <T extends z.ZodType>(schema: T) => optionalFieldSchema(schema).catch(undefined);

/** Query of the page's address; invalid values count as absent. */
export const activitySearch = z.object({
  view: z.enum(["list", "table"]).catch("list"),
  user: lenientFieldSchema(searchTextSchema(100)),
  action: lenientFieldSchema(actionSchema),
  ip: lenientFieldSchema(ipAddressSchema),
  from: lenientFieldSchema(daySchema),
  to: lenientFieldSchema(daySchema),
  before: lenientFieldSchema(numericIdSchema),
});
export type ActivitySearch = z.output<typeof activitySearch>;

/** The moments from the start of one day to the end of another, in Mongolian time. */
export function daysBetween(search: Pick<ActivitySearch, "from" | "to">) {
  return {
    fromDate: search.from === undefined ? undefined : dayBegins(search.from),
    toDate: search.to === undefined ? undefined : dayEnds(search.to),
  };
}
