import {
  goTo,
  notFound,
  parseId,
  refuseUnaskedRead,
  requireAdministrator,
} from "#app/server/pages/page-context";
import { refusalToast } from "#app/server/pages/posted-forms";
import { evidencePicture } from "#modules/escrow";
import { picturePolicy } from "#modules/rooms";
import { paths } from "../../../paths.ts";
import type { Route } from "./+types/picture.ts";

/** One picture or PDF of a disputed trade's room. Viewing it is recorded, so neither a prefetch nor another site's link shows it. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const id = parseId(params.id);
  const turned = refuseUnaskedRead(request, paths.adminDispute(id));
  if (turned !== undefined) return turned;
  const found = await evidencePicture(admin, id, params.image);
  if (!found.ok && found.code === "OWN_TRADE") return goTo(paths.adminDispute(id), refusalToast(found));
  if (!found.ok) throw notFound("picture");
  const isPdf = found.mime === "application/pdf";
  return new Response(found.bytes, {
    headers: {
      "Content-Type": found.mime,
      "Content-Disposition": isPdf
        ? 'attachment; filename="evidence.pdf"'
        : 'inline; filename="evidence.webp"',
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
      "Content-Security-Policy": picturePolicy,
      "Cross-Origin-Resource-Policy": "same-origin",
    },
  });
}
