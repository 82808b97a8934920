import { asc, eq, gt } from "drizzle-orm";
import { db, type Executor } from "#db/client";
import { imagesTable } from "../core/schema.ts";
import { fileNamesOf, imageOfFile } from "./file-names.ts";

const listBatchSize = 1_000;

/** The file names of all pictures and PDFs, read a thousand pictures at a time; for a backup. */
export async function* pictureFiles(exec: Executor): AsyncGenerator<string> {
  for (let last: string | undefined; ; ) {
    const rows = await exec
      .select({ id: imagesTable.id, mime: imagesTable.mime })
      .from(imagesTable)
      .where(last === undefined ? undefined : gt(imagesTable.id, last))
      .orderBy(asc(imagesTable.id))
      .limit(listBatchSize);
    for (const row of rows) yield* fileNamesOf(row);
    if (rows.length < listBatchSize) return;
    last = rows.at(-1)?.id;
  }
}

/** Whether a picture has this file now. */
export async function hasPictureFile(name: string): Promise<boolean> {
  const id = imageOfFile(name);
  if (id === undefined) return false;
  const [row] = await db().select({ id: imagesTable.id }).from(imagesTable).where(eq(imagesTable.id, id));
  return row !== undefined;
}
