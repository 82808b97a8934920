import { destinationDigest } from "#modules/payments";
import { expectStatus } from "../../support/people/registered-people.ts";
import { type Found, linearize, type Operation } from "./linearize.ts";
import { byPlace } from "./model/advance.ts";
import { born, type Row, type State } from "./model/state.ts";
import { afterDismissal } from "./model/state-facts.ts";
import { asked, type Moment, perform, type Stray, type Subject } from "./perform.ts";
import type { Burst, Given, Plan, TradePlan } from "./plan.ts";
import { differences, type Snapshot, same, snapshots, told, toldOf } from "./snapshot.ts";
import {
  keepSignedIn,
  makeRoom,
  passTime,
  quiet,
  renewSecondAdmin,
  signInAdmins,
  type World,
} from "./world.ts";

/** A trade that is played: what was done to it, and what was wrong. */
export type Played = Subject & {
  story: string[];
  fault: string | null;
  done: Operation[];
  /** Bursts in which two commands or more of this trade were under way at the same time. */
  races: number;
};

/** Plays a plan in a world: its trades side by side, burst after burst. Answers them with what was wrong. */
export async function play(world: World, plan: Plan): Promise<Played[]> {
  await keepSignedIn(world);
  await passTime(world, 1);
  const trades = await Promise.all(plan.trades.map((trade, i) => begin(world, trade, i)));
  trades.forEach((trade, i) => {
    trade.beside = trades.length > 1 ? (trades[(i + 1) % trades.length] ?? null) : null;
  });
  const longest = Math.max(0, ...plan.trades.map(({ bursts }) => bursts.length));
  for (let b = 0; b < longest; b++) {
    const { passes = 0, stale = false, dismissed = false, halted = false } = plan.hours[b] ?? {};
    if (dismissed) await dismiss(world, trades);
    await pass(world, trades, passes, stale && !dismissed);
    const given = plan.trades.map(({ bursts }) => bursts[b] ?? []);
    await burst(world, trades, given, { halted, clock: passes > 0 });
    if (trades.some(({ fault }) => fault !== null)) return trades;
  }
  await windDown(world, trades);
  return trades;
}

/** The seller presses twice, once at each instance: it is one trade. */
async function begin(world: World, trade: TradePlan, pair: number): Promise<Played> {
  const roomId = await makeRoom(world, pair);
  const seller = world.pairs[pair]?.seller.at;
  if (seller === undefined) throw new Error("there are more trades than people");
  const replies = await Promise.all(seller.map((at) => at.post("/api/transactions", asked(roomId, trade))));
  const [id = 0, other] = replies.map((reply) => expectStatus(reply, 200, 201).body.id);
  const made = replies.filter(({ status }) => status === 201).length;
  const state = born(trade.amount, trade.payer, world.minute, world.rules);
  const fault = id === other && made === 1 ? null : `two requests made ${made} trades (${id}, ${other})`;
  const tag = `T${world.made++}X`;
  const shown = { payouts: [], marks: [], disputedAt: null, holds: [], ruling: null };
  const known = { invoices: [], rows: [], reversed: [], strays: [], beside: null, ...shown, seen: state };
  return { id, roomId, pair, tag, ...known, story: [], fault, done: [], races: 0 };
}

/** Time passes; both instances look at the deadlines, and administrators sign in where they need to. */
async function pass(world: World, trades: Played[], minutes: number, stale: boolean): Promise<void> {
  if (minutes > 0) {
    await passTime(world, minutes);
    for (const trade of trades) {
      trade.seen = { ...trade.seen, minute: world.minute };
      trade.story.push(`  ${minutes} minutes pass`);
    }
  }
  const age = ageOfLogins(world);
  // Ten minutes are the edge, and after two hours unused the session itself is over.
  const keep = stale && age > 10 && age < 115;
  if (age >= 9 && !keep) await signInAdmins(world);
}

const ageOfLogins = (world: World) => Math.max(...world.admins.map(({ since }) => world.minute - since));

/** The second administrator is dismissed and made one again, which ends whatever they had approved or proposed. */
async function dismiss(world: World, trades: Played[]): Promise<void> {
  // Not within a minute of anything that they did: the clocks of the two instances differ by seconds.
  await pass(world, trades, 1, false);
  await renewSecondAdmin(world);
  await pass(world, trades, 1, false);
  for (const trade of trades) {
    trade.seen = afterDismissal(trade.seen);
    trade.story.push("  the second administrator is dismissed, and made one again");
  }
}

/** What goes on beside a burst: somebody halts all money, and the clock's work, where time has passed. */
type Beside = { halted: boolean; clock: boolean };

/** All commands of a burst at once, with the sweeps and jobs of both instances, and then what the model says of it. */
async function burst(
  world: World,
  trades: Played[],
  given: Burst[],
  { halted, clock }: Beside,
): Promise<void> {
  const fresh = ageOfLogins(world) < 9;
  const moment: Moment = { fresh, halted: halted && fresh ? [false, true] : [false] };
  const switching = moment.halted.length > 1 ? halt(world, true) : Promise.resolve();
  const work = clock ? world.instances.map((one) => one.tell({ sweep: true })) : [];
  const operations = await Promise.all(
    trades.map((trade, i) => performed(world, trade, given[i] ?? [], moment)),
  );
  await Promise.all([switching, ...work]);
  if (moment.halted.length > 1) await halt(world, false);
  const stand = await snapshots(
    world,
    trades.map(({ id }) => id),
  );
  for (const [i, trade] of trades.entries()) {
    const now = stand.get(trade.id);
    if (now === undefined) throw new Error(`trade ${trade.id} is gone`);
    judge(world, trade, operations[i] ?? [], now);
    trade.payouts = now.payouts.map(({ id }) => id);
    trade.marks = now.payouts.map(({ destination }) => destinationDigest(destination));
    trade.disputedAt = now.disputedAt;
    trade.holds = now.holds;
    trade.ruling = now.ruling?.id ?? null;
  }
}

