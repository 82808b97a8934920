import {
  bigint,
  boolean,
  customType,
  integer,
  jsonb,
  pgSchema,
  smallint,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";

/** A 64-bit transaction id, kept as the digits Postgres prints. */
const xid8 = customType<{ data: string; driverData: string }>({ dataType: () => "xid8" });
const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });
const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const audit = pgSchema("audit");

/** Parted by `at`, a quarter of a year each: what knows an entry's moment says it beside the number. */
export const entries = audit.table("entries", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  era: integer().notNull(),
  xid: xid8().notNull(),
  recordedAt: moment("recorded_at").notNull(),
  at: moment("at").notNull(),
  userId: bigint("user_id", { mode: "number" }),
  action: text().notNull(),
  roomId: bigint("room_id", { mode: "number" }),
  subjectKind: text("subject_kind"),
  subjectId: text("subject_id"),
  data: jsonb().$type<Record<string, unknown>>().notNull(),
  trace: text(),
});

export const traces = audit.table("traces", {
  entryId: bigint("entry_id", { mode: "number" }).primaryKey(),
  at: moment("at").notNull(),
  key: bytea().notNull(),
  ip: text(),
  device: text(),
});

export const erased = audit.table("erased", {
  id: bigint({ mode: "number" }).primaryKey(),
  era: integer().notNull(),
  xid: xid8().notNull(),
  line: text().notNull(),
  batch: uuid().notNull(),
});

export const blocks = audit.table("blocks", {
  n: bigint({ mode: "number" }).primaryKey(),
  previous: text().notNull(),
  digest: text().notNull(),
  head: text().notNull(),
  fromEra: integer("from_era").notNull(),
  fromXid: xid8("from_xid").notNull(),
  toEra: integer("to_era").notNull(),
  toXid: xid8("to_xid").notNull(),
  firstId: bigint("first_id", { mode: "number" }).notNull(),
  lastId: bigint("last_id", { mode: "number" }).notNull(),
  entries: bigint({ mode: "number" }).notNull(),
  sealedAt: moment("sealed_at").notNull(),
  form: smallint().$type<1 | 2>().notNull().default(1),
});

export const checks = audit.table("checks", {
  at: moment("at").primaryKey(),
  ok: boolean().notNull(),
  block: bigint({ mode: "number" }).notNull(),
  head: text(),
  entries: bigint({ mode: "number" }),
  reason: text(),
});

export const heads = audit.table("heads", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  at: moment("at").notNull(),
  block: bigint({ mode: "number" }).notNull(),
  head: text().notNull(),
  sentTo: text("sent_to"),
});

export const anchorFailures = audit.table("anchor_failures", {
  place: text().primaryKey(),
  since: moment("since").notNull(),
  triedAt: moment("tried_at").notNull(),
  reason: text().notNull(),
});
