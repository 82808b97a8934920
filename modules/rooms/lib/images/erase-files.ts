import { eq, inArray } from "drizzle-orm";
import { z } from "zod";
import { db, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { openFileStore } from "#db/files";
import { defineJob } from "#db/jobs";
import { imagesTable, messagesTable } from "../core/schema.ts";
import { imageMessageJoin } from "../messages/conversation-span.ts";
import { fileNamesOf, imageOfFile, possibleFileNames } from "./file-names.ts";

const eraseBatchSize = 500;
const dayMs = 24 * 60 * 60_000;

/** Removes the files of pictures whose rows have been deleted. */
const eraseFilesJob = defineJob(
  "rooms.images.erase",
  z.object({ images: z.array(z.guid()) }),
  async ({ images }) => {
    for (const id of images) {
      for (const name of possibleFileNames(id)) await openFileStore().remove(name);
    }
  },
);

defineJob("rooms.images.sweep", () => sweepFiles(currentTime()).then(() => {}), { cron: "40 20 * * *" });

/**
 * Queues a job that removes the files of a room's pictures once `tx` has erased their rows, with as many retries as needed. The caller has
 * locked the room's counter, so that no picture is added meanwhile.
 */
export async function eraseFilesOf(tx: Tx, roomId: number): Promise<void> {
  const rows = await tx
    .select({ id: imagesTable.id })
    .from(imagesTable)
    .innerJoin(messagesTable, imageMessageJoin)
    .where(eq(messagesTable.roomId, roomId));
  for (let from = 0; from < rows.length; from += eraseBatchSize) {
    await eraseFilesJob.enqueue(tx, { images: rows.slice(from, from + eraseBatchSize).map(({ id }) => id) });
  }
}

/**
 * Removes files that no row references a day after they were stored: leftovers of a crash or a failed transaction. Returns how many. Files
 * that are not Midman's stay.
 */
export async function sweepFiles(at: Date): Promise<number> {
  let swept = 0;
  let batch: string[] = [];
  for await (const file of openFileStore().list()) {
    if (imageOfFile(file.name) === undefined || at.getTime() - file.at.getTime() < dayMs) continue;
    batch.push(file.name);
    if (batch.length < eraseBatchSize) continue;
    swept += await removeUnnamed(batch);
    batch = [];
  }
  return swept + (await removeUnnamed(batch));
}

async function removeUnnamed(names: string[]): Promise<number> {
  if (names.length === 0) return 0;
  const ids = names.map((name) => imageOfFile(name) ?? "");
  const rows = await db()
    .select({ id: imagesTable.id, mime: imagesTable.mime })
    .from(imagesTable)
    .where(inArray(imagesTable.id, [...new Set(ids)]));
  const known = new Set(rows.flatMap(fileNamesOf));
  const unnamed = names.filter((name) => !known.has(name));
  for (const name of unnamed) await openFileStore().remove(name);
  return unnamed.length;
}
