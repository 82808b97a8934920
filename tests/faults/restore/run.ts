import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { proveArchive } from "../../../db/backup/read-archive.ts";
import { isAlive } from "../../../db/embedded/processes.ts";
import { expectStatus, type Person } from "../../support/people/registered-people.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { type Server, startServer } from "../../support/server/midman-server.ts";
import { type CommandResult, runMidmanCommand } from "../../support/server/run-command.ts";
import { openPaidTrade } from "../../support/trades/server-trades.ts";
import type { Figures } from "../report.ts";

export type Options = {
  seed: number;
  /** Trades that are paid before the backup begins, each with a picture. */
  trades: number;
  progress?: (words: string) => void;
};

export const full = { trades: 60 };

/** What was acknowledged before the backup began, and must be there after it was restored. */
type Kept = { person: Person; roomId: number; said: string; picture: string };

type World = { options: Options; counts: Record<string, number>; failures: string[]; folders: string[] };

/**
 * People trade on an embedded database; beside them everything is backed up while they go on; then the instance is killed and its DATA_DIR
 * wiped but for the key. Restored into a new one, ledger sums, the log's head and every table's rows are those of the archive, money is
 * halted, and what was acknowledged before the backup is there for people who sign in with the same password.
 */
export async function run(options: Options): Promise<Figures> {
  const began = performance.now();
  const world: World = { options, counts: {}, failures: [], folders: [] };
  try {
    await wipedAndRestored(world);
  } catch (error) {
    world.failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    for (const folder of world.folders) rmSync(folder, { recursive: true, force: true });
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  return { suite: "restore", seed: options.seed, counts: world.counts, failures: world.failures, seconds };
}

async function wipedAndRestored(world: World): Promise<void> {
  const [first, second, aside] = [folder(world), folder(world), folder(world)];
  const archive = join(aside, "midman.tar.zst");
  const server = await serve(first);
  const kept: Kept[] = [];
  for (let i = 0; i < world.options.trades; i++) {
    kept.push(await live(server, world));
    world.options.progress?.(`${kept.length} trades`);
  }
  const traffic = goOn(server, kept, world.options.seed);
  const saved = await timed(world, "backup", () => runMidmanCommand("backup", [archive], settings(first)));
  world.counts["messages while the backup ran"] = await traffic.stop();
  cpSync(join(first, "encryption-key"), join(aside, "encryption-key"));
  const database = postmasterOf(first);
  await server.kill();
  for (let i = 0; i < 1_000 && isAlive(database); i++) await Bun.sleep(20); // else it would write into what is wiped
  rmSync(first, { recursive: true, force: true });
  must0(world, saved);

  cpSync(join(aside, "encryption-key"), join(second, "encryption-key"));
  must0(world, await timed(world, "restore", () => runMidmanCommand("restore", [archive], settings(second))));
  await compare(world, archive, second);
  const again = await serve(second);
  for (const one of kept) world.failures.push(...(await missing(again, one)));
  await again.kill();
}

function folder({ folders }: World): string {
  const made = mkdtempSync(join(tmpdir(), "midman-restore-"));
  chmodSync(made, 0o755); // else, run by root, the database would lie in the system's state folder
  folders.push(made);
  return made;
}

const settings = (dataDir: string) => ({ DATA_DIR: dataDir, ALLOW_SANDBOX: "true" });

function serve(dataDir: string): Promise<Server> {
  return startServer({ databaseUrl: "embedded", dataDir, environment: { DATABASE_URL: "" } });
}

function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postgres-18/data/postmaster.pid"), "utf8").split("\n")[0]);
}

