import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openPaidTrade } from "../support/trades/server-trades.ts";

/** The two commands that prove books and log: beside a running instance and its embedded database, and alone after a power cut. */

setDefaultTimeout(120_000);

const root = join(import.meta.dir, "../..");
const dataDir = mkdtempSync(join(tmpdir(), "midman-proofs-"));
const postmaster = join(dataDir, "postgres-18/data/postmaster.pid");
let server: Server;

beforeAll(async () => {
  chmodSync(dataDir, 0o755); // else, run by root, the database would lie in the system's state folder and stay there
  server = await startServer({ databaseUrl: "", dataDir });
  await openPaidTrade(server);
}, 240_000);

afterAll(async () => {
  await server?.kill();
  for (let i = 0; i < 400 && existsSync(postmaster); i++) await Bun.sleep(50);
  rmSync(dataDir, { recursive: true, force: true });
});

async function proved(
  command: "ledger:verify" | "audit:verify",
): Promise<{ code: number; last: string; all: string }> {
  const run = Bun.spawn([process.execPath, "run", "--silent", command], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  const all = `${err}${out}`.trim();
  return { code: await run.exited, last: all.split("\n").at(-1) ?? "", all };
}

const whole = "The ledger balances: received = held + suspense + paid out + fees + refunded.";

test("both verify a running instance, at once, without affecting it", async () => {
  const [ledger, log] = await Promise.all([proved("ledger:verify"), proved("audit:verify")]);
  expect([ledger.code, ledger.last]).toEqual([0, whole]);
  expect(ledger.all).toMatch(/held +110,000 ₮/);
  expect([log.code, log.last]).toEqual([
    0,
    expect.stringMatching(/^The log is intact: \d+ entries in \d+ blocks/),
  ]);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

test("both verify what is left after a kill, by themselves, and leave no database running", async () => {
  await server.kill();
  const [ledger, log] = [await proved("ledger:verify"), await proved("audit:verify")];
  expect([ledger.code, ledger.last]).toEqual([0, whole]);
  expect(ledger.all).toMatch(/held +110,000 ₮/);
  expect([log.code, log.last]).toEqual([0, expect.stringMatching(/^The log is intact: \d+ entries/)]);
  for (let i = 0; i < 400 && existsSync(postmaster); i++) await Bun.sleep(50);
  expect(existsSync(postmaster)).toBe(false);
});
