import type { Circumstances } from "./commands.ts";
import { anew } from "./money.ts";
import { fine, no, type Outcome } from "./parties.ts";
import { type Admin, ended, inPayout, type Payout, type Rules, type State } from "./state.ts";

export type Step = {
  admin: Admin;
  reference: string | null;
  how: Circumstances;
  rules: Rules;
  over?: boolean;
};
type Work = (state: State, at: number, step: Step) => Outcome[];

/** Money in doubt, or the switch, stops every outgoing step of the trade. */
function stopped(state: State, { halted }: Circumstances): Array<string | null> {
  return halted.map((on) => {
    if (on) return "MONEY_HALTED";
    return state.payouts.some((one) => one.state === "unknown") ? "PAYOUT_UNKNOWN_OPEN" : null;
  });
}

const at = (state: State, i: number) => state.payouts[i] as Payout;
const needsFour = (amount: number, { fourEyesAbove }: Rules) =>
  fourEyesAbove !== null && amount > fourEyesAbove;
const taken = (state: State, reference: string, i: number) =>
  state.payouts.some((one, k) => k !== i && one.reference === reference);

export const approve: Work = (state, i, { admin, how, rules }) => {
  const one = at(state, i);
  if (one.state !== "due") {
    return ["approved", "sent", "done"].includes(one.state) ? fine(state) : no(state, "PAYOUT_CONFLICT");
  }
  return stopped(state, how).flatMap((why) => {
    if (why !== null) return no(state, why);
    if (one.account === null) return no(state, "DESTINATION_REQUIRED");
    const fourEyes = needsFour(one.amount, rules);
    return fine(
      inPayout(state, i, {
        state: "approved",
        approvedBy: admin,
        fourEyes,
        claimedBy: fourEyes ? null : admin,
      }),
    );
  });
};

const sameEyes = ({ fourEyes, approvedBy }: Payout, admin: Admin) => fourEyes && approvedBy === admin;
const another = ({ claimedBy }: Payout, admin: Admin) => claimedBy !== null && claimedBy !== admin;

export const markSent: Work = (state, i, { admin, reference, how }) => {
  const one = at(state, i);
  if (one.state !== "approved") {
    const sent = one.state === "sent" || one.state === "done";
    return sent && (reference === null || reference === one.reference)
      ? fine(state)
      : no(state, "PAYOUT_CONFLICT");
  }
  return stopped(state, how).flatMap((why) => {
    if (why !== null) return no(state, why);
    if (sameEyes(one, admin)) return no(state, "FOUR_EYES_REQUIRED");
    if (another(one, admin)) return no(state, "PAYOUT_CLAIMED");
    if (reference !== null && taken(state, reference, i)) return no(state, "BANK_REFERENCE_USED");
    return fine(leave(state, i, reference));
  });
};

/** The money is gone: its journal is posted. */
function leave(state: State, i: number, reference: string | null): State {
  const { source, amount, fee } = at(state, i);
  const held = source === "escrow" ? state.held - amount - fee : state.held;
  const sent = { state: "sent", posted: true, reference, referenceMissing: reference === null } as const;
  return inPayout({ ...state, held }, i, sent);
}

export const giveReference: Work = (state, i, { reference }) => {
  const one = at(state, i);
  if (one.reference === reference) return fine(state);
  if (!one.referenceMissing) return no(state, "PAYOUT_CONFLICT");
  if (reference !== null && taken(state, reference, i)) return no(state, "BANK_REFERENCE_USED");
  return fine(inPayout(state, i, { reference, referenceMissing: false }));
};

export const send: Work = (state, i, step) =>
  (at(state, i).referenceMissing ? giveReference : markSent)(state, i, step);

