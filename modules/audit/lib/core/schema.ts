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

/** A 64-bit transaction id as the decimal text that Postgres prints. */
const xid8 = customType<{ data: string; driverData: string }>({ dataType: () => "xid8" });
const byteaColumn = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });
const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

const auditSchema = pgSchema("audit");

/** Partitioned by `at`, a quarter of a year each: code that knows an entry's time passes it with the id, so that one partition is read. */
export const auditEntriesTable = auditSchema.table("entries", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  era: integer().notNull(),
  xid: xid8().notNull(),
  recordedAt: timestampColumn("recorded_at").notNull(),
  at: timestampColumn("at").notNull(),
  userId: bigint("user_id", { mode: "number" }),
  action: text().notNull(),
  roomId: bigint("room_id", { mode: "number" }),
  subjectKind: text("subject_kind"),
  subjectId: text("subject_id"),
  data: jsonb().$type<Record<string, unknown>>().notNull(),
  trace: text(),
});

export const tracesTable = auditSchema.table("traces", {
  entryId: bigint("entry_id", { mode: "number" }).primaryKey(),
  at: timestampColumn("at").notNull(),
  key: byteaColumn().notNull(),
  ip: text(),
  device: text(),
});

export const erasedEntriesTable = auditSchema.table("erased", {
  id: bigint({ mode: "number" }).primaryKey(),
  era: integer().notNull(),
  xid: xid8().notNull(),
  line: text().notNull(),
  batch: uuid().notNull(),
});

export const blocksTable = auditSchema.table("blocks", {
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
  sealedAt: timestampColumn("sealed_at").notNull(),
  form: smallint().$type<1 | 2>().notNull().default(1),
});

export const auditChecksTable = auditSchema.table("checks", {
  at: timestampColumn("at").primaryKey(),
  ok: boolean().notNull(),
  block: bigint({ mode: "number" }).notNull(),
  head: text(),
  entries: bigint({ mode: "number" }),
  reason: text(),
});

export const headsTable = auditSchema.table("heads", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  at: timestampColumn("at").notNull(),
  block: bigint({ mode: "number" }).notNull(),
  head: text().notNull(),
  sentTo: text("sent_to"),
});

export const anchorFailuresTable = auditSchema.table("anchor_failures", {
  place: text().primaryKey(),
  since: timestampColumn("since").notNull(),
  triedAt: timestampColumn("tried_at").notNull(),
  reason: text().notNull(),
});
