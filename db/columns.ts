import { customType } from "drizzle-orm/pg-core";

/** Bytes as they are: what is sealed, digests, keys. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });
