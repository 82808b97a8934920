import { packMessage } from "#format";
import { sendImageInput } from "#forms/rooms";
import type { Member } from "#modules/identity";
import { announcedBytes, imageOfForm, isUpload, readUpload, sendImage } from "#modules/rooms";
import { maxPicturesAtOnce } from "../../../islands/room/pictures/picture-limits.ts";
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
 * Handles the form `image` of the room's page, read already or not yet. Sends its files in order, one message each, the caption with the
 * first, the quote of a reply with the first that could be sent, and redirects to the room. Posting the form again sends nothing twice. An
 * error of a file or the caption is shown beside the form, any other as a toast; files that are in order are sent all the same.
 */
export async function postImage(member: Member, roomId: number, posted: Request | FormData) {
  let body = new FormData();
  const bytes = posted instanceof Request ? announcedBytes(posted) : 0;
  const first = await sendImage(member, roomId, bytes, async () => {
    const read = posted instanceof Request ? await readUpload(posted) : posted;
    if (!(read instanceof FormData)) return read;
    body = read;
    if (body.get("form") !== "image") return { ok: false, code: "BAD_REQUEST" };
    return { ok: true, ...(await imageOfForm(body)) };
  });
  if (!first.ok && first.code === "CHAT_ROOM_NOT_FOUND") throw notFound("room");
  if (!first.ok && !concernsOneFile(first)) return refuseImage(roomId, body, first);
  const others = body
    .getAll("image")
    .slice(1)
    .filter((file) => file instanceof Blob);
  const outcomes: SendOutcome[] = [first];
  for (const [at, file] of others.slice(0, maxPicturesAtOnce - 1).entries()) {
    const clientId = clientIdOfFile(String(body.get("clientId")), at + 1);
    const replyTo = outcomes.some((done) => done.ok) ? null : body.get("replyTo");
    const done = await sendImage(member, roomId, file.size, async () => ({
      ...{ ok: true, clientId, picture: await file.bytes(), ...(replyTo !== null && { replyTo }) },
    }));
    outcomes.push(done);
    if (!done.ok && !concernsOneFile(done)) break;
  }
  const refusal = outcomes.find((done) => !done.ok);
  const sent = outcomes.filter((done) => done.ok).length;
  const all = 1 + others.length;
  if (sent === all) return goTo(paths.room(roomId));
  return refuseImage(roomId, body, refusal ?? tooManyFiles, all > 1 ? { sent, all } : undefined);
}

type SendOutcome = Awaited<ReturnType<typeof sendImage>>;

const tooManyFiles: VerbRefusal = { ok: false, code: "IMAGE_TOO_LARGE" };

/** Whether a refusal says nothing about the form's other files. */
function concernsOneFile({ code }: VerbRefusal): boolean {
  return /^(?:IMAGE|FILE)_/.test(code);
}

/** The client id of a form's second file and those after it: the same for the same form, so that posting it again sends nothing twice. */
function clientIdOfFile(formId: string, at: number): string {
  const hex = new Bun.CryptoHasher("sha256").update(`${formId} ${at}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}

/** `counts`: how many of the form's files were sent. */
function refuseImage(
  roomId: number,
  body: FormData,
  refusal: VerbRefusal,
  counts?: { sent: number; all: number },
) {
  // A browser does not fill in a file field again, and only text is sent back.
  body.delete("image");
  const read = readForm("image", body, sendImageInput);
  if (!read.ok) return read.answer;
  if (!concernsOneFile(refusal)) return goTo(paths.room(roomId), refusalToast(refusal));
  const error =
    counts === undefined
      ? `errors.${refusal.code}`
      : packMessage("room.picture.someUnsent", { ...counts, most: maxPicturesAtOnce });
  return read.refuse({ ...refusal, fields: { image: [error] } });
}
