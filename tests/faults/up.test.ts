import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openClient } from "../../db/client.ts";
import { ensureBuilt } from "../../scripts/prepare.ts";
import { freePort } from "../support/server/midman-server.ts";
import { waitUntil } from "../support/wait-until.ts";

setDefaultTimeout(180_000);

const root = join(import.meta.dir, "../..");
const folders: string[] = [];
const heads: Array<{ kill(signal: NodeJS.Signals): void; exited: Promise<number> }> = [];
afterEach(async () => {
  for (const head of heads.splice(0)) {
    head.kill("SIGKILL");
    await head.exited;
  }
  for (const folder of folders.splice(0)) {
    await waitUntil(() => databaseOf(folder) === undefined);
    rmSync(folder, { recursive: true, force: true });
  }
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "midman-up-"));
  chmodSync(folder, 0o755); // else, run by root, the database would lie in the system's state folder and stay there
  folders.push(folder);
  return folder;
}

function databaseOf(dataDir: string): number | undefined {
  const file = join(dataDir, "postgres-18/data/postmaster.pid");
  return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : undefined;
}

function launch(dataDir: string, port: number, more: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, "run", "up"], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      PORT: String(port),
      ...more,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  heads.push(child);
  return child;
}

const answers = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    (reply) => reply.ok,
    () => false,
  );

/** Starts it, and waits until it serves, and not the one of `old` any more. */
async function up(dataDir: string, port: number, old?: number) {
  const child = launch(dataDir, port);
  await waitUntil(async () => databaseOf(dataDir) !== old && (await answers(port)));
  const { url } = JSON.parse(readFileSync(join(dataDir, "database.json"), "utf8")) as { url: string };
  return { child, url, database: databaseOf(dataDir) };
}

async function ask(url: string, statement: string): Promise<number> {
  const client = openClient(url, { max: 1 });
  const rows = await client.unsafe(statement);
  await client.end();
  return rows.length;
}

test("whatever is killed, everything ends, and the next start has all data", async () => {
  await ensureBuilt();
  const [data, port] = [newFolder(), await freePort()];
  const first = await up(data, port);
  await ask(first.url, "CREATE TABLE public.kept (round int)");

  const killed: Array<(running: Awaited<ReturnType<typeof up>>) => void> = [
    ({ child }) => child.kill("SIGKILL"), // the command itself
    ({ child }) => process.kill(childOf(child.pid), "SIGKILL"), // what it runs
    () => process.kill(serverOf(data), "SIGKILL"), // the server
  ];
  let running = first;
  for (const [round, kill] of killed.entries()) {
    await ask(running.url, `INSERT INTO public.kept VALUES (${round})`);
    const { database } = running;
    kill(running);
    await running.child.exited;
    running = await up(data, port, database); // at once: it waits for the old one
    expect(await ask(running.url, "SELECT * FROM public.kept")).toBe(round + 1);
  }
  running.child.kill("SIGKILL");
  await waitUntil(async () => databaseOf(data) === undefined && !(await answers(port)), 10_000);
});

test("a start waits for the previous server to release the port", async () => {
  const [data, port] = [newFolder(), await freePort()];
  const first = await up(data, port);
  const old = serverOf(data);
  process.kill(old, "SIGSTOP"); // it cannot shut down for now, and keeps the port
  first.child.kill("SIGKILL");
  await first.child.exited;
  const second = launch(data, port);
  expect(await Promise.race([second.exited, Bun.sleep(3000)])).toBeUndefined();
  process.kill(old, "SIGCONT");
  await waitUntil(async () => databaseOf(data) !== first.database && (await answers(port)));
});

test("a stop signal ends it in order", async () => {
  const [data, port] = [newFolder(), await freePort()];
  const { child } = await up(data, port);
  child.kill("SIGTERM");
  expect([0, 143]).toContain(await child.exited);
  await waitUntil(() => databaseOf(data) === undefined, 10_000);
  expect(readFileSync(join(data, "postgres-18/log"), "utf8")).toContain("database system is shut down");
});

test("a second one on the same data says that it cannot start, and the first continues", async () => {
  const [data, port] = [newFolder(), await freePort()];
  const { database } = await up(data, port);
  const second = launch(data, await freePort());
  expect(await second.exited).toBe(1);
  expect(await new Response(second.stderr).text()).toContain("Midman already runs on this DATA_DIR");
  expect(await answers(port)).toBe(true);
  expect(databaseOf(data)).toBe(database);
});

test("invalid settings are reported in a line each, and nothing is started", async () => {
  const data = newFolder();
  const child = launch(data, 99_999, { REDIS_URL: "http://wrong", QPAY_USERNAME: "alone" });
  expect(await child.exited).toBe(1);
  const said = await new Response(child.stderr).text();
  expect(said).toMatch(/^PORT: /m);
  expect(said).toMatch(/^REDIS_URL: /m);
  expect(readdirSync(data)).toEqual([]);
});

test("a port in use is reported before anything is built", async () => {
  const other = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const data = newFolder();
  const child = launch(data, other.port);
  expect(await child.exited).toBe(1);
  other.stop(true);
  const said = await new Response(child.stderr).text();
  expect(said).toContain(
    `\nMidman cannot start.\nPORT: ${other.port} of 127.0.0.1 is used by another program`,
  );
  expect(said).not.toContain("Building");
  expect(readdirSync(data)).toEqual([]);
});

/** The process below another: `bun run up` runs the script as a child of its own. */
function childOf(pid: number): number {
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const stat = readOr(`/proc/${name}/stat`);
    if (Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === pid) return Number(name);
  }
  throw new Error(`Process ${pid} has no child`);
}

/** The server, as it has noted itself beside its database. */
function serverOf(dataDir: string): number {
  return (JSON.parse(readFileSync(join(dataDir, "database.json"), "utf8")) as { app: number }).app;
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it has ended meanwhile
  }
}
