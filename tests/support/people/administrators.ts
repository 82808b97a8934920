import { sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";
import { postForm } from "../pages/post-form.ts";
import type { Client } from "../server/http-client.ts";
import type { Server } from "../server/midman-server.ts";
import { setRight } from "./administrator-rights.ts";
import { expectStatus, type Person, registerPerson, signInAdministrator } from "./registered-people.ts";

/** Two administrators, and a third whom the first made just now: with them one pair of eyes. The file is connected to the database. */
export async function threeAdministrators(
  server: Pick<Server, "client">,
): Promise<{ first: Client; second: Person; related: Person }> {
  const [first, second, related] = await Promise.all([
    signInAdministrator(server),
    registerPerson(server),
    registerPerson(server),
  ]);
  await setRight(second.id, true);
  expectStatus(await postForm(first, `/admin/users/${related.id}`, { form: "make-admin" }), 303);
  await db().execute(sql`UPDATE identity.users SET must_change_password = false WHERE id = ${related.id}`);
  expectStatus(
    await related.post("/api/auth/login", { username: related.username, password: related.password }),
    200,
  );
  return { first, second, related };
}
