import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { beginTrade } from "./begin-trade.ts";
import { commandGivers, decideCommand } from "./decide.ts";
import type { Command, Effect, GivenCommand, StepKey, Trade, Who } from "./trade-types.ts";
import { stepKeys } from "./trade-types.ts";

/** A trade with the ledger records that a verb would keep for it. */
type World = { trade: Trade; due: Array<{ amount: number; fee: number }>; now: Date };

const start = new Date("2026-11-21T00:00:00Z");

function world(feePolicy: "standard" | "terms"): World {
  const figures = {
    amount: 90_000,
    fee: 9_500,
    feePayer: "buyer",
    feePolicy,
    gross: 99_500,
    net: 90_000,
  } as const;
  const parties = {
    code: "MM-00000000",
    roomId: 1,
    buyerId: 1,
    sellerId: 2,
    goods: "other",
    description: null,
  } as const;
  return { trade: { ...beginTrade({ ...parties, figures }, start), id: 1 }, due: [], now: start };
}

const anybody = fc.constantFrom<Who>("buyer", "seller", "admin", "clock", "provider");
const item = fc.constantFrom(
  { goods: "other", description: null } as const,
  { goods: "other", description: "a horse" } as const,
  { goods: "key", description: null } as const,
);
const amending = fc.tuple(fc.integer({ min: 1, max: 200_000 }), item).map(([amount, item]): Command => {
  const fee = { fee: 5_000, feePayer: "buyer", feePolicy: "standard" } as const;
  return { kind: "amend", figures: { amount, ...fee, gross: amount + 5_000, net: amount }, ...item };
});
const looking = fc
  .record({ complete: fc.boolean(), failed: fc.boolean() })
  .map((seen): Command => ({ kind: "payment_checked", booked: 0, ...seen }));
/** Commands that continue a trade are frequent and those that end it rare; otherwise few runs would get far. */
const goingOn = fc.oneof(
  fc.constantFrom<Command>(
    { kind: "mark_paid" },
    { kind: "hand_over", note: null },
    { kind: "take_goods" },
    { kind: "confirm" },
    { kind: "confirm", endsDispute: true },
    { kind: "request_cancellation" },
    { kind: "decline_cancellation", requestedAt: start },
    { kind: "withdraw_cancellation" },
    { kind: "withdraw_cancellation" },
    { kind: "open_dispute" },
    { kind: "withdraw_dispute" },
    { kind: "pay_seller" },
    { kind: "rule", ruling: "release" },
    { kind: "rule", ruling: "split", refundAmount: 1_000 },
    { kind: "hide" },
  ),
  fc.uuid().map((invoiceId): Command => ({ kind: "issue_invoice", invoiceId })),
  looking,
);
const ending = fc.oneof(
  amending,
  fc.constantFrom<Command>({ kind: "withdraw" }, { kind: "complete" }, { kind: "rule", ruling: "refund" }),
  fc.boolean().map((ourFault): Command => ({ kind: "cancel", ourFault })),
  fc.boolean().map((complete): Command => ({ kind: "expire", complete })),
);
const command = fc.oneof({ weight: 12, arbitrary: goingOn }, { weight: 1, arbitrary: ending });
/** A command by someone who may give it, and now and then by anyone. */
const given = command.chain((command) => {
  const may = fc.constantFrom(...commandGivers[command.kind].may);
  return fc
    .oneof({ weight: 9, arbitrary: may }, { weight: 1, arbitrary: anybody })
    .map((who) => ({ command, who }));
});
/** The next event: a command, a payment that arrives, a transfer by an administrator, or time that passes. */
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 12, arbitrary: given },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 300_000 }).map((paid) => ({ paid })) },
  { weight: 1, arbitrary: fc.constant({ send: true }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 12 }).map((hours) => ({ hours })) },
);
const story = fc.array(event, { minLength: 5, maxLength: 60, size: "max" });
type Event = { command: Command; who: Who } | { paid: number } | { send: boolean } | { hours: number };

const total = (due: World["due"]) => due.reduce((sum, { amount, fee }) => sum + amount + fee, 0);

function carry(world: World, effects: readonly Effect[]): World {
  let { due } = world;
  let { held, moneySent } = world.trade;
  for (const effect of effects) {
    if (effect.kind === "payout_due" || effect.kind === "refund_due") due = [...due, effect];
    if (effect.kind === "void_due") due = [];
    if (effect.kind === "send_due") {
      held -= total(due);
      due = [];
      moneySent = true;
    }
  }
  return { ...world, due, trade: { ...world.trade, held, moneySent } };
}

function put(world: World, given: GivenCommand): World {
  const decision = decideCommand(world.trade, given, world.now);
  if (!decision.ok || !decision.changed) return world;
  return carry({ ...world, trade: decision.trade }, decision.effects);
}

/** A request to cancel is declined by its time, which only the trade knows. */
function namingOpenRequest({ buyerCancelAt, sellerCancelAt }: Trade, command: Command): Command {
  if (command.kind !== "decline_cancellation") return command;
  return { ...command, requestedAt: buyerCancelAt ?? sellerCancelAt ?? command.requestedAt };
}

