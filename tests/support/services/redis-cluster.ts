import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { untilInputEnds } from "../../../db/embedded/watchdog.ts";
import { waitUntil } from "../wait-until.ts";

/** A node, by its port. */
type Node = { port: number; process: Bun.Subprocess<"pipe", "ignore", "ignore">; pidFile: string };

export type TestRedisCluster = {
  /** Of its first node. */
  readonly url: string;
  /** What a node of that port answers. */
  cli(port: number, ...words: string[]): Promise<string>;
  /** The ports of those that have slots now, by a node that is alive. */
  masters(): Promise<number[]>;
  /** The port of the node that a channel falls to. */
  masterOf(channel: string): Promise<number>;
  /** Ends a node at once, as a crash would. */
  kill(port: number): Promise<void>;
  stop(): Promise<void>;
};

const [masterCount, replicasEach] = [3, 1];

/** A real Redis cluster: three masters and a replica of each, keeping nothing for longer than this process. */
export async function startRedisCluster(): Promise<TestRedisCluster> {
  const folder = mkdtempSync(join(tmpdir(), "midman-cluster-"));
  const nodes = await startNodes(folder);
  const first = nodes[0]?.port;
  const alive = () => nodes.filter(({ process }) => process.exitCode === null);
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const asked = ["--cluster-replicas", String(replicasEach), "--cluster-yes"];
  await runCli("redis-cli", "--cluster", "create", ...addresses, ...asked);
  for (const { port } of nodes) {
    await waitUntil(async () => (await cli(port, "cluster", "info")).includes("cluster_state:ok"));
  }
  // A replica that has never followed its master may not take its place.
  await waitUntil(async () => {
    const told = await Promise.all(nodes.map(({ port }) => cli(port, "info", "replication")));
    return (
      told.filter((info) => info.includes("master_link_status:up")).length === masterCount * replicasEach
    );
  });
  const slots = async () => {
    const lines = (await cli(alive()[0]?.port ?? 0, "cluster", "nodes")).split("\n");
    return lines.flatMap((line) => {
      const [, address = "", flags = "", , , , , ...ranges] = line.split(" ");
      if (!flags.includes("master") || flags.includes("fail")) return [];
      return ranges.map((range) => {
        const [from = 0, to = from] = range.split("-").map(Number);
        return { port: Number(/:(\d+)/.exec(address)?.[1]), from, to };
      });
    });
  };
  return {
    url: `redis://127.0.0.1:${first}`,
    cli,
    masters: async () => [...new Set((await slots()).map(({ port }) => port))],
    async masterOf(channel) {
      const slot = Number(await cli(alive()[0]?.port ?? 0, "cluster", "keyslot", channel));
      const found = (await slots()).find(({ from, to }) => from <= slot && slot <= to);
      if (found === undefined) throw new Error(`nobody has the slot of ${channel}`);
      return found.port;
    },
    async kill(port) {
      const node = nodes.find((one) => one.port === port);
      if (node === undefined) throw new Error(`no node at ${port}`);
      process.kill(Number(await Bun.file(node.pidFile).text()), "SIGKILL");
      await node.process.exited;
    },
    async stop() {
      for (const { process } of nodes) process.stdin.end();
      await Promise.all(nodes.map(({ process }) => process.exited));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the nodes on neighbouring ports. If another process has one of the ports, a node ends, and other ports are tried. */
async function startNodes(folder: string): Promise<Node[]> {
  for (let attempt = 0; attempt < 5; attempt++) {
    // A node's own line to the others has its port plus 10,000; both are below the ports that the system gives to connections (32,768).
    const first = 10_000 + Math.floor(Math.random() * 12_000);
    const count = masterCount * (1 + replicasEach);
    const nodes = Array.from({ length: count }, (_, at) => startNode(folder, first + at));
    const hasEnded = ({ process }: Node) => process.exitCode !== null;
    const isReady = async (node: Node) => hasEnded(node) || (await cli(node.port, "ping")) === "PONG";
    for (const node of nodes) await waitUntil(() => isReady(node));
    if (!nodes.some(hasEnded)) return nodes;
    for (const { process } of nodes) process.stdin.end();
    await Promise.all(nodes.map(({ process }) => process.exited));
  }
  throw new Error("no free ports for a Redis cluster");
}

const cli = (port: number, ...words: string[]) => runCli("redis-cli", "-p", String(port), ...words);

function startNode(folder: string, port: number): Node {
  const pidFile = join(folder, `${port}.pid`);
  const place = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--pidfile", pidFile];
  const keep = ["--save", "", "--appendonly", "no"];
  const cluster = ["--cluster-enabled", "yes", "--cluster-config-file", `${port}.conf`];
  const command = ["redis-server", ...place, ...keep, ...cluster, "--cluster-node-timeout", "2000"];
  const process = Bun.spawn(["sh", "-c", untilInputEnds, "sh", ...command], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
    cwd: folder,
  });
  return { port, process, pidFile };
}

async function runCli(...command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  return (await new Response(child.stdout).text()).trim();
}
