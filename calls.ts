import type { ZodObject, ZodType } from "zod";
import type { ErrorCode } from "#locales";

/**
 * Who may make a call: anybody; a holder of a session, even if it still needs a step (a second factor, a consent); a signed-in user; a user
 * who gave their password within the last ten minutes; an administrator; an administrator who gave their password within the last ten
 * minutes.
 */
export const askerKinds = ["anybody", "session", "user", "freshUser", "admin", "freshAdmin"] as const;
export type Asker = (typeof askerKinds)[number];

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
  /** The JSON reply, as it is sent: a `Date` is a string. */
  answers?: ZodType;
  /** The media type of a reply that is not JSON. */
  file?: string;
  /** 200 by default. A call that creates something only the first time has both. */
  status?: readonly (200 | 201)[];
  /** The call's own refusal codes. Those that follow from `by`, from the address and from the body are not listed. */
  refuses?: readonly ErrorCode[];
  /** A body that the verb validates with a schema of its own; the route passes it on unparsed. */
  body?: ZodType;
  query?: ZodObject;
  /** The body may be omitted. */
  bodyOptional?: true;
  /** Frames of a socket: those a client sends and those it receives. */
  frames?: { client: ZodType; server: ZodType };
};

/** A call's description, for the `detail` of its route. The API's document is generated from these alone (`app/server/openapi`). */
export function describeCall(said: Call) {
  return { summary: said.summary, tags: [said.group], "x-call": said };
}

/** The description in a route's `detail`; undefined if `describeCall` did not make it. */
export function callOf(detail: unknown): Call | undefined {
  return (detail as { "x-call"?: Call } | undefined)?.["x-call"];
}

/** A view as JSON: a `Date` becomes a string. */
export type JsonView<T> = T extends Date
  ? string
  : T extends readonly (infer One)[]
    ? JsonView<One>[]
    : T extends object
      ? { [Name in keyof T]: JsonView<T[Name]> }
      : T;
