import { afterAll, beforeAll, setDefaultTimeout } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connectDatabase, disconnectDatabase } from "../../db/client.ts";
import { registerPerson } from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { deviationsHeading, readSecuritySection } from "../support/sources/security-docs.ts";

export const root = join(import.meta.dir, "../..");
export const source = (path: string) => readFileSync(join(root, path), "utf8");

/** The server that `useAuthenticationServer` starts for the tests of a file. */
export let server: Server;

/**
 * Starts a server before the tests of a file and stops it after them. Each caller names an address of their own, as behind a proxy; throttles
 * are those of production.
 */
export function useAuthenticationServer(): void {
  setDefaultTimeout(60_000);
  beforeAll(async () => {
    server = await startServer({ environment: { THROTTLE_FACTOR: "1", TRUST_PROXY: "true" } });
    connectDatabase(server.databaseUrl);
  }, 240_000);
  afterAll(async () => {
    await disconnectDatabase();
    await server?.stop();
  });
}

let addresses = 0;
export const elsewhere = () => server.client({ "X-Forwarded-For": `192.0.2.${++addresses}` });
export const someone = () => registerPerson({ client: elsewhere });
export const signedIn = async (who: Client) => (await who.get("/api/auth/session")).body.isAuthenticated;
export const signIn = (who: Client, username: string, password: string) =>
  who.post("/api/auth/login", { username, password });

export const account = (password: string) => {
  const username = `pass${crypto.randomUUID().slice(0, 8)}`;
  const email = `${username}@example.mn`;
  return { username, password, displayName: "Bat Erdene", email, avatarInitials: "" };
};
export const registering = (password: string) => elsewhere().post("/api/auth/register", account(password));

export const ways = () => readSecuritySection("authentication", "Authentication");
export const deviations = () => readSecuritySection("asvs", deviationsHeading);
