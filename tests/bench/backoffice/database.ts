import { connectDatabase, disconnectDatabase } from "../../../db/client.ts";
import { fillLarge, type Sizes } from "../../../scripts/seed/large/fill-large.ts";
import { freshDatabase } from "../../support/database/test-database.ts";

/** What the targets for growth are measured beside. */
export const small: Sizes = { users: 500, transactions: 1_000, logs: 50_000 };

/** The database of that address, or a fresh one filled so far, which is dropped in the end. */
export async function databaseOf(url: string | undefined, sizes: Sizes) {
  if (url !== undefined) return { url, [Symbol.asyncDispose]: async () => {} };
  const fresh = await freshDatabase();
  connectDatabase(fresh.url, 4);
  await fillLarge(fresh.url, sizes);
  await disconnectDatabase();
  return { url: fresh.url, [Symbol.asyncDispose]: () => fresh.drop() };
}
