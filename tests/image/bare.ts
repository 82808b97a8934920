/**
 * Measures the two commands of a fresh clone on a bare machine: a fresh Debian root with Node and npm alone, and one with Bun
 * alone. `bun run bare:measure up` (what it does without a word), `check`, or both; writes its part of docs/bare-machine.md. With
 * `--node` the second way is left out, which saves the check its second half hour.
 */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitOnObstacle, Obstacle, projectRoot } from "../../scripts/prepare.ts";
import { machine, table } from "../bench/support/results.ts";
import { writeSectionOf } from "../support/result-sections.ts";
import { freePort } from "../support/server/midman-server.ts";
import { type Box, boxed, firstOf, outside } from "./box.ts";
import { bytesOf, run, unpackDebian } from "./debian.ts";

const commands = ["up", "check"] as const;
type Command = (typeof commands)[number];

const head = `# On a machine with nothing installed

\`bun run bare:measure\` measured these figures with a fresh clone in a fresh Debian root made by debootstrap, with only Node and npm or
only Bun installed. Downloads are counted at the machine's network interfaces, so other traffic is included.
`;

/** Ways to the command: what is installed before, and how it is called. */
const ways = {
  "Node and npm": {
    setUp: "apt-get update && apt-get install --yes --no-install-recommends nodejs npm",
    call: ["npx", "--yes", "bun@1.4.5", "run"],
  },
  Bun: { setUp: "true", call: ["bun", "run"] },
} as const;

async function measure(way: keyof typeof ways, command: Command): Promise<Array<string | number>> {
  const work = mkdtempSync(join(tmpdir(), "midman-bare-"));
  const machineRoot = join(work, "root");
  try {
    await unpackDebian(machineRoot);
    await run([
      "git",
      "clone",
      "--quiet",
      "--depth",
      "1",
      `file://${projectRoot}`,
      join(machineRoot, "srv/midman"),
    ]);
    const given = outside(join(work, "outside"));
    mkdirSync(join(machineRoot, "run/outside"));
    const PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
    const port = await freePort();
    const environment = { PATH, HOME: "/root", PORT: String(port), ...given.environment };
    const box: Box = {
      ...{ root: machineRoot, sealed: false, volumes: given.volumes, environment, user: "0:0" },
      workdir: "/srv/midman",
    };
    if (way === "Bun") {
      cpSync(process.execPath, join(machineRoot, "usr/local/bin/bun"), { dereference: true });
      chmodSync(join(machineRoot, "usr/local/bin/bun"), 0o755);
    }
    await run(boxed(box, ["sh", "-c", ways[way].setUp]));
    const [disk, net, began] = [await bytesOf(machineRoot), await received(), performance.now()];
    const line = boxed(box, [...ways[way].call, command]);
    await (command === "up" ? answered(line, port) : run(line));
    const minutes = (performance.now() - began) / 60_000;
    const fetched = ((await received()) - net) / 1e6;
    return [
      way,
      minutes.toFixed(1),
      fetched.toFixed(0),
      (((await bytesOf(machineRoot)) - disk) / 1e6).toFixed(0),
    ];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Runs the command until it answers, and ends it. */
async function answered(line: string[], port: number): Promise<void> {
  const child = Bun.spawn(line, { stdin: "ignore", stdout: "inherit", stderr: "inherit" });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}`);
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (ready) break;
    await Bun.sleep(50);
  }
  const first = firstOf(child.pid);
  if (first !== undefined) process.kill(first, "SIGKILL"); // the first process takes its namespace with it
  await child.exited;
}

/** Bytes that came in by the machine's interfaces, loopback left out. */
async function received(): Promise<number> {
  const lines = (await Bun.file("/proc/net/dev").text()).split("\n").slice(2);
  const counts = lines
    .map((line) => line.trim().split(/[:\s]+/))
    .filter(([name]) => name !== "lo" && name !== "");
  return counts.reduce((sum, [, bytes]) => sum + Number(bytes), 0);
}

await exitOnObstacle(async () => {
  const asked = process.argv.slice(2);
  const wanted = commands.filter((command) =>
    asked.length === 0 ? command === "up" : asked.includes(command),
  );
  if (wanted.length === 0) throw new Obstacle(`bare:measure takes ${commands.join(" and ")}`);
  for (const command of wanted) {
    const where = machine();
    const rows = [];
    for (const way of Object.keys(ways) as Array<keyof typeof ways>) {
      if (way === "Node and npm" || !asked.includes("--node")) rows.push(await measure(way, command));
    }
    const columns = [
      "with",
      command === "up" ? "minutes until the first response" : "minutes",
      "MB downloaded",
      "MB on disk",
    ];
    const file = join(projectRoot, "docs/bare-machine.md");
    mkdirSync(join(projectRoot, "docs"), { recursive: true });
    writeSectionOf({ file, head }, `bun run ${command}`, `${where}\n\n${table(columns, rows)}`);
  }
});
process.exit(0);
