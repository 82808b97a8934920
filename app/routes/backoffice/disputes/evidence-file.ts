import { adminOnly, goTo, idIn, notFound } from "#app/server/pages/page-context";
import { refusedToast } from "#app/server/pages/posted-forms";
import { evidenceOf } from "#modules/escrow";
import { paths } from "../../../paths.ts";
import type { Route } from "./+types/evidence-file.ts";

/** The archive is made by a press alone, since making it is recorded; its address leads back to the dispute. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  adminOnly(context, request);
  return goTo(paths.adminDispute(idIn(params.id)));
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const admin = adminOnly(context, request);
  const id = idIn(params.id);
  const made = await evidenceOf(admin, id);
  if (!made.ok && made.code === "TRANSACTION_NOT_FOUND") throw notFound();
  if (!made.ok) return goTo(paths.adminDispute(id), refusedToast(made));
  return new Response(made.bytes, {
    headers: {
      "Content-Type": "application/x-tar",
      "Content-Disposition": `attachment; filename="${made.name}"`,
      "Cache-Control": "no-store",
    },
  });
}
