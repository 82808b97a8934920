import { notFound, parseId, requireMember } from "#app/server/pages/page-context";
import { readQrSheet } from "#modules/escrow";
import type { Route } from "./+types/qr-file.ts";

/** The QR code of a trade as a picture to save: a phone cannot scan its own screen, but its bank's app reads a picture. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const member = requireMember(context, request);
  const found = await readQrSheet(member, parseId(params.id));
  if (!found.ok) throw notFound("picture");
  return new Response(new Uint8Array(found.png), {
    headers: {
      "Content-Type": "image/png",
      "Content-Disposition": `attachment; filename="Midman-${found.code}.png"`,
      "Cache-Control": "no-store",
      "Cross-Origin-Resource-Policy": "same-origin",
    },
  });
}
