import { sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";

/** Gives people the right of an administrator bypassing the commands, or takes it, and tells the log, which a verification compares it with. */
export async function setRight(people: number | readonly number[], yes: boolean): Promise<void> {
  for (const id of [people].flat()) {
    await db().execute(sql`UPDATE identity.users SET is_admin = ${yes} WHERE id = ${id}`);
    await logRight(id, yes ? "admin_created" : "admin_revoked");
  }
}

/** Writes down bypassing the commands that somebody, the house's first administrator unless another is named, made a person one. */
export async function plantGrant(made: number, giver?: number): Promise<void> {
  const when = new Date().toISOString();
  const [first] = await db().execute<{ id: string }>(
    sql`SELECT id FROM identity.users WHERE username = 'admin'`,
  );
  const by = giver ?? Number(first?.id);
  await db().execute(
    sql`INSERT INTO identity.admin_grants (made, by, at) VALUES (${made}, ${by}, ${when}::timestamptz)`,
  );
  await logRight(made, "admin_granted", { by, when });
}

/** What the log tells of a right. */
export async function logRight(
  id: number,
  action: "admin_created" | "admin_granted" | "admin_revoked",
  { by = null, when = new Date().toISOString() }: { by?: number | null; when?: string } = {},
): Promise<void> {
  await db().execute(sql`
    INSERT INTO audit.entries (at, action, user_id, subject_kind, subject_id, data)
    VALUES (${when}::timestamptz, ${action}, ${by}, 'user', ${String(id)}, '{}')`);
}
