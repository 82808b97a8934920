import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * An isolated machine for an installation: a mount namespace with overlays on /etc, /opt, /usr/local, /var/lib and /var/backups, so that `install.sh`
 * writes to its usual paths and nothing stays on the host. systemd is hidden.
 */

/** Folders that an installation writes to, each below a layer of its own. */
const layered = ["etc", "opt", "usr/local", "var/lib", "var/backups"];

/** Folders of an installation; they are empty, also on a machine that Midman is installed on. */
const own = ["opt/midman", "etc/midman", "var/lib/midman", "var/backups/midman"];

/** What hides the real folders; run by a shell as root in a new namespace, before the rest of its arguments. */
const mounts = `
set -e
for name in ${layered.join(" ")}; do
  mount -t overlay overlay -o "lowerdir=/$name,upperdir=$MACHINE/$name/up,workdir=$MACHINE/$name/work" "/$name"
done
for name in ${own.join(" ")}; do
  mkdir -p "/$name" "$MACHINE/own/$name"
  mount --bind "$MACHINE/own/$name" "/$name"
done
mount -t tmpfs -o size=1m tmpfs /run/systemd 2>/dev/null || true
exec "$@"`;

/** Why this host cannot run the day; undefined if it can. */
export function findObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return "it installs as root: run it as root";
  for (const tool of ["unshare", "setpriv", "useradd", "git", "haproxy"])
    if (Bun.which(tool, { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" }) === null) return `${tool} is missing`;
  const scratch = "mount -t tmpfs tmpfs /mnt && mkdir /mnt/up /mnt/work";
  const layer = "mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/up,workdir=/mnt/work /etc";
  const tried = Bun.spawnSync([
    "unshare",
    "--mount",
    "--propagation",
    "private",
    "sh",
    "-c",
    `${scratch} && ${layer}`,
  ]);
  return tried.success ? undefined : `no layer can be mounted here: ${tried.stderr.toString().trim()}`;
}

/** Runs a command in a machine whose changes lie below `folder`; answers its status. */
export async function runOnMachine(
  folder: string,
  command: readonly string[],
  environment: Record<string, string>,
): Promise<number> {
  for (const name of layered)
    for (const part of ["up", "work"]) mkdirSync(join(folder, name, part), { recursive: true });
  for (const name of layered) chmodSync(join(folder, name, "up"), 0o755);
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  chmodSync(temporary, 0o1777);
  const child = Bun.spawn(
    ["unshare", "--mount", "--propagation", "private", "sh", "-c", mounts, "sh", ...command],
    {
      env: { ...environment, MACHINE: folder, TMPDIR: temporary },
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
    },
  );
  const stop = () => child.kill("SIGTERM");
  process.once("exit", stop);
  return child.exited.finally(() => process.off("exit", stop));
}

/** What a program said and how it ended. */
export type ProgramResult = { status: number; out: string; err: string };

/** Runs a program to its end. */
export async function runProgram(
  command: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<ProgramResult> {
  const child = Bun.spawn([...command], { ...options, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { status: await child.exited, out, err };
}

/** Runs a program that must end well; answers what it said. Throws with its words otherwise. */
export async function runOrThrow(...given: Parameters<typeof runProgram>): Promise<ProgramResult> {
  const said = await runProgram(...given);
  if (said.status !== 0)
    throw new Error(`${given[0].join(" ")} ended with ${said.status}:\n${said.err}\n${said.out}`);
  return said;
}

/** The name and number of the version that a tree is. */
export const versionOf = (tree: string): string =>
  (JSON.parse(readFileSync(join(tree, "package.json"), "utf8")) as { version: string }).version;
