import { customType } from "drizzle-orm/pg-core";

/** A column of raw bytes: sealed values, digests, keys. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });
