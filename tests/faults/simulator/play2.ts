import { must } from "../../support/people.ts";
import { type Limit, linearize, type Operation } from "./linearize.ts";
import { born, type State } from "./model/state.ts";
import { asked, type Moment, perform, type Subject } from "./perform.ts";
import { type Burst, type Given, type Plan, type TradePlan } from "./plan.ts";
import { differences, same, snapshots, told, toldOf } from "./snapshot.ts";
import { keepSignedIn, makeRoom, passTime, quiet, signInAdmins, type World } from "./world.ts";

/** A trade that is played: every state it may be in by the model, what was done to it, and what was wrong. */
export type Played = Subject & { states: State[]; story: string[]; fault: string | null; done: Operation[] };

/** Plays a plan in a world: its trades side by side, burst after burst. Answers them with what was wrong. */
export async function play(world: World, plan: Plan): Promise<Played[]> {
  await keepSignedIn(world);
  console.time("pass1");await passTime(world, 1);console.timeEnd("pass1");console.time("begin");
  const trades = await Promise.all(plan.trades.map((trade, i) => begin(world, trade, i)));
console.timeEnd("begin");
  const longest = Math.max(...plan.trades.map(({ bursts }) => bursts.length));
  for (let b = 0; b < longest; b++) {
    const { passes = 0, stale = false, halted = false } = plan.hours[b] ?? {};
    await pass(world, trades, passes, stale);
    console.time("burst");await burst(world, trades, plan.trades.map(({ bursts }) => bursts[b] ?? []), halted);
    console.timeEnd("burst");if (trades.some(({ fault }) => fault !== null)) return trades;
  }
  console.time("wind");await windDown(world, trades);console.timeEnd("wind");
  return trades;
}

/** The seller presses twice, once at each instance: it is one trade. */
async function begin(world: World, trade: TradePlan, pair: number): Promise<Played> {
  const roomId = await makeRoom(world, pair);
  const seller = world.pairs[pair]?.seller.at;
  if (seller === undefined) throw new Error("there are more trades than people");
  const replies = await Promise.all(seller.map((at) => at.post("/api/transactions", asked(roomId, trade))));
  const [id = 0, other] = replies.map((reply) => must(reply, 200, 201).body.id);
  const made = replies.filter(({ status }) => status === 201).length;
  const state = born(trade.amount, trade.payer, world.minute, world.rules);
  const fault = id === other && made === 1 ? null : `two requests made ${made} trades (${id}, ${other})`;
  const tag = `T${world.made++}X`;
  const known = { invoices: [], rows: [], payouts: [], seen: state, states: [state] };
  return { id, roomId, pair, tag, ...known, story: [], fault, done: [] };
}

/** Time passes; both instances look at the deadlines, and administrators sign in where they need to. */
async function pass(world: World, trades: Played[], minutes: number, stale: boolean): Promise<void> {
  if (minutes > 0) {
    await passTime(world, minutes);
    for (const trade of trades) {
      trade.states = trade.states.map((state) => ({ ...state, minute: world.minute }));
      trade.story.push(`  ${minutes} minutes pass`);
    }
  }
  const age = ageOfLogins(world);
  // Ten minutes are the edge, and after two hours unused the session itself is over.
  const keep = stale && age > 10 && age < 115;
  if (age >= 9 && !keep) await signInAdmins(world);
}

const ageOfLogins = (world: World) => Math.max(...world.admins.map(({ since }) => world.minute - since));

