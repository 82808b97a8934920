import { anew, withHold } from "./money.ts";
import { fine, no, type Outcome } from "./parties.ts";
import { another, at, leave, type Step, sameEyes, taken, type Work } from "./payouts.ts";
import type { Admin, Payout, State } from "./state.ts";
import { inPayout } from "./state-facts.ts";

/** Transfers of which nobody knows whether they left, and what was found of them. */

export const doubt: Work = (state, i, { admin }) => {
  const one = at(state, i);
  if (one.state === "unknown") return fine(state);
  if (one.state !== "approved" && one.state !== "sent") return no(state, "PAYOUT_CONFLICT");
  return fine(inPayout(state, i, { state: "unknown", unknownBy: admin }));
};

/** Whoever was making it says that they had sent it when another took it over: nobody knows, then, how often it left. */
export const report: Work = (state, i, { admin, reference }) => {
  const one = at(state, i);
  if (one.reportedBy === admin && one.reportedReference === reference) return fine(state);
  const open = ["approved", "sent", "unknown"].includes(one.state) && one.reportedBy === null;
  const anothers = one.sentBy === null ? another(one, admin) : one.sentBy !== admin;
  if (!open || !anothers) return no(state, "PAYOUT_CONFLICT");
  const unknownBy = one.state === "unknown" ? one.unknownBy : admin;
  const reported = { reportedBy: admin, reportedReference: reference };
  return fine(inPayout(state, i, { state: "unknown", unknownBy, ...reported }));
};

export const foundSent: Work = (state, i, step) => {
  const { admin, reference } = step;
  const one = at(state, i);
  if (one.state !== "unknown") {
    const repeated = (one.state === "sent" || one.state === "done") && one.reference === reference;
    return repeated ? fine(state) : no(state, "PAYOUT_CONFLICT");
  }
  if (one.reference !== null && one.reference !== reference) return no(state, "PAYOUT_CONFLICT");
  if (contradicted(one, admin, reference)) return no(state, "FOUR_EYES_REQUIRED");
  const alone = sameEyes(state, one, step) || (one.lapsed && one.unknownBy === admin);
  if (!one.posted && alone) return no(state, "FOUR_EYES_REQUIRED");
  if (!one.posted)
    return stoppedTransfer(state, one, step).flatMap((is) => foundUnposted(state, i, step, is));
  if (reference !== null && taken(state, reference, i)) return no(state, "BANK_REFERENCE_USED");
  return fine(inPayout(state, i, { state: "sent", reference, referenceMissing: false }));
};

/** Whether a halt or a hold of its trade would stop this transfer, for each way in which the switch may stand. */
function stoppedTransfer(state: State, one: Payout, { admin, how }: Step): boolean[] {
  if (state.holds.length > 0) return [true];
  const claimedBefore = one.claimedBy === admin && one.claimedIn !== null && one.claimedIn < state.minute;
  return claimedBefore ? [false] : how.halted;
}

/** What would be stopped is neither its maker's to call sent nor whose doubt it is. */
function foundUnposted(state: State, i: number, step: Step, isStopped: boolean): Outcome[] {
  const { admin, reference } = step;
  const one = at(state, i);
  if (isStopped && [one.claimedBy, one.unknownBy].includes(admin)) return no(state, "FOUR_EYES_REQUIRED");
  if (!isStopped && another(one, admin)) return no(state, "PAYOUT_CLAIMED");
  if (reference !== null && taken(state, reference, i)) return no(state, "BANK_REFERENCE_USED");
  return fine(leave(state, i, step));
}

/** What is over when its transfer is reported stays; its trade is put on hold, a moment after the report was refused. */
export function holdReported(
  state: State,
  i: number,
  { admin, reference }: Pick<Step, "admin" | "reference">,
): State {
  const one = state.payouts[i];
  if (one?.state !== "done" && one?.state !== "void") return state;
  return withHold(state, { reason: "FRAUD_REPORT", row: `${admin} ${reference}` });
}

/** Whoever made the transfer that another says they had made before does not end that doubt themselves, but by the other's number. */
function contradicted(
  { reportedBy, reportedReference, sentBy, claimedBy }: Payout,
  admin: Admin,
  reference: string | null,
) {
  const maker = sentBy ?? claimedBy;
  return reportedBy !== null && maker !== reportedBy && maker === admin && reference !== reportedReference;
}

export const foundUnsent: Work = (state, i, { admin }) => {
  const one = at(state, i);
  if (one.state !== "unknown") return one.replacedBy === null ? no(state, "PAYOUT_CONFLICT") : fine(state);
  if (!one.posted && one.takenOverFrom === null && another(one, admin)) return no(state, "PAYOUT_CLAIMED");
  const taker = !one.posted && one.takenOverFrom !== null ? one.claimedBy : null;
  if ([one.sentBy, one.reportedBy, taker].includes(admin)) return no(state, "FOUR_EYES_REQUIRED");
  const back = one.posted && one.source === "escrow" ? one.amount + one.fee : 0;
  const gone = { state: "void", referenceMissing: false, replacedBy: state.payouts.length } as const;
  const voided = inPayout({ ...state, held: state.held + back, hidden: false }, i, gone);
  return fine({ ...voided, payouts: [...voided.payouts, anew(one)] });
};
