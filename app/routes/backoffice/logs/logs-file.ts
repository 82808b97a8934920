import { logFilter } from "#app/routes/backoffice/logs/log-search";
import { type LogShown, logShown } from "#app/routes/backoffice/logs/shown-activity";
import { goTo, refuseUnaskedRead, requireAdministrator } from "#app/server/pages/page-context";
import { csvFile, csvLine } from "#app/server/texts/csv-file";
import { currentTime } from "#db/clock";
import { formatDay, formatLogMoment } from "#format";
import { type Language, translateText } from "#locales";
import { exportActivityLogs } from "#modules/identity";
import type { ActivityLog } from "#views/identity";
import { paths } from "../../../paths.ts";
import type { Route } from "./+types/logs-file.ts";

const logFileColumns = ["id", "userAndName", "room", "action", "ip", "device", "time", "data"] as const;

/**
 * Downloads every entry that matches the log page's filter. The export is recorded, so neither a prefetch nor another site's link starts
 * it; if there are no entries, the page says so.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const page = `${paths.adminActivityLogs}${new URL(request.url).search}`;
  const turned = refuseUnaskedRead(request, page);
  if (turned !== undefined) return turned;
  const { filter } = await logFilter(request);
  const asked = filter === null ? null : await exportActivityLogs(admin, filter);
  if (asked?.ok === false) throw new Error("logs: an administrator was refused the export");
  if (asked === null || asked.batches === null) {
    return goTo(page, { kind: "error", key: "admin.logs.nothing" });
  }
  return csvFile(
    `activity_logs_${formatDay(currentTime())}.csv`,
    logFileLines(asked.batches, admin.language),
  );
}

async function* logFileLines(
  batches: AsyncGenerator<ActivityLog[]>,
  language: Language,
): AsyncGenerator<string> {
  yield csvLine(logFileColumns.map((column) => translateText(language, `admin.logs.${column}`)));
  for await (const logs of batches) {
    yield logs.map((log) => csvLine(logFileCells(logShown(log, language)))).join("");
  }
}

function logFileCells({ id, userId, name, roomId, action, ip, device, at, data }: LogShown) {
  const user = userId === null ? null : `${userId} ${name ?? ""}`;
  return [id, user, roomId, action, ip, device, formatLogMoment(at), data];
}