/** All commands of a burst at once, with the sweeps and jobs of both instances, and then what the model says of it. */
async function burst(world: World, trades: Played[], given: Burst[], halted: boolean): Promise<void> {
  const fresh = ageOfLogins(world) < 9;
  const moment: Moment = { fresh, halted: halted && fresh ? [false, true] : [false] };
  const switching = moment.halted.length > 1 ? halt(world, true) : Promise.resolve();
  const work = [world.instances[0].tell({ sweep: true }), world.instances[1].tell({ drain: true })];
  const operations = await Promise.all(trades.map((trade, i) => performed(world, trade, given[i] ?? [], moment)));
  await Promise.all([switching, ...work]);
  if (moment.halted.length > 1) await halt(world, false);
  const from = performance.now();
  const stand = await snapshots(world, trades.map(({ id }) => id));
  for (const [i, trade] of trades.entries()) {
    const now = stand.get(trade.id);
    if (now === undefined) throw new Error(`trade ${trade.id} is gone`);
    judge(world, trade, operations[i] ?? [], { now, from });
    trade.payouts = now.payouts.map(({ id }) => id);
  }
}

/** The switch stops all outgoing money of the world, or lets it go. */
async function halt(world: World, on: boolean): Promise<void> {
  const admin = world.admins[0]?.at[on ? 0 : 1];
  if (admin !== undefined) must(await admin.post("/api/admin/money/halt", { on, reason: "A drill" }), 200);
}

async function performed(world: World, trade: Played, given: Given[], moment: Moment): Promise<Operation[]> {
  const all = await Promise.all(given.map((one) => perform(world, trade, one, moment)));
  const operations = all.filter((one) => one !== null);
  trade.done.push(...operations);
  const begun = Math.min(...operations.map(({ from }) => from));
  const told = given.flatMap(({ on }, i) => {
    const one = all[i];
    if (!one) return [];
    const span = `${Math.round(one.from - begun)}–${Math.round(one.to - begun)} ms`;
    return [`  ${span} at ${on + 1}: ${JSON.stringify(one.command)} → ${one.refused ?? one.says}`];
  });
  trade.story.push("at once:", ...told);
  return operations;
}

type Stands = { now: Parameters<typeof told>[0]; from: number };

/** Finds the serial orders that explain the answers and how the trade stands, or says that there is none. */
function judge(world: World, trade: Played, operations: readonly Operation[], { now, from }: Stands): void {
  const stands = told(now);
  const reading: Operation = {
    command: { do: "look", by: "buyer" },
    how: { fresh: true, halted: [false], sum: 0, part: 0, told: [], invoice: null, paid: [] },
    from,
    to: Number.POSITIVE_INFINITY,
    refused: null,
    agrees: (state) => same(stands, toldOf(state, trade, world)),
  };
  const after = linearize(trade.states, [...operations, reading], world.rules, notBeyond(now));
  const [first] = after;
  if (first !== undefined) {
    Object.assign(trade, { states: after, seen: first });
    return;
  }
  const without = linearize(trade.states, operations, world.rules);
  const nearest = without.map((state) => differences(stands, toldOf(state, trade, world)));
  nearest.sort((a, b) => a.length - b.length);
  trade.fault =
    without.length === 0
      ? "no serial order explains the answers"
      : `no serial order explains how the trade stands: ${nearest[0]}`;
  trade.story.push(`  and then it stands so: ${JSON.stringify(stands)}`);
}

/** What has not come about by now cannot have come about before. */
function notBeyond({ payments, payouts, confirmed }: Stands["now"]): Limit {
  const booked = new Set(payments.flatMap(({ row }) => row ?? []));
  return (state) =>
    state.payouts.length <= payouts.length &&
    (!state.confirmed || confirmed === true) &&
    state.rows.every((row) => !row.booked || booked.has(row.id));
}

/** The end of a plan: every window ends, the buyer asks once more, all jobs run, and the model agrees with it. */
async function windDown(world: World, trades: Played[]): Promise<void> {
  await pass(world, trades, 26 * 60, false);
  const last = (on: 0 | 1): Burst => [{ command: { do: "verify", by: "buyer" }, on, after: 0 }];
  await burst(world, trades, trades.map((_, i) => last(i % 2 === 0 ? 0 : 1)), false);
  await quiet(world);
  await burst(world, trades, [], false);
}
