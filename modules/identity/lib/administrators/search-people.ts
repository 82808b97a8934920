import { and, count, desc, eq, gt, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { now } from "#db/clock";
import { fromReplica } from "#db/replica";
import type { PeopleFilter, RestrictionKind } from "../../forms.ts";
import type { Actor } from "../core/actor.ts";
import { type NotAdmin, requireAdmin } from "../core/require-actor.ts";
import { users } from "../core/schema.ts";
import { type UserView, viewOf } from "../core/user-view.ts";
import { restrictionOf } from "../restrictions/restriction-in-force.ts";

/** A person as administrators see them; of one who was deleted nothing personal is left. */
export type OverseenUser = UserView & {
  deletedAt: string | null;
  /** What they may not do now; `until` is ISO 8601, null for good. */
  restriction: { kind: RestrictionKind; until: string | null } | null;
};

/** `total`: how many the filter finds, counted to 10,000, in a search to 1,000, and "more" from there; `next`: the `before` of the next page. */
export type PeoplePage = {
  ok: true;
  users: OverseenUser[];
  next: number | null;
  total: { count: number; more: boolean };
};

/** So far people are counted, and so far those of a search. */
const most = 10_000;
const mostFound = 1_000;

/**
 * The people there are, for administrators: found by the beginnings of words of username, display name, e-mail and phone
 * number or by the whole id, newest first or by name. Every page is read off an index, however many people there are.
 */
export async function searchPeople(actor: Actor, filter: PeopleFilter): Promise<PeoplePage | NotAdmin> {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  const { before } = filter;
  return fromReplica(() => search(filter), before === undefined ? undefined : () => isKnown(before));
}

async function isKnown(id: number): Promise<boolean> {
  return (await db().select({ id: users.id }).from(users).where(eq(users.id, id))).length > 0;
}

async function search(filter: PeopleFilter): Promise<PeoplePage> {
  const byName = filter.sort === "name" && filter.show !== "deleted";
  const { condition, many } = await found(filter.q, byName ? most : mostFound);
  const wanted = and(shown(filter), condition);
  const name = sql`(lower(${users.displayName}) COLLATE "C")`;
  const after =
    filter.before === undefined
      ? undefined
      : byName
        ? sql`(${name}, ${users.id}) > ((SELECT lower(u.display_name) COLLATE "C" FROM identity.users u WHERE u.id = ${filter.before}), ${filter.before})`
        : lt(users.id, filter.before);
  const [rows, total] = await Promise.all([
    db()
      .select()
      .from(users)
      .where(and(wanted, after))
      .orderBy(...(byName ? [name, users.id] : [desc(users.id)]))
      .limit(filter.limit + 1),
    many && filter.show === "living"
      ? { count: mostFound, more: true }
      : counted(wanted, condition ? mostFound : most),
  ]);
  const page = rows.slice(0, filter.limit);
  return {
    ok: true,
    users: page.map(overseen),
    next: rows.length > filter.limit ? (page.at(-1)?.id ?? null) : null,
    total,
  };
}

/** How many there are, counted so far. */
async function counted(wanted: SQL | undefined, most: number): Promise<PeoplePage["total"]> {
  const some = db()
    .select({ one: sql`1` })
    .from(users)
    .where(wanted)
    .orderBy(desc(users.id)) // read off the index of those it holds, and never the whole table
    .limit(most + 1)
    .as("counted");
  const [row] = await db().select({ total: count() }).from(some);
  const total = row?.total ?? 0;
  return { count: Math.min(total, most), more: total > most };
}

/** A person with when they were deleted, and what they may not do. */
export function overseen(row: typeof users.$inferSelect): OverseenUser {
  const restriction = restrictionOf(row, now());
  return {
    ...viewOf(row),
    deletedAt: row.deletedAt?.toISOString() ?? null,
    restriction: restriction && { kind: restriction.kind, until: restriction.until?.toISOString() ?? null },
  };
}

function shown({ show }: PeopleFilter): SQL | undefined {
  if (show === "deleted") return isNotNull(users.deletedAt);
  if (show === "restricted") {
    return and(isNull(users.deletedAt), isNotNull(users.restriction), gt(users.restrictedUntil, now()));
  }
  return and(isNull(users.deletedAt), show === "admins" ? eq(users.isAdmin, true) : undefined);
}

/**
 * Every word of what is looked for begins a word of the person; digits may be the id, or a phone number however it is spaced. `many`:
 * more living people have the words than shall be gathered.
 */
async function found(
  asked: string | undefined,
  gather: number,
): Promise<{ condition: SQL | undefined; many: boolean }> {
  const words = (asked ?? "").normalize("NFC").toLowerCase().trim().replace(/^[@#]/, "");
  if (words === "") return { condition: undefined, many: false };
  const digits = /^\+?[\d\s()-]+$/.test(words) ? words.replace(/\D/g, "") : "";
  const wanted = digits === "" ? words.split(/\s+/) : [digits.replace(/^976(?=\d{8}$)/, "")];
  const query = wanted.map((word) => `'${word.replace(/['\\]/g, "$&$&")}':*`).join(" & ");
  const { username, displayName, email, phoneNumber } = users;
  const named = sql`identity.search_words(${username}, ${displayName}, ${email}, ${phoneNumber}) @@ ${query}::tsquery`;
  const gathered = sql`(SELECT ${users.id} FROM ${users} WHERE ${users.deletedAt} IS NULL AND ${named} LIMIT ${gather + 1})`;
  const [row] = await db().execute<{ total: number }>(
    sql`SELECT count(*)::int AS total FROM ${gathered} AS gathered`,
  );
  const many = (row?.total ?? 0) > gather;
  // A rare word is found first, off the index of words: in the order of the list it would be looked for in everybody. What many
  // have is met soon in that order, and gathering all of them would cost more the more there are; but not so soon by name, since
  // those of one name stand together.
  const matches = many
    ? sql`(${users.deletedAt} IS NULL AND (${named}) IS TRUE)`
    : sql`${users.id} = ANY(ARRAY${gathered})`;
  const id = digits !== "" && digits.length <= 15 ? eq(users.id, Number(digits)) : undefined;
  return { condition: or(matches, id), many };
}
