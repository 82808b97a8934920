/**
 * bench:scale: what one of each costs the server and the database in processor time: a message, a page of a room, a payment. The
 * simulation (`scale:simulate`) goes by these figures.
 */
import { openClient } from "../../db/client.ts";
import { expectStatus, makeRoomOf, makeRoomPair } from "../support/people/registered-people.ts";
import { payAt, requestPayment, untilStatus } from "../support/trades/server-trades.ts";
import { cores, startMidman } from "./support/midman.ts";
import { pinBackends } from "./support/postgres.ts";
import { atMost, cpuMicros } from "./support/process.ts";
import { machine, table, writeSection } from "./support/results.ts";

atMost(600);
const about = machine();
await using midman = await startMidman();
const sql = openClient(midman.databaseUrl, { max: 1 });
await pinBackends(midman.databaseUrl, cores.load);

/** The processor time of the database's processes that serve Midman; what Postgres writes in the background is not in it. */
async function databaseMicros(): Promise<number> {
  const rows = await sql<Array<{ pid: number }>>`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  return rows.reduce((sum, { pid }) => sum + cpuMicros(pid), 0);
}

type Cost = { what: string; times: number; server: number; database: number };

/** What one costs once the server has done as many: what has run often enough is compiled, and a first hour of use is not asked about. */
async function cost(what: string, times: number, one: (n: number) => Promise<unknown>): Promise<Cost> {
  for (let n = 0; n < times; n++) await one(n);
  const before = { server: midman.cpuMicros(), database: await databaseMicros() };
  for (let n = 0; n < times; n++) await one(n);
  return {
    what,
    times,
    server: (midman.cpuMicros() - before.server) / times,
    database: ((await databaseMicros()) - before.database) / times,
  };
}

const pair = await makeRoomPair(midman);
const room = `/api/chat/rooms/${pair.roomId}/messages`;
const costs = [
  await cost("message", 1_000, async (n) =>
    expectStatus(await pair.seller.post(room, { content: `message ${n}` }), 200, 201),
  ),
  await cost("page of a room", 1_500, async () =>
    expectStatus(await pair.seller.get(`/chat/${pair.roomId}`), 200),
  ),
  await cost("payment", 150, async () => {
    const deal = await requestPayment(midman, await makeRoomOf(pair));
    await payAt(deal.buyer, deal.invoiceId);
    await untilStatus(deal, "payment_confirmed");
  }),
];
await sql.end();
const text = [
  `${about} The server on core ${cores.server}, everything else on core ${cores.load}; one at a time, by HTTP.`,
  "A payment is a new room of two, the trade, its QR, the sandbox provider's callback and what is asked until it is confirmed; the sandbox is part of the server.",
  table(
    ["one", "server CPU-µs", "database CPU-µs", "measured"],
    costs.map(({ what, times, server, database }) => [
      what,
      Math.round(server),
      Math.round(database),
      `${times} times`,
    ]),
  ),
].join("\n\n");
writeSection("bench:scale", text);
console.log(text);
process.exit(0);
