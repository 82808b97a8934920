import { and, desc, eq, gt, isNotNull, isNull, or, type SQL } from "drizzle-orm";
import type { Executor } from "#db/client";
import { lastDayBefore } from "#format";
import type { RestrictionCause } from "../../forms.ts";
import type { Actor, Restriction } from "../core/actor.ts";
import type { usersTable } from "../core/schema.ts";
import { userById } from "../core/users/find-users.ts";
import { type RestrictionRow, restrictionsTable } from "./schema.ts";

/** The end that is stored for a permanent restriction, so that every restriction is compared with the clock in one way. */
export const forGoodUntil = new Date("9999-12-31T00:00:00Z");

/** The restriction in force on a user's row; null if there is none or it has expired. */
export function restrictionOf(
  user: Pick<typeof usersTable.$inferSelect, "restriction" | "restrictedUntil">,
  at: Date,
): Restriction | null {
  const { restriction: kind, restrictedUntil: until } = user;
  if (kind === null || until === null || until <= at) return null;
  return { kind, until: until >= forGoodUntil ? null : until };
}

/** True for a person who may not sign in. */
export function isSuspended(user: Parameters<typeof restrictionOf>[0], at: Date): boolean {
  return restrictionOf(user, at)?.kind === "suspend";
}

/** The row of the restriction in force; undefined if it was ended or has expired. */
export async function latestUnendedRestriction(
  exec: Executor,
  userId: number,
  at: Date,
): Promise<RestrictionRow | undefined> {
  const [row] = await exec
    .select()
    .from(restrictionsTable)
    .where(and(eq(restrictionsTable.userId, userId), hasNotEnded(at)))
    .orderBy(desc(restrictionsTable.id))
    .limit(1);
  return row;
}

/** Restrictions that have neither been ended nor expired. */
export function hasNotEnded(at: Date): SQL | undefined {
  const lasts = or(isNotNull(restrictionsTable.confirmedAt), gt(restrictionsTable.until, at));
  return and(isNull(restrictionsTable.endedAt), lasts);
}

/** A refusal caused by a restriction, with its last day; `textKey` is another text if it is permanent. */
export type RestrictionRefusal<Code extends string> = {
  ok: false;
  code: Code;
  textKey: string;
  params: Record<string, string>;
};

/**
 * ACCOUNT_LIMITED for a person who may start nothing new (a limited one, or a suspended one, who cannot even sign in); undefined for anyone
 * else. Call it in the transaction that starts something.
 */
export async function limitedRefusal(
  exec: Executor,
  userId: number,
  at: Date,
): Promise<RestrictionRefusal<"ACCOUNT_LIMITED"> | undefined> {
  const user = await userById(exec, userId);
  return limitationRefusal((user && restrictionOf(user, at)) ?? null);
}

/** ACCOUNT_LIMITED with the last day of this restriction; undefined without one. */
function limitationRefusal(
  restriction: Restriction | null,
): RestrictionRefusal<"ACCOUNT_LIMITED"> | undefined {
  if (restriction === null) return undefined;
  const { until } = restriction;
  return {
    ok: false,
    code: "ACCOUNT_LIMITED",
    textKey: until === null ? "identity.limitedForGood" : "errors.ACCOUNT_LIMITED",
    params: untilParams(until),
  };
}

/**
 * The refusal that the actor's own restriction causes, from the session's row, for a page to show instead of a form. Undefined for
 * visitors.
 */
export function ownLimitation(actor: Actor): RestrictionRefusal<"ACCOUNT_LIMITED"> | undefined {
  return actor.kind === "user" ? limitationRefusal(actor.restriction) : undefined;
}

/** ACCOUNT_SUSPENDED with its reason and end, for someone who has just proved that the account is theirs. */
export function suspendedRefusal(
  cause: RestrictionCause,
  until: Date | null,
): RestrictionRefusal<"ACCOUNT_SUSPENDED"> {
  const textKey = `identity.suspended.${until === null ? "forGood" : "until"}.${cause}`;
  return { ok: false, code: "ACCOUNT_SUSPENDED", textKey, params: untilParams(until) };
}

/** Text parameters with the last day of a restriction; empty for a permanent one. */
function untilParams(until: Date | null): Record<string, string> {
  return until === null ? {} : { until: lastDayBefore(until) };
}
