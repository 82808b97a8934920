/** bench:money: confirmed completions and checked payments a second, each beside pgbench running the same SQL on the same Postgres. */

import { expectStatus, makeRoomPair } from "../support/people/registered-people.ts";
import { payAt, requestPayment } from "../support/trades/server-trades.ts";
import type { Asked } from "./money/clients.ts";
import { type Found, report } from "./money/report.ts";
import { connections, leanest, startDurable } from "./sql/durable.ts";
import { findPgbench, pgbench } from "./sql/pgbench.ts";
import { type Recorded, scriptOf } from "./sql/script.ts";
import { cores, root } from "./support/midman.ts";
import { atMost, pinned, stayOn } from "./support/process.ts";
import { machine } from "./support/results.ts";

/** A short run looks at less, and writes nothing down. */
const short = process.argv.includes("--short");
const rounds = short ? 1 : 3;
/** Trades that each connection moves in a round. */
const each = short ? 3 : 5;
const ofRound = connections * each;

atMost(short ? 240 : 900);
const about = machine();
const program = findPgbench();
stayOn(cores.load); // and with it all that is started from here on, but for the server and pgbench
await using midman = await startDurable();
await using clients = pinned(cores.load, [process.execPath, "tests/bench/money/clients.ts"], { cwd: root });
const pair = await makeRoomPair(midman);

/** Paid at the provider, which has told nobody. */
async function paidUnseen(count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) {
    const deal = await requestPayment(midman, pair);
    await payAt(pair.buyer, deal.invoiceId, { callback: false });
    ids.push(Number(deal.id));
  }
  const [first = 0, last = 0] = [ids[0], ids.at(-1)];
  if (last - first + 1 !== count) throw new Error(`the trades ${first}–${last} are not one after the other`);
  return ids;
}

const moves = {
  "check payment": (id: number) => `/api/transactions/${id}/verify`,
  "confirm completion": (id: number) => `/api/transactions/${id}/complete`,
};
type Move = keyof typeof moves;
const post = async (move: Move, id: number) => expectStatus(await pair.buyer.post(moves[move](id)), 200);

/** What the server asks for a move, with the trade whose it was. The buyer of these trades makes it. */
async function recorded(move: Move, ids: number[]): Promise<{ statements: Recorded[]; trade: number }> {
  const heard = new Map<Recorded[], number>();
  for (const id of ids) heard.set(await midman.record(() => post(move, id)), id);
  const [one = [], ...more] = heard.keys();
  const statements = leanest([one, ...more]);
  return { statements, trade: heard.get(statements) ?? 0 };
}

/** Both in turn, each on as many trades of their own: the server on the first of a round, pgbench on the rest. */
async function measure(
  move: Move,
  trades: number[],
  tried: Awaited<ReturnType<typeof recorded>>,
): Promise<Found> {
  const found: Found = { move, statements: tried.statements.length, rounds: [] };
  for (let at = 0; at < trades.length; at += 2 * ofRound) {
    const paths = trades.slice(at, at + ofRound).map(moves[move]);
    const before = midman.cpuMicros();
    const asked: Asked = { url: midman.url, paths, cookie: pair.buyer.cookies(), atOnce: connections };
    const { seconds } = await clients.ask<{ seconds: number }>(asked);
    const cpuMicros = (midman.cpuMicros() - before) / ofRound;
    const head = `\\set at :at + 1\n\\set trade ${trades[at + ofRound]} + :client_id * ${each} + :at`;
    const script = scriptOf(tried.statements, [{ value: tried.trade, sql: ":trade" }], head);
    const theirs = await pgbench(program, {
      ...{ databaseUrl: midman.databaseUrl, script, connections },
      ...{ for: ["-t", String(each)], variables: { at: -1 } },
    });
    found.rounds.push({ ours: ofRound / seconds, pgbench: theirs.perSecond, cpuMicros });
  }
  return found;
}

const samples = await paidUnseen(6);
const trades = await paidUnseen(2 * ofRound * rounds);
const check = await recorded("check payment", samples);
const confirm = await recorded("confirm completion", samples);
const checked = await measure("check payment", trades, check);
// Those that pgbench has moved stand as the server would have left them; trades of the server's own are taken all the same.
const fresh = await paidUnseen(2 * ofRound * rounds);
for (const id of fresh) await post("check payment", id);
const confirmed = await measure("confirm completion", fresh, confirm);
report({ about, short, version: program.version, ofRound, found: [confirmed, checked] });
