import { expect, test } from "bun:test";
import { openClient } from "../../../db/client.ts";
import { startDurablePostgres } from "../../support/database/durable-postgres.ts";
import { expectStatus } from "../../support/people/registered-people.ts";
import { sharedSecrets, startServer } from "../../support/server/midman-server.ts";
import { runMidmanCommand } from "../../support/server/run-command.ts";
import { openPaidTrade, untilStatus } from "../../support/trades/server-trades.ts";
import { waitUntil } from "../../support/wait-until.ts";

test("a base backup and the archived WAL restore the moment before a mistake", async () => {
  const postgres = await startDurablePostgres({ archived: true });
  const ends = [() => postgres.stop()];
  try {
    const server = await startServer({ databaseUrl: postgres.url });
    ends.unshift(() => server.kill());
    const deal = await openPaidTrade(server);
    const path = `/api/chat/rooms/${deal.roomId}/messages`;
    const say = async (content: string) =>
      expectStatus(await deal.buyer.post(path, { content, clientId: crypto.randomUUID() }), 201);
    const base = await postgres.baseBackup();
    await say("after the base backup");
    const owner = openClient(postgres.url, { max: 1 });
    const [moment] = await owner`SELECT clock_timestamp()::text AS at`;
    await say("after the moment");
    await owner`DROP TABLE escrow.steps CASCADE`; // the mistake
    const [end] = await owner<[{ segment: string }]>`SELECT pg_walfile_name(pg_switch_wal()) AS segment`;
    const isArchived = async () => {
      const [archiver] = await owner<[{ last: string | null }]>`
        SELECT last_archived_wal AS last FROM pg_stat_archiver`;
      // Segments are archived in their order, and their names sort by it.
      return (archiver.last ?? "") >= end.segment;
    };
    await waitUntil(isArchived, 20_000);
    await owner.end();
    await server.kill();
    await postgres.stopAtOnce();

    const recovered = await base.recover(String(moment?.at));
    ends.unshift(() => recovered.stop());
    const settings = {
      DATABASE_URL: recovered.url,
      DATA_DIR: server.dataDir,
      ENCRYPTION_KEY: sharedSecrets.ENCRYPTION_KEY,
    };
    expect(await runMidmanCommand("admin", ["halt", "recovered to a moment"], settings)).toMatchObject({
      code: 0,
    });
    expect(await runMidmanCommand("ledger-verify", [], settings)).toMatchObject({ code: 0 });
    expect(await runMidmanCommand("audit-verify", [], settings)).toMatchObject({ code: 0 });
    const again = await startServer({
      databaseUrl: recovered.url,
      dataDir: server.dataDir,
      port: server.port,
    });
    ends.unshift(() => again.kill());
    await untilStatus(deal, "payment_confirmed");
    const said = expectStatus(await deal.buyer.get(`${path}?after=0`), 200).text;
    expect([said.includes("after the base backup"), said.includes("after the moment")]).toEqual([
      true,
      false,
    ]);
  } finally {
    for (const end of ends) await end();
  }
}, 180_000);
