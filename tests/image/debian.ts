import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Obstacle } from "../../scripts/prepare.ts";

/** Where what was fetched of Debian is kept between runs: its root as an archive, and packages. */
export const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "midman-image");

const mirror = process.env.DEBIAN_MIRROR ?? "http://deb.debian.org/debian";

/** The archive of a fresh Debian, made by debootstrap at the first need. Throws an Obstacle where this machine cannot make one. */
export async function debianArchive(): Promise<string> {
  const archive = join(cache, "bookworm.tar");
  if (existsSync(archive)) return archive;
  needs(["debootstrap", "tar", "unshare", "nsenter", "chroot", "mount"]);
  if (process.getuid?.() !== 0) throw new Obstacle("debootstrap and chroot need root.");
  mkdirSync(cache, { recursive: true });
  const fresh = join(cache, "bookworm");
  rmSync(fresh, { recursive: true, force: true });
  await run(["debootstrap", "--variant=minbase", "bookworm", fresh, mirror]);
  // What the slim image leaves out as well.
  const unread = [
    "usr/share/doc",
    "usr/share/man",
    "usr/share/info",
    "usr/share/locale",
    "usr/share/lintian",
  ];
  for (const path of [...unread, "var/cache/apt", "var/lib/apt/lists", "var/log"]) {
    rmSync(join(fresh, path), { recursive: true, force: true });
    mkdirSync(join(fresh, path), { recursive: true });
  }
  await run(["tar", "--create", "--file", `${archive}.fresh`, "--directory", fresh, "."]);
  renameSync(`${archive}.fresh`, archive);
  rmSync(fresh, { recursive: true, force: true });
  return archive;
}

/** Throws an Obstacle that names the programs this machine lacks. */
export function needs(programs: string[]): void {
  const missing = programs.filter((name) => Bun.which(name) === null);
  if (missing.length > 0)
    throw new Obstacle(`This needs ${missing.join(", ")} (Debian packages of that name, util-linux).`);
}

/** Unpacks a fresh Debian into a folder, with the sources of packages that the published image has. */
export async function unpackDebian(folder: string): Promise<void> {
  const archive = await debianArchive();
  mkdirSync(folder, { recursive: true });
  await run(["tar", "--extract", "--file", archive, "--directory", folder]);
  const sources = [
    `deb ${mirror} bookworm main`,
    `deb ${mirror} bookworm-updates main`,
    `deb ${mirror}-security bookworm-security main`,
  ];
  writeFileSync(join(folder, "etc/apt/sources.list"), `${sources.join("\n")}\n`);
  // As in the published image: a root that is thrown away need not reach the disk package by package.
  writeFileSync(join(folder, "etc/dpkg/dpkg.cfg.d/docker-apt-speedup"), "force-unsafe-io\n");
}

/** Runs a command to its end and answers what it wrote; throws with that where it ends badly. */
export async function run(command: string[], input?: string): Promise<string> {
  const child = Bun.spawn(command, {
    stdin: input === undefined ? "ignore" : Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}\n${out}${err}`);
  return out + err;
}

/** Bytes of disk below a folder. */
export async function bytesOf(folder: string): Promise<number> {
  const said = await run(["du", "--summarize", "--one-file-system", "--block-size=1", folder]);
  return Number(said.split("\t")[0]);
}
