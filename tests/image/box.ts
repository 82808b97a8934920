import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { cache } from "./debian.ts";

/** A root file system to run a program in, as a container engine would: process and mount namespaces of its own. */
export type Box = {
  root: string;
  /** Read-only but for /tmp, /dev/shm and `volumes`; and no rights beyond an ordinary user's. */
  sealed: boolean;
  /** Folders of this machine by where they are seen inside. */
  volumes?: Record<string, string>;
  environment: Record<string, string>;
  /** `uid:gid`. */
  user: string;
  workdir: string;
};

/**
 * What an engine does before a container's first process: its own /proc and /dev, the machine's names for addresses, a /tmp in
 * memory, and last the root turned read-only. The network stays the machine's.
 */
const prepare = `
set -e
root=$1 sealed=$2 volumes=$3
shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
mkdir "$root/dev/shm"
mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/dev/shm"
for file in resolv.conf hosts; do
  test -e "$root/etc/$file" || touch "$root/etc/$file"
  mount --bind "/etc/$file" "$root/etc/$file"
done
if [ "$sealed" = yes ]; then mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/tmp"; fi
for volume in $volumes; do mount --bind "\${volume%%=*}" "$root\${volume##*=}"; done
if [ "$sealed" = yes ]; then mount -o remount,ro,bind "$root"; fi
exec "$@"
`;

/** The command that runs `command` in a box. Its only child is process 1 of the box. */
export function boxed(box: Box, command: string[]): string[] {
  const [uid = "0", gid = uid] = box.user.split(":");
  const volumes = Object.entries(box.volumes ?? {}).map(([inside, folder]) => `${folder}=${inside}`);
  const unprivileged = ["setpriv", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"];
  return [
    ...["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", prepare, "sh"],
    ...[box.root, box.sealed ? "yes" : "no", volumes.join(" ")],
    ...["chroot", box.root],
    // util-linux is in every Debian; the user is changed inside, as the last thing before the program.
    ...(box.sealed ? [...unprivileged, `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"] : []),
    ...["env", "--ignore-environment", `--chdir=${box.workdir}`, ...assignments(box.environment)],
    ...command,
  ];
}

const assignments = (environment: Record<string, string>) =>
  Object.entries(environment).map(([name, value]) => `${name}=${value}`);

/** The command that runs another program beside process 1 of a box, as an engine runs health checks. `first` is that process's id here. */
export function beside(box: Box, first: number, command: string[]): string[] {
  const [uid = "0", gid = uid] = box.user.split(":");
  return [
    ...["nsenter", `--target=${first}`, "--mount", "--pid", `--root=/proc/${first}/root`],
    ...[
      "setpriv",
      "--no-new-privs",
      "--bounding-set=-all",
      `--reuid=${uid}`,
      `--regid=${gid}`,
      "--clear-groups",
    ],
    ...["env", "--ignore-environment", `--chdir=${box.workdir}`, ...assignments(box.environment)],
    ...command,
  ];
}

/** Process 1 of the box that `boxed` started, by its id on this machine; undefined before it is there. */
export function firstOf(outer: number): number | undefined {
  const children = `/proc/${outer}/task/${outer}/children`;
  const [first] = existsSync(children) ? readFileSync(children, "utf8").trim().split(" ") : [];
  return first === undefined || first === "" ? undefined : Number(first);
}

/**
 * What this machine has and what a Dockerfile must not know: its own certificates and settings of npm, and Debian's packages it has
 * fetched before. Lays them into a folder to be seen at /run/outside, and answers the settings that point there.
 */
export function outside(folder: string): {
  volumes: Record<string, string>;
  environment: Record<string, string>;
} {
  const packages = join(cache, "archives");
  mkdirSync(join(packages, "partial"), { recursive: true });
  mkdirSync(join(folder, "archives"), { recursive: true });
  writeFileSync(join(folder, "apt.conf"), 'Dir::Cache::archives "/run/outside/archives/";\n');
  const bundle = process.env.NODE_EXTRA_CA_CERTS ?? "/etc/ssl/certs/ca-certificates.crt";
  if (existsSync(bundle)) writeFileSync(join(folder, "ca.pem"), readFileSync(bundle));
  const npmrc = process.env.NPM_CONFIG_USERCONFIG ?? join(homedir(), ".npmrc");
  if (existsSync(npmrc)) writeFileSync(join(folder, "npmrc"), readFileSync(npmrc), { mode: 0o600 });
  const registry = process.env.npm_config_registry ?? process.env.NPM_CONFIG_REGISTRY;
  return {
    volumes: { "/run/outside": folder, "/run/outside/archives": packages },
    environment: {
      APT_CONFIG: "/run/outside/apt.conf",
      NODE_EXTRA_CA_CERTS: "/run/outside/ca.pem",
      NPM_CONFIG_USERCONFIG: "/run/outside/npmrc",
      ...(registry === undefined ? {} : { NPM_CONFIG_REGISTRY: registry }),
    },
  };
}
