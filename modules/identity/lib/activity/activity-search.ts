import { z } from "zod";
import { daySpan, isDay } from "#format";

// What stands in an address: text, of which every field may be absent or empty.

const printable = (value: string) => !/[\p{Cc}\p{Cs}]/u.test(value);
const text = (max: number) =>
  z
    .string("validation.characters")
    .refine(printable, "validation.characters")
    .trim()
    .max(max, "validation.tooLong");
const orNone = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());
const id = z
  .string("validation.id")
  .regex(/^[1-9]\d{0,14}$/, "validation.id")
  .transform(Number);
const moment = z
  .string("validation.day")
  .refine((value) => isDay(value) || isMoment(value), "validation.day");

/** ISO 8601 with its zone, in years that a database is sure to take. */
function isMoment(value: string): boolean {
  if (!z.iso.datetime({ offset: true }).safeParse(value).success) return false;
  return isDay(new Date(value).toISOString().slice(0, 10));
}

const dayBegins = (day: string) => daySpan(day).from;
/** Both ends of what is asked for are included. */
const dayEnds = (day: string) => new Date(daySpan(day).until.getTime() - 1);

const address = text(64);
const action = text(80);
const paging = {
  before: orNone(id),
  limit: orNone(id.refine((value) => value <= 100, "validation.id")),
};

/** The call's query (specification §7); a bare day is a whole Mongolian day. Both ends are included. */
export const activityQuery = z.object({
  userId: orNone(id),
  ipAddress: orNone(address),
  action: orNone(action),
  fromDate: orNone(moment.transform((value) => (isDay(value) ? dayBegins(value) : new Date(value)))),
  toDate: orNone(moment.transform((value) => (isDay(value) ? dayEnds(value) : new Date(value)))),
  ...paging,
});

export const activityPaging = z.object(paging);

const day = z.string().refine(isDay);
const kept = <T extends z.ZodType>(schema: T) => orNone(schema).catch(undefined);

/** The page's address: what means nothing in it is as if it were absent. */
export const activitySearch = z.object({
  view: z.enum(["list", "table"]).catch("list"),
  user: kept(text(100)),
  action: kept(action),
  ip: kept(address),
  from: kept(day),
  to: kept(day),
  before: kept(id),
});
export type ActivitySearch = z.output<typeof activitySearch>;

/** The moments from the beginning of one Mongolian day to the end of another. */
export function daysBetween(search: Pick<ActivitySearch, "from" | "to">) {
  return {
    fromDate: search.from === undefined ? undefined : dayBegins(search.from),
    toDate: search.to === undefined ? undefined : dayEnds(search.to),
  };
}
