import { Secret, TOTP } from "otpauth";
import type { Client } from "../server/http-client.ts";
import { expectStatus, type Person } from "./registered-people.ts";

/** Where one's own second factor is turned on, renewed and taken off. */
export const factorPath = "/api/users/me/second-factor";

/** Somebody with an authenticator app: its secret, and their recovery codes as they were shown. */
export type Factor = { secret: string; recovery: string[] };

/** The code of the step that is `steps` from now. Not in a step's last moments: it would be another's when it arrives. */
export async function codeOf(secret: string, steps: number): Promise<string> {
  while (Date.now() % 30_000 > 25_000) await Bun.sleep(200);
  const app = new TOTP({ secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: 6, period: 30 });
  return app.generate({ timestamp: Date.now() + steps * 30_000 });
}

/** Turns a person's second factor on, with the code of the step before this one. */
export async function turnFactorOn(person: Client): Promise<Factor> {
  const { secret } = expectStatus(await person.post(factorPath), 200).body as unknown as { secret: string };
  const on = expectStatus(
    await person.post(`${factorPath}/confirm`, { code: await codeOf(secret, -1) }),
    200,
  );
  return { secret, recovery: on.body.recoveryCodes as string[] };
}

/** A browser that has given the right password and is asked for the code. */
export async function beginCodeLogin(
  browser: Client,
  { username, password }: Pick<Person, "username" | "password">,
) {
  const reply = expectStatus(await browser.post("/api/auth/login", { username, password }), 401);
  if (reply.body.code !== "SECOND_FACTOR_REQUIRED") throw new Error(`asked for no code: ${reply.text}`);
  return browser;
}
