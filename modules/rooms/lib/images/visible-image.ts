import { and, eq, gt, isNull } from "drizzle-orm";
import { db } from "#db/client";
import { FilesUnavailable, openFileStore } from "#db/files";
import { log } from "#db/log";
import { type Actor, type NotSignedIn, requireUser } from "#modules/identity";
import { imagesTable, membersTable, messagesTable, roomsTable } from "../core/schema.ts";
import { imageMessageJoin } from "../messages/conversation-span.ts";
import { downloadName, fileName, type PictureSize, pdfMime } from "./file-names.ts";

export type ImageNotFound = { ok: false; code: "NOT_FOUND" };
/** A picture that its reader may see, with the name of a downloaded copy. `read` refuses NOT_FOUND if its file is missing, and UNAVAILABLE. */
export type FoundImage = { ok: true; mime: string; name: string; read: () => Promise<PictureFile> };
type PictureFile =
  | { ok: true; bytes: Uint8Array<ArrayBuffer> }
  | ImageNotFound
  | { ok: false; code: "UNAVAILABLE" };

const imageNotFound: ImageNotFound = { ok: false, code: "NOT_FOUND" };

/**
 * Checks that a person may see a picture: they are a member of its room, which is not deleted, and it was sent since they joined. Returns
 * its type, the name of a downloaded copy, and a function that reads its bytes. Refuses NOT_FOUND; reading refuses NOT_FOUND if the file is missing, and UNAVAILABLE.
 */
export async function findVisibleImage(
  actor: Actor,
  roomId: number,
  id: string,
  size: PictureSize,
): Promise<FoundImage | NotSignedIn | ImageNotFound> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const [image] = await db()
    .select({ mime: imagesTable.mime, at: messagesTable.createdAt, seq: messagesTable.seq })
    .from(imagesTable)
    .innerJoin(messagesTable, and(imageMessageJoin, eq(messagesTable.roomId, roomId)))
    .innerJoin(roomsTable, and(eq(roomsTable.id, messagesTable.roomId), isNull(roomsTable.deletedAt)))
    .innerJoin(
      membersTable,
      and(eq(membersTable.roomId, messagesTable.roomId), eq(membersTable.userId, user.member.userId)),
    )
    .where(and(eq(imagesTable.id, id), gt(messagesTable.seq, membersTable.sinceSeq)));
  if (image === undefined || (image.mime === pdfMime && size === "small")) return imageNotFound;
  return {
    ok: true,
    mime: image.mime,
    name: downloadName(image),
    read: () => readPictureFile(fileName({ id, mime: image.mime }, size)),
  };
}

/** The bytes of a picture's file. Refuses NOT_FOUND if it is missing, and UNAVAILABLE. */
export async function readPictureFile(name: string): Promise<PictureFile> {
  try {
    const bytes = await openFileStore().get(name);
    if (bytes !== undefined) return { ok: true, bytes };
    log().error({ name }, "a picture's file is missing");
    return imageNotFound;
  } catch (error) {
    if (!(error instanceof FilesUnavailable)) throw error;
    log().error({ err: error }, "a picture could not be read");
    return { ok: false, code: "UNAVAILABLE" };
  }
}
