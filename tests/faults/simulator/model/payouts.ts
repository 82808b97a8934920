import type { Circumstances } from "./commands.ts";
import { fine, no, type Outcome } from "./parties.ts";
import type { Admin, Payout, Rules, State } from "./state.ts";
import { ended, inPayout, needsTwo, onHold, outgoingTotal } from "./state-facts.ts";

export type Step = {
  admin: Admin;
  reference: string | null;
  how: Circumstances;
  rules: Rules;
  over?: boolean;
};
export type Work = (state: State, at: number, step: Step) => Outcome[];

/** The switch, money in doubt, or another reason of the trade's hold stops every outgoing step of it. */
function stopped(state: State, { halted }: Pick<Circumstances, "halted">): Array<string | null> {
  return halted.map((on) => {
    if (on) return "MONEY_HALTED";
    if (state.payouts.some((one) => one.state === "unknown")) return "PAYOUT_UNKNOWN_OPEN";
    return onHold(state) ? "TRADE_ON_HOLD" : null;
  });
}

/** The halt does not stop what its maker had claimed before it; within one minute nobody can tell which was first. */
function stoppedToLeave(state: State, one: Payout, { admin, reference, how }: Step): Array<string | null> {
  const before = one.claimedBy === admin && one.claimedIn !== null && reference !== null;
  if (!before) return stopped(state, how);
  return stopped(state, { halted: one.claimedIn === state.minute ? how.halted : [false] });
}

export const at = (state: State, i: number) => state.payouts[i] as Payout;
const needsFour = (state: State, rules: Rules) => needsTwo(outgoingTotal(state), rules);

/** Where money goes, as an administrator is shown it. */
export const markOf = ({ kind, account }: Pick<Payout, "kind" | "account">): string | null =>
  account === null ? null : `${kind} ${account}`;

/** Nobody moves money to an account that they do not say they saw. */
const unseen = (one: Payout, { shown }: Circumstances) => one.account !== null && shown === null;
const otherShown = (one: Payout, { shown }: Circumstances) => shown !== null && shown !== markOf(one);

/** Three hours after a correction money may go to the account; in the very minute in which they end, it may. */
function coolingOff({ correctedIn }: Payout, minute: number): boolean[] {
  if (correctedIn === null || minute > correctedIn + 180) return [false];
  return minute === correctedIn + 180 ? [false, true] : [true];
}
export const taken = (state: State, reference: string, i: number) =>
  state.payouts.some((one, k) => k !== i && one.reference === reference);

export const approve: Work = (state, i, { admin, how, rules }) => {
  const one = at(state, i);
  if (otherShown(one, how)) return no(state, "PAYOUT_CONFLICT");
  const again = one.state === "approved" && one.lapsed;
  if (one.state !== "due" && !again) {
    return ["approved", "sent", "done"].includes(one.state) ? fine(state) : no(state, "PAYOUT_CONFLICT");
  }
  return stopped(state, how).flatMap((why) => {
    if (why !== null) return no(state, why);
    if (one.account === null) return no(state, "DESTINATION_REQUIRED");
    const first = one.lapsed ? null : one.firstApprovedBy;
    const before = again ? inPayout(state, i, withdrawn) : state;
    if (one.correctedIn !== null && first === null)
      return fine(inPayout(before, i, { firstApprovedBy: admin, lapsed: false }));
    if (one.correctedIn !== null && first === admin) return fine(state);
    return coolingOff(one, state.minute).flatMap((cooling) => {
      if (cooling) return no(state, "ACCOUNT_JUST_CORRECTED");
      const fourEyes = needsFour(state, rules);
      const change = { state: "approved", approvedBy: admin, fourEyes, lapsed: false } as const;
      return fine(inPayout(before, i, { ...change, ...claimOf(state, again ? one : null, admin, fourEyes) }));
    });
  });
};

/** What a record loses with its approval. */
const withdrawn: Partial<Payout> = {
  ...{ state: "due", approvedBy: null, firstApprovedBy: null, claimedBy: null, claimedIn: null },
  ...{ takenOverFrom: null, fourEyes: false, lapsed: false },
};

/** Who approves makes the transfer where one may do both; who was making it under a lapsed approval goes on. */
function claimOf({ minute }: State, lapsed: Payout | null, admin: Admin, fourEyes: boolean): Partial<Payout> {
  const { claimedBy = null, claimedIn = null, takenOverFrom = null } = lapsed ?? {};
  if (claimedBy !== null && !(fourEyes && claimedBy === admin))
    return { claimedBy, claimedIn, takenOverFrom };
  return fourEyes ? {} : { claimedBy: admin, claimedIn: minute };
}

/** As a page does it: the account that was shown is named. */
export const approveShown: Work = (state, i, step) =>
  unseen(at(state, i), step.how) ? no(state, "DESTINATION_DIGEST_REQUIRED") : approve(state, i, step);

export const sameEyes = (state: State, { fourEyes, approvedBy }: Payout, { admin, rules }: Step) =>
  approvedBy === admin && (fourEyes || needsFour(state, rules));
export const another = ({ claimedBy }: Payout, admin: Admin) => claimedBy !== null && claimedBy !== admin;

