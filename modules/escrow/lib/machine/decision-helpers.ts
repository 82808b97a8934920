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

/** The command takes effect: `patch` over the trade as it was. */
export function changeTrade(
  trade: Trade,
  now: Date,
  patch: Partial<Trade>,
  effects: Effect[] = [],
): Decision {
  return { ok: true, changed: true, trade: { ...trade, ...patch, updatedAt: now }, effects };
}

/** The command took effect before, or there is nothing for it to do. */
export function keepTrade(trade: Trade): Decision {
  return { ok: true, changed: false, trade, effects: [] };
}

/** The command is refused; the caller learns the state that stands. */
export function refuseCommand(code: Rejection, trade: Trade): Decision {
  return { ok: false, code, current: trade.status };
}

/** A command that needs the money in hand: too early while unpaid, overtaken afterwards. */
export function refuseForStatus(trade: Trade): Decision {
  return refuseCommand(isUnpaid(trade) ? "NOT_PAID_YET" : "TRADE_OVERTAKEN", trade);
}

/** What is owed has not come in whole. */
export function isUnpaid(trade: Trade): boolean {
  return unpaidStatuses.includes(trade.status);
}

/** The steps with `step` stamped, and those it skipped; each keeps its first stamp. */
export function stampStep(steps: Steps, step: StepKey, now: Date): Steps {
  const reached = stepKeys.slice(0, stepKeys.indexOf(step) + 1);
  return { ...Object.fromEntries(reached.map((key) => [key, now])), ...steps };
}

/** Said in the room by the server, with the trade's id and code among its parameters. */
export function createNotice(
  trade: Trade,
  code: NoticeCode,
  params: Record<string, string | number> = {},
  type?: "payment_qr",
): Effect {
  const all = { transactionId: trade.id, code: trade.code, ...params };
  return type === undefined
    ? { kind: "notice", code, params: all }
    : { kind: "notice", code, params: all, type };
}

/** A mail to each party named. */
export function createMails(template: PartyMail, ...to: Party[]): Effect[] {
  return to.map((party) => ({ kind: "mail", to: party, template }));
}

export const otherParty = (party: Party): Party => (party === "buyer" ? "seller" : "buyer");

/** The sums alone, of whatever carries them. */
export function pickFigures({ amount, fee, feePayer, feePolicy, gross, net }: TradeFigures): TradeFigures {
  return { amount, fee, feePayer, feePolicy, gross, net };
}
