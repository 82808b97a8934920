import { eq } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { FilesUnavailable, openFileStore } from "#db/files";
import { log } from "#db/log";
import { createTokenBucket } from "#db/throttle/token-bucket";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf, type Member, type NotSignedIn, requireUser } from "#modules/identity";
import { imageLimits } from "../../constants.ts";
import { sendImageInput } from "../../forms.ts";
import { broadcastMessage } from "../core/broadcast.ts";
import { messageOf, type Quotes } from "../core/message.ts";
import { type InvalidInput, type RoomNotFound, refuseInvalidInput, roomNotFound } from "../core/refusals.ts";
import { imagesTable, type MessageRow } from "../core/schema.ts";
import { findMembership } from "../membership/membership.ts";
import {
  findMessageByClientId,
  isSentAgain,
  type NewMessage,
  storeMessage,
} from "../messages/message-store.ts";
import type { SentMessage } from "../messages/send-message.ts";
import { pictureDigest } from "../proof/picture-digest.ts";
import { findReplyQuote, replyRefused, selectSharedQuotes } from "../replies/quotes.ts";
import {
  fileName,
  imageAddressOf,
  type PictureSize,
  pdfAddressOf,
  pdfMime,
  pictureMime,
} from "./file-names.ts";
import { inspectPdf, isPdf, type PdfRefusal } from "./pdf/inspect-pdf.ts";
import { type RedrawRefusal, redrawPicture } from "./redraw-picture.ts";
import { createTurnQueue } from "./redraw-queue.ts";
import { reserveUpload, type UploadRefusal } from "./upload-limits.ts";

/** A burst of twenty pictures, then one every five seconds. */
const imageBucket = createTokenBucket(20, 100);

/** The fields a route read from a request; `picture` is absent if none was sent. */
export type SentImage = { picture?: Uint8Array; caption?: unknown; clientId?: unknown; replyTo?: unknown };
/** Why a route could not read a picture from its request. */
type UnreadImage = { ok: false; code: "BAD_REQUEST" | "IMAGE_TOO_LARGE" | "IMAGE_UNREADABLE" };
export type ReadImage = () => Promise<({ ok: true } & SentImage) | UnreadImage>;

type ImageRefusal =
  | InvalidInput
  | RoomNotFound
  | { ok: false; code: "IMAGE_MISSING" | "IMAGE_TOO_LARGE" | "CLIENT_ID_REUSED" | "UNAVAILABLE" }
  | RedrawRefusal
  | PdfRefusal
  | { ok: false; code: "FILE_TOO_LARGE" };
type SendImageOutcome = SentMessage | NotSignedIn | ImageRefusal | UploadRefusal | UnreadImage;

/**
 * Sends a picture or a PDF to a room, alone or as a reply to a member's message that the sender may see. The request is read only once its
 * sender may send at all: `bytes` is its announced length, and `read` reads it. Safe to repeat: with the same `clientId`, picture, caption
 * and `replyTo` it returns the first message. Refuses CHAT_ROOM_NOT_FOUND for outsiders, THROTTLED, IMAGES_BUSY, the codes of `read`,
 * VALIDATION, IMAGE_MISSING, IMAGE_TOO_LARGE, pictures that cannot be redrawn (IMAGE_UNREADABLE, IMAGE_TOO_MANY_PIXELS), PDFs that are too
 * large, not whole or not safe (FILE_…), CLIENT_ID_REUSED if the id belongs to another message, and UNAVAILABLE if the files cannot be
 * stored.
 */
export async function sendImage(
  actor: Actor,
  roomId: number,
  bytes: number,
  read: ReadImage,
): Promise<SendImageOutcome> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const { userId } = user.member;
  if ((await findMembership(db(), roomId, userId)) === undefined) return roomNotFound;
  const wait = imageBucket.take(userId, currentTime());
  if (wait > 0) return { ok: false, code: "THROTTLED", retryAfterSeconds: wait };
  if (bytes > imageLimits.upload) return { ok: false, code: "IMAGE_TOO_LARGE" };
  const place = reserveUpload(userId, bytes);
  if (!place.ok) return place;
  try {
    const sent = await read();
    return sent.ok ? await acceptImage(user.member, roomId, sent) : sent;
  } finally {
    place.leave();
  }
}

async function acceptImage(
  member: Member,
  roomId: number,
  { picture, ...fields }: SentImage,
): Promise<SentMessage | ImageRefusal> {
  const parsed = sendImageInput.safeParse(fields);
  if (!parsed.success) return refuseInvalidInput(parsed.error);
  if (picture === undefined || picture.length === 0) return { ok: false, code: "IMAGE_MISSING" };
  if (picture.length > imageLimits.bytes) return { ok: false, code: "IMAGE_TOO_LARGE" };
  const { clientId = crypto.randomUUID(), caption, replyTo } = parsed.data;
  const said = {
    ...{ roomId, senderId: member.userId, clientId, content: caption, at: currentTime() },
    sentSha256: sha256(picture),
    ...(replyTo !== undefined && { replyTo }),
  };
  // Asked here too, so that a reply which is refused costs no redrawing and leaves no file.
  const quotes = await findReplyQuote(db(), said);
  if (quotes === undefined) return replyRefused;
  const first = await findMessageByClientId(db(), said);
  if (first !== undefined)
    return answerRepeatedImage(member, said, first, { quotes, sent: await findSentDigest(db(), first) });
  const checked = isPdf(picture) ? await checkPdf(picture) : await redrawnFiles(picture);
  return checked.ok ? postImage(member, said, checked) : checked;
}

