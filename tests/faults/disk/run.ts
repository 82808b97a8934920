import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../../db/client.ts";
import { freshDatabase } from "../../support/database/test-database.ts";
import { noisePicture } from "../../support/hostile/hostile-pictures.ts";
import { expectStatus, makeRoomPair } from "../../support/people/registered-people.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { type Client, createHttpClient, type Reply } from "../../support/server/http-client.ts";
import { type Server, startServer } from "../../support/server/midman-server.ts";
import type { Figures } from "../report.ts";

export type Options = { seed: number; rounds: number };

export const full = { rounds: 40 };

/** So much the disk for pictures holds. */
const MEGABYTES = 2;

/** A namespace in which one may mount: root's own, or one in which whoever runs this is taken for root. */
const apart = ["unshare", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]), "--mount"];

/** Whether this machine lets us mount at all; some containers do not. */
export const possible = Bun.which("unshare") !== null && Bun.spawnSync([...apart, "true"]).success;

type Run = {
  server: Server;
  people: Awaited<ReturnType<typeof makeRoomPair>>;
  /** The folder of pictures as the server sees it, in its own namespace. */
  folder: string;
  next: () => number;
  counts: Record<string, number>;
  failures: string[];
};

/**
 * Pictures are sent to a server whose disk for them is really full (a small tmpfs in a namespace of its own: ENOSPC), filled up
 * at points of chance so that a picture fits, half fits or does not. Each is told honestly, leaves no row without its
 * files and no half of a file, hinders nothing else, and passes under its own client id once there is room again.
 */
export async function run({ seed, rounds }: Options): Promise<Figures> {
  const began = performance.now();
  const counts: Record<string, number> = { rounds: 0, refused: 0, taken: 0, texts: 0 };
  const failures: string[] = [];
  const fresh = await freshDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "midman-full-disk-"));
  const mount = `mkdir -p "$0/files" && mount -t tmpfs -o size=${MEGABYTES}m tmpfs "$0/files" && exec "$@"`;
  const under = [...apart, "sh", "-c", mount, dataDir];
  connectDatabase(fresh.url);
  const server = await startServer({ databaseUrl: fresh.url, dataDir, under });
  try {
    const people = await makeRoomPair(server);
    const folder = join(`/proc/${server.pid}/root`, dataDir, "files");
    const mine: Run = { server, people, folder, next: seededRandom(seed), counts, failures };
    if (statfsSync(folder).bsize * statfsSync(folder).blocks !== MEGABYTES * 1024 * 1024)
      failures.push("the disk for pictures is not the small one");
    for (let i = 0; i < rounds; i++) await round(mine);
    await proveWhole(mine);
  } finally {
    await server.kill();
    await disconnectDatabase();
    await fresh.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  return { suite: "disk", seed, counts, failures, seconds };
}

/** Fills the disk, sends pictures by both ways and a text, makes room, and sends the pictures again. */
async function round({ server, people, folder, next, counts, failures }: Run): Promise<void> {
  counts.rounds = (counts.rounds ?? 0) + 1;
  const filler = join(folder, "filler");
  // The first time nothing fits at all.
  fill(folder, filler, counts.rounds === 1 ? 0 : Math.floor(next() * next() * 1_200_000));
  const { seller, buyer, roomId } = people;
  const picture = await noisePicture(400 + Math.floor(next() * 400), 500)
    .jpeg()
    .toBuffer();
  const sent = [seller, buyer, seller].map((who) => ({ who, clientId: crypto.randomUUID() }));
  const send = ({ who, clientId }: (typeof sent)[number]) =>
    who.post(`/api/chat/rooms/${roomId}/images`, { imageData: dataUrl(picture), clientId });
  const answers = await Promise.all(sent.map(send));
  for (const answer of answers) judge(answer, counts, failures);
  const said = { content: `still here ${counts.rounds}`, clientId: crypto.randomUUID() };
  expectStatus(await buyer.post(`/api/chat/rooms/${roomId}/messages`, said), 201);
  counts.texts = (counts.texts ?? 0) + 1;
  await byForm(server, seller, roomId, picture, failures);
  rmSync(filler);
  for (const [i, one] of sent.entries()) {
    const again = await send(one);
    if (again.status !== 201) failures.push(`with room again it answered ${again.status} ${again.text}`);
    const before = answers[i];
    if (before?.status === 201 && before.body.id !== again.body.id)
      failures.push(`what was taken as ${before.body.id} was taken again as ${again.body.id}`);
  }
  const halves = files(folder).filter((name) => name.endsWith(".tmp"));
  if (halves.length > 0) failures.push(`halves of files stayed: ${halves.join(", ")}`);
  await clear(folder);
}

