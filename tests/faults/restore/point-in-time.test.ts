import { expect, test } from "bun:test";
import { openClient } from "../../../db/client.ts";
import { command } from "../../support/commands.ts";
import { paidDeal, untilStatus } from "../../support/deal.ts";
import { durablePostgres } from "../../support/durable-postgres.ts";
import { must } from "../../support/people.ts";
import { secrets, startServer } from "../../support/server.ts";
import { until } from "../../support/until.ts";

test("a base backup and the archived WAL bring back the moment before a mistake", async () => {
  const postgres = await durablePostgres({ archived: true });
  const ends = [() => postgres.stop()];
  try {
    const server = await startServer({ databaseUrl: postgres.url });
    ends.unshift(() => server.kill());
    const deal = await paidDeal(server);
    const path = `/api/chat/rooms/${deal.roomId}/messages`;
    const say = async (content: string) =>
      must(await deal.buyer.post(path, { content, clientId: crypto.randomUUID() }), 201);
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
    await until(isArchived, 20_000);
    await owner.end();
    await server.kill();
    await postgres.stopAtOnce();

    const recovered = await base.recover(String(moment?.at));
    ends.unshift(() => recovered.stop());
    const settings = {
      DATABASE_URL: recovered.url,
      DATA_DIR: server.dataDir,
      ENCRYPTION_KEY: secrets.ENCRYPTION_KEY,
    };
    expect(await command("admin", ["halt", "recovered to a moment"], settings)).toMatchObject({ code: 0 });
    expect(await command("ledger-verify", [], settings)).toMatchObject({ code: 0 });
    expect(await command("audit-verify", [], settings)).toMatchObject({ code: 0 });
    const again = await startServer({
      databaseUrl: recovered.url,
      dataDir: server.dataDir,
      port: server.port,
    });
    ends.unshift(() => again.kill());
    await untilStatus(deal, "payment_confirmed");
    const said = must(await deal.buyer.get(`${path}?after=0`), 200).text;
    expect([said.includes("after the base backup"), said.includes("after the moment")]).toEqual([
      true,
      false,
    ]);
  } finally {
    for (const end of ends) await end();
  }
}, 180_000);
