import { expect, test } from "bun:test";
import { openClient } from "../../../db/client.ts";
import { freshDatabase } from "../../support/database/test-database.ts";
import { faultsOf } from "./world.ts";

async function emptyWorld() {
  const { url, drop } = await freshDatabase();
  return { databaseUrl: url, sql: openClient(url), instances: [], drop };
}

test("worlds that end at the same time each have their own log verified", async () => {
  const worlds = [await emptyWorld(), await emptyWorld()] as const;
  await worlds[0].sql`
    INSERT INTO audit.entries (at, recorded_at, action, data)
    SELECT hour, hour, 'never.sealed', '{}' FROM (SELECT now() - interval '1 hour' AS hour)`;
  const found = await Promise.all(worlds.map(faultsOf));
  for (const { sql, drop } of worlds) {
    await sql.end();
    await drop();
  }
  expect(found).toEqual([[expect.stringContaining("never sealed")], []]);
});
