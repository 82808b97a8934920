import { adminOnly, idIn, isPrefetch, notFound } from "#app/http/pages";
import { evidencePicture } from "#modules/escrow";
import type { Route } from "./+types/admin-dispute-picture.ts";

/** One picture of a disputed trade's room. A prefetch gets nothing: seeing it is noted in the log. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = adminOnly(context, request);
  if (isPrefetch(request)) return new Response(null, { status: 204 });
  const found = await evidencePicture(admin, idIn(params.id), params.image);
  if (!found.ok) throw notFound();
  return new Response(found.bytes, {
    headers: {
      "Content-Type": found.mime,
      "Content-Disposition": 'inline; filename="evidence.webp"',
      "Cache-Control": "no-store",
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cross-Origin-Resource-Policy": "same-origin",
    },
  });
}
