import { bigint, customType, timestamp } from "drizzle-orm/pg-core";

/** A column of raw bytes: sealed values, digests, keys. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** A column of whole numbers: ids, and sums in tugrik. */
export const bigintColumn = (name: string) => bigint(name, { mode: "number" });

/** A column of moments. */
export const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
