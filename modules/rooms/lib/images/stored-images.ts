import { and, asc, eq } from "drizzle-orm";
import type { Executor } from "#db/client";
import { images, messages } from "../core/schema.ts";
import { ofImage, saidInRoom } from "../messages/conversation-span.ts";
import { saidToBoth } from "../messages/shared-text.ts";
import { fileName, type Size } from "./file-names.ts";
import { bytesOf } from "./shown-image.ts";

/** A picture of a room, by the digests of its file as it is kept and as it was sent. */
export type KeptImage = {
  id: string;
  seq: number;
  senderId: number | null;
  createdAt: Date;
  bytes: number;
  sha256: string;
  sentSha256: string;
};

/**
 * The pictures said to both in a room, the oldest first, also of one that its members have left or deleted. It asks nobody who is
 * reading: its callers do, and record it.
 */
export function imagesOf(exec: Executor, roomId: number): Promise<KeptImage[]> {
  return exec
    .select({
      id: images.id,
      seq: messages.seq,
      senderId: messages.senderId,
      createdAt: messages.createdAt,
      bytes: images.bytes,
      sha256: images.sha256,
      sentSha256: images.sentSha256,
    })
    .from(images)
    .innerJoin(messages, ofImage)
    .where(and(saidInRoom(roomId), saidToBoth(roomId)))
    .orderBy(asc(messages.seq));
}

/** One of them, for whoever oversees: its kind and how to read it. Refuses NOT_FOUND and, reading, UNAVAILABLE. */
export async function keptImage(exec: Executor, roomId: number, id: string, size: Size) {
  const [image] = await exec
    .select({ mime: images.mime })
    .from(images)
    .innerJoin(messages, and(ofImage, eq(messages.roomId, roomId)))
    .where(and(eq(images.id, id), saidToBoth(roomId)));
  if (image === undefined) return { ok: false, code: "NOT_FOUND" } as const;
  return { ok: true, mime: image.mime, read: () => bytesOf(fileName(id, size)) } as const;
}
