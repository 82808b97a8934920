/** bench:messages: durable messages a second over a thousand rooms, beside pgbench running the same SQL on the same Postgres. */
import { makeRoomOf, makeRoomPair } from "../support/people/registered-people.ts";
import type { Asked } from "./messages/clients.ts";
import { type Round, report } from "./messages/report.ts";
import { connections, leanest, startDurable } from "./sql/durable.ts";
import { findPgbench, pgbench } from "./sql/pgbench.ts";
import { scriptOf } from "./sql/script.ts";
import { cores, root } from "./support/midman.ts";
import { atMost, pinned, stayOn } from "./support/process.ts";
import { machine } from "./support/results.ts";

/** A short run looks at less, and writes nothing down. */
const short = process.argv.includes("--short");
const rooms = short ? 100 : 1_000;
const rounds = short ? 2 : 5;
const seconds = short ? 2 : 5;
/** Messages under way at once: enough that every connection of the pool is in use. */
const atOnce = 2 * connections;

atMost(short ? 120 : 420);
const about = machine();
const program = findPgbench();
stayOn(cores.load); // and with it all that is started from here on, but for the server and pgbench
await using midman = await startDurable();
await using clients = pinned(cores.load, [process.execPath, "tests/bench/messages/clients.ts"], {
  cwd: root,
});
const ask = <T>(asked: Asked) => clients.ask<T>(asked);

const pair = await makeRoomPair(midman);
const ids = [Number(pair.roomId)];
while (ids.length < rooms) ids.push(Number((await makeRoomOf(pair)).roomId));
const [first = 0, last = 0] = [ids[0], ids.at(-1)];
if (last - first + 1 !== rooms) throw new Error(`the rooms ${first}–${last} are not one after the other`);
const headers = { cookie: pair.seller.cookies(), origin: midman.url, "accept-language": "en" };
const socket = (room: number) =>
  `${midman.url.replace("http", "ws")}/ws?roomId=${room}&userId=${pair.seller.id}`;
await ask({ connect: ids.map((room) => ({ url: socket(room), headers })) });

/** What the server asks for one message. */
const record = () => midman.record(() => ask({ say: crypto.randomUUID() }));
await record(); // the first one reads more
const statements = leanest([await record(), await record(), await record()]);
const head = `\\set room random(${first}, ${last})`;
const script = scriptOf(statements, [{ value: first, sql: ":room" }], head);
const run = { databaseUrl: midman.databaseUrl, script, connections, for: ["-T", String(seconds)] };

await ask({ talk: 2, atOnce });
const found: Round[] = [];
for (let round = 0; round < rounds; round++) {
  const before = midman.cpuMicros();
  const ours = await ask<{ acknowledged: number; seconds: number }>({ talk: seconds, atOnce });
  const spent = midman.cpuMicros() - before;
  const theirs = await pgbench(program, run);
  found.push({
    ours: ours.acknowledged / ours.seconds,
    cpuMicros: spent / ours.acknowledged,
    busy: spent / ours.seconds / 1e6,
    pgbench: theirs.perSecond,
  });
}
report({ about, short, rooms, atOnce, seconds, statements, version: program.version, found });
