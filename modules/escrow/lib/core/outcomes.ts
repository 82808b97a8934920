import { runInTransaction, type Tx } from "#db/client";
import { log } from "#db/log";
import type { ErrorCode } from "#locales";
import { enqueueLogCheck, RecordAltered } from "#modules/audit";
import { HaltAltered, type HoldReason, type PayoutRefusal } from "#modules/payments";
import type { Rejection, Status, Trade } from "../machine/trade-types.ts";

/** The command took effect, or had taken effect before (`changed: false`); `trade` is its current state. */
export type TradeResult = { ok: true; changed: boolean; trade: Trade };

/** Makes a code without a text and an HTTP status a type error. */
type KnownCode<Code extends ErrorCode> = Code;

/** All codes that a trade's operations refuse with; each operation's result type names its own. A refusal rolls its transaction back. */
export type RefusalCode = KnownCode<
  | Rejection
  | PayoutRefusal
  | "AUTH_REQUIRED"
  | "VALIDATION"
  | "PASSWORD_CHANGE_REQUIRED"
  | "NAME_CHANGE_REQUIRED"
  | "CONSENT_REQUIRED"
  | "PASSKEY_REQUIRED"
  | "REAUTH_REQUIRED"
  | "SECOND_FACTOR_SETUP_REQUIRED"
  | "TRANSACTION_NOT_FOUND"
  | "CHAT_ROOM_NOT_FOUND"
  | "INVOICE_NOT_FOUND"
  | "NOT_FOUND"
  | "OWN_TRADE"
  | "DAY_AHEAD"
  | "SEATS_EMPTY"
  | "SELLERS_CREATE"
  | "SELLER_MISMATCH"
  | "TRADE_EXISTS"
  | "ACCOUNT_LIMITED"
  | "PERSON_UNAVAILABLE"
  | "TRADE_COMPLETED"
  | "NET_TOO_SMALL"
  | "FEE_MISMATCH"
  | "PROVIDER_UNAVAILABLE"
  | "PROVIDER_REFUSED"
  | "INVOICE_CLOSED"
  | "HOLD_OUTCOME_INVALID"
  | "INVOICING_BUSY"
  | "TOO_MANY_INVOICES"
  | "THROTTLED"
  | "VAULT_CLOSED"
  | "VAULT_EMPTY"
  | "VAULT_NOT_OPENED"
  | "VAULT_UNREADABLE"
  | "VAULT_CHANGED"
  | "NOTHING_DUE"
  | "DESTINATION_DIGEST_REQUIRED"
  | "RULING_WARNED"
  | "PAYOUT_APPROVED"
  | "NO_REFUND_DUE"
  | "REFUND_DESTINATION_FINAL"
  | "BUYER_NAMES_ACCOUNT"
  | "PROPOSAL_DIFFERS"
  | "PROPOSAL_CHANGED"
  | "PROPOSER_NOT_ADMIN"
  | "PAYMENT_ALREADY_BOOKED"
  | "SETTLEMENT_CONFLICT"
  | "DISPUTE_CHANGED"
  | "DISPUTE_TAKEN"
  | "DISPUTE_NOT_TAKEN"
  | "STATEMENT_TOO_OFTEN"
  | "SUM_DIFFERS"
  | "RECORD_ALTERED"
>;

export type TradeRefusal<Code extends RefusalCode = RefusalCode> = {
  ok: false;
  code: Code;
  /** The trade's current status, where it is the reason. */
  current?: Status;
  /** For VALIDATION: the problems of each field, as keys of the locale files. */
  fields?: Record<string, string[]>;
  /** Key of the text that gives the reason, where the code's own text does not say enough. */
  textKey?: string;
  params?: Record<string, string | number>;
  /** Why the trade is on hold, for administrators. */
  reasons?: readonly HoldReason[];
  retryAfterSeconds?: number;
};

/** A refusal, with the trade's current status. */
export function refuseAction<Code extends RefusalCode>(
  code: Code,
  trade?: Pick<Trade, "status">,
): TradeRefusal<Code> {
  return trade === undefined ? { ok: false, code } : { ok: false, code, current: trade.status };
}

/** What a step of a transaction returns: a result, or a refusal with its code. */
type Outcome = { ok: true } | { ok: false; code: RefusalCode };

/** Carries a refusal out of a transaction, so that its earlier writes are rolled back. */
class RefusedTransaction extends Error {
  readonly answer: Outcome & { ok: false };
  constructor(answer: Outcome & { ok: false }) {
    super(answer.code);
    this.answer = answer;
  }
}

/**
 * Runs `work` in one transaction, which a refusal rolls back, so that a refused operation writes nothing. Refuses RECORD_ALTERED if a
 * record does not match its latest entry in the audit log.
 */
export async function runAtomically<const Result extends Outcome>(
  work: (tx: Tx) => Promise<Result>,
): Promise<Result | TradeRefusal<"RECORD_ALTERED">> {
  try {
    return await refuseAlteredRecord(() =>
      runInTransaction(async (tx) => {
        const answer = await work(tx);
        if (!answer.ok) throw new RefusedTransaction(answer);
        return answer;
      }),
    );
  } catch (error) {
    // Only `work` of this call can have thrown it: a nested call catches its own.
    if (error instanceof RefusedTransaction) return error.answer as Result & { ok: false };
    throw error;
  }
}

/** Runs `work`, which begins its own transaction. Refuses RECORD_ALTERED if a record does not match its latest entry in the audit log. */
export async function refuseAlteredRecord<Result>(
  work: () => Promise<Result>,
): Promise<Result | TradeRefusal<"RECORD_ALTERED">> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RecordAltered)) throw error;
    log().error({ err: error }, "escrow: a record differs from what the log sealed");
    // The check reports the record to every administrator.
    await runInTransaction(enqueueLogCheck);
    const altered = refuseAction("RECORD_ALTERED");
    return error instanceof HaltAltered ? { ...altered, textKey: "escrow.haltAltered" } : altered;
  }
}
