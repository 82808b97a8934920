import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { config, overrideConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { openFileStore } from "#db/files";
import { drainJobs, startJobs, stopJobs } from "#db/jobs";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { startS3 } from "../../../../tests/support/services/s3.ts";
import { aPair, type TestPerson, unthrottled, withoutTrades } from "../core/rooms.fixture.ts";
import { deleteRoom } from "../membership/delete-room.ts";
import { eraseRoom } from "../privacy/erase-messages.ts";
import { sweepFiles } from "./erase-files.ts";
import { fileName as nameOf, type PictureSize, pictureMime } from "./file-names.ts";
import { aPicture, bringing } from "./pictures.fixture.ts";
import { sendImage } from "./send-image.ts";

const database = useDatabase();
unthrottled();
withoutTrades();
afterEach(async () => {
  await stopJobs();
  overrideConfig({ S3_ENDPOINT: undefined, S3_REGION: undefined, S3_BUCKET: undefined });
});

const fileName = (id: string, size: PictureSize) => nameOf({ id, mime: pictureMime }, size);

/** Sends a picture and returns its id. */
async function sent({ actor }: TestPerson, roomId: number): Promise<string> {
  const done = await sendImage(actor, roomId, ...bringing({ picture: await aPicture() }));
  if (!done.ok) throw new Error(`not sent: ${done.code}`);
  return done.message.image?.full.slice(-36) ?? "";
}

const stored = async (id: string) =>
  (
    await Promise.all([openFileStore().get(fileName(id, "full")), openFileStore().get(fileName(id, "small"))])
  ).map((bytes) => bytes !== undefined);

describe("a room that is erased", () => {
  test("loses its pictures' files, and no other room's", async () => {
    const [gone, kept] = [await aPair(), await aPair()];
    const ids = [await sent(gone.seller, gone.roomId), await sent(gone.buyer, gone.roomId)];
    const other = await sent(kept.seller, kept.roomId);
    expect((await deleteRoom(gone.seller.actor, gone.roomId)).ok).toBe(true);
    expect(await stored(ids[0] ?? "")).toEqual([true, true]);
    expect((await drainJobs()).failed).toBe(0);
    for (const id of ids) expect(await stored(id)).toEqual([false, false]);
    expect(await stored(other)).toEqual([true, true]);
  });

  test("keeps them if the erasure is rolled back", async () => {
    const { seller, roomId } = await aPair();
    const id = await sent(seller, roomId);
    const undone = runInTransaction(async (tx) => {
      await eraseRoom(tx, roomId, { userId: seller.id, ip: "", device: "" }, new Date());
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await undone.catch(() => {});
    await drainJobs();
    expect(await stored(id)).toEqual([true, true]);
  });

  test("is retried while its file storage is unreachable", async () => {
    const s3 = await startS3();
    await startJobs(database.url, { work: false });
    overrideConfig(s3.settings);
    const { seller, roomId } = await aPair();
    const id = await sent(seller, roomId);
    await deleteRoom(seller.actor, roomId);
    overrideConfig({ S3_ENDPOINT: "http://127.0.0.1:9" });
    expect((await drainJobs()).failed).toBe(1);
    overrideConfig(s3.settings);
    expect(await stored(id)).toEqual([true, true]);
    // Skips the retry delay, which drainJobs respects.
    await db().execute("UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'");
    expect((await drainJobs()).failed).toBe(0);
    expect(await stored(id)).toEqual([false, false]);
    await s3.stop();
  });
});

test("a picture is not sent while its bucket is unreachable, and the room stays as it was", async () => {
  const { seller, roomId } = await aPair();
  overrideConfig({
    S3_ENDPOINT: "http://127.0.0.1:9",
    S3_REGION: "x",
    S3_BUCKET: "x",
    S3_ACCESS_KEY_ID: "x",
    S3_SECRET_ACCESS_KEY: "x",
  });
  const said = { picture: await aPicture(), clientId: crypto.randomUUID() };
  expect(await sendImage(seller.actor, roomId, ...bringing(said))).toEqual({
    ok: false,
    code: "UNAVAILABLE",
  });
  overrideConfig({ S3_ENDPOINT: undefined });
  const again = await sendImage(seller.actor, roomId, ...bringing(said));
  expect(again.ok && again.message.seq).toBe(2);
});

test("the sweep removes files that are a day old and have no row, and nothing else", async () => {
  const { seller, roomId } = await aPair();
  const kept = await sent(seller, roomId);
  const orphan = crypto.randomUUID();
  const folder = join(config().DATA_DIR, "files", kept.slice(0, 2));
  const names = [
    fileName(orphan, "full"),
    `${fileName(kept, "full")}.1a2b3c4d.tmp`,
    `${fileName(orphan, "small")}.1a2b3c4d.tmp`,
    "somebody-elses.txt",
  ];
  for (const name of names) writeFileSync(join(folder, name), "x");
  expect(await sweepFiles(new Date())).toBe(0);
  const old = new Date(Date.now() - 25 * 3_600_000);
  for (const name of [...names, fileName(kept, "full"), fileName(kept, "small")]) {
    utimesSync(join(folder, name), old, old);
  }
  expect(await sweepFiles(new Date())).toBe(1 + 2);
  const left = readdirSync(folder).filter((name) => name.startsWith(kept) || !name.includes("webp"));
  expect(left.sort()).toEqual([fileName(kept, "full"), fileName(kept, "small"), "somebody-elses.txt"].sort());
});
