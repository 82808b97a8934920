import { type Server, type ServerOptions, startServer } from "./midman-server.ts";
import type { SharedServer } from "./shared-server.ts";

/** The address people reach the server below at; nothing listens there. */
export const secureUrl = "https://midman.test";

/** An instance behind a proxy that ends TLS, on the database of another one, where trades are made. */
export function startBehindTls(beside: SharedServer, options: ServerOptions = {}): Promise<Server> {
  return startServer({
    databaseUrl: beside.databaseUrl,
    dataDir: beside.dataDir,
    ...options,
    environment: { PUBLIC_URL: secureUrl, TRUST_PROXY: "true", ...options.environment },
  });
}
