import { sql } from "drizzle-orm";
import { TOTP } from "otpauth";
import { db } from "../../db/client.ts";
import { expectStatus } from "../support/people/registered-people.ts";
import { stillMoment } from "../support/programs/still-clock.ts";
import type { Client } from "../support/server/http-client.ts";
import type { Server } from "../support/server/midman-server.ts";

/** The password of everybody in the world. */
export const password = "a long enough secret";

const phone =
  "Mozilla/5.0 (Linux; Android 14; SM-A145F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36";

/** Registers somebody on a phone; answers their browser. */
export async function enrol(server: Server, username: string, displayName: string): Promise<Client> {
  const browser = server.client({ "Accept-Language": "mn", "User-Agent": phone });
  const account = { username, password, displayName, email: `${username}@example.mn`, avatarInitials: "" };
  expectStatus(await browser.post("/api/auth/register", account), 200, 201);
  return browser;
}

/** Gives somebody two passkeys, of which one was copied; no browser here has them. */
export async function keepPasskeys(by: Client): Promise<void> {
  const { id } = expectStatus(await by.get("/api/auth/user"), 200).body;
  const ago = (days: number) => new Date(Date.parse(stillMoment) - days * 86_400_000).toISOString();
  await db().execute(sql`
    INSERT INTO identity.passkeys (user_id, user_handle, credential_id, public_key, counter, name, created_at, last_used_at, copied_at)
    VALUES (${id}, repeat('h', 43), 'phone', 'x', 0, 'Ажлын утас', ${ago(40)}, ${ago(1)}, NULL),
      (${id}, repeat('h', 43), 'key', 'x', 7, 'YubiKey', ${ago(200)}, ${ago(12)}, ${ago(3)})`);
}

/** Begins the second factor of somebody; answers the key of their app. */
export async function beginFactor(by: Client): Promise<string> {
  return String(expectStatus(await by.post("/api/users/me/second-factor"), 200, 201).body.secret);
}

/** What an app would show for a key at a moment; at the standing one unless told. */
export function codeOf(secret: string, at = new Date(stillMoment)): string {
  return new TOTP({ secret }).generate({ timestamp: at.getTime() });
}
