import type {
  Decision,
  Effect,
  NoticeCode,
  Party,
  PartyMail,
  Rejection,
  StepKey,
  Steps,
  Trade,
  TradeFigures,
} from "./trade-types.ts";
import { stepKeys, unpaidStatuses } from "./trade-types.ts";

/** The rejection that a change adds to its command: a hold stops every end of a trade. */
type HoldRejection<Patch> = Patch extends { endedAt: Date } ? "TRADE_ON_HOLD" : never;

/** Accepts the command: applies `patch` to the trade. */
export function changeTrade<Patch extends Partial<Trade>, Due extends Effect = never>(
  trade: Trade,
  now: Date,
  patch: Patch,
  effects: Due[] = [],
): Decision<HoldRejection<Patch>, Due> {
  return { ok: true, changed: true, trade: { ...trade, ...patch, updatedAt: now }, effects };
}

/** Changes nothing: the command took effect before, or there is nothing for it to do. */
export function keepTrade(trade: Trade): Decision<never, never> {
  return { ok: true, changed: false, trade, effects: [] };
}

/** Refuses the command and returns the trade's current status. */
export function refuseCommand<Code extends Rejection>(code: Code, trade: Trade): Decision<Code, never> {
  return { ok: false, code, current: trade.status };
}

/** Refuses a command that needs the held money: NOT_PAID_YET while the trade is unpaid, TRADE_OVERTAKEN afterwards. */
export function refuseForStatus(trade: Trade): Decision<"NOT_PAID_YET" | "TRADE_OVERTAKEN", never> {
  return refuseCommand(isUnpaid(trade) ? "NOT_PAID_YET" : "TRADE_OVERTAKEN", trade);
}

/** True while the amount owed has not been received in full. */
export function isUnpaid(trade: Trade): boolean {
  return unpaidStatuses.includes(trade.status);
}

/** True while the trade has a hold for whatever reason: nothing may end it, also not an agreement of both parties to cancel. */
export function isOnHold({ holds }: Pick<Trade, "holds">): boolean {
  return holds.length > 0;
}

/** Stamps `step` and the steps that it skipped; a step that is stamped already keeps its time. */
export function stampStep(steps: Steps, step: StepKey, now: Date): Steps {
  const reached = stepKeys.slice(0, stepKeys.indexOf(step) + 1);
  return { ...Object.fromEntries(reached.map((key) => [key, now])), ...steps };
}

/** A notice of the server in the trade's room, with the trade's id and code among its parameters. */
export function createNotice(
  trade: Trade,
  code: NoticeCode,
  params: Record<string, string | number> = {},
  type?: "payment_qr",
): Extract<Effect, { kind: "notice" }> {
  const all = { transactionId: trade.id, code: trade.code, ...params };
  return type === undefined
    ? { kind: "notice", code, params: all }
    : { kind: "notice", code, params: all, type };
}

/** One email to each of these parties. */
export function createMails(template: PartyMail, ...to: Party[]): Array<Extract<Effect, { kind: "mail" }>> {
  return to.map((party) => ({ kind: "mail", to: party, template }));
}

/** The other party of a trade. */
export const otherParty = (party: Party): Party => (party === "buyer" ? "seller" : "buyer");

/** Picks the amounts of any object that has them. */
export function pickFigures({ amount, fee, feePayer, feePolicy, gross, net }: TradeFigures): TradeFigures {
  return { amount, fee, feePayer, feePolicy, gross, net };
}
