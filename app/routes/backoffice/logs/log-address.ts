import type { ActivitySearch } from "#forms/identity";
import { paths } from "../../../paths.ts";

/** The address of the log with a search; empty fields are left out. */
export function logsAt(search: Partial<ActivitySearch>): string {
  return `${paths.adminActivityLogs}${logQueryOf(search)}`;
}

/** The address of the same search as a file, from the newest entry. */
export function logsFileAt(search: ActivitySearch): string {
  return `${paths.adminActivityLogsFile}${logQueryOf({ ...search, view: "list", before: undefined })}`;
}

function logQueryOf({ view, ...rest }: Partial<ActivitySearch>): string {
  const said = { ...(view === "table" && { view }), ...rest };
  const pairs = Object.entries(said).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}
