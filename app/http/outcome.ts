import { hasText, type Language, text } from "#locales";

/** A refused verb, as doors hand it on. */
export interface Refusal {
  ok: false;
  code: string;
  /** Messages by field, as keys of the catalogues. */
  fields?: Record<string, string[]>;
  /** What stands now, for a command that another outcome has overtaken. */
  current?: unknown;
  retryAfterSeconds?: number;
  params?: Record<string, string | number>;
}

/** The one place where a refusal's code becomes an HTTP status; what is not named here is a conflict. */
const statuses: Record<string, number> = {
  VALIDATION: 422,
  THROTTLED: 429,
  AUTH_REQUIRED: 401,
  BAD_ORIGIN: 403,
  NOT_FOUND: 404,
  PAYLOAD_TOO_LARGE: 413,
  BAD_REQUEST: 400,
  SERVER_ERROR: 500,
};

/** The HTTP status of a code. */
export function statusOf(code: string): number {
  return statuses[code] ?? 409;
}

/** True for what a handler returned when it refused. */
export function isRefusal(value: unknown): value is Refusal {
  return (
    typeof value === "object" && value !== null && "ok" in value && value.ok === false && "code" in value
  );
}

/** The message of a code in a person's language. */
export function messageOf(refusal: Refusal, language: Language): string {
  const key = `errors.${refusal.code}`;
  const params = { ...refusal.params, seconds: refusal.retryAfterSeconds ?? 0 };
  return text(language, hasText(key) ? key : "errors.UNKNOWN", params);
}

/** The reply of the API: `{ message, code, fields?, current? }`. */
export function refusalBody(refusal: Refusal, language: Language) {
  const fields = refusal.fields && translatedFields(refusal.fields, language);
  return {
    message: messageOf(refusal, language),
    code: refusal.code,
    ...(fields && { fields }),
    ...(refusal.current !== undefined && { current: refusal.current }),
  };
}

function translatedFields(fields: Record<string, string[]>, language: Language): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, keys]) => [name, keys.map((key) => fieldMessage(key, language))]),
  );
}

/** A field's message: ours are keys of the catalogues; zod's own words (wrong types) become one general sentence. */
export function fieldMessage(key: string, language: Language): string {
  return text(language, hasText(key) ? key : "validation.invalid");
}
