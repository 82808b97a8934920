import { openClient } from "../../../db/client.ts";

/**
 * Moves the database's own processes for `databaseUrl` to another core than the server's, so that what the server does
 * with its core is its own. Answers how many were moved; none where this user may not.
 */
export async function pinBackends(databaseUrl: string, core: number): Promise<number> {
  const sql = openClient(databaseUrl, { max: 1 });
  try {
    const rows = await sql<Array<{ pid: number }>>`
      SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    const moved = rows.map(({ pid }) => Bun.spawnSync(["taskset", "-pc", String(core), String(pid)]).success);
    return moved.filter(Boolean).length;
  } finally {
    await sql.end();
  }
}
