import type { ZodObject, ZodType } from "zod";
import type { ErrorCode } from "#locales";

/**
 * Who a call answers: anybody; who has a session, whatever it still has to do; a signed-in person; one who gave their password
 * within ten minutes; an administrator; and one of whom the password is fresh.
 */
export const askerKinds = ["anybody", "session", "user", "freshUser", "admin", "freshAdmin"] as const;
export type Asker = (typeof askerKinds)[number];

/** The parts of the API, in the order in which they are read. */
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

/** What a route says of itself beside the schemas that it validates with. */
export type Call = {
  summary: string;
  group: Group;
  by: Asker;
  /** What comes back as JSON, as it is sent: a `Date` is a text. */
  answers?: ZodType;
  /** What comes back where it is no JSON: its media type. */
  file?: string;
  /** 200 unless told; a call that makes something only the first time has both. */
  status?: readonly (200 | 201)[];
  /** The codes of its own refusals. Those that follow from `by`, from the address and from a body need no mention. */
  refuses?: readonly ErrorCode[];
  /** What a verb reads by a schema of its own, which the route hands on unread. */
  body?: ZodType;
  query?: ZodObject;
  /** A body may be left out. */
  bodyOptional?: true;
  /** Frames of a socket: what a client says and what it hears. */
  frames?: { client: ZodType; server: ZodType };
};

/** A call's description, for the `detail` of its route; the API's document is made of nothing else (`app/server/openapi`). */
export function describeCall(said: Call) {
  return { summary: said.summary, tags: [said.group], "x-call": said };
}

/** What a route's `detail` says, when `call` made it. */
export function callOf(detail: unknown): Call | undefined {
  return (detail as { "x-call"?: Call } | undefined)?.["x-call"];
}

/** A view as it stands in a reply: JSON writes a `Date` as a text. */
export type JsonView<T> = T extends Date
  ? string
  : T extends readonly (infer One)[]
    ? JsonView<One>[]
    : T extends object
      ? { [Name in keyof T]: JsonView<T[Name]> }
      : T;
