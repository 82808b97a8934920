import { boolean, customType, integer, jsonb, pgSchema, smallint, text, uuid } from "drizzle-orm/pg-core";
import { bigintColumn, bytea, timestampColumn } from "#db/columns";

/** A 64-bit transaction id as the decimal text that Postgres prints. */
const xid8 = customType<{ data: string; driverData: string }>({ dataType: () => "xid8" });

const auditSchema = pgSchema("audit");

/** Partitioned by `at`, a quarter of a year each: code that knows an entry's time passes it with the id, so that one partition is read. */
export const auditEntriesTable = auditSchema.table("entries", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  era: integer().notNull(),
  xid: xid8().notNull(),
  recordedAt: timestampColumn("recorded_at").notNull(),
  at: timestampColumn("at").notNull(),
  userId: bigintColumn("user_id"),
  action: text().notNull(),
  roomId: bigintColumn("room_id"),
  subjectKind: text("subject_kind"),
  subjectId: text("subject_id"),
  data: jsonb().$type<Record<string, unknown>>().notNull(),
  trace: text(),
});

export const tracesTable = auditSchema.table("traces", {
  entryId: bigintColumn("entry_id").primaryKey(),
  at: timestampColumn("at").notNull(),
  key: bytea().notNull(),
  ip: text(),
  device: text(),
});

export const erasedEntriesTable = auditSchema.table("erased", {
  id: bigintColumn("id").primaryKey(),
  era: integer().notNull(),
  xid: xid8().notNull(),
  line: text().notNull(),
  batch: uuid().notNull(),
});

export const blocksTable = auditSchema.table("blocks", {
  n: bigintColumn("n").primaryKey(),
  previous: text().notNull(),
  digest: text().notNull(),
  head: text().notNull(),
  fromEra: integer("from_era").notNull(),
  fromXid: xid8("from_xid").notNull(),
  toEra: integer("to_era").notNull(),
  toXid: xid8("to_xid").notNull(),
  firstId: bigintColumn("first_id").notNull(),
  lastId: bigintColumn("last_id").notNull(),
  entries: bigintColumn("entries").notNull(),
  sealedAt: timestampColumn("sealed_at").notNull(),
  form: smallint().$type<1 | 2>().notNull().default(1),
});

export const auditChecksTable = auditSchema.table("checks", {
  at: timestampColumn("at").primaryKey(),
  ok: boolean().notNull(),
  block: bigintColumn("block").notNull(),
  head: text(),
  entries: bigintColumn("entries"),
  reason: text(),
});

export const headsTable = auditSchema.table("heads", {
  id: bigintColumn("id").primaryKey().generatedAlwaysAsIdentity(),
  at: timestampColumn("at").notNull(),
  block: bigintColumn("block").notNull(),
  head: text().notNull(),
  sentTo: text("sent_to"),
});

export const anchorFailuresTable = auditSchema.table("anchor_failures", {
  place: text().primaryKey(),
  since: timestampColumn("since").notNull(),
  triedAt: timestampColumn("tried_at").notNull(),
  reason: text().notNull(),
});
