import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../server/midman-server.ts";
import { testCertificates } from "./certificates.ts";

const deployFolder = join(import.meta.dir, "..", "..", "..", "deploy");

export const proxyKinds = ["haproxy", "nginx", "caddy"] as const;
export type ProxyKind = (typeof proxyKinds)[number];

/** One of the kit's proxies, with the kit's own file. */
export type KitProxy = {
  /** By TLS, with the certificate that `certificates.vouched` is. */
  url: string;
  /** The door without TLS. */
  plainUrl: string;
  port: number;
  stop(): Promise<void>;
};

/** Where a proxy's program lies; null where it is not installed. Debian keeps some where only root's path leads. */
export function proxyBinary(kind: ProxyKind): string | null {
  const beside = `/usr/sbin/${kind}`;
  return Bun.which(kind) ?? (existsSync(beside) ? beside : null);
}

type Ports = { plain: number; guarded: number; door: number };

/**
 * Starts the proxy of `kind` before the instances at `addresses` (`host:port`, two of them); it may not answer yet. `doors` are the ports
 * without TLS and with it, where they must be known before. Throws where it is not installed.
 */
export async function startProxy(
  kind: ProxyKind,
  addresses: readonly [string, string],
  doors?: { plain: number; guarded: number },
): Promise<KitProxy> {
  const binary = proxyBinary(kind);
  if (binary === null) throw new Error(`This needs ${kind} (Debian: apt-get install ${kind})`);
  const folder = mkdtempSync(join(tmpdir(), `midman-${kind}-`));
  // A worker that is not root reads the page.
  chmodSync(folder, 0o755);
  copyFileSync(join(deployFolder, "closed.html"), join(folder, "closed.html"));
  const { cert, key } = testCertificates.vouched;
  for (const [name, text] of Object.entries({
    "cert.pem": cert,
    "key.pem": key,
    "site.pem": `${cert}\n${key}\n`,
  }))
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  const ports = {
    ...(doors ?? { plain: await freePort(), guarded: await freePort() }),
    door: await freePort(),
  };
  const file = join(folder, kind === "caddy" ? "Caddyfile" : `${kind}.cfg`);
  writeFileSync(file, configurationWriters[kind](folder, ports, addresses));
  const running = Bun.spawn([binary, ...argumentsOf(kind, file, folder)], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    env: { PATH: process.env.PATH ?? "", HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  const end = () => running.kill("SIGTERM");
  process.on("exit", end);
  return {
    url: `https://localhost:${ports.guarded}`,
    plainUrl: `http://127.0.0.1:${ports.plain}`,
    port: ports.guarded,
    stop: async () => {
      end();
      process.off("exit", end);
      await running.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function argumentsOf(kind: ProxyKind, file: string, folder: string): string[] {
  if (kind === "haproxy") return ["-db", "-q", "-f", file];
  if (kind === "nginx") return ["-p", folder, "-c", file, "-e", join(folder, "error.log")];
  return ["run", "--adapter", "caddyfile", "--config", file];
}

type Write = (folder: string, ports: Ports, addresses: readonly [string, string]) => string;

/** The kit's file with what a machine sets otherwise: addresses, names and places. Throws where one of them is not in the file. */
const configurationWriters: Record<ProxyKind, Write> = {
  haproxy: (folder, { plain, guarded }, [one, other]) =>
    replaceInKitFile("haproxy.cfg", [
      ["bind :80", `bind 127.0.0.1:${plain}`],
      ["bind :443", `bind 127.0.0.1:${guarded}`],
      ["/usr/local/etc/haproxy/certs/site.pem", join(folder, "site.pem")],
      ["/usr/local/etc/haproxy/closed.html", join(folder, "closed.html")],
      [" app-1:3000", ` ${one}`],
      [" app-2:3000", ` ${other}`],
    ]),
  nginx: (folder, { plain, guarded }, [one, other]) => {
    const site = replaceInKitFile("nginx.conf", [
      ["listen 80;", `listen 127.0.0.1:${plain};`],
      ["listen 443", `listen 127.0.0.1:${guarded}`],
      ["server_name midman.example", "server_name localhost"],
      ["/etc/letsencrypt/live/midman.example/fullchain.pem", join(folder, "cert.pem")],
      ["/etc/letsencrypt/live/midman.example/privkey.pem", join(folder, "key.pem")],
      ["root /opt/midman/current/deploy", `root ${folder}`],
      ["server 127.0.0.1:3000", `server ${one}`],
      ["# server 127.0.0.1:3001", `server ${other}`],
    ]);
    const place = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    return `daemon off;\npid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${place.join("\n")}\n${site}}\n`;
  },
  caddy: (folder, { plain, guarded, door }, [one, other]) =>
    replaceInKitFile("Caddyfile", [
      ["email operator@midman.example", `admin off\nhttp_port ${plain}`],
      [
        "\nmidman.example {",
        `\nhttps://localhost:${guarded} {\nbind 127.0.0.1\ntls ${folder}/cert.pem ${folder}/key.pem`,
      ],
      ["127.0.0.1:3080", `127.0.0.1:${door}`],
      ["http://:3080", `http://:${door}`],
      ["root * /opt/midman/current/deploy", `root * ${folder}`],
      ["reverse_proxy 127.0.0.1:3000", `reverse_proxy ${one} ${other}`],
    ]),
};

function replaceInKitFile(name: string, changes: ReadonlyArray<readonly [string, string]>): string {
  return changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`deploy/${name} has no ${JSON.stringify(from)}`);
      return text.replaceAll(from, to);
    },
    readFileSync(join(deployFolder, name), "utf8"),
  );
}
