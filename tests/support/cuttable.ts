import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A database reached over a line that a test can cut and mend. */
export type Cuttable = {
  url: string;
  /** Ends every connection and takes no new one, as a stopped Postgres would. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  close(): Promise<void>;
};

/** A line of its own to the database at `url`. */
export async function cuttable(url: string): Promise<Cuttable> {
  const { hostname, port } = new URL(url);
  const host = decodeURIComponent(hostname);
  const far = host.startsWith("/")
    ? { path: join(host, `.s.PGSQL.${port || 5432}`) }
    : { host, port: Number(port || 5432) };
  const folder = mkdtempSync(join(tmpdir(), "midman-line-"));
  const open = new Set<Socket>();
  let server: Server | undefined;

  const mend = async () => {
    server = createServer((near) => {
      const beyond = connect(far);
      for (const end of [near, beyond]) {
        open.add(end);
        end.on("error", () => end.destroy()).on("close", () => open.delete(end));
      }
      near.pipe(beyond).pipe(near);
    });
    await new Promise<void>((done) => server?.listen(join(folder, ".s.PGSQL.5432"), done));
  };
  const cut = async () => {
    const closed = new Promise<void>((done) => server?.close(() => done()));
    for (const end of open) end.destroy();
    await closed;
  };
  await mend();
  const line = new URL(url);
  line.port = "";
  // A host that is a folder is written as postgres.js reads it; the URL's own setter would refuse it.
  const near = line.href.replace(`@${line.host}`, `@${encodeURIComponent(folder)}`);
  return {
    url: near,
    cut,
    mend,
    close: async () => {
      await cut().catch(() => {});
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
