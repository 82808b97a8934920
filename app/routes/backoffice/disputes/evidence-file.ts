import { goTo, notFound, parseId, requireAdministrator } from "#app/server/pages/page-context";
import { refusalToast } from "#app/server/pages/posted-forms";
import { bundleEvidence } from "#modules/escrow";
import { paths } from "../../../paths.ts";
import type { Route } from "./+types/evidence-file.ts";

/** Downloads the archive. Only a press starts it, since every download is recorded; opening its address redirects to the dispute. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  requireAdministrator(context, request);
  return goTo(paths.adminDispute(parseId(params.id)));
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const admin = requireAdministrator(context, request);
  const id = parseId(params.id);
  const made = await bundleEvidence(admin, id);
  if (!made.ok && made.code === "TRANSACTION_NOT_FOUND") throw notFound("record");
  if (!made.ok) return goTo(paths.adminDispute(id), refusalToast(made));
  return new Response(made.bytes, {
    headers: {
      "Content-Type": "application/x-tar",
      "Content-Disposition": `attachment; filename="${made.name}"`,
      "Cache-Control": "no-store",
    },
  });
}
