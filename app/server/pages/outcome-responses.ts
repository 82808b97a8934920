import { type ErrorCode, hasText, type Language, text } from "#locales";

/** A refused verb, as doors hand it on. */
export interface VerbRefusal {
  ok: false;
  code: string;
  /** The catalogues' key of the text that says why, where the code's own would not say enough. */
  says?: string;
  /** Messages by field, as keys of the catalogues. */
  fields?: Record<string, string[]>;
  /** What stands now, for a command that another outcome has overtaken. */
  current?: unknown;
  /** Why a transaction is on hold; administrators alone are told. */
  reasons?: readonly string[];
  retryAfterSeconds?: number;
  params?: Record<string, string | number>;
}

const conflict = 409;

/** The one place where a refusal's code becomes an HTTP status; a text without a status here is a type error. */
const statuses: Record<ErrorCode, number> = {
  // What was sent cannot be right.
  BAD_REQUEST: 400,
  BODY_TOO_COMPLEX: 400,
  BODY_TOO_SLOW: 408,
  FILTER_EMPTY: 422,
  FRAME_INVALID: 400,
  RESET_LINK_INVALID: 400,
  VERIFICATION_LINK_INVALID: 400,
  LENGTH_REQUIRED: 411,
  IMAGE_TOO_LARGE: 413,
  PAYLOAD_TOO_LARGE: 413,
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

  // Who asks may not.
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

  // It does not exist, or not for who asks.
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

  // What stands forbids it.
  ACCOUNT_JUST_CORRECTED: conflict,
  ACCOUNT_RESTRICTED: conflict,
  ADMIN_ACCOUNT: conflict,
  APPROVAL_LAPSED: conflict,
  BANK_INFO_FINAL: conflict,
  BANK_REFERENCE_REQUIRED: conflict,
  BANK_REFERENCE_USED: conflict,
  BUYER_NAMES_ACCOUNT: conflict,
  CLIENT_ID_REUSED: conflict,
  DESTINATION_REQUIRED: conflict,
  EMAIL_EXISTS: conflict,
  FILTERS_FULL: conflict,
  FILTER_NAME_TAKEN: conflict,
  FOUR_EYES_RELATED: conflict,
  FOUR_EYES_REQUIRED: conflict,
  INFO_NOT_AVAILABLE: conflict,
  INFO_TOO_OFTEN: conflict,
  LAST_ADMIN: conflict,
  MONEY_ALREADY_SENT: conflict,
  MONEY_HALTED: conflict,
  NO_REFUND_DUE: conflict,
  PAYMENT_ALREADY_BOOKED: conflict,
  PASSKEYS_FULL: conflict,
  PAYOUT_APPROVED: conflict,
  PAYOUT_CLAIMED: conflict,
  PAYOUT_CONFLICT: conflict,
  PAYOUT_EXCEEDS_HELD: conflict,
  PAYOUT_NOT_WHOLE: conflict,
  PAYOUT_UNKNOWN_OPEN: conflict,
  REFUND_DESTINATION_FINAL: conflict,
  STATEMENT_TOO_OFTEN: conflict,
  PUSH_OFF: conflict,
  PUSH_OF_ANOTHER: conflict,
  RESTRICTION_NOT_PROPOSED: conflict,
  ROLES_LOCKED: conflict,
  RULING_WARNED: conflict,
  ROOM_FULL: conflict,
  SECOND_FACTOR_NOT_BEGUN: conflict,
  SECOND_FACTOR_OFF: conflict,
  SECOND_FACTOR_ON: conflict,
  SETTLEMENT_CONFLICT: conflict,
  TEMPLATE_CHANGED: conflict,
  USERNAME_EXISTS: conflict,
  BUYER_FIRST: conflict,
  CANCELLATION_PENDING: conflict,
  CHECK_UNKNOWN: conflict,
  DESTINATION_MISSING: conflict,
  DISPUTE_NOT_TAKEN: conflict,
  DISPUTE_OPEN: conflict,
  DISPUTE_TAKEN: conflict,
  INVOICE_CLOSED: conflict,
  INVOICING_BUSY: conflict,
  MONEY_BOOKED: conflict,
  MONEY_HELD: conflict,
  NOTHING_DUE: conflict,
  INFO_CHANGED: conflict,
  INFO_NOT_SHARED: conflict,
  NOT_HANDED_OVER: conflict,
  NOT_PAID_YET: conflict,
  PAYMENT_NOT_REQUESTED: conflict,
  PERSON_UNAVAILABLE: conflict,
  PROPOSAL_CHANGED: conflict,
  PROPOSAL_DIFFERS: conflict,
  PROPOSER_NOT_ADMIN: conflict,
  SEATS_EMPTY: conflict,
  TOO_MANY_INVOICES: conflict,
  HOLD_OUTCOME_INVALID: 422,
  TRADE_COMPLETED: conflict,
  TRADE_ON_HOLD: conflict,
  TRADE_EXISTS: conflict,
  TRADE_OPEN: conflict,
  TRADE_OVERTAKEN: conflict,
  TRADE_UNDER_WAY: conflict,
  VAULT_CLOSED: conflict,
  VAULT_EMPTY: conflict,
  VAULT_NOT_OPENED: conflict,
  VAULT_UNREADABLE: conflict,
  WINDOW_OPEN: conflict,
  WINDOW_OVER: conflict,

  // The mail server's.
  MAIL_NOT_SENT: 502,

  // The payment provider's.
  PROVIDER_REFUSED: 502,
  PROVIDER_UNAVAILABLE: 503,

  // Ours.
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
  return statuses[code as ErrorCode] ?? conflict;
}

/** True for what a handler returned when it refused. */
export function isRefusal(value: unknown): value is VerbRefusal {
  return (
    typeof value === "object" && value !== null && "ok" in value && value.ok === false && "code" in value
  );
}

/** The message of a code in a person's language. */
export function messageOf(refusal: VerbRefusal, language: Language): string {
  const key = refusal.says ?? `errors.${refusal.code}`;
  const params = { ...refusal.params, seconds: refusal.retryAfterSeconds ?? 0 };
  return text(language, hasText(key) ? key : "errors.UNKNOWN", params);
}

/** The reply of the API: `{ message, code, fields?, current?, reasons? }`. */
export function refusalBody(refusal: VerbRefusal, language: Language) {
  const fields = refusal.fields && translatedFields(refusal.fields, language);
  return {
    message: messageOf(refusal, language),
    code: refusal.code,
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

/** A field's message: ours are keys of the catalogues; zod's own words (wrong types) become one general sentence. */
function fieldMessage(key: string, language: Language): string {
  return text(language, hasText(key) ? key : "validation.invalid");
}
