import type { Circumstances, CommandOf } from "./commands.ts";
import { refundDue, refundSums, splitDue } from "./money.ts";
import { fine, no, type Outcome, outOfPlace, settling } from "./parties.ts";
import type { Admin, Rules, RulingProposal, State } from "./state.ts";
import { ended, inCase, needsTwo, onHold, openCase, outgoingTotal } from "./state-facts.ts";

/** Disputes: who mediates them, and what is ruled. */

export function take(state: State, admin: Admin): Outcome[] {
  const open = openCase(state);
  if (open === undefined) return no(state, "TRADE_OVERTAKEN");
  if (open.mediator !== null && open.mediator !== admin) return no(state, "DISPUTE_TAKEN");
  return fine(inCase(state, { mediator: admin }));
}

export function giveBack(state: State, admin: Admin): Outcome[] {
  const open = openCase(state);
  if (open === undefined) return no(state, "TRADE_OVERTAKEN");
  if (open.mediator !== null && open.mediator !== admin) return no(state, "DISPUTE_TAKEN");
  return fine(inCase(state, { mediator: null }));
}

/** Of an open dispute its mediator decides, and what was ruled is undone by whoever ruled it. */
export function kept(state: State, admin: Admin): string | null {
  const lasting = state.disputes.findLast(({ outcome }) => outcome !== "withdrawn");
  if (lasting === undefined) return null;
  if (lasting.outcome !== null && lasting.outcome !== "release" && lasting.outcome !== "split") return null;
  if (lasting.mediator === null) return lasting.outcome === null ? "DISPUTE_NOT_TAKEN" : null;
  return lasting.mediator === admin ? null : "DISPUTE_TAKEN";
}

export function rule(
  state: State,
  asked: CommandOf<"rule">,
  { fresh, sum, part }: Circumstances,
  rules: Rules,
): Outcome[] {
  if (!fresh) return no(state, "REAUTH_REQUIRED");
  const { ruling, admin } = asked;
  if (state.status !== "disputed") return ruledBefore(state, ruling, part) ? fine(state) : outOfPlace(state);
  if (ruling === "split" && (part < 1 || part >= state.held - state.fee))
    return no(state, "SPLIT_OUT_OF_RANGE");
  const right = {
    release: Math.min(state.net, state.held),
    refund: refundSums(state, rules).amount,
    split: part,
  };
  if (ruling === "refund" && onHold(state)) return no(state, "TRADE_ON_HOLD");
  if (right[ruling] !== sum) return no(state, "SUM_DIFFERS");
  const mediator = openCase(state)?.mediator ?? null;
  if (mediator !== null && mediator !== admin) return no(state, "DISPUTE_TAKEN");
  const taken = inCase(state, { mediator: admin });
  const given = { ruling, part: ruling === "split" ? part : null, sum };
  const moves = ruling === "split" ? state.held - state.fee : sum;
  if (needsTwo(outgoingTotal(state) + moves, rules)) return proposeRuling(taken, admin, given);
  return ruled(taken, given, rules);
}

type Ruling = Pick<RulingProposal, "ruling" | "part" | "sum">;

/** So much takes two: it waits for another administrator. */
function proposeRuling(state: State, by: Admin, given: Ruling): Outcome[] {
  const open = state.ruling;
  const same = open?.by === by && open.ruling === given.ruling && open.part === given.part;
  if (same && open.sum === given.sum && !open.lapsed) return fine(state);
  const no = state.rulings + 1;
  return fine({ ...state, rulings: no, ruling: { no, by, lapsed: false, ...given } });
}

export function confirmRuling(
  state: State,
  admin: Admin,
  { fresh, proposed, sum }: Circumstances,
  rules: Rules,
): Outcome[] {
  if (!fresh) return no(state, "REAUTH_REQUIRED");
  if (proposed === null) return fine(state);
  if (state.confirmedRulings.some((one) => one.no === proposed.no && one.by === admin)) return fine(state);
  const open = openCase(state);
  if (open === undefined) return no(state, "TRADE_OVERTAKEN");
  if (proposed.lapsed) return no(state, "PROPOSER_NOT_ADMIN");
  if (state.ruling?.no !== proposed.no || open.mediator !== proposed.by) return no(state, "PROPOSAL_CHANGED");
  if (proposed.by === admin) return no(state, "FOUR_EYES_REQUIRED");
  if (proposed.ruling === "refund" && onHold(state)) return no(state, "TRADE_ON_HOLD");
  if (proposed.sum !== sum) return no(state, "SUM_DIFFERS");
  const confirmedRulings = [...state.confirmedRulings, { no: proposed.no, by: admin }];
  return ruled({ ...state, confirmedRulings }, proposed, rules);
}

function ruled(taken: State, { ruling, part }: Ruling, rules: Rules): Outcome[] {
  if (ruling === "refund") return fine(refundDue(ended(taken, "cancelled", "ruling", "refund"), rules));
  const after = inCase(settling(taken), { outcome: ruling, part });
  return fine(splitDue(after, part));
}

function ruledBefore(state: State, ruling: string, part: number): boolean {
  const last = state.disputes.at(-1);
  if (last?.outcome !== ruling) return false;
  if (ruling === "refund") return state.end === "ruling";
  const same = last.part === (ruling === "split" ? part : null);
  return same && (state.status === "settlement_pending" || state.status === "completed");
}

/** Whether the latest dispute that nobody took back was ruled for the seller, in whole or in part. */
export function isRuled({ disputes }: State): boolean {
  const lasting = disputes.findLast(({ outcome }) => outcome !== "withdrawn");
  return lasting?.outcome === "release" || lasting?.outcome === "split";
}
