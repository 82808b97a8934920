import { type FilterPage, saveFilterInput } from "#forms/identity";
import { deleteSavedFilter, listSavedFilters, type Member, saveFilter } from "#modules/identity";
import { paths } from "../../../paths.ts";
import { goTo, parseId } from "../../../server/pages/page-context.ts";
import { type FormAnswer, readForm, refusalToast } from "../../../server/pages/posted-forms.ts";

const listPaths: Record<FilterPage, string> = {
  transactions: paths.adminTransactions,
  users: paths.adminUsers,
  "activity-logs": paths.adminActivityLogs,
};

/** The address of a list with a filter; the query is one that the verbs have read, never what came in. */
function listAt(page: FilterPage, query: string): string {
  return query === "" ? listPaths[page] : `${listPaths[page]}?${query}`;
}

/** The administrator's filters of a page as links, and whether its address has one that could be kept. */
export async function filtersShown(admin: Member, page: FilterPage, request: Request) {
  const { filters, present } = await savedFiltersOf(admin, page, request);
  return {
    present: present !== "",
    filters: filters.map(({ id, name, query }) => ({
      id,
      name,
      to: listAt(page, query),
      current: query === present && query !== "",
    })),
  };
}

async function savedFiltersOf(admin: Member, page: FilterPage, request: Request) {
  const kept = await listSavedFilters(admin, page, new URL(request.url).search);
  if (!kept.ok) throw new Error("admin: an administrator was refused the filters");
  return kept;
}

/** The two forms of saved filters; null for any other of the page's forms. The list stays at what it showed, from its beginning. */
export async function handleFilterForm(
  admin: Member,
  page: FilterPage,
  request: Request,
  body: FormData,
): Promise<Response | FormAnswer | null> {
  const form = body.get("form");
  if (form === "drop-filter") {
    const done = await deleteSavedFilter(admin, page, parseId(body.get("filter")));
    const { present } = await savedFiltersOf(admin, page, request);
    const toast = done.ok ? ({ kind: "success", key: "toast.filters.dropped" } as const) : refusalToast(done);
    return goTo(listAt(page, present), toast);
  }
  if (form !== "save-filter") return null;
  const read = readForm(form, body, saveFilterInput);
  if (!read.ok) return read.answer;
  const done = await saveFilter(admin, page, { ...read.value, query: new URL(request.url).search });
  if (!done.ok) return read.refuse(done);
  return goTo(listAt(page, done.query), { kind: "success", key: "toast.filters.kept" });
}
