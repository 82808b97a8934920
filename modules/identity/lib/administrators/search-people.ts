import { and, count, desc, eq, gt, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { fromReplica } from "#db/client/replica";
import { currentTime } from "#db/clock";
import type { PeopleFilter, RestrictionKind } from "../../forms.ts";
import type { Actor } from "../core/actor.ts";
import { type NotAdmin, requireAdmin } from "../core/require-actor.ts";
import type { UserView } from "../core/responses.ts";
import { usersTable } from "../core/schema.ts";
import { userViewOf } from "../core/users/user-view.ts";
import { restrictionOf } from "../restrictions/restriction-in-force.ts";

/** A person as administrators see them; a deleted person has no personal data left. */
export type AdminUserView = UserView & {
  deletedAt: string | null;
  /** The restriction in force; `until` is ISO 8601, null if permanent. */
  restriction: { kind: RestrictionKind; until: string | null } | null;
};

/**
 * `total`: how many people match, counted up to 10,000, or up to 1,000 in a search; `more` beyond that. `next`: the `before` of the next
 * page.
 */
export type PeoplePage = {
  ok: true;
  users: AdminUserView[];
  next: number | null;
  total: { count: number; more: boolean };
};

/** Limits of the counts: of all people, and of a search. */
const maxCountedPeople = 10_000;
const maxCountedMatches = 1_000;

/**
 * People for administrators: found by the beginnings of words of the username, display name, email and phone number, or by the whole id;
 * newest first or by name. Every page is read from an index, however many people there are.
 */
export async function searchPeople(actor: Actor, filter: PeopleFilter): Promise<PeoplePage | NotAdmin> {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  const { before } = filter;
  return fromReplica(
    () => readPeoplePage(filter),
    before === undefined ? undefined : () => isKnownUser(before),
  );
}

async function isKnownUser(id: number): Promise<boolean> {
  return (await db().select({ id: usersTable.id }).from(usersTable).where(eq(usersTable.id, id))).length > 0;
}

async function readPeoplePage(filter: PeopleFilter): Promise<PeoplePage> {
  const byName = filter.sort === "name" && filter.show !== "deleted";
  const { condition, many } = await buildSearchCondition(
    filter.q,
    byName ? maxCountedPeople : maxCountedMatches,
  );
  const wanted = and(listCondition(filter), condition);
  const name = sql`(lower(${usersTable.displayName}) COLLATE "C")`;
  const after =
    filter.before === undefined
      ? undefined
      : byName
        ? sql`(${name}, ${usersTable.id}) > ((SELECT lower(u.display_name) COLLATE "C" FROM identity.users u WHERE u.id = ${filter.before}), ${filter.before})`
        : lt(usersTable.id, filter.before);
  const [rows, total] = await Promise.all([
    db()
      .select()
      .from(usersTable)
      .where(and(wanted, after))
      .orderBy(...(byName ? [name, usersTable.id] : [desc(usersTable.id)]))
      .limit(filter.limit + 1),
    many && filter.show === "living"
      ? { count: maxCountedMatches, more: true }
      : countPeopleWhere(wanted, condition ? maxCountedMatches : maxCountedPeople),
  ]);
  const page = rows.slice(0, filter.limit);
  return {
    ok: true,
    users: page.map(toAdminUserView),
    next: rows.length > filter.limit ? (page.at(-1)?.id ?? null) : null,
    total,
  };
}

/** Number of matching people, counted up to `most`. */
async function countPeopleWhere(wanted: SQL | undefined, most: number): Promise<PeoplePage["total"]> {
  const some = db()
    .select({ one: sql`1` })
    .from(usersTable)
    .where(wanted)
    .orderBy(desc(usersTable.id)) // reads the index of the matching people instead of the whole table
    .limit(most + 1)
    .as("counted");
  const [row] = await db().select({ total: count() }).from(some);
  const total = row?.total ?? 0;
  return { count: Math.min(total, most), more: total > most };
}

/** A person with the date of deletion and the restriction in force. */
export function toAdminUserView(row: typeof usersTable.$inferSelect): AdminUserView {
  const restriction = restrictionOf(row, currentTime());
  return {
    ...userViewOf(row),
    deletedAt: row.deletedAt?.toISOString() ?? null,
    restriction: restriction && { kind: restriction.kind, until: restriction.until?.toISOString() ?? null },
  };
}

function listCondition({ show }: PeopleFilter): SQL | undefined {
  if (show === "deleted") return isNotNull(usersTable.deletedAt);
  if (show === "restricted") {
    return and(
      isNull(usersTable.deletedAt),
      isNotNull(usersTable.restriction),
      gt(usersTable.restrictedUntil, currentTime()),
    );
  }
  return and(isNull(usersTable.deletedAt), show === "admins" ? eq(usersTable.isAdmin, true) : undefined);
}

/**
 * Each searched word must begin a word of the person; digits may be the id, or a phone number with any spacing. `many`: more than `gather`
 * people who are not deleted match.
 */
async function buildSearchCondition(
  asked: string | undefined,
  gather: number,
): Promise<{ condition: SQL | undefined; many: boolean }> {
  const words = (asked ?? "").normalize("NFC").toLowerCase().trim().replace(/^[@#]/, "");
  if (words === "") return { condition: undefined, many: false };
  const digits = /^\+?[\d\s()-]+$/.test(words) ? words.replace(/\D/g, "") : "";
  const wanted = digits === "" ? words.split(/\s+/) : [digits.replace(/^976(?=\d{8}$)/, "")];
  const query = wanted.map((word) => `'${word.replace(/['\\]/g, "$&$&")}':*`).join(" & ");
  const { username, displayName, email, phoneNumber } = usersTable;
  const named = sql`identity.search_words(${username}, ${displayName}, ${email}, ${phoneNumber}) @@ ${query}::tsquery`;
  const gathered = sql`(SELECT ${usersTable.id} FROM ${usersTable} WHERE ${usersTable.deletedAt} IS NULL AND ${named} LIMIT ${gather + 1})`;
  const [row] = await db().execute<{ total: number }>(
    sql`SELECT count(*)::int AS total FROM ${gathered} AS gathered`,
  );
  const many = (row?.total ?? 0) > gather;
  // A rare word is looked up in the word index first: in the order of the list, everyone would be checked for it. A common word is met soon
  // in that order, and collecting all its matches would cost more the more there are. By name it is met less soon, since people with the
  // same name are adjacent.
  const matches = many
    ? sql`(${usersTable.deletedAt} IS NULL AND (${named}) IS TRUE)`
    : sql`${usersTable.id} = ANY(ARRAY${gathered})`;
  const id = digits !== "" && digits.length <= 15 ? eq(usersTable.id, Number(digits)) : undefined;
  return { condition: or(matches, id), many };
}
