import type { Effect } from "./effects.ts";
import type { Ruling, Status, Trade, TradeFigures, Who } from "./trade-types.ts";

/**
 * Commands to a trade that exists. `payment_checked` follows the booking of what was found: `booked` is the new money in tugrik, `complete`
 * means that the check of every invoice was answered, `failed` that the provider knows only failed payments.
 */
export type Command =
  | { kind: "amend"; figures: TradeFigures; goods: Trade["goods"]; description: string | null }
  | { kind: "withdraw" }
  | { kind: "issue_invoice"; invoiceId: string }
  | { kind: "mark_paid" }
  | { kind: "payment_checked"; booked: number; complete: boolean; failed: boolean }
  | { kind: "expire"; complete: boolean }
  /** `inVault`: what is handed over was put into the vault in the same step. */
  | { kind: "hand_over"; note: string | null; inVault?: boolean }
  | { kind: "take_goods" }
  /**
   * `receipt`: what the buyer was asked. Without it, and with "otherwise", the recorded facts decide. `endsDispute`: the buyer knows of the
   * open dispute, and ends it by this.
   */
  | { kind: "confirm"; receipt?: Receipt; endsDispute?: boolean }
  /**
   * `agreesTo`: the time of the other party's request that this agrees to; null only asks. Without it, it asks or agrees, as the trade is.
   */
  | { kind: "request_cancellation"; agreesTo?: Date | null }
  /** `requestedAt`: the time of the other party's request that this declines. */
  | { kind: "decline_cancellation"; requestedAt: Date }
  | { kind: "withdraw_cancellation" }
  | { kind: "open_dispute" }
  | { kind: "withdraw_dispute" }
  | { kind: "rule"; ruling: Ruling; refundAmount?: number }
  | { kind: "complete" }
  | { kind: "pay_seller" }
  | { kind: "cancel"; ourFault: boolean }
  | { kind: "money_left" }
  | { kind: "hide" };
/** How the buyer says that the goods arrived: by the handover that is recorded, or another way. */
export type Receipt = "handed_over" | "otherwise";
export type CommandKind = Command["kind"];
/** A command and who gives it. */
export type GivenCommand = Command & { who: Who };
/** The same for certain commands of a certain giver. */
export type GivenBy<Giver extends Who, Given extends Command> = Extract<Given & { who: Giver }, GivenCommand>;
/** The command of a kind. */
export type CommandOf<Kind extends CommandKind> = Extract<Command, { kind: Kind }>;

/** Why a command was refused. `app/server/pages/refusal-responses.ts` has the HTTP statuses, the catalogues the texts. */
export type Rejection =
  | "BUYER_ONLY"
  | "SELLER_ONLY"
  | "PARTY_ONLY"
  | "ADMIN_REQUIRED"
  | "NOT_AUTHORIZED"
  | "TRADE_OVERTAKEN"
  | "TRADE_UNDER_WAY"
  | "NOT_PAID_YET"
  | "PAYMENT_NOT_REQUESTED"
  | "WINDOW_OVER"
  | "MONEY_BOOKED"
  | "GOODS_FIXED"
  | "MONEY_HELD"
  | "MONEY_ALREADY_SENT"
  | "BUYER_FIRST"
  | "NOT_HANDED_OVER"
  | "CANCELLATION_PENDING"
  | "CANCELLATION_CHANGED"
  | "DESTINATION_MISSING"
  | "DISPUTE_OPEN"
  | "DISPUTE_NOT_YOURS"
  | "SPLIT_OUT_OF_RANGE"
  | "WINDOW_OPEN"
  | "TRADE_ON_HOLD"
  | "CHECK_UNKNOWN";

/**
 * The closed set of results. `changed: false`: the command took effect before, or there is nothing to do. `Code` and `Due` are the
 * rejections and the effects that this decision can have.
 */
export type Decision<Code extends Rejection = Rejection, Due extends Effect = Effect> =
  | { ok: true; changed: true; trade: Trade; effects: Due[] }
  | { ok: true; changed: false; trade: Trade; effects: [] }
  | { ok: false; code: Code; current: Status };