/** Leaves so many bytes free, in whole blocks. */
function fill(folder: string, filler: string, leave: number): void {
  const { bsize, bavail } = statfsSync(folder);
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leave - bsize)));
}

function judge(answer: Reply, counts: Record<string, number>, failures: string[]): void {
  const taken = answer.status === 201;
  counts[taken ? "taken" : "refused"] = (counts[taken ? "taken" : "refused"] ?? 0) + 1;
  if (taken) return;
  if (answer.status !== 503 || answer.body.code !== "UNAVAILABLE")
    failures.push(`a full disk was told as ${answer.status} ${answer.text}`);
}

/** The room's form, as a browser without scripts sends it: it leads back to a page, full disk or not. */
async function byForm(
  server: Server,
  who: Client,
  roomId: number,
  picture: Buffer,
  failures: string[],
): Promise<void> {
  const form = new FormData();
  form.append("form", "image");
  form.append("image", new File([new Uint8Array(picture)], "photo.jpg", { type: "image/jpeg" }));
  const headers = { Cookie: who.cookies(), "Accept-Language": "en", Accept: "text/html" };
  const asked = { method: "POST", body: form, headers, redirect: "manual" } as const;
  const reply = await fetch(`${server.url}/chat/${roomId}`, asked);
  await reply.text();
  if (reply.status >= 500 && reply.status !== 503) failures.push(`the form answered ${reply.status}`);
}

/** Makes room for the next round. Files of stored messages go with it: only whether they were whole matters here. */
async function clear(folder: string): Promise<void> {
  await proveFiles(folder).then((missing) => {
    if (missing.length > 0) throw new Error(`rows without files: ${missing.join(", ")}`);
  });
  for (const name of files(folder)) rmSync(join(folder, name.slice(0, 2), name), { force: true });
  await db().execute(sql`CREATE TABLE IF NOT EXISTS public.seen (id uuid PRIMARY KEY)`);
  await db().execute(sql`INSERT INTO public.seen SELECT id FROM rooms.images ON CONFLICT DO NOTHING`);
}

function files(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return all.filter((name) => name.includes("/")).map((name) => name.slice(name.indexOf("/") + 1));
}

/** The rows of this round that lack one of their two files. */
async function proveFiles(folder: string): Promise<string[]> {
  await db().execute(sql`CREATE TABLE IF NOT EXISTS public.seen (id uuid PRIMARY KEY)`);
  const rows = await db().execute<{ id: string }>(
    sql`SELECT id FROM rooms.images WHERE id NOT IN (SELECT id FROM public.seen)`,
  );
  const there = files(folder);
  return rows
    .filter(({ id }) => there.filter((name) => name.startsWith(id)).length !== 2)
    .map(({ id }) => id);
}

/** Each picture is one message and one row; every text stands; and the server never fell. */
async function proveWhole({ server, counts, failures, people }: Run): Promise<void> {
  const [row] = await db().execute<Record<string, string>>(sql`
    SELECT (SELECT count(*) FROM rooms.images) AS images,
      (SELECT count(*) FROM rooms.messages WHERE type = 'image') AS pictures,
      (SELECT count(DISTINCT client_id) FROM rooms.messages WHERE type = 'image') AS sent,
      (SELECT count(*) FROM rooms.messages WHERE type = 'text') AS texts`);
  Object.assign(counts, { images: Number(row?.images), pictures: Number(row?.pictures) });
  if (row?.images !== row?.pictures || row?.pictures !== row?.sent)
    failures.push(`rows: ${JSON.stringify(row)}`);
  if (Number(row?.texts) !== counts.texts) failures.push(`${row?.texts} texts of ${counts.texts}`);
  const ready = await createHttpClient(server.url).get("/readyz");
  if (ready.status !== 200) failures.push(`after it the server is ${ready.status}`);
  expectStatus(await people.seller.get(`/api/chat/rooms/${people.roomId}`), 200);
}

const dataUrl = (bytes: Uint8Array) => `data:image/jpeg;base64,${Buffer.from(bytes).toString("base64")}`;