export const markSent: Work = (state, i, step) => {
  const { admin, reference, how } = step;
  const one = at(state, i);
  if (one.state !== "approved") {
    const sent = one.state === "sent" || one.state === "done";
    return sent && (reference === null || reference === one.reference)
      ? fine(state)
      : no(state, "PAYOUT_CONFLICT");
  }
  if (otherShown(one, how)) return no(state, "PAYOUT_CONFLICT");
  return stoppedToLeave(state, one, step).flatMap((why) => {
    if (why !== null) return no(state, why);
    if (one.lapsed) return no(state, "APPROVAL_LAPSED");
    if (sameEyes(state, one, step)) return no(state, "FOUR_EYES_REQUIRED");
    if (another(one, admin)) return no(state, "PAYOUT_CLAIMED");
    if (reference !== null && taken(state, reference, i)) return no(state, "BANK_REFERENCE_USED");
    return fine(leave(state, i, step));
  });
};

/** The money is gone: its journal is posted. */
export function leave(state: State, i: number, { admin, reference, rules }: Step): State {
  const { source, amount, fee, fourEyes } = at(state, i);
  const held = source === "escrow" ? state.held - amount - fee : state.held;
  const sent = { state: "sent", posted: true, reference, referenceMissing: reference === null } as const;
  const two = fourEyes || needsFour(state, rules);
  return inPayout({ ...state, held }, i, { ...sent, sentBy: admin, fourEyes: two });
}

export const giveReference: Work = (state, i, { reference }) => {
  const one = at(state, i);
  if (one.reference === reference) return fine(state);
  if (!one.referenceMissing) return no(state, "PAYOUT_CONFLICT");
  if (reference !== null && taken(state, reference, i)) return no(state, "BANK_REFERENCE_USED");
  return fine(inPayout(state, i, { reference, referenceMissing: false }));
};

export const send: Work = (state, i, step) => {
  if (at(state, i).referenceMissing) return giveReference(state, i, step);
  return unseen(at(state, i), step.how) ? no(state, "DESTINATION_DIGEST_REQUIRED") : markSent(state, i, step);
};

export const claim: Work = (state, i, step) => {
  const { admin, how, over } = step;
  const one = at(state, i);
  const doubted = one.state === "unknown" && !one.posted;
  if (one.state !== "approved" && !doubted) return no(state, "PAYOUT_CONFLICT");
  if (one.claimedBy === admin) return fine(state);
  if (one.claimedBy !== null && !over) return no(state, "PAYOUT_CLAIMED");
  const reasons = doubted ? [null] : stopped(state, how);
  return reasons.flatMap((why) => {
    if (why !== null) return no(state, why);
    if (!doubted && one.lapsed) return no(state, "APPROVAL_LAPSED");
    if (!doubted && sameEyes(state, one, step)) return no(state, "FOUR_EYES_REQUIRED");
    return fine(
      inPayout(state, i, { claimedBy: admin, claimedIn: state.minute, takenOverFrom: one.claimedBy }),
    );
  });
};

export const withdrawApproval: Work = (state, i, { admin, over }) => {
  const one = at(state, i);
  if (one.state === "due") return fine(state);
  if (one.state !== "approved") return no(state, "PAYOUT_CONFLICT");
  if (another(one, admin) && !over) return no(state, "PAYOUT_CLAIMED");
  return fine(inPayout(state, i, withdrawn));
};

export const seen: Work = (state, i, { admin }) => {
  const one = at(state, i);
  if (one.state === "done") return fine(state);
  if (one.state !== "sent") return no(state, "PAYOUT_CONFLICT");
  if (one.referenceMissing) return no(state, "BANK_REFERENCE_REQUIRED");
  if (one.sentBy === admin) return no(state, "FOUR_EYES_REQUIRED");
  return fine(inPayout(state, i, { state: "done" }));
};

/** What a settlement is of: what waits, the payout before the refund; else what left last. */
export function whatIsDue(state: State): { one: Payout; i: number } | undefined {
  const own = state.payouts
    .map((one, i) => ({ one, i }))
    .filter(({ one }) => one.source === "escrow" && one.state !== "void")
    .sort((a, b) => (a.one.kind === b.one.kind ? a.i - b.i : a.one.kind === "payout" ? -1 : 1));
  const waits = ({ one }: { one: Payout }) =>
    one.state === "due" || one.state === "approved" || one.referenceMissing;
  return own.find(waits) ?? own.at(-1);
}

/** Whether the record, or what a settlement is of, is due or, where it alone is sent, approved. */
export function isDue(state: State, at: number | null, sending: boolean): boolean {
  const one = at === null ? whatIsDue(state)?.one : state.payouts[at];
  return one?.state === "approved" || (!sending && one?.state === "due");
}

export const settle = (state: State, step: Step): Outcome[] => {
  const due = whatIsDue(state);
  if (due === undefined) return no(state, "NOTHING_DUE");
  if (due.one.referenceMissing) return giveReference(state, due.i, step);
  return approveShown(state, due.i, step).flatMap((so) => {
    if (so.refused !== undefined) return [so];
    // The first approval of a corrected account settles nothing.
    if (at(so.state, due.i).state === "due") return no(state, "FOUR_EYES_REQUIRED");
    return markSent(so.state, due.i, step).map((sent) =>
      sent.refused === undefined ? sent : { ...sent, state },
    );
  });
};

/** Once all money of a settling trade has left, it is complete. */
export function moneyLeft(outcomes: Outcome[]): Outcome[] {
  return outcomes.map(({ state, refused }) => {
    if (refused !== undefined || state.status !== "settlement_pending" || state.held > 0)
      return { state, ...(refused !== undefined && { refused }) };
    return { state: ended(state, "completed", "paid_out") };
  });
}
