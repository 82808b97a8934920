import { and, asc, eq } from "drizzle-orm";
import { db, type Executor, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import type { FilterPage } from "../../forms.ts";
import type { Actor } from "../core/actor.ts";
import { type NotAdmin, requireAdmin } from "../core/require-actor.ts";
import { savedFiltersTable as table } from "../core/schema.ts";
import { holdUser } from "../core/users/find-users.ts";
import { normalizeFilterQuery } from "./filter-pages.ts";

/** So many one person keeps of one page. */
const maxFiltersPerPage = 20;

/** One's filters of a page by name, and what the page's address asks for now ("" for nothing). Queries have no "?". */
export type SavedFilterList = {
  ok: true;
  filters: Array<{ id: number; name: string; query: string }>;
  present: string;
};

/** The filters that who asks keeps of a page; each is read anew by the page, so that it asks for what the page still knows. */
export async function listSavedFilters(
  actor: Actor,
  page: FilterPage,
  query: string,
): Promise<SavedFilterList | NotAdmin> {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  const kept = await filtersOf(db(), needed.member.userId, page);
  const filters = kept.map((one) => ({
    id: one.id,
    name: one.name,
    query: normalizeFilterQuery(page, one.query),
  }));
  return { ok: true, filters, present: normalizeFilterQuery(page, query) };
}

type SaveFilterRefusal =
  | { ok: false; code: "FILTER_EMPTY" | "FILTERS_FULL" }
  | { ok: false; code: "FILTER_NAME_TAKEN"; fields: Record<"name", string[]> };

/**
 * Keeps what a page's address asks for under a name. Refuses FILTER_EMPTY where it asks for nothing the page knows, FILTER_NAME_TAKEN
 * where another filter of theirs has that name there, and FILTERS_FULL from the 21st. The same once more changes nothing.
 */
export async function saveFilter(
  actor: Actor,
  page: FilterPage,
  { name, query }: { name: string; query: string },
): Promise<{ ok: true; query: string } | NotAdmin | SaveFilterRefusal> {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  const { userId } = needed.member;
  const at = currentTime();
  const asked = normalizeFilterQuery(page, query);
  if (asked === "") return { ok: false, code: "FILTER_EMPTY" };
  return runInTransaction(async (tx) => {
    // Held, so that two presses at once are counted one after the other.
    if ((await holdUser(tx, userId)) === undefined) return { ok: false, code: "AUTH_REQUIRED" };
    const kept = await filtersOf(tx, userId, page);
    const twin = kept.find((one) => one.name === name);
    if (twin?.query === asked) return { ok: true, query: asked };
    if (twin !== undefined) {
      return { ok: false, code: "FILTER_NAME_TAKEN", fields: { name: ["errors.FILTER_NAME_TAKEN"] } };
    }
    if (kept.length >= maxFiltersPerPage) return { ok: false, code: "FILTERS_FULL" };
    await tx.insert(table).values({ userId, page, name, query: asked, createdAt: at });
    return { ok: true, query: asked };
  });
}

/** Forgets one of one's filters of a page. What is gone or another's is FILTER_NOT_FOUND. */
export async function deleteSavedFilter(
  actor: Actor,
  page: FilterPage,
  id: number,
): Promise<{ ok: true } | NotAdmin | { ok: false; code: "FILTER_NOT_FOUND" }> {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  const dropped = await db()
    .delete(table)
    .where(and(eq(table.id, id), eq(table.userId, needed.member.userId), eq(table.page, page)))
    .returning({ id: table.id });
  return dropped.length > 0 ? { ok: true } : { ok: false, code: "FILTER_NOT_FOUND" };
}

function filtersOf(exec: Executor, userId: number, page: FilterPage) {
  return exec
    .select()
    .from(table)
    .where(and(eq(table.userId, userId), eq(table.page, page)))
    .orderBy(asc(table.name));
}
