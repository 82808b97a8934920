import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import "../tests/support/environment.ts";
import { waitUntil } from "../tests/support/wait-until.ts";
import { openClient } from "./client.ts";

setDefaultTimeout(60_000);

const root = process.getuid?.() === 0;
const fixture = `${import.meta.dir}/embedded/app.fixture.ts`;
const nobody = 65_534;
const started: Array<{ kill(signal: NodeJS.Signals): void; exited: Promise<number> }> = [];
const folders: string[] = [];
afterEach(async () => {
  for (const app of started.splice(0)) {
    app.kill("SIGKILL");
    await app.exited;
  }
  for (const folder of folders.splice(0)) {
    await waitUntil(() => postmasterOf(folder) === undefined);
    rmSync(folder, { recursive: true, force: true });
  }
});

function newFolder(name = "data"): string {
  const parent = mkdtempSync(join(tmpdir(), "midman-embedded-"));
  folders.push(parent);
  chmodSync(parent, 0o755);
  return join(parent, name);
}

const environment = (dataDir: string) => ({
  PATH: process.env.PATH,
  ALLOW_SANDBOX: "true",
  DATA_DIR: dataDir,
  HOME: "/tmp",
});

/** Starts a Midman process on this data. `uid` runs it as another user, with a copy of Bun: npx keeps root's in root's home. */
async function app(dataDir: string, uid?: number) {
  const begun = performance.now();
  const bun = uid === undefined ? process.execPath : newFolder("bun");
  if (uid !== undefined) copyFileSync(process.execPath, bun);
  const child = Bun.spawn([bun, fixture], {
    env: environment(dataDir),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  started.push(child);
  const reader = child.stdout.getReader();
  const said = new TextDecoder().decode((await reader.read()).value);
  const { url } = JSON.parse(said) as { url: string };
  return {
    url,
    ms: Math.round(performance.now() - begun),
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
    stop: async () => {
      child.stdin.end();
      await child.exited;
    },
  };
}

function postmasterOf(dataDir: string): number | undefined {
  for (const path of [dataDir, join(dataDir, "data")]) {
    const file = join(path, "postgres-18/data/postmaster.pid");
    if (existsSync(file)) return Number(readFileSync(file, "utf8").split("\n")[0]);
  }
  return undefined;
}

async function ask<T>(url: string, statement: string): Promise<T> {
  const client = openClient(url, { max: 1 });
  try {
    const [row] = await client.unsafe<Array<{ value: T }>>(statement);
    return row?.value as T;
  } finally {
    await client.end();
  }
}

test("it keeps its data across starts, is durable, knows Cyrillic, and listens on no port", async () => {
  const data = newFolder();
  const first = await app(data);
  await ask(first.url, "CREATE TABLE kept (value int)");
  await ask(first.url, "INSERT INTO kept VALUES (7)");
  expect(await ask<string>(first.url, "SELECT current_setting('fsync') AS value")).toBe("on");
  expect(await ask<string>(first.url, "SELECT current_setting('listen_addresses') AS value")).toBe("");
  expect(await ask<string>(first.url, "SELECT lower('ӨҮЛЗИЙ') AS value")).toBe("өүлзий");
  await first.stop();
  expect(postmasterOf(data)).toBeUndefined();
  const second = await app(data);
  expect(await ask<number>(second.url, "SELECT value FROM kept")).toBe(7);
  console.info(`first start ${first.ms} ms, second ${second.ms} ms`);
  await second.stop();
});

test("it requires its password", async () => {
  const { url, stop } = await app(newFolder());
  const wrong = url.replace(/:[0-9a-f]{48}@/, ":wrong@");
  expect(await ask(wrong, "SELECT 1 AS value").catch((error) => error.code)).toBe("28P01");
  await stop();
});

test("when the app is killed it stops, and five starts right after lose nothing", async () => {
  const data = newFolder();
  let running = await app(data);
  await ask(running.url, "CREATE TABLE kept (value int)");
  for (let round = 1; round <= 5; round++) {
    await ask(running.url, `INSERT INTO kept VALUES (${round})`);
    await running.kill();
    running = await app(data);
    expect(await ask<number>(running.url, "SELECT count(*)::int AS value FROM kept")).toBe(round);
    console.info(`start after kill -9: ${running.ms} ms`);
  }
  await running.kill();
  await waitUntil(() => postmasterOf(data) === undefined);
});

test("if app and database are killed together, the next start recovers", async () => {
  const data = newFolder();
  const first = await app(data);
  await ask(first.url, "CREATE TABLE kept AS SELECT 7 AS value");
  const database = postmasterOf(data) ?? 0;
  const gone = first.kill();
  process.kill(database, "SIGKILL");
  await gone;
  const second = await app(data);
  expect(await ask<number>(second.url, "SELECT value FROM kept")).toBe(7);
  await second.stop();
});

test("a database that dies while the app runs is restarted", async () => {
  const data = newFolder();
  const running = await app(data);
  await ask(running.url, "CREATE TABLE kept AS SELECT 7 AS value");
  const old = postmasterOf(data) ?? 0;
  process.kill(old, "SIGKILL");
  await waitUntil(() => postmasterOf(data) !== undefined && postmasterOf(data) !== old);
  let value: number | undefined;
  for (let tries = 0; value === undefined && tries < 100; tries++) {
    value = await ask<number>(running.url, "SELECT value FROM kept").catch(() => undefined);
    await Bun.sleep(50);
  }
  expect(value).toBe(7);
  await running.stop();
});

test("one of several processes runs it and the others use it; a helper that ends stops nothing", async () => {
  const data = newFolder();
  const all = await Promise.all([app(data), app(data), app(data)]);
  expect(new Set(all.map(({ url }) => url)).size).toBe(1);
  const pid = postmasterOf(data);
  const helper = await app(data);
  await helper.stop();
  expect(await ask<number>(helper.url, "SELECT 1 AS value")).toBe(1);
  expect(postmasterOf(data)).toBe(pid ?? 0);
});

/** Starts a Midman process that is expected to refuse, and returns its message. */
async function refusal(dataDir: string, ...around: string[]): Promise<string> {
  const child = Bun.spawn([...around, process.execPath, fixture], {
    env: environment(dataDir),
    stdin: "pipe",
    stdout: "ignore",
    stderr: "pipe",
  });
  started.push(child);
  return new Response(child.stderr).text();
}

const apart = ["unshare", "--pid", "--ipc", "--fork", "--mount-proc", "--kill-child"];

test.if(root && Bun.spawnSync([...apart, "true"]).success)(
  "a process in another container, which cannot see this one, does not run the same data",
  async () => {
    const data = newFolder();
    const first = await app(data);
    await ask(first.url, "CREATE TABLE kept AS SELECT 7 AS value");
    expect(await refusal(data, ...apart)).toContain("in another container, or on another machine");
    expect(await ask<number>(first.url, "SELECT value FROM kept")).toBe(7);
    await first.kill();
    const later = await app(data);
    expect(await ask<number>(later.url, "SELECT value FROM kept")).toBe(7);
    await later.stop();
  },
);

test("a server whose note is missing is not treated as abandoned", async () => {
  const data = newFolder();
  const first = await app(data);
  const pid = postmasterOf(data);
  rmSync(join(data, "database.json"));
  expect(await refusal(data)).toContain("database.json is gone");
  expect(postmasterOf(data)).toBe(pid ?? 0);
  expect(await ask<number>(first.url, "SELECT 1 AS value")).toBe(1);
  await first.stop();
});

test("a very long folder name is no problem", async () => {
  const { url, stop } = await app(newFolder("d".repeat(120)));
  expect(await ask<number>(url, "SELECT 1 AS value")).toBe(1);
  await stop();
});

test.if(root)(
  "as root, if its user cannot reach the data, the data are put in the system's state folder",
  async () => {
    const data = newFolder();
    mkdirSync(data, { mode: 0o700 });
    const first = await app(data);
    await ask(first.url, "CREATE TABLE kept AS SELECT 7 AS value");
    await first.stop();
    const second = await app(data);
    expect(await ask<number>(second.url, "SELECT value FROM kept")).toBe(7);
    const home = decodeURIComponent(new URL(second.url).hostname).replace(/\/run$/, "");
    expect(home).toStartWith("/var/lib/midman/");
    await second.stop();
    rmSync(home, { recursive: true });
  },
);

/** False if root cloned the project into its own home. */
const readable = root && Bun.spawnSync(["test", "-r", fixture], { uid: nobody, gid: nobody }).success;

test.if(readable)("a normal user runs it as themselves", async () => {
  const data = newFolder();
  mkdirSync(data);
  chownSync(data, nobody, nobody);
  const running = await app(data, nobody);
  expect(await ask<number>(running.url, "SELECT 1 AS value")).toBe(1);
  await running.stop();
});
