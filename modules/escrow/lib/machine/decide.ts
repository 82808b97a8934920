import {
  decideCancellationDecline,
  decideCancellationRequest,
  decideCancellationWithdrawal,
  decideGoodsTaking,
} from "./cancellation.ts";
import { decideConfirmation, decideHandOver } from "./completion.ts";
import {
  decideCancellation,
  decideCompletion,
  decideHiding,
  decideMoneyLeft,
  decideSellerPayment,
} from "./decide-for-administrator.ts";
import { isOnHold, refuseCommand } from "./decision-helpers.ts";
import { decideDisputeOpening, decideDisputeWithdrawal, decideRuling } from "./dispute.ts";
import { decideExpiry } from "./expire-trade.ts";
import {
  decideAmendment,
  decideInvoice,
  decideMarkedPaid,
  decidePaymentCheck,
  decideWithdrawal,
} from "./payment.ts";
import type {
  CommandKind,
  CommandOf,
  Decision,
  Effect,
  GivenBy,
  GivenCommand,
  Party,
  Rejection,
  Trade,
  Who,
} from "./trade-types.ts";

const partyOnly = { may: ["buyer", "seller"], otherwise: "PARTY_ONLY" } as const;
const adminOnly = { may: ["admin"], otherwise: "ADMIN_REQUIRED" } as const;
const sellerOnly = { may: ["seller"], otherwise: "SELLER_ONLY" } as const;

const giversByCommand = {
  amend: sellerOnly,
  withdraw: sellerOnly,
  issue_invoice: partyOnly,
  mark_paid: { may: ["buyer"], otherwise: "BUYER_ONLY" },
  payment_checked: { may: ["buyer", "provider", "clock", "admin"], otherwise: "BUYER_ONLY" },
  expire: { may: ["clock"], otherwise: "NOT_AUTHORIZED" },
  hand_over: sellerOnly,
  take_goods: { may: ["buyer"], otherwise: "BUYER_ONLY" },
  confirm: partyOnly,
  request_cancellation: partyOnly,
  decline_cancellation: partyOnly,
  withdraw_cancellation: partyOnly,
  open_dispute: partyOnly,
  withdraw_dispute: partyOnly,
  rule: adminOnly,
  complete: adminOnly,
  pay_seller: adminOnly,
  cancel: adminOnly,
  money_left: adminOnly,
  hide: adminOnly,
} as const satisfies Record<CommandKind, { may: readonly Who[]; otherwise: Rejection }>;

/** Who may give each command, and the refusal for everyone else. */
export const commandGivers: Record<CommandKind, { may: readonly Who[]; otherwise: Rejection }> =
  giversByCommand;

/** Decides each command as if the trade were not on hold, and its giver allowed to give it. */
const decisionsByCommand = {
  amend: decideAmendment,
  withdraw: (trade, _, now) => decideWithdrawal(trade, now),
  issue_invoice: decideInvoice,
  mark_paid: (trade, _, now) => decideMarkedPaid(trade, now),
  payment_checked: decidePaymentCheck,
  expire: decideExpiry,
  hand_over: decideHandOver,
  take_goods: (trade, _, now) => decideGoodsTaking(trade, now),
  // Only parties give the commands that need the party.
  confirm: (trade, command, now) => decideConfirmation(trade, command, command.who as Party, now),
  request_cancellation: (trade, command, now) =>
    decideCancellationRequest(trade, command, command.who as Party, now),
  decline_cancellation: (trade, command, now) =>
    decideCancellationDecline(trade, command, command.who as Party, now),
  withdraw_cancellation: (trade, { who }, now) => decideCancellationWithdrawal(trade, who as Party, now),
  open_dispute: (trade, { who }, now) => decideDisputeOpening(trade, who as Party, now),
  withdraw_dispute: (trade, { who }, now) => decideDisputeWithdrawal(trade, who as Party, now),
  rule: decideRuling,
  complete: (trade, _, now) => decideCompletion(trade, now),
  pay_seller: (trade, _, now) => decideSellerPayment(trade, now),
  cancel: decideCancellation,
  money_left: (trade, _, now) => decideMoneyLeft(trade, now),
  hide: (trade, _, now) => decideHiding(trade, now),
} as const satisfies {
  [Kind in CommandKind]: (trade: Trade, command: GivenBy<Who, CommandOf<Kind>>, now: Date) => Decision;
};