/** What is stored of an upload: the files by their sizes, the first of them in full, and a size for the page. */
type CheckedUpload = {
  ok: true;
  mime: string;
  files: Partial<Record<PictureSize, Uint8Array>> & { full: Uint8Array };
  width: number;
  height: number;
};

async function redrawnFiles(sent: Uint8Array): Promise<CheckedUpload | RedrawRefusal> {
  const drawn = await redrawPicture(sent);
  if (!drawn.ok) return drawn;
  const { full, small, width, height } = drawn.picture;
  return { ok: true, mime: pictureMime, files: { full, small }, width, height };
}

/** A PDF is stored as it was sent, once it is known to show pages only. The table asks for a size of every picture; a PDF has 1 × 1. */
async function checkPdf(sent: Uint8Array): Promise<CheckedUpload | ImageRefusal> {
  if (sent.length > imageLimits.pdfBytes) return { ok: false, code: "FILE_TOO_LARGE" };
  const turn = await pdfQueue.take();
  if (turn === undefined) return { ok: false, code: "IMAGES_BUSY", retryAfterSeconds: 10 };
  try {
    const found = await inspectPdf(sent);
    return found.ok ? { ok: true, mime: pdfMime, files: { full: sent }, width: 1, height: 1 } : found;
  } finally {
    turn();
  }
}

/** One PDF is looked through at a time; at most 24 others wait. */
const pdfQueue = createTurnQueue(1, 24);

type NewImage = NewMessage & { sentSha256: string };

/**
 * Stores files first, rows second: a failure between the two leaves files without a row, which `sweepFiles` removes. They are not removed
 * at once, since a commit whose reply was lost may have succeeded.
 */
async function postImage(
  member: Member,
  said: NewImage,
  { mime, files, width, height }: CheckedUpload,
): Promise<SentMessage | ImageRefusal> {
  const id = crypto.randomUUID();
  try {
    const named = Object.entries(files) as Array<[PictureSize, Uint8Array]>;
    await Promise.all(
      named.map(([size, bytes]) => openFileStore().put(fileName({ id, mime }, size), bytes, mime)),
    );
  } catch (error) {
    if (!(error instanceof FilesUnavailable)) throw error;
    log().error({ err: error }, "a picture could not be stored");
    return { ok: false, code: "UNAVAILABLE" };
  }
  const { full } = files;
  const url = mime === pdfMime ? pdfAddressOf(said.roomId, id, full.length) : imageAddressOf(said.roomId, id);
  const image = { url, width, height };
  return runInTransaction(async (tx) => {
    const quotes = await findReplyQuote(tx, said);
    if (quotes === undefined) return replyRefused;
    const stored = await storeMessage(tx, { ...said, image });
    if (stored === undefined) return resolveUnstoredImage(tx, member, said, quotes);
    const { sentSha256 } = said;
    const of = { messageId: stored.id, messageAt: stored.createdAt };
    const kept = { id, mime, bytes: full.length, sha256: sha256(full), sentSha256 };
    await tx.insert(imagesTable).values({ ...kept, ...of });
    await recordAuditEntry(tx, {
      by: auditAuthorOf(member),
      action: "image_sent",
      at: said.at,
      roomId: said.roomId,
      subject: { kind: "message", id: stored.id },
      data: {
        ...{ messageType: "image", messageId: stored.id, seq: stored.seq, imageUrl: image.url },
        ...{ digest: stored.digest, picture: pictureDigest(stored.salt, kept) },
      },
    });
    broadcastMessage(tx, stored, { quotes: await selectSharedQuotes(tx, said.roomId, quotes) });
    return { ok: true, message: messageOf(stored, member.language, undefined, quotes) };
  });
}

/** Why nothing was stored: the same picture exists already, its id belongs to another message, or there is no such room. */
async function resolveUnstoredImage(
  tx: Tx,
  member: Member,
  said: NewImage,
  quotes: Quotes,
): Promise<SentMessage | ImageRefusal> {
  const first = await findMessageByClientId(tx, said);
  return first === undefined
    ? roomNotFound
    : answerRepeatedImage(member, said, first, { quotes, sent: await findSentDigest(tx, first) });
}

function answerRepeatedImage(
  member: Member,
  said: NewImage,
  first: MessageRow,
  { quotes, sent }: { quotes: Quotes; sent: string | undefined },
): SentMessage | ImageRefusal {
  if (sent !== said.sentSha256 || !isSentAgain(first, said)) return { ok: false, code: "CLIENT_ID_REUSED" };
  return { ok: true, message: messageOf(first, member.language, undefined, quotes) };
}

/** The digest of the uploaded picture of a message; undefined for a text. */
async function findSentDigest(exec: Pick<Tx, "select">, { id }: MessageRow): Promise<string | undefined> {
  const [row] = await exec
    .select({ sent: imagesTable.sentSha256 })
    .from(imagesTable)
    .where(eq(imagesTable.messageId, id));
  return row?.sent;
}

function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
