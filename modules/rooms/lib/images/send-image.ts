import { eq } from "drizzle-orm";
import { bucket } from "#db/bucket";
import { db, type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { FilesUnavailable, files } from "#db/files";
import { log } from "#db/log";
import { record } from "#modules/audit";
import { type Actor, by, type Member, requireUser } from "#modules/identity";
import { imageLimits, sendImageInput } from "../../forms.ts";
import { broadcastMessage } from "../core/broadcast.ts";
import { messageOf } from "../core/message.ts";
import { invalid, noRoom } from "../core/refusals.ts";
import { images, type MessageRow } from "../core/schema.ts";
import { membership } from "../membership/membership.ts";
import { findMessageByClientId, type NewMessage, storeMessage } from "../messages/message-store.ts";
import { pictureDigest } from "../proof/picture-digest.ts";
import { addressOf, fileName } from "./file-names.ts";
import { mime, type Redrawn, redrawn } from "./redraw-picture.ts";
import { takePlace } from "./upload-queue.ts";

/** Twenty pictures at once, one in five seconds for ever. */
const pace = bucket(20, 100);

/** What a door read of a request; `picture` is missing where none was sent. */
export type SentImage = { picture?: Uint8Array; caption?: unknown; clientId?: unknown };
export type ReadImage = () => Promise<({ ok: true } & SentImage) | { ok: false; code: string }>;

/**
 * Says a picture in a room. It is read only once its sender may send it at all: `bytes` is how long the request says it
 * is, `read` reads it. Safe to repeat: with the same `clientId`, picture and caption the first message is answered again.
 * Refuses CHAT_ROOM_NOT_FOUND to outsiders, THROTTLED, IMAGES_BUSY, what `read` refuses, VALIDATION, IMAGE_MISSING,
 * IMAGE_TOO_LARGE, what cannot be drawn (IMAGE_UNREADABLE, IMAGE_TOO_MANY_PIXELS), CLIENT_ID_REUSED when the id
 * stands for another message, and UNAVAILABLE when the files cannot be stored.
 */
export async function sendImage(actor: Actor, roomId: number, bytes: number, read: ReadImage) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const { userId } = user.member;
  if ((await membership(db(), roomId, userId)) === undefined) return noRoom;
  const wait = pace.take(userId, now());
  if (wait > 0) return { ok: false, code: "THROTTLED", retryAfterSeconds: wait } as const;
  if (bytes > imageLimits.upload) return { ok: false, code: "IMAGE_TOO_LARGE" } as const;
  const place = takePlace(userId, bytes);
  if (!place.ok) return place;
  try {
    const sent = await read();
    return sent.ok ? await accept(user.member, roomId, sent) : sent;
  } finally {
    place.leave();
  }
}

async function accept(member: Member, roomId: number, { picture, caption, clientId }: SentImage) {
  const parsed = sendImageInput.safeParse({ caption, clientId });
  if (!parsed.success) return invalid(parsed.error);
  if (picture === undefined || picture.length === 0) return { ok: false, code: "IMAGE_MISSING" } as const;
  if (picture.length > imageLimits.bytes) return { ok: false, code: "IMAGE_TOO_LARGE" } as const;
  const said = {
    roomId,
    senderId: member.userId,
    clientId: parsed.data.clientId ?? crypto.randomUUID(),
    content: parsed.data.caption,
    at: now(),
    sentSha256: sha256(picture),
  };
  const first = await findMessageByClientId(db(), said);
  if (first !== undefined) return again(member, said, first, await sentAs(db(), first));
  const drawn = await redrawn(picture);
  if (!drawn.ok) return drawn;
  return post(member, said, drawn.picture);
}

type SaidImage = NewMessage & { sentSha256: string };

/**
 * Files first, rows after: what fails between the two leaves files that nobody names, which the sweep removes. They are
 * not removed at once, for a commit whose answer was lost may well have happened.
 */
async function post(member: Member, said: SaidImage, { full, small, width, height }: Redrawn) {
  const id = crypto.randomUUID();
  try {
    await Promise.all([
      files().put(fileName(id, "full"), full, mime),
      files().put(fileName(id, "small"), small, mime),
    ]);
  } catch (error) {
    if (!(error instanceof FilesUnavailable)) throw error;
    log().error({ err: error }, "a picture could not be stored");
    return { ok: false, code: "UNAVAILABLE" } as const;
  }
  const image = { url: addressOf(said.roomId, id), width, height };
  return transaction(async (tx) => {
    const stored = await storeMessage(tx, { ...said, image });
    if (stored === undefined) return settled(tx, member, said);
    const { sentSha256 } = said;
    const of = { messageId: stored.id, messageAt: stored.createdAt };
    const kept = { id, mime, bytes: full.length, sha256: sha256(full), sentSha256 };
    await tx.insert(images).values({ ...kept, ...of });
    await record(tx, {
      by: by(member),
      action: "image_sent",
      at: said.at,
      roomId: said.roomId,
      subject: { kind: "message", id: stored.id },
      data: {
        ...{ messageType: "image", messageId: stored.id, seq: stored.seq, imageUrl: image.url },
        ...{ digest: stored.digest, picture: pictureDigest(stored.salt, kept) },
      },
    });
    broadcastMessage(tx, stored);
    return { ok: true, message: messageOf(stored, member.language) } as const;
  });
}

/** Why nothing was stored: the same picture stands already, its id stands for another message, or there is no such room. */
async function settled(tx: Tx, member: Member, said: SaidImage) {
  const first = await findMessageByClientId(tx, said);
  return first === undefined ? noRoom : again(member, said, first, await sentAs(tx, first));
}

function again(member: Member, said: SaidImage, first: MessageRow, sent: string | undefined) {
  const same = first.senderId === said.senderId && first.content === said.content && sent === said.sentSha256;
  if (!same) return { ok: false, code: "CLIENT_ID_REUSED" } as const;
  return { ok: true, message: messageOf(first, member.language) } as const;
}

/** The digest of what a message's picture was sent as; undefined for a text. */
async function sentAs(exec: Pick<Tx, "select">, { id }: MessageRow): Promise<string | undefined> {
  const [row] = await exec.select({ sent: images.sentSha256 }).from(images).where(eq(images.messageId, id));
  return row?.sent;
}

function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
