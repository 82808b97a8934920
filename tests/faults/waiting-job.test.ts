import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "../../db/client.ts";
import { defineJob } from "../../db/jobs.ts";
import { useDatabase } from "../support/database/test-database.ts";
import { startServer } from "../support/server/midman-server.ts";
import { plantRoom, plantTrade, plantUser } from "../support/trades/planted-trades.ts";

const database = useDatabase();

/** Makes a room look as if nothing had happened in it for three years. */
async function aged(roomId: number): Promise<number> {
  const then = sql`now() - interval '3 years'`;
  await db().execute(sql`UPDATE rooms.rooms SET created_at = ${then} WHERE id = ${roomId}`);
  await db().execute(sql`UPDATE rooms.counters SET active_at = ${then} WHERE room_id = ${roomId}`);
  return roomId;
}

async function standing(roomId: number): Promise<boolean> {
  return (await db().execute(sql`SELECT FROM rooms.rooms WHERE id = ${roomId}`)).length === 1;
}

test("a start that finds room erasures left to do keeps rooms with a trade", async () => {
  const [one, two] = await Promise.all([plantUser(), plantUser()]);
  const trading = await aged((await plantTrade("payment_pending")).roomId);
  const quiet = await aged(await plantRoom(one.userId, two.userId));
  const erasing = defineJob("rooms.retention", async () => {});
  await runInTransaction((tx) => erasing.enqueue(tx, {}));
  const server = await startServer({ databaseUrl: database.url });
  try {
    for (const end = Date.now() + 20_000; Date.now() < end && (await standing(quiet)); ) await Bun.sleep(50);
    expect(await standing(quiet)).toBe(false);
    expect(await standing(trading)).toBe(true);
  } finally {
    await server.stop();
  }
});
