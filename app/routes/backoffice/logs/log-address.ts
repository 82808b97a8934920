import type { ActivitySearch } from "#forms/identity";
import { paths } from "../../../paths.ts";

/** Where the log shows what is asked for; what is not said stays away. */
export function logsAt(search: Partial<ActivitySearch>): string {
  return `${paths.adminActivityLogs}${logQueryOf(search)}`;
}

/** Where the same is a file, from the newest entry on. */
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
