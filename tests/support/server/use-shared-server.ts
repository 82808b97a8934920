import { afterAll, beforeAll } from "bun:test";
import { connectDatabase, disconnectDatabase } from "../../../db/client.ts";
import { signInAdministrator } from "../people/registered-people.ts";
import type { Client } from "./http-client.ts";
import { type SharedServer, sharedServer } from "./shared-server.ts";

/**
 * Gives the test file that calls it the shared server, its administrator, signed in, and a connection of `#db/client` to its database. Both
 * objects are empty until `beforeAll` has run.
 */
export function useSharedServer(): { server: SharedServer; admin: Client } {
  const server = {} as SharedServer;
  const admin = {} as Client;
  beforeAll(async () => {
    Object.assign(server, await sharedServer());
    connectDatabase(server.databaseUrl);
    Object.assign(admin, await signInAdministrator(server));
  }, 240_000);
  afterAll(() => disconnectDatabase());
  return { server, admin };
}