function happens(world: World, event: Event): World {
  if ("hours" in event) return { ...world, now: new Date(world.now.getTime() + event.hours * 3_600_000) };
  const { trade } = world;
  if ("command" in event) return put(world, { ...namingOpenRequest(trade, event.command), who: event.who });
  if ("paid" in event) {
    // As in the ledger: what an ended or paid trade does not owe goes to suspense.
    const owed = trade.endedAt === null && trade.confirmedAt === null ? trade.gross - trade.held : 0;
    const booked = Math.min(owed, event.paid);
    const held = { ...world, trade: { ...trade, held: trade.held + booked } };
    return put(held, { kind: "payment_checked", booked, complete: true, failed: false, who: "provider" });
  }
  const [first, ...rest] = world.due;
  if (first === undefined) return world;
  const left = { ...trade, held: trade.held - first.amount - first.fee, moneySent: true };
  return put({ ...world, due: rest, trade: left }, { kind: "money_left", who: "admin" });
}

function expectSound(before: World, after: World): void {
  const { trade } = after;
  const stamps = (steps: Trade["steps"]) => stepKeys.map((key: StepKey) => steps[key]?.getTime());
  // Each step is stamped once, in order, and never without the steps before it.
  stamps(before.trade.steps).forEach((stamp, i) => {
    if (stamp !== undefined) expect(stamps(trade.steps)[i]).toBe(stamp);
  });
  const known = stamps(trade.steps).filter((stamp) => stamp !== undefined);
  expect(stamps(trade.steps).slice(0, known.length)).toEqual(known);
  // An ended trade has a reason and no deadline, and a cancelled trade is never revived.
  expect(trade.endedAt === null).toBe(trade.status !== "completed" && trade.status !== "cancelled");
  expect(trade.endReason === null).toBe(trade.endedAt === null);
  if (trade.endedAt !== null) expect(trade.deadlines).toEqual({});
  // While the seller's confirmation is awaited it has a deadline, which pauses in a dispute and never outlasts the wait.
  const sellers = trade.deadlines.seller_finish;
  const awaited = trade.status === "disputed" ? trade.dispute?.from : trade.status;
  expect(sellers !== undefined).toBe(awaited === "exchange_completed");
  if (sellers !== undefined) expect(sellers.pausedAt !== null).toBe(trade.status === "disputed");
  if (before.trade.status === "cancelled") expect(trade.status).toBe("cancelled");
  // Never both: a trade that was paid out is not cancelled.
  if (before.trade.status === "completed" && before.trade.endReason === "paid_out")
    expect(trade.status).toBe("completed");
  // Never more is due than is held; where the money waits only for Midman, all of it is due.
  expect(total(after.due)).toBeLessThanOrEqual(trade.held);
  expect(trade.held).toBeGreaterThanOrEqual(0);
  if (trade.status === "settlement_pending" || trade.endedAt !== null)
    expect(total(after.due)).toBe(trade.held);
  expect(trade.buyerCancelAt !== null && trade.sellerCancelAt !== null && trade.endedAt === null).toBe(false);
  expect(trade.status === "disputed").toBe(trade.dispute !== null && trade.dispute.outcome === null);
  expect(trade.gross).toBe(trade.net + trade.fee);
  // From the first invoice on, all money is for the item that the buyer saw.
  if (before.trade.rolesLockedAt !== null) {
    const { goods, description } = before.trade;
    expect(trade).toMatchObject({ goods, description });
  }
}

/** Held money can always leave: all of it is due, or an administrator can refund it, or a ruling moves it. */
function expectWayOut(world: World): void {
  if (world.trade.held === 0 || total(world.due) === world.trade.held) return;
  const cancelled = put(world, { kind: "cancel", ourFault: true, who: "admin" });
  expect(cancelled.trade.status).toBe("cancelled");
  expect(total(cancelled.due)).toBe(world.trade.held);
}

describe("the state machine, for random sequences", () => {
  test("keeps its invariants after every event", () => {
    fc.assert(
      fc.property(fc.constantFrom("standard" as const, "terms" as const), story, (policy, events) => {
        let now = world(policy);
        now = { ...now, trade: { ...now.trade, sellerDestination: true } };
        for (const event of events) {
          const next = happens(now, event);
          expectSound(now, next);
          expectWayOut(next);
          now = next;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("a command repeated immediately changes nothing more", () => {
    fc.assert(
      fc.property(story, given, (events, { command: last, who: giver }) => {
        const before = events.reduce(happens, world("standard"));
        const once = put(before, { ...last, who: giver });
        const twice = decideCommand(once.trade, { ...last, who: giver }, once.now);
        if (once !== before && last.kind !== "payment_checked") {
          expect({ kind: last.kind, ok: twice.ok && twice.changed }).toEqual({ kind: last.kind, ok: false });
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("never throws, and a refusal names the current state", () => {
    fc.assert(
      fc.property(story, given, (events, { command: last, who: giver }) => {
        const { trade, now } = events.reduce(happens, world("terms"));
        const decision = decideCommand(trade, { ...last, who: giver }, now);
        if (!decision.ok) expect(decision.current).toBe(trade.status);
      }),
    );
  });
});
