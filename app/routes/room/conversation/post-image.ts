import { sendImageInput } from "#forms/rooms";
import type { Member } from "#modules/identity";
import { announcedBytes, imageOfForm, isUpload, readUpload, sendImage } from "#modules/rooms";
import { paths } from "../../../paths.ts";
import { goTo, notFound } from "../../../server/pages/page-context.ts";
import { readForm, refusalToast } from "../../../server/pages/posted-forms.ts";
import type { VerbRefusal } from "../../../server/pages/refusal-responses.ts";

/** A form larger than this contains a picture; smaller ones are read like any other form. */
const maxPlainFormBytes = 1024 * 1024;

/** True for a form so large that it must contain a picture: its body is not read before the sender is authorised. */
export function carriesImage(request: Request): boolean {
  return isUpload(request) && announcedBytes(request) > maxPlainFormBytes;
}

/**
 * Handles the form `image` of the room's page, read already or not yet. Redirects to the room with the picture posted. An error of the
 * picture or its caption is shown beside the form, any other as a toast.
 */
export async function postImage(member: Member, roomId: number, posted: Request | FormData) {
  let body = new FormData();
  const bytes = posted instanceof Request ? announcedBytes(posted) : 0;
  const done = await sendImage(member, roomId, bytes, async () => {
    const read = posted instanceof Request ? await readUpload(posted) : posted;
    if (!(read instanceof FormData)) return read;
    body = read;
    if (body.get("form") !== "image") return { ok: false, code: "BAD_REQUEST" };
    return { ok: true, ...(await imageOfForm(body)) };
  });
  if (done.ok) return goTo(paths.room(roomId));
  if (done.code === "CHAT_ROOM_NOT_FOUND") throw notFound("room");
  return refuseImage(roomId, body, done);
}

function refuseImage(roomId: number, body: FormData, refusal: VerbRefusal) {
  // A browser does not fill in a file field again, and only text is sent back.
  body.delete("image");
  const read = readForm("image", body, sendImageInput);
  if (!read.ok) return read.answer;
  if (!refusal.code.startsWith("IMAGE_")) return goTo(paths.room(roomId), refusalToast(refusal));
  return read.refuse({ ...refusal, fields: { image: [`errors.${refusal.code}`] } });
}
