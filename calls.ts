import { type ZodObject, type ZodType, z } from "zod";
import type { ErrorCode } from "#locales";

/**
 * Who may make a call: anybody; a holder of a session, even if it still needs a step (a second factor, a consent); a signed-in user; a user
 * who gave their password within the last ten minutes; an administrator; an administrator who gave their password within the last ten
 * minutes.
 */
export const askerKinds = ["anybody", "session", "user", "freshUser", "admin", "freshAdmin"] as const;
export type Asker = (typeof askerKinds)[number];

const sessionRefusals = ["AUTH_REQUIRED"] as const;
const passwordRefusals = [...sessionRefusals, "PASSWORD_CHANGE_REQUIRED"] as const;
const userRefusals = [...passwordRefusals, "NAME_CHANGE_REQUIRED", "CONSENT_REQUIRED"] as const;
// Administrators are exempt from NAME_CHANGE_REQUIRED: the operator is responsible for their names.
const adminRefusals = [
  ...passwordRefusals,
  "CONSENT_REQUIRED",
  "ADMIN_REQUIRED",
  "SECOND_FACTOR_SETUP_REQUIRED",
  "PASSKEY_REQUIRED",
] as const;

/** Refusals of callers who lack the required role: they follow from `by`, and no call lists them. */
export const refusalsByAsker = {
  anybody: [],
  session: sessionRefusals,
  user: userRefusals,
  freshUser: [...userRefusals, "REAUTH_REQUIRED"],
  admin: adminRefusals,
  freshAdmin: [...adminRefusals, "REAUTH_REQUIRED"],
} as const satisfies Record<Asker, readonly ErrorCode[]>;

/**
 * Refusals that mean that Midman's own records are altered or disagree. Any call can get them; no call lists them, because no request and
 * no correct state of a trade leads to them.
 */
export const corruptionRefusals = [
  "RECORD_ALTERED",
  "PAYOUT_NOT_WHOLE",
  "PAYOUT_EXCEEDS_HELD",
] as const satisfies readonly ErrorCode[];

/** The groups of the API, in the order in which the documentation lists them. */
export const callGroups = [
  "Signing in",
  "Own account",
  "Notifications",
  "Rooms",
  "Transactions",
  "Exchange",
  "Disputes",
  "Payment provider",
  "Support",
  "Back office: transactions",
  "Back office: payouts",
  "Back office: money",
  "Back office: people",
  "Back office: mail",
  "Back office: log",
  "Health",
  "Sandbox",
] as const;
export type Group = (typeof callGroups)[number];

/** What a route declares beside its validation schemas. */
export type Call = {
  summary: string;
  group: Group;
  by: Asker;
  /** The JSON reply. Its schema is the only declaration of the view: the view's type is the schema's output. */
  answers?: ZodType;
  /** The media type of a reply that is not JSON, or each that it may have. */
  file?: string | readonly string[];
  /** 200 by default. A call that creates something only the first time has both. */
  status?: readonly (200 | 201)[];
  /** The call's own refusal codes. Those that follow from `by`, from the address and from the body are not listed. */
  refuses?: Partial<Record<ErrorCode, true>>;
  /** A body that the verb validates with a schema of its own; the route passes it on unparsed. */
  body?: ZodType;
  query?: ZodObject;
  /** The body may be omitted. */
  bodyOptional?: true;
  /** Frames of a socket: those a client sends and those it receives. */
  frames?: { client: ZodType; server: ZodType };
};

type Verb = (...given: never[]) => unknown;

/** Every code that a verb, or one of several, refuses with, as its result type says. */
type RefusalOf<V extends Verb> =
  Awaited<ReturnType<V>> extends infer Result
    ? Result extends { ok: false; code: infer Code extends ErrorCode }
      ? Code
      : never
    : never;

/** Refusals that follow from a call's input: the document adds them where a call takes a body or a query. */
type InputRefusal = "BAD_REQUEST" | "VALIDATION";

/** Refusals that a call made by `By` does not list, because they follow from the role. */
type RoleRefusal<By extends Asker> =
  | (typeof refusalsByAsker)[By][number]
  | (By extends "admin" | "freshAdmin" ? "NAME_CHANGE_REQUIRED" : never);

type OwnRefusal<V extends Verb, By extends Asker> = Exclude<
  RefusalOf<V>,
  RoleRefusal<By> | InputRefusal | (typeof corruptionRefusals)[number]
>;

type Refuses<Own extends ErrorCode> = [Own] extends [never]
  ? { refuses?: Partial<Record<InputRefusal, true>> }
  : { refuses: Record<Own, true> & Partial<Record<InputRefusal, true>> };

/**
 * `by` must be a role that the verb checks, and `refuses` must name the codes of the verb's result: all of them, and no other. TypeScript
 * finds a superfluous code only in a list that is written in place; the check finds the rest, as no test sees such an answer.
 */
type CallOf<V extends Verb> = [V] extends [never]
  ? never
  : {
      [By in Asker]: [(typeof refusalsByAsker)[By][number]] extends [RefusalOf<V>]
        ? Omit<Call, "by" | "refuses"> & { by: By } & Refuses<OwnRefusal<V, By>>
        : never;
    }[Asker];

/** The verb of a call that refuses nothing of its own. */
export type Unrefused = () => { ok: true };

/**
 * A call's description, for the `detail` of its route. The API's document is generated from these alone (`app/server/openapi`). The type
 * argument is the call's verb, imported by `import type`: its result type is the only list of its refusals, and the compiler holds
 * `refuses` to it. A route that calls several verbs names them all: `describeCall<typeof one | typeof other>`.
 */
export function describeCall<V extends Verb = never>(said: CallOf<V>) {
  const call: Call = said;
  return { summary: call.summary, tags: [call.group], "x-call": call };
}

/** The codes that a call lists in `refuses`. */
export function listedRefusals({ refuses = {} }: Call): readonly ErrorCode[] {
  return Object.keys(refuses) as ErrorCode[];
}

/** The description in a route's `detail`; undefined if `describeCall` did not make it. */
export function callOf(detail: unknown): Call | undefined {
  return (detail as { "x-call"?: Call } | undefined)?.["x-call"];
}

/**
 * A time in a response: a `Date` in the view (`z.output`), an ISO 8601 string in JSON (`z.input`). A view that holds the string itself has
 * `z.iso.datetime()`.
 */
export const dateTimeSchema = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
