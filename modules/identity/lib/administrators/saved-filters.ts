import { and, asc, eq } from "drizzle-orm";
import { db, type Executor, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import type { FilterPage } from "../../forms.ts";
import type { Actor } from "../core/actor.ts";
import { type NotAdmin, requireAdmin } from "../core/require-actor.ts";
import { savedFiltersTable as table } from "../core/schema.ts";
import { holdUser } from "../core/users/find-users.ts";
import { normalizeFilterQuery } from "./filter-pages.ts";

/** Saved filters a person may have for each page. */
const maxFiltersPerPage = 20;

/** The actor's saved filters of a page by name, and the current filter of the page's address ("" for none). Queries have no "?". */
export type SavedFilterList = {
  ok: true;
  filters: Array<{ id: number; name: string; query: string }>;
  present: string;
};

/** The actor's saved filters of a page. The page reads each one again, so that it contains only what the page still supports. */
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
 * Saves the current filter of a page's address under a name. Refuses FILTER_EMPTY if the page finds no filter in it, FILTER_NAME_TAKEN if
 * another filter of theirs has that name on this page, and FILTERS_FULL from the 21st. Saving the same again changes nothing.
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
    // Locked, so that two simultaneous requests are counted one after the other.
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

/** Deletes one of the actor's saved filters. Refuses FILTER_NOT_FOUND if it is gone or someone else's. */
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
