import { asc, eq, gt } from "drizzle-orm";
import { db, type Executor } from "#db/client";
import { images } from "../core/schema.ts";
import { fileName, imageOfFile } from "./file-names.ts";

const atOnce = 1_000;

/** The names of all files that pictures have, a thousand pictures at a time; for a backup. */
export async function* pictureFiles(exec: Executor): AsyncGenerator<string> {
  for (let last: string | undefined; ; ) {
    const rows = await exec
      .select({ id: images.id })
      .from(images)
      .where(last === undefined ? undefined : gt(images.id, last))
      .orderBy(asc(images.id))
      .limit(atOnce);
    for (const { id } of rows) yield* [fileName(id, "full"), fileName(id, "small")];
    if (rows.length < atOnce) return;
    last = rows.at(-1)?.id;
  }
}

/** Whether a picture has this file, now. */
export async function pictureNamed(name: string): Promise<boolean> {
  const id = imageOfFile(name);
  if (id === undefined) return false;
  const [row] = await db().select({ id: images.id }).from(images).where(eq(images.id, id));
  return row !== undefined;
}
