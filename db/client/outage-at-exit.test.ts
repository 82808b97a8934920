import { expect, test } from "bun:test";
import { join } from "node:path";

/** The log of a process that runs `last` with a database it cannot reach (nothing listens there). */
async function written(last: string): Promise<Array<Record<string, unknown>>> {
  const child = Bun.spawn(
    [
      process.execPath,
      "-e",
      `import { sql } from "drizzle-orm";
       import { connectDatabase, db } from "./db/client.ts";
       import { log } from "./db/log.ts";
       connectDatabase("postgres://a:b@127.0.0.1:1/x", 1);
       const lost = await db().execute(sql\`SELECT 1\`).catch((error) => error);
       for (const requestId of ["r1", "r2", "r3"]) log().error({ err: lost, requestId }, "request failed");
       ${last}`,
    ],
    { cwd: join(import.meta.dir, "..", ".."), stderr: "pipe", stdout: "ignore", timeout: 20_000 },
  );
  const text = await new Response(child.stderr).text();
  return text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
}

test("suppressed lines are written when the process ends, the last error too", async () => {
  const lines = await written(`log().warn({ err: lost }, "shutdown failed"); process.exit(1);`);
  const told = lines.filter(({ msg }) => msg !== "the database does not answer");
  expect(told.map(({ level, msg, requestId }) => [level, msg, requestId])).toEqual([
    [50, "request failed", "r1"],
    [50, "request failed", ["r2", "r3"]],
    [40, "shutdown failed", undefined],
  ]);
  expect(told[1]).toMatchObject({ times: 2, reason: "Failed query: SELECT 1" });
  expect(told[2]?.err).toMatchObject({ message: "Failed query: SELECT 1" });
}, 30_000);

test("during an outage, errors of other servers are written at once, unchanged", async () => {
  const lines = await written(`
    const fetched = await fetch("http://127.0.0.1:1/").catch((error) => error);
    log().warn({ err: Object.assign(fetched, { code: "ECONNREFUSED" }), payout: 7 }, "the provider");
    log().warn({ err: Object.assign(new Error("reset"), { code: "ECONNRESET" }), payout: 8 }, "the provider");
    process.kill(process.pid, "SIGKILL");`);
  const told = lines.filter(({ msg }) => msg === "the provider");
  expect(told.map(({ level, payout, times }) => [level, payout, times])).toEqual([
    [40, 7, undefined],
    [40, 8, undefined],
  ]);
}, 30_000);

test("lost connections of the job queue's driver are suppressed too", async () => {
  const lines = await written(`
    const { makeBoss } = await import("./db/jobs/pg-boss.ts");
    const boss = makeBoss({ connectionString: "postgres://a:b@127.0.0.1:1/x" });
    boss.emit("error", Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
    boss.emit("error", { message: "reset", code: "ECONNRESET" });
    boss.emit("error", new Error("Connection terminated unexpectedly"));
    process.exit(1);`);
  const told = lines.filter(({ msg }) => msg === "jobs");
  expect(told).toMatchObject([{ level: 50, times: 3, reason: "Connection terminated unexpectedly" }]);
}, 30_000);
