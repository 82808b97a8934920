import { expectStatus } from "../people/registered-people.ts";
import type { Server } from "../server/midman-server.ts";

/** The token of the newest link in the development mailbox that leads an address to a page, once such a mail has come. */
export async function readMailedToken(
  server: Pick<Server, "client">,
  email: string,
  page: "reset-password" | "verify-email",
  but: readonly string[] = [],
): Promise<string> {
  for (let n = 0; n < 200; n++, await Bun.sleep(50)) {
    const box = expectStatus(
      await server.client().get(`/sandbox/mail.json?to=${encodeURIComponent(email)}`),
      200,
    );
    const tokens = [...box.text.matchAll(new RegExp(`${page}\\?token=([\\w-]{43})`, "g"))].map(
      ([, token = ""]) => token,
    );
    const fresh = tokens.filter((token) => !but.includes(token));
    if (fresh[0] !== undefined) return fresh[0];
  }
  throw new Error(`no link to ${page} was mailed`);
}
