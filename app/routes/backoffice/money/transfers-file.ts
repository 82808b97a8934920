import { transferLines } from "#app/routes/backoffice/money/transfers-csv";
import { goTo, refuseUnaskedRead, requireAdministrator } from "#app/server/pages/page-context";
import { refusalToast } from "#app/server/pages/posted-forms";
import { csvFile } from "#app/server/texts/csv-file";
import { mongolianDaySchema as dayForm } from "#forms/payments";
import { transfersOf } from "#modules/escrow";
import { paths } from "../../../paths.ts";
import type { Route } from "./+types/transfers-file.ts";

/** Downloads the transfers of one day as a file. The export is recorded, so neither a prefetch nor another site's link starts it. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const turned = refuseUnaskedRead(request, paths.adminMoney);
  if (turned !== undefined) return turned;
  const day = dayForm.safeParse(new URL(request.url).searchParams.get("day"));
  if (!day.success) return goTo(paths.adminMoney, { kind: "error", key: "validation.day" });
  const found = await transfersOf(admin, { day: day.data });
  if (!found.ok) return goTo(paths.adminMoney, refusalToast(found));
  return csvFile(`transfers-${day.data}.csv`, transferLines(found.transfers));
}
