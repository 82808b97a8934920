import { and, eq, gt, isNull } from "drizzle-orm";
import { db } from "#db/client";
import { FilesUnavailable, files } from "#db/files";
import { log } from "#db/log";
import { type Actor, requireUser } from "#modules/identity";
import { images, members, messages, rooms } from "../core/schema.ts";
import { ofImage } from "../messages/conversation-span.ts";
import { fileName, type Size } from "./file-names.ts";

const nothing = { ok: false, code: "NOT_FOUND" } as const;

/**
 * May this person see the picture: they have a seat in its standing room, and it was said since they came. Answers its
 * kind and how to read its bytes. Refuses NOT_FOUND; reading refuses it too when the file is gone, and UNAVAILABLE.
 */
export async function shownImage(actor: Actor, roomId: number, id: string, size: Size) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const [image] = await db()
    .select({ mime: images.mime })
    .from(images)
    .innerJoin(messages, and(ofImage, eq(messages.roomId, roomId)))
    .innerJoin(rooms, and(eq(rooms.id, messages.roomId), isNull(rooms.deletedAt)))
    .innerJoin(members, and(eq(members.roomId, messages.roomId), eq(members.userId, user.member.userId)))
    .where(and(eq(images.id, id), gt(messages.seq, members.sinceSeq)));
  if (image === undefined) return nothing;
  return { ok: true, mime: image.mime, read: () => bytesOf(fileName(id, size)) } as const;
}

/** The bytes of a picture's file. Refuses NOT_FOUND when it is gone, and UNAVAILABLE. */
export async function bytesOf(name: string) {
  try {
    const bytes = await files().get(name);
    if (bytes !== undefined) return { ok: true, bytes } as const;
    log().error({ name }, "a picture's file is missing");
    return nothing;
  } catch (error) {
    if (!(error instanceof FilesUnavailable)) throw error;
    log().error({ err: error }, "a picture could not be read");
    return { ok: false, code: "UNAVAILABLE" } as const;
  }
}
