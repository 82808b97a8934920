import { existsSync } from "node:fs";
import { childEnvironment, Obstacle, projectRoot } from "../prepare.ts";

/** Where the browser tests look for the system's browser; see tests/support/pages/chromium-options.ts. */
const chromiumPath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
const headlessShellPath = "/usr/bin/chromium-headless-shell";

/** Browsers of other engines. tests/e2e/other-engines.spec.ts walks in each, and skips one that is not there. */
const otherEngines = [
  { path: "/usr/bin/firefox-esr", packages: ["firefox-esr"] },
  { path: "/usr/bin/WPEWebDriver", packages: ["wpewebkit-driver", "libwpewebkit-1.1-0"] },
];

/**
 * Provides what tests need beyond packages: a Redis server, haproxy and a Chromium. Installs missing ones with Debian's package manager if
 * permitted, otherwise only a browser, with Playwright. Throws an Obstacle if that fails. Browsers of other engines are installed too if they
 * can be; without them the check says what it skipped.
 */
export async function ensureTools(): Promise<void> {
  const redis = Bun.which("redis-server") !== null;
  const browser = existsSync(chromiumPath);
  const missing = [
    ...(redis ? [] : ["redis-server"]),
    ...(hasHaproxy() ? [] : ["haproxy"]),
    ...(browser ? [] : ["chromium"]),
  ];
  if (missing.length > 0) await installPackages(missing);
  if (Bun.which("redis-server") === null) {
    throw new Obstacle(
      "The tests need redis-server, which cannot be installed from here. Debian: apt-get install redis-server",
    );
  }
  if (!hasHaproxy()) {
    throw new Obstacle(
      "The tests need haproxy, which cannot be installed from here. Debian: apt-get install haproxy",
    );
  }
  // Without that package the full browser works as well, but is slower.
  if (existsSync("/usr/bin/chromium") && !existsSync(headlessShellPath))
    await installPackages(["chromium-headless-shell"]);
  if (!existsSync(chromiumPath)) {
    console.info("Installing a browser for the tests …");
    if (!(await runSucceeds(["bunx", "--bun", "playwright", "install", "chromium"]))) {
      throw new Obstacle(
        "The tests need Chromium. Install it (Debian: apt-get install chromium) or name one in CHROMIUM_PATH.",
      );
    }
  }
  // One after the other: apt-get installs nothing if it does not know one of the names.
  for (const { path, packages } of otherEngines) if (!existsSync(path)) await installPackages(packages);
}

/** Debian installs it in a folder that only root's path contains. */
function hasHaproxy(): boolean {
  return Bun.which("haproxy") !== null || existsSync("/usr/sbin/haproxy");
}

/** Installs packages with apt-get, as root or with a sudo that needs no password; does nothing elsewhere. */
async function installPackages(names: string[]): Promise<void> {
  if (Bun.which("apt-get") === null) return;
  const root = process.getuid?.() === 0;
  const sudo = root ? [] : ["sudo", "-n"];
  if (!root && (Bun.which("sudo") === null || !(await runSucceeds(["sudo", "-n", "true"])))) return;
  console.info(`Installing ${names.join(" and ")} …`);
  await runSucceeds([...sudo, "apt-get", "update"]);
  await runSucceeds([...sudo, "apt-get", "install", "--yes", "--no-install-recommends", ...names]);
}

/** Runs a command to its end and shows its output only if it fails. */
async function runSucceeds(command: string[]): Promise<boolean> {
  const child = Bun.spawn(command, {
    cwd: projectRoot,
    env: childEnvironment({ DEBIAN_FRONTEND: "noninteractive" }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const well = (await child.exited) === 0;
  if (!well) console.error(said.join("\n").trim());
  return well;
}
