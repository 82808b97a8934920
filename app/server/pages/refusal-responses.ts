import { publicUrl } from "#config";
import { unpackMessage } from "#format";
import { type ErrorCode, hasText, type Language, translateText } from "#locales";
import { paths } from "../../paths.ts";

/** A verb's refusal, as pages and API routes pass it on. */
export interface VerbRefusal {
  ok: false;
  code: string;
  /** Catalogue key of the text, if the code's own text does not say enough. */
  textKey?: string;
  /** Messages by field, as keys of the catalogues. */
  fields?: Record<string, string[]>;
  /** The current state, for a command that another outcome has overtaken. */
  current?: unknown;
  /** Why a transaction is on hold; sent to administrators only. */
  reasons?: readonly string[];
  retryAfterSeconds?: number;
  params?: Record<string, string | number>;
}

const conflictStatus = 409;

/** The only place where a refusal code becomes an HTTP status; an error text without a status here is a type error. */
const statusByCode: Record<ErrorCode, number> = {
  // The request is invalid.
  BAD_REQUEST: 400,
  BODY_TOO_COMPLEX: 400,
  BODY_TOO_SLOW: 408,
  FILTER_EMPTY: 422,
  FRAME_INVALID: 400,
  RESET_LINK_INVALID: 400,
  VERIFICATION_LINK_INVALID: 400,
  LENGTH_REQUIRED: 411,
  FILE_TOO_LARGE: 413,
  IMAGE_TOO_LARGE: 413,
  PAYLOAD_TOO_LARGE: 413,
  FILE_UNREADABLE: 422,
  FILE_UNSAFE: 422,
  IMAGE_MISSING: 422,
  IMAGE_TOO_MANY_PIXELS: 422,
  IMAGE_UNREADABLE: 422,
  AMOUNT_INVALID: 422,
  DESTINATION_DIGEST_REQUIRED: 422,
  CONFIRMATION_MISMATCH: 422,
  PASSWORD_COMMON: 422,
  PASSWORD_GUESSABLE: 422,
  PASSWORD_SHORT_FOR_ADMIN: 422,
  PASSWORD_UNCHANGED: 422,
  PASSWORD_WRONG: 422,
  PASSKEY_FAILED: 422,
  PUSH_SERVICE_UNKNOWN: 422,
  SECOND_FACTOR_WRONG: 422,
  VALIDATION: 422,
  THROTTLED: 429,
  DAY_AHEAD: 422,
  FEE_MISMATCH: 422,
  NET_TOO_SMALL: 422,
  SELLER_MISMATCH: 422,
  SPLIT_OUT_OF_RANGE: 422,
  SUM_DIFFERS: 422,

  // The caller is not allowed.
  ADMIN_CREDENTIALS: 401,
  AUTH_REQUIRED: 401,
  INVALID_CREDENTIALS: 401,
  SECOND_FACTOR_REQUIRED: 401,
  SIGN_IN_EXPIRED: 401,
  ADMIN_REQUIRED: 403,
  BAD_ORIGIN: 403,
  HTTPS_REQUIRED: 403,
  NOT_AUTHORIZED: 403,
  ACCOUNT_LIMITED: 403,
  ACCOUNT_SUSPENDED: 403,
  PASSWORD_CHANGE_REQUIRED: 403,
  NAME_CHANGE_REQUIRED: 403,
  CONSENT_REQUIRED: 403,
  PASSKEY_REQUIRED: 403,
  REAUTH_REQUIRED: 403,
  SECOND_FACTOR_SETUP_REQUIRED: 403,
  ROLE_CREATOR_ONLY: 403,
  ROOM_CREATOR_ONLY: 403,
  BUYER_ONLY: 403,
  DISPUTE_NOT_YOURS: 403,
  OWN_ACCOUNT: 403,
  OWN_REPORT: 403,
  OWN_TRADE: 403,
  PARTY_ONLY: 403,
  SELLERS_CREATE: 403,
  SELLER_ONLY: 403,

  // The resource does not exist, or not for this caller.
  CHAT_ROOM_NOT_FOUND: 404,
  FILTER_NOT_FOUND: 404,
  INVITE_INVALID: 404,
  NOT_FOUND: 404,
  PASSKEY_NOT_FOUND: 404,
  PAYOUT_NOT_FOUND: 404,
  REPORT_SUBJECT_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  INVOICE_NOT_FOUND: 404,
  TRANSACTION_NOT_FOUND: 404,

  // The current state forbids it.
  ACCOUNT_JUST_CORRECTED: conflictStatus,
  ACCOUNT_RESTRICTED: conflictStatus,
  ADMIN_ACCOUNT: conflictStatus,
  APPROVAL_LAPSED: conflictStatus,
  BANK_INFO_FINAL: conflictStatus,
  BANK_REFERENCE_REQUIRED: conflictStatus,
  BANK_REFERENCE_USED: conflictStatus,
  BUYER_NAMES_ACCOUNT: conflictStatus,
  CLIENT_ID_REUSED: conflictStatus,
  DESTINATION_REQUIRED: conflictStatus,
  EMAIL_EXISTS: conflictStatus,
  FILTERS_FULL: conflictStatus,
  FILTER_NAME_TAKEN: conflictStatus,
  FOUR_EYES_RELATED: conflictStatus,
  FOUR_EYES_REQUIRED: conflictStatus,
  INFO_NOT_AVAILABLE: conflictStatus,
  INFO_TOO_OFTEN: conflictStatus,
  LAST_ADMIN: conflictStatus,
  MONEY_ALREADY_SENT: conflictStatus,
  MONEY_HALTED: conflictStatus,
  NO_REFUND_DUE: conflictStatus,
  PAYMENT_ALREADY_BOOKED: conflictStatus,
  PASSKEYS_FULL: conflictStatus,
  PAYOUT_APPROVED: conflictStatus,
  PAYOUT_CLAIMED: conflictStatus,
  PAYOUT_CONFLICT: conflictStatus,
  PAYOUT_EXCEEDS_HELD: conflictStatus,
  PAYOUT_NOT_WHOLE: conflictStatus,
  PAYOUT_UNKNOWN_OPEN: conflictStatus,
  REFUND_DESTINATION_FINAL: conflictStatus,
  STATEMENT_TOO_OFTEN: conflictStatus,
  PUSH_OFF: conflictStatus,
  PUSH_OF_ANOTHER: conflictStatus,
  RESTRICTION_NOT_PROPOSED: conflictStatus,
  ROLES_LOCKED: conflictStatus,
  RULING_WARNED: conflictStatus,
  ROOM_FULL: conflictStatus,
  SECOND_FACTOR_NOT_BEGUN: conflictStatus,
  SECOND_FACTOR_OFF: conflictStatus,
  SECOND_FACTOR_ON: conflictStatus,
  SETTLEMENT_CONFLICT: conflictStatus,
  TEMPLATE_CHANGED: conflictStatus,
  USERNAME_EXISTS: conflictStatus,
  BUYER_FIRST: conflictStatus,
  CANCELLATION_PENDING: conflictStatus,
  CANCELLATION_CHANGED: conflictStatus,
  VAULT_CHANGED: conflictStatus,
  GOODS_FIXED: conflictStatus,
  OTHER_PERSON: conflictStatus,
  CHECK_UNKNOWN: conflictStatus,
  DESTINATION_MISSING: conflictStatus,
  DISPUTE_CHANGED: conflictStatus,
  DISPUTE_NOT_TAKEN: conflictStatus,
  DISPUTE_OPEN: conflictStatus,
  DISPUTE_TAKEN: conflictStatus,
  INVOICE_CLOSED: conflictStatus,
  INVOICING_BUSY: conflictStatus,
  MONEY_BOOKED: conflictStatus,
  MONEY_HELD: conflictStatus,
  NOTHING_DUE: conflictStatus,
  INFO_CHANGED: conflictStatus,
  INFO_NOT_SHARED: conflictStatus,
  NOT_HANDED_OVER: conflictStatus,
  NOT_PAID_YET: conflictStatus,
  PAYMENT_NOT_REQUESTED: conflictStatus,
  PERSON_UNAVAILABLE: conflictStatus,
  PROPOSAL_CHANGED: conflictStatus,
  PROPOSAL_DIFFERS: conflictStatus,
  PROPOSER_NOT_ADMIN: conflictStatus,
  SEATS_EMPTY: conflictStatus,
  TOO_MANY_INVOICES: conflictStatus,
  HOLD_OUTCOME_INVALID: 422,
  TRADE_COMPLETED: conflictStatus,
  TRADE_ON_HOLD: conflictStatus,
  TRADE_EXISTS: conflictStatus,
  TRADE_OPEN: conflictStatus,
  TRADE_OVERTAKEN: conflictStatus,
  TRADE_UNDER_WAY: conflictStatus,
  VAULT_CLOSED: conflictStatus,
  VAULT_EMPTY: conflictStatus,
  VAULT_NOT_OPENED: conflictStatus,
  VAULT_UNREADABLE: conflictStatus,
  WINDOW_OPEN: conflictStatus,
  WINDOW_OVER: conflictStatus,

  // The mail server failed.
  MAIL_NOT_SENT: 502,

  // The payment provider failed.
  PROVIDER_REFUSED: 502,
  PROVIDER_UNAVAILABLE: 503,

  // Midman itself failed or is busy.
  IMAGES_BUSY: 503,
  MAINTENANCE: 503,
  OVERLOADED: 503,
  RECORD_ALTERED: 409,
  UNAVAILABLE: 503,
  SERVER_ERROR: 500,
  UNKNOWN: 500,
};

