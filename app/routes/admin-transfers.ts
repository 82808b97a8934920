import { csvFile } from "#app/http/csv";
import { refusedToast } from "#app/http/forms";
import { adminOnly, goTo, unasked } from "#app/http/pages";
import { transferLines } from "#app/http/transfers-csv";
import { day as dayForm } from "#forms/payments";
import { transfersOf } from "#modules/escrow";
import { paths } from "../paths.ts";
import type { Route } from "./+types/admin-transfers.ts";

/**
 * The transfers of one day as a file. Taking it along is recorded, so neither a prefetch nor another site's link begins it.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = adminOnly(context, request);
  const turned = unasked(request, paths.adminMoney);
  if (turned !== undefined) return turned;
  const day = dayForm.safeParse(new URL(request.url).searchParams.get("day"));
  if (!day.success) return goTo(paths.adminMoney, { kind: "error", key: "validation.day" });
  const found = await transfersOf(admin, { day: day.data });
  if (!found.ok) return goTo(paths.adminMoney, refusedToast(found));
  return csvFile(`transfers-${day.data}.csv`, transferLines(found.transfers));
}
