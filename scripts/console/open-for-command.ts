import { currentTime } from "#db/clock";
import { databaseLines } from "#db/startup/instance-record";
import { type OpenDatabase, openDatabase } from "#db/startup/open-database";

/**
 * Opens the database for a console command, and prints to standard error which one it is. An empty database is refused, because it was
 * probably named by mistake. With `migrated: false` it is left as it is.
 */
export async function openForCommand(options: { migrated?: boolean } = {}): Promise<OpenDatabase> {
  const database = await openDatabase({ existing: true, ...options });
  try {
    for (const line of await databaseLines(currentTime())) console.error(line);
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}