export const claim: Work = (state, i, { admin, how, over }) => {
  const one = at(state, i);
  const doubted = one.state === "unknown" && !one.posted;
  if (one.state !== "approved" && !doubted) return no(state, "PAYOUT_CONFLICT");
  if (one.claimedBy === admin) return fine(state);
  if (one.claimedBy !== null && !over) return no(state, "PAYOUT_CLAIMED");
  const reasons = doubted ? [null] : stopped(state, how);
  return reasons.flatMap((why) => {
    if (why !== null) return no(state, why);
    if (!doubted && sameEyes(one, admin)) return no(state, "FOUR_EYES_REQUIRED");
    return fine(inPayout(state, i, { claimedBy: admin }));
  });
};

export const withdrawApproval: Work = (state, i, { admin, over }) => {
  const one = at(state, i);
  if (one.state === "due") return fine(state);
  if (one.state !== "approved") return no(state, "PAYOUT_CONFLICT");
  if (another(one, admin) && !over) return no(state, "PAYOUT_CLAIMED");
  return fine(inPayout(state, i, { state: "due", approvedBy: null, claimedBy: null, fourEyes: false }));
};

export const seen: Work = (state, i) => {
  const one = at(state, i);
  if (one.state === "done") return fine(state);
  if (one.state !== "sent") return no(state, "PAYOUT_CONFLICT");
  return one.referenceMissing
    ? no(state, "BANK_REFERENCE_REQUIRED")
    : fine(inPayout(state, i, { state: "done" }));
};

export const doubt: Work = (state, i) => {
  const one = at(state, i);
  if (one.state === "unknown") return fine(state);
  if (one.state !== "approved" && one.state !== "sent") return no(state, "PAYOUT_CONFLICT");
  return fine(inPayout(state, i, { state: "unknown" }));
};

export const foundSent: Work = (state, i, { admin, reference }) => {
  const one = at(state, i);
  if (one.state !== "unknown") {
    const repeated = (one.state === "sent" || one.state === "done") && one.reference === reference;
    return repeated ? fine(state) : no(state, "PAYOUT_CONFLICT");
  }
  if (one.reference !== null && one.reference !== reference) return no(state, "PAYOUT_CONFLICT");
  if (!one.posted && sameEyes(one, admin)) return no(state, "FOUR_EYES_REQUIRED");
  if (!one.posted && another(one, admin)) return no(state, "PAYOUT_CLAIMED");
  if (reference !== null && taken(state, reference, i)) return no(state, "BANK_REFERENCE_USED");
  if (!one.posted) return fine(leave(state, i, reference));
  return fine(inPayout(state, i, { state: "sent", reference, referenceMissing: false }));
};

export const foundUnsent: Work = (state, i, { admin }) => {
  const one = at(state, i);
  if (one.state !== "unknown") return one.replacedBy === null ? no(state, "PAYOUT_CONFLICT") : fine(state);
  if (!one.posted && another(one, admin)) return no(state, "PAYOUT_CLAIMED");
  const back = one.posted && one.source === "escrow" ? one.amount + one.fee : 0;
  const gone = { state: "void", referenceMissing: false, replacedBy: state.payouts.length } as const;
  const voided = inPayout({ ...state, held: state.held + back }, i, gone);
  return fine({ ...voided, payouts: [...voided.payouts, anew(one)] });
};

export const settle = (state: State, step: Step): Outcome[] => {
  const own = state.payouts
    .map((one, i) => ({ one, i }))
    .filter(({ one }) => one.source === "escrow" && one.state !== "void")
    .sort((a, b) => (a.one.kind === b.one.kind ? a.i - b.i : a.one.kind === "payout" ? -1 : 1));
  const waits = ({ one }: { one: Payout }) =>
    one.state === "due" || one.state === "approved" || one.referenceMissing;
  const due = own.find(waits) ?? own.at(-1);
  if (due === undefined) return no(state, "NOTHING_DUE");
  if (due.one.referenceMissing) return giveReference(state, due.i, step);
  return approve(state, due.i, step).flatMap((so) => {
    if (so.refused !== undefined) return [so];
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
