import { Elysia } from "elysia";
import { z } from "zod";
import { withActor } from "#modules/identity";
import { pathId as params } from "../../forms.ts";
import { type PictureSize, pdfMime } from "./file-names.ts";
import * as calls from "./operations.ts";
import { picturePolicy } from "./picture-policy.ts";
import { announcedBytes, readImage } from "./read-upload.ts";
import { sendImage } from "./send-image.ts";
import { findVisibleImage } from "./visible-image.ts";

const imageParamsSchema = params.extend({ image: z.guid().toLowerCase() });

/** The call that sends a picture, and the addresses that serve one. */
export const imageRoutes = new Elysia({ name: "rooms.images.http" })
  .use(withActor)
  .post(
    "/api/chat/rooms/:id/images",
    async ({ actor, params, request, set }) => {
      const done = await sendImage(actor, params.id, announcedBytes(request), () => readImage(request));
      if (!done.ok) return done;
      set.status = 201;
      return done.message;
    },
    { params, parse: "none", detail: calls.sendImage },
  )
  .get(
    "/chat/:id/images/:image",
    ({ actor, params, request }) => serveImage(actor, params, "full", request),
    {
      params: imageParamsSchema,
      detail: calls.showImage,
    },
  )
  .get(
    "/chat/:id/images/:image/small",
    ({ actor, params, request }) => serveImage(actor, params, "small", request),
    {
      params: imageParamsSchema,
      detail: calls.showSmallImage,
    },
  );

/** A week: an address always serves the same picture, but a person who has left should not see it for long. */
const imageCacheControl = "private, max-age=604800, immutable";

async function serveImage(
  actor: Parameters<typeof findVisibleImage>[0],
  { id, image }: z.output<typeof params> & { image: string },
  size: PictureSize,
  request: Request,
) {
  const found = await findVisibleImage(actor, id, image, size);
  if (!found.ok) return found;
  const tag = `"${image}-${size}"`;
  const headers = {
    // Another person at the same browser has other cookies, and must not get this person's cached pictures.
    "Cache-Control": imageCacheControl,
    Vary: "Cookie",
    ETag: tag,
    "Content-Security-Policy": picturePolicy,
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
  };
  if (matchesTag(request.headers.get("if-none-match"), tag))
    return new Response(null, { status: 304, headers });
  const file = await found.read();
  if (!file.ok) return file;
  return new Response(file.bytes, {
    headers: {
      ...headers,
      "Content-Type": found.mime,
      "Content-Disposition": `${found.mime === pdfMime ? "attachment" : "inline"}; filename="${found.name}"`,
    },
  });
}

function matchesTag(ifNoneMatch: string | null, tag: string): boolean {
  return (ifNoneMatch ?? "").split(",").some((one) => [tag, `W/${tag}`, "*"].includes(one.trim()));
}
