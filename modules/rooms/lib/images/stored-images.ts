import { and, asc, eq } from "drizzle-orm";
import type { Executor } from "#db/client";
import { imagesTable, messagesTable } from "../core/schema.ts";
import { imageMessageJoin, inRoomCondition } from "../messages/conversation-span.ts";
import { sharedMessageCondition } from "../messages/shared-text.ts";
import { downloadName, fileName, type PictureSize } from "./file-names.ts";
import { type FoundImage, type ImageNotFound, readPictureFile } from "./visible-image.ts";

/** A picture in a room, with the digests of its stored file and of the upload. */
export type StoredImage = {
  id: string;
  seq: number;
  senderId: number | null;
  createdAt: Date;
  bytes: number;
  sha256: string;
  sentSha256: string;
};

/**
 * The pictures that both members of a room can see, oldest first, also of a room they have left or deleted. Does not check the reader's
 * right: callers do, and record the access.
 */
export function listStoredImages(exec: Executor, roomId: number): Promise<StoredImage[]> {
  return exec
    .select({
      id: imagesTable.id,
      seq: messagesTable.seq,
      senderId: messagesTable.senderId,
      createdAt: messagesTable.createdAt,
      bytes: imagesTable.bytes,
      sha256: imagesTable.sha256,
      sentSha256: imagesTable.sentSha256,
    })
    .from(imagesTable)
    .innerJoin(messagesTable, imageMessageJoin)
    .where(and(inRoomCondition(roomId), sharedMessageCondition(roomId)))
    .orderBy(asc(messagesTable.seq));
}

/** One of these pictures, for administrators: its type and a function that reads it. Refuses NOT_FOUND and, when reading, UNAVAILABLE. */
export async function findStoredImage(
  exec: Executor,
  roomId: number,
  id: string,
  size: PictureSize,
): Promise<FoundImage | ImageNotFound> {
  const [image] = await exec
    .select({ mime: imagesTable.mime, at: messagesTable.createdAt, seq: messagesTable.seq })
    .from(imagesTable)
    .innerJoin(messagesTable, and(imageMessageJoin, eq(messagesTable.roomId, roomId)))
    .where(and(eq(imagesTable.id, id), sharedMessageCondition(roomId)));
  if (image === undefined) return { ok: false, code: "NOT_FOUND" };
  return {
    ok: true,
    mime: image.mime,
    name: downloadName(image),
    read: () => readPictureFile(fileName({ id, mime: image.mime }, size)),
  };
}
