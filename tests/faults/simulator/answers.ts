import type { Body, Reply } from "../../support/server/http-client.ts";
import type { Circumstances, Command } from "./model/commands.ts";
import type { State } from "./model/state.ts";
import { onHold } from "./model/state-facts.ts";

/** Whether an answer's words about the trade are true of a state. */
export function agreement(command: Command, reply: Reply): (state: State) => boolean {
  const { status, body } = reply;
  if (command.do === "pay" || body === undefined) return () => true;
  if (status >= 300) return ({ status: stands }) => body.current === undefined || body.current === stands;
  const shown = (body.transaction ?? body) as Body;
  const view = shown.transactionCode === undefined ? null : shown;
  return (state) => (view === null || shows(view, state)) && tells(command, body, state);
}

/** A trade as every list and page has it. */
function shows(view: Body, state: State): boolean {
  const told: Array<[unknown, unknown]> = [
    [view.status, state.status],
    [view.amount, state.amount],
    [view.serviceFee, state.fee],
    [view.grossAmount, state.gross],
    [view.netAmount, state.net],
    [view.feePayer, state.payer],
    [view.invoiceId, state.invoice],
    [view.buyerConfirmedComplete, state.buyerDone],
    [view.sellerConfirmedComplete, state.sellerDone],
    [view.buyerConfirmedCancel, state.buyerCancel],
    [view.sellerConfirmedCancel, state.sellerCancel],
    [view.handedOverAt !== null, state.handedOver],
    [view.endReason, state.end],
  ];
  return told.every(([said, is]) => said === is);
}

/** What else the answer of a command says. */
function tells(command: Command, body: Body, state: State): boolean {
  if (command.do === "verify") {
    // Of a trade on hold nobody is told that all is well.
    const stands = state.confirmed && state.status !== "cancelled" && !onHold(state);
    return body.success === stands && body.status === state.status;
  }
  if (command.do === "mark-paid") return body.status === state.status;
  if (command.do === "by-hand") return body.state === byHandStands(state, command);
  const paid = body.payout as Body | undefined;
  if (paid === undefined) return true;
  return state.payouts.some(
    (one) => one.kind === paid.kind && one.amount === paid.amount && one.state === paid.state,
  );
}

/** One reference may be confirmed while the same administrator's proposal of another waits. */
function byHandStands(
  { hands }: State,
  { reference }: Extract<Command, { do: "by-hand" }>,
): "confirmed" | "proposed" {
  return hands.some((one) => one.reference === reference) ? "confirmed" : "proposed";
}

/** The payments that the provider took, as it told the payer's bank. */
export function paidBy({ status, body }: Reply): Circumstances["paid"] {
  if (status !== 200) return [];
  return (body.paymentIds as string[]).map((id) => ({ id, amount: Number(body.amount), place: null }));
}
