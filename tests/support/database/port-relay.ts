import { connect, createServer } from "node:net";
import { join } from "node:path";
import { freePort } from "../server/midman-server.ts";

/** The tests' database listens in a folder that only its own user may enter: a port of loopback that leads there. */
export async function relayByPort(url: string): Promise<{ url: string; close(): void }> {
  const [, folder = ""] = /@([^/]+)\//.exec(url) ?? [];
  const path = join(decodeURIComponent(folder), ".s.PGSQL.5432");
  const relay = createServer((near) => {
    const far = connect(path);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => other.destroy());
      one.pipe(other);
    }
  });
  const port = await freePort();
  await new Promise<void>((resolve) => relay.listen(port, "127.0.0.1", resolve));
  return { url: url.replace(`@${folder}/`, `@127.0.0.1:${port}/`), close: () => relay.close() };
}