type DecisionOf<Kind extends CommandKind> = ReturnType<(typeof decisionsByCommand)[Kind]>;

/** The rejections that only some commands of a kind can have: a party's receipt, and a check that the buyer asked for. */
type Impossible<Given extends GivenCommand> =
  | (Given extends { kind: "confirm"; receipt?: undefined } ? "NOT_HANDED_OVER" : never)
  | (Given extends { kind: "payment_checked"; who: Exclude<Who, "buyer"> } ? "PAYMENT_NOT_REQUESTED" : never)
  | (Given extends { kind: "money_left" } ? "TRADE_ON_HOLD" : never);

type GiverRejection<Kind extends CommandKind, Giver extends Who> = [
  Exclude<Giver, (typeof giversByCommand)[Kind]["may"][number]>,
] extends [never]
  ? never
  : (typeof giversByCommand)[Kind]["otherwise"];

/** Why a command may be refused: because of its giver, the trade, or a hold. */
export type RejectionOf<Given extends GivenCommand> = Given extends GivenCommand
  ?
      | GiverRejection<Given["kind"], Given["who"]>
      | Exclude<Extract<DecisionOf<Given["kind"]>, { ok: false }>["code"], Impossible<Given>>
      | (Given["kind"] extends (typeof commandsStoppedByHold)[number] ? "TRADE_ON_HOLD" : never)
  : never;

/** What must happen with a command, besides the change of the trade's row. */
export type EffectOf<Given extends GivenCommand> = Given extends GivenCommand
  ? Extract<Extract<DecisionOf<Given["kind"]>, { changed: true }>["effects"][number], Effect>
  : never;

/**
 * The state machine of a trade, and the only place where its state changes. Pure: it depends only on the trade, the command and the time.
 * The caller holds the trade's lock, writes the result and carries out the effects, all in one transaction. It checks first who gives the
 * command, then the state, then everything else, and last the trade's hold.
 */
export function decideCommand<Given extends GivenCommand>(
  trade: Trade,
  command: Given,
  now: Date,
): Decision<RejectionOf<Given>, EffectOf<Given>> {
  return decideGiven(trade, command, now) as Decision<RejectionOf<Given>, EffectOf<Given>>;
}

function decideGiven(trade: Trade, command: GivenCommand, now: Date): Decision {
  const { may, otherwise } = commandGivers[command.kind];
  if (!may.includes(command.who)) return refuseCommand(otherwise, trade);
  const decide = decisionsByCommand[command.kind] as (
    trade: Trade,
    command: GivenCommand,
    now: Date,
  ) => Decision;
  const decision = decide(trade, command, now);
  if (isStoppedByHold(trade, command, decision)) return refuseCommand("TRADE_ON_HOLD", trade);
  return attributeNotices(decision, command);
}

/**
 * Adds to each notice the role of the party who gave the command (`by`), for whom it is not unread. The buyer may ask for a check of the
 * payment, but what it finds is news to both.
 */
function attributeNotices(decision: Decision, { kind, who }: GivenCommand): Decision {
  if (!decision.ok || !decision.changed) return decision;
  if (kind === "payment_checked" || (who !== "buyer" && who !== "seller")) return decision;
  const effects = decision.effects.map((effect) =>
    effect.kind === "notice" ? { ...effect, params: { ...effect.params, by: who } } : effect,
  );
  return { ...decision, effects };
}

/** Commands that a hold stops: a new payment request or QR code, and any end of the trade. */
const commandsStoppedByHold = [
  "amend",
  "withdraw",
  "issue_invoice",
  "expire",
  "complete",
  "cancel",
] as const satisfies CommandKind[];

/** A hold does not change refusals and repetitions. That money has left is a fact: it is recorded, and closes the trade, in any case. */
function isStoppedByHold(trade: Trade, { kind }: GivenCommand, decision: Decision): boolean {
  if (!isOnHold(trade) || !decision.ok || !decision.changed || kind === "money_left") return false;
  const stopped: readonly CommandKind[] = commandsStoppedByHold;
  return stopped.includes(kind) || (trade.endedAt === null && decision.trade.endedAt !== null);
}
