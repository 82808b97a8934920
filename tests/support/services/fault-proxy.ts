import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How a line behaves; what is not named is as it should be. It holds for connections that stand and for new ones. */
export type LineBehavior = {
  /** Milliseconds by which all that is said is late, each way. */
  delayMs?: number;
  /** Bytes a second, each way. */
  bytesPerSecond?: number;
  /** Connections are taken and nothing passes, until the manner changes. */
  stalled?: boolean;
  /** A connection ends once so many more bytes have passed: `up` those to the far end, `down` those from it. */
  cutAfter?: { up?: number; down?: number };
  /** Requests pass; the first reply is dropped and its connection ended. */
  loseReplies?: boolean;
};

/** A line on loopback to a server, which a test can spoil and mend. */
export type FaultProxy = {
  /** The server's own URL, by way of this line. */
  readonly url: string;
  /** The port it listens at; 0 where it is a socket in a folder. */
  readonly port: number;
  /** Replaces how the line behaves; `{}` is a good line. */
  behave(manner: LineBehavior): void;
  /** Ends every connection at once; new ones are taken. */
  cut(): void;
  /** Ends every connection and takes no new one, as a stopped server would. */
  refuse(): Promise<void>;
  /** A good line that takes connections again. */
  mend(): Promise<void>;
  /** Connections that stand, and how many there ever were. */
  counts(): { open: number; taken: number };
  /** Ends it for good. */
  close(): Promise<void>;
};

type Way = "up" | "down";
type Pair = { near: Socket; far: Socket; passed: Record<Way, number>; end(): void };
type Address = { path: string } | { host: string; port: number };

const usualPorts: Record<string, number> = {
  "postgres:": 5432,
  "redis:": 6379,
  "smtp:": 25,
  "http:": 80,
};

/**
 * Stands between whoever uses the answered `url` and the server at the given one: Postgres (by TCP or by the folder of its
 * socket), Redis, SMTP, HTTP, whatever speaks over a connection.
 */
export async function startFaultProxy(url: string): Promise<FaultProxy> {
  const far = farOf(url);
  const folder = "path" in far ? mkdtempSync(join(tmpdir(), "midman-line-")) : undefined;
  const pairs = new Set<Pair>();
  let [port, taken] = [0, 0];
  let manner: LineBehavior = {};
  let changed = Promise.withResolvers<void>();
  let server: Server | undefined;

  const behave = (next: LineBehavior) => {
    manner = next;
    for (const { passed } of pairs) passed.up = passed.down = 0;
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };
  const cut = () => {
    for (const pair of [...pairs]) pair.end();
  };
  const take = (near: Socket) => {
    taken += 1;
    const pair = pairSockets(near, connect({ ...far, allowHalfOpen: true }), pairs);
    const line = { manner: () => manner, changed: () => changed.promise };
    void passBytes(pair, "up", line);
    void passBytes(pair, "down", line);
  };
  const mend = async () => {
    behave({});
    if (server !== undefined) return;
    server = createServer({ allowHalfOpen: true }, take);
    const where = folder === undefined ? { host: "127.0.0.1", port } : { path: join(folder, socketName) };
    await startListening(server, where);
    const address = server.address();
    if (typeof address === "object" && address !== null) port = address.port;
  };
  const refuse = async () => {
    const closing = server;
    server = undefined;
    const closed = new Promise<void>((done) => (closing ? closing.close(() => done()) : done()));
    cut();
    behave({});
    await closed;
  };
  await mend();
  return {
    url: nearOf(url, folder, port),
    port,
    behave,
    cut,
    refuse,
    mend,
    counts: () => ({ open: pairs.size, taken }),
    close: async () => {
      await refuse();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const socketName = ".s.PGSQL.5432";

/** A host that is a folder is that of Postgres' socket. */
function farOf(url: string): Address {
  const { protocol, hostname, port } = new URL(url);
  const host = decodeURIComponent(hostname);
  const number = Number(port || usualPorts[protocol] || 0);
  return host.startsWith("/") ? { path: join(host, `.s.PGSQL.${number}`) } : { host, port: number };
}

function nearOf(url: string, folder: string | undefined, port: number): string {
  const near = new URL(url);
  if (folder === undefined) {
    near.hostname = "127.0.0.1";
    near.port = String(port);
    return near.href;
  }
  near.port = "";
  // A host that is a folder is written as postgres.js reads it; the URL's own setter would refuse it.
  return near.href.replace(`@${near.host}`, `@${encodeURIComponent(folder)}`);
}

function startListening(server: Server, where: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, resolve);
  });
}

function pairSockets(near: Socket, far: Socket, pairs: Set<Pair>): Pair {
  const end = () => {
    near.destroy();
    far.destroy();
    pairs.delete(pair);
  };
  const pair: Pair = { near, far, passed: { up: 0, down: 0 }, end };
  pairs.add(pair);
  for (const socket of [near, far]) socket.on("error", end);
  for (const socket of [near, far]) socket.on("close", () => near.destroyed && far.destroyed && end());
  return pair;
}

type Line = { manner(): LineBehavior; changed(): Promise<void> };

/** Hands on what one end says to the other, in the manner of the moment. */
async function passBytes(pair: Pair, way: Way, line: Line): Promise<void> {
  const [from, to] = way === "up" ? [pair.near, pair.far] : [pair.far, pair.near];
  try {
    for await (const chunk of from) {
      for (let rest = chunk as Buffer; rest.length > 0; ) {
        while (line.manner().stalled && !to.destroyed) await line.changed();
        const { delayMs, bytesPerSecond, cutAfter, loseReplies } = line.manner();
        if (delayMs !== undefined) await Bun.sleep(delayMs);
        if (loseReplies && way === "down") return pair.end();
        const allowed = (cutAfter?.[way] ?? Number.POSITIVE_INFINITY) - pair.passed[way];
        const step = bytesPerSecond === undefined ? rest.length : Math.max(1, Math.ceil(bytesPerSecond / 20));
        const piece = rest.subarray(0, Math.min(step, Math.max(0, allowed)));
        if (piece.length > 0) await writeBytes(to, piece);
        pair.passed[way] += piece.length;
        // More than allowed has passed where the command came while bytes were on their way.
        if (piece.length >= allowed) return pair.end();
        rest = rest.subarray(piece.length);
        if (bytesPerSecond !== undefined) await Bun.sleep((piece.length / bytesPerSecond) * 1000);
      }
    }
    to.end();
  } catch {
    pair.end(); // one of both is gone: so is the line
  }
}

/** Ends once the bytes are on their way; rejects where nobody takes them any more. */
function writeBytes(to: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    if (to.destroyed) return reject(new Error("the other end is gone"));
    const gone = () => reject(new Error("the other end is gone"));
    to.once("close", gone);
    to.write(bytes, (error) => {
      to.off("close", gone);
      if (error) reject(error);
      else resolve();
    });
  });
}
