import { currentTime } from "#db/clock";
import { databaseLines } from "#db/startup/instance-record";
import { type OpenDatabase, openDatabase } from "#db/startup/open-database";

/**
 * Opens the database that a command at the console acts on, and tells on standard error which one it is. An empty one is refused, as one that
 * was named by mistake. With `migrated: false` it stays as it is found.
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
