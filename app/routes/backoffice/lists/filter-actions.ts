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

/** The address of a list with a filter. `query` is always one that a verb has parsed, never the raw query of a request. */
function listAt(page: FilterPage, query: string): string {
  return query === "" ? listPaths[page] : `${listPaths[page]}?${query}`;
}

/** The administrator's saved filters of a page as links, and whether the page's address has a filter that could be saved. */
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

/** Handles the two forms of saved filters; returns null for any other form. The list keeps its filter and starts from its first page. */
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