/** The HTTP status of a code. */
export function statusOf(code: string): number {
  return statusByCode[code as ErrorCode] ?? conflictStatus;
}

/** True if a handler's return value is a refusal. */
export function isRefusal(value: unknown): value is VerbRefusal {
  return (
    typeof value === "object" && value !== null && "ok" in value && value.ok === false && "code" in value
  );
}

/** The text of a refusal in a person's language. */
function messageOf(refusal: VerbRefusal, language: Language): string {
  const key = refusal.textKey ?? `errors.${refusal.code}`;
  const params = { ...refusal.params, seconds: refusal.retryAfterSeconds ?? 0 };
  return translateText(language, hasText(key) ? key : "errors.UNKNOWN", params);
}

/** The page that lifts a refusal, for the codes that only a page can lift. */
const pagesByCode: Partial<Record<string, string>> = { CONSENT_REQUIRED: paths.agree };

/**
 * The API's response body: `{ message, code, page?, fields?, current?, reasons? }`. The message of VALIDATION is the first field's, in the
 * order of the call's schema.
 */
export function refusalBody(refusal: VerbRefusal, language: Language) {
  const page = pagesByCode[refusal.code];
  const fields = refusal.fields && translatedFields(refusal.fields, language);
  const ofField = refusal.code === "VALIDATION" ? Object.values(fields ?? {})[0]?.[0] : undefined;
  return {
    message: ofField ?? messageOf(refusal, language),
    code: refusal.code,
    ...(page !== undefined && { page: `${publicUrl()}${page}` }),
    ...(fields && { fields }),
    ...(refusal.current !== undefined && { current: refusal.current }),
    ...(refusal.reasons && { reasons: refusal.reasons }),
  };
}

function translatedFields(fields: Record<string, string[]>, language: Language): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, keys]) => [name, keys.map((key) => fieldMessage(key, language))]),
  );
}

/** A field's message: a packed key is translated; zod's built-in messages (wrong types) become one general message. */
function fieldMessage(message: string, language: Language): string {
  const { key, params } = unpackMessage(message);
  return hasText(key) ? translateText(language, key, params) : translateText(language, "validation.invalid");
}
