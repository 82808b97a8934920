import { eq, inArray } from "drizzle-orm";
import { db, type Tx } from "#db/client";
import { now } from "#db/clock";
import { files } from "#db/files";
import { defineJob } from "#db/jobs";
import { images, messages } from "../core/schema.ts";
import { ofImage } from "../messages/conversation-span.ts";
import { fileName, imageOfFile } from "./file-names.ts";

const atOnce = 500;
const dayMs = 24 * 60 * 60_000;

/** Removes the files of pictures whose rows are gone. */
const erasing = defineJob<{ images: string[] }>("rooms.images.erase", async ({ images }) => {
  for (const id of images) {
    for (const size of ["full", "small"] as const) await files().remove(fileName(id, size));
  }
});

defineJob("rooms.images.sweep", () => sweepFiles(now()).then(() => {}), { cron: "40 20 * * *" });

/**
 * Has the files of a room's pictures removed once `tx` has erased their rows, however often that must be tried. The
 * caller holds the room's counter, so that no picture is added meanwhile.
 */
export async function eraseFilesOf(tx: Tx, roomId: number): Promise<void> {
  const rows = await tx
    .select({ id: images.id })
    .from(images)
    .innerJoin(messages, ofImage)
    .where(eq(messages.roomId, roomId));
  for (let from = 0; from < rows.length; from += atOnce) {
    await erasing.enqueue(tx, { images: rows.slice(from, from + atOnce).map(({ id }) => id) });
  }
}

/**
 * Removes the files that no row names a day after they were stored: what a crash or a failed transaction left. Answers how
 * many. Files that are not ours stay.
 */
export async function sweepFiles(at: Date): Promise<number> {
  let swept = 0;
  let batch: string[] = [];
  for await (const file of files().list()) {
    if (imageOfFile(file.name) === undefined || at.getTime() - file.at.getTime() < dayMs) continue;
    batch.push(file.name);
    if (batch.length < atOnce) continue;
    swept += await removeUnnamed(batch);
    batch = [];
  }
  return swept + (await removeUnnamed(batch));
}

async function removeUnnamed(names: string[]): Promise<number> {
  if (names.length === 0) return 0;
  const ids = names.map((name) => imageOfFile(name) ?? "");
  const rows = await db()
    .select({ id: images.id })
    .from(images)
    .where(inArray(images.id, [...new Set(ids)]));
  const known = new Set(rows.flatMap(({ id }) => [fileName(id, "full"), fileName(id, "small")]));
  const unnamed = names.filter((name) => !known.has(name));
  for (const name of unnamed) await files().remove(name);
  return unnamed.length;
}