/** A trade that is paid, a word and a picture. */
async function live(server: Server, world: World): Promise<Kept> {
  const { buyer, roomId } = await openPaidTrade(server);
  const said = `said ${crypto.randomUUID()}`;
  expectStatus(await say(buyer, roomId, said), 200, 201);
  const color = { r: world.counts.trades ?? 0, g: 80, b: 160 };
  const png = await sharp({ create: { width: 640, height: 480, channels: 3, background: color } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set("image", new Blob([new Uint8Array(png)], { type: "image/png" }), "one.png");
  form.set("clientId", crypto.randomUUID());
  const sent = await fetch(`${server.url}/api/chat/rooms/${roomId}/images`, {
    method: "POST",
    headers: { Cookie: buyer.cookies() },
    body: form,
  });
  const reply = (await sent.json()) as { image?: { full: string } };
  if (reply.image === undefined) throw new Error(`a picture was refused: ${JSON.stringify(reply)}`);
  world.counts.trades = (world.counts.trades ?? 0) + 1;
  return { person: buyer, roomId, said, picture: reply.image.full };
}

function say(person: Person, roomId: number, content: string) {
  return person.post(`/api/chat/rooms/${roomId}/messages`, { content, clientId: crypto.randomUUID() });
}

/** People go on talking and trading; `stop` answers how much was said. */
function goOn(server: Server, kept: readonly Kept[], seed: number): { stop(): Promise<number> } {
  const next = seededRandom(seed);
  let [going, messages] = [true, 0];
  const talking = (async () => {
    while (going) {
      const one = kept[Math.floor(next() * kept.length)];
      if (one && (await say(one.person, one.roomId, `meanwhile ${messages}`)).status < 300) messages += 1;
    }
  })();
  const trading = (async () => {
    while (going) await openPaidTrade(server);
  })();
  return {
    async stop() {
      going = false;
      await Promise.all([talking, trading]);
      return messages;
    },
  };
}

async function timed(world: World, name: string, work: () => Promise<CommandResult>): Promise<CommandResult> {
  const from = performance.now();
  const ran = await work();
  world.counts[`${name}, seconds`] = Math.round((performance.now() - from) / 100) / 10;
  world.options.progress?.(ran.out.trim());
  return ran;
}

function must0({ failures }: World, { code, out, err }: CommandResult): void {
  if (code !== 0) failures.push(`ended with ${code}: ${err} ${out}`);
}

/** The two proofs, and the manifest of the archive against that of a backup of what was restored. */
async function compare(world: World, archive: string, dataDir: string): Promise<void> {
  const { counts, failures } = world;
  const { manifest } = await proveArchive({ path: archive });
  const anchor = manifest.head === null ? [] : ["--head", `${manifest.head.block}:${manifest.head.head}`];
  must0(world, await runMidmanCommand("ledger-verify", [], settings(dataDir)));
  must0(world, await runMidmanCommand("audit-verify", anchor, settings(dataDir)));
  const listed = await runMidmanCommand("admin", ["list"], settings(dataDir));
  if (!listed.out.includes("Outgoing money is halted")) failures.push(`money is not halted: ${listed.out}`);
  const copy = `${archive}.again`;
  must0(world, await runMidmanCommand("backup", [copy], settings(dataDir)));
  const again = (await proveArchive({ path: copy })).manifest;
  if (JSON.stringify(again.ledger) !== JSON.stringify(manifest.ledger))
    failures.push("the ledger's sums differ");
  if (again.files.sha256 !== manifest.files.sha256) failures.push("the files differ");
  const touched =
    /^(audit\.(entries|blocks|traces)|identity\.(sessions|suspended_sessions|tokens|login_tickets)|mailer\.push_subscriptions|payments\.halt)$/;
  const sums = new Map(again.tables.map(({ name, sum }) => [name, sum]));
  for (const { name, sum } of manifest.tables) {
    if (!touched.test(name) && sums.get(name) !== sum) failures.push(`the rows of ${name} differ`);
  }
  counts.rows = manifest.tables.reduce((all, { rows }) => all + rows, 0);
  counts.files = manifest.files.count;
  counts["MB before packing"] =
    Math.round(manifest.tables.reduce((all, { bytes }) => all + bytes, manifest.files.bytes) / 100_000) / 10;
  counts["MB of the archive"] = Math.round(statSync(archive).size / 100_000) / 10;
  counts["received, ₮"] = manifest.ledger.sums.received ?? 0;
  if (existsSync(`${archive}.part`)) failures.push("a part of an archive was left");
}

/** What one person misses of what had been acknowledged. */
async function missing(server: Server, { person, roomId, said, picture }: Kept): Promise<string[]> {
  const browser = server.client();
  const { username, password } = person;
  const signedIn = await browser.post("/api/auth/login", { username, password });
  if (signedIn.status !== 200) return [`${username} cannot sign in: ${signedIn.status}`];
  const [talk, shown, old] = await Promise.all([
    // From the beginning: what was said meanwhile may be more than one page.
    browser.get(`/api/chat/rooms/${roomId}/messages?after=0`),
    fetch(`${server.url}${picture}`, { headers: { Cookie: browser.cookies() } }),
    fetch(`${server.url}/api/auth/user`, { headers: { Cookie: person.cookies() } }),
  ]);
  const lost = talk.text.includes(said) ? [] : [`room ${roomId} has lost "${said}"`];
  if (old.status !== 401) lost.push(`${username} is still signed in`);
  return shown.status === 200 ? lost : [...lost, `room ${roomId} has lost its picture (${shown.status})`];
}