/** The switch stops all outgoing money of the world; one administrator proposes to let it go again, and the other confirms. */
async function halt(world: World, on: boolean): Promise<void> {
  for (const { at } of on ? world.admins.slice(0, 1) : world.admins) {
    expectStatus(await at[on ? 0 : 1].post("/api/admin/money/halt", { on, reason: "A drill" }), 200);
  }
}

async function performed(world: World, trade: Played, given: Given[], moment: Moment): Promise<Operation[]> {
  const all = await Promise.all(given.map((one) => perform(world, trade, one, moment)));
  const operations = all.filter((one) => one !== null);
  trade.done.push(...operations);
  if (overlap(operations)) trade.races += 1;
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

function overlap(operations: readonly Operation[]): boolean {
  return operations.some((a, i) => operations.some((b, k) => i < k && a.from < b.to && b.from < a.to));
}

/** Finds a serial order that explains the answers and how the trade was found, or says that there is none. */
function judge(world: World, trade: Played, operations: readonly Operation[], now: Snapshot): void {
  const stands = told(now);
  const is = (state: State) => same(stands, toldOf(state, trade, world));
  trade.seen = placed(withStrays(trade.seen, trade.strays), now);
  for (const { how } of operations)
    how.paid = how.paid.map((row) => ({ ...row, place: placeOf(row.id, now) }));
  const order = linearize(trade.seen, operations, world.rules, { is, mayFollow: notBeyond(now) });
  if ("state" in order) {
    trade.seen = order.state;
    return;
  }
  const nearest = order.ends.map((state) => differences(stands, toldOf(state, trade, world)));
  nearest.sort((a, b) => a.length - b.length);
  const what = nearest.length === 0 ? "the answers" : `how the trade was found: ${nearest[0]?.join("; ")}`;
  trade.fault = `no serial order explains ${what}${order.given ? " (the search was given up)" : ""}`;
  trade.story.push(
    `before it stood so: ${JSON.stringify(trade.seen)}`,
    `then it was found so: ${JSON.stringify(stands)}`,
  );
}

/** When a payment was booked among the others. */
function placeOf(id: string, { payments }: Snapshot): number | null {
  const at = payments.findIndex(({ row }) => row === id);
  return at < 0 ? null : payments[at]?.hand == null ? at : -1;
}

/** Payments that are listed under another trade's invoice and name this trade's may hold it from now on. */
function withStrays(state: State, strays: readonly Stray[]): State {
  const fresh = strays.filter(({ id }) => state.rows.every((row) => row.id !== id));
  const rows = fresh.map(
    (stray): Row => ({
      ...stray,
      ...{ failed: false, booked: false, listed: true, announced: false, callbacks: false, foreign: "there" },
      ...{ reported: "no", place: null, reversed: "no", undone: false },
    }),
  );
  return rows.length === 0 ? state : { ...state, rows: [...state.rows, ...rows] };
}

function placed(state: State, now: Snapshot): State {
  const rows = state.rows.map((row) => {
    // Once it is booked, and nothing of the list's being behind is left, nothing will say so any more.
    const behind = !row.booked || state.holds.some(({ row: of }) => of === row.id || of === row.invoice);
    return { ...row, place: placeOf(row.id, now), announced: row.announced && behind };
  });
  return { ...state, rows: rows.sort(byPlace) };
}

/** What never goes back, and has not come about by now, cannot have come about before. */
function notBeyond(now: Snapshot): Found["mayFollow"] {
  const lasting = ["confirmed", "locked", "handedOver", "buyerDone", "sellerDone"] as const;
  return (state) =>
    state.payouts.length <= now.payouts.length &&
    lasting.every((what) => !state[what] || now[what] === true) &&
    (state.end === null || now.end !== null);
}

/** The end of a plan: every window ends, the buyer asks once more, all jobs run, and the model agrees with it. */
async function windDown(world: World, trades: Played[]): Promise<void> {
  const late = trades.flatMap((trade) => trade.seen.rows.filter(({ listed }) => !listed).map(({ id }) => id));
  await world.sql`UPDATE sandbox.payments SET listed = true WHERE id = ANY(${late})`;
  for (const trade of trades) {
    const rows = trade.seen.rows.map((row) => ({ ...row, listed: true }));
    trade.seen = { ...trade.seen, rows };
  }
  await pass(world, trades, 26 * 60, false);
  const last = (on: 0 | 1): Burst => [{ command: { do: "verify", by: "buyer" }, on, after: 0 }];
  await burst(
    world,
    trades,
    trades.map((_, i) => last(i % 2 === 0 ? 0 : 1)),
    { halted: false, clock: true },
  );
  await quiet(world);
  await burst(world, trades, [], { halted: false, clock: false });
}
