import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { runInTransaction } from "#db/client";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { databaseLinesPattern } from "../../../../tests/support/server/run-command.ts";
import { recordAuditEntry, sealBlocks, verifyChain } from "../../index.ts";

const database = useDatabase();
const at = new Date("2026-03-01T10:00:00Z");

async function audit(url: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const run = Bun.spawn(["bun", "scripts/audit-verify.ts", ...args], {
    cwd: `${import.meta.dir}/../../../..`,
    env: { ...process.env, DATABASE_URL: url },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  return { code: await run.exited, out, err };
}

test("bun run audit:verify reports in one line and by its exit code whether the log is intact", async () => {
  await runInTransaction((tx) => recordAuditEntry(tx, { by: { userId: 1 }, action: "login", at }));
  while ((await sealBlocks(at)).sealed === 0) await Bun.sleep(20);
  const verdict = await verifyChain();
  const head = verdict.ok ? verdict.head : "";
  const line = `The log is intact: 1 entries in 1 blocks, 0 not yet sealed; 1 records match what was sealed; head 1:${head}\n`;
  expect(await audit(database.url)).toEqual({
    code: 0,
    out: line,
    err: expect.stringMatching(databaseLinesPattern),
  });
  expect(await audit(database.url, "--head", `1:${head}`)).toMatchObject({ code: 0 });
  expect(await audit(database.url, "--head", `1:${"0".repeat(64)}`)).toMatchObject({ code: 1 });

  await ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(sql`UPDATE audit.entries SET user_id = 2`);
  });
  const broken = await audit(database.url);
  expect(broken.code).toBe(1);
  expect(broken.out).toMatch(/^The log is BROKEN at block 1: .+\.\n$/);
});

test("a database that does not answer ends the command with 1 and one clear line", async () => {
  const { code, err } = await audit("postgres://midman:secret@127.0.0.1:9/midman");
  expect(code).toBe(1);
  expect(err).toMatch(/^The log could not be verified: .+\n$/);
  expect(err).not.toContain("secret");
});
