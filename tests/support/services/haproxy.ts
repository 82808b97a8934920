import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../server/midman-server.ts";

/** Debian's haproxy before several instances, as an operator would have it. */
export type Haproxy = {
  readonly url: string;
  /** What it counted of its servers: the sum over them of one of the columns of its statistics. */
  count(column: "wretr" | "wredis" | "econ" | "eresp"): Promise<number>;
  /** How many instances it sends requests to. */
  up(): Promise<number>;
  stop(): Promise<void>;
};

/**
 * Starts one at `port` before the instances at `ports`. What only reads is tried once more, elsewhere, when a connection fails or ends
 * without an answer; what writes is never tried twice. It looks at `/readyz` twice a second, and two
 * looks decide; an answer that is late on a busy machine is not a no.
 */
export async function startHaproxy(port: number, ports: readonly number[]): Promise<Haproxy> {
  const binary =
    Bun.which("haproxy") ?? ((await Bun.file("/usr/sbin/haproxy").exists()) ? "/usr/sbin/haproxy" : null);
  if (binary === null) throw new Error("These tests need haproxy (Debian: apt-get install haproxy)");
  const folder = mkdtempSync(join(tmpdir(), "midman-haproxy-"));
  const statistics = await freePort();
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, haproxyConfiguration(port, statistics, ports));
  const running = Bun.spawn([binary, "-db", "-f", file], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    cwd: "/tmp",
  });
  const end = () => running.kill("SIGTERM");
  process.on("exit", end);
  const table = async () => {
    const asked = { signal: AbortSignal.timeout(5_000), keepalive: false };
    return parseStatistics(await (await fetch(`http://127.0.0.1:${statistics}/;csv`, asked)).text());
  };
  const servers = async () => (await table()).filter(({ svname }) => /^midman\d+$/.test(svname ?? ""));
  for (let tries = 0; ; tries++) {
    const answers = await servers().catch(() => []);
    if (answers.length > 0) break;
    if (tries > 200 || running.exitCode !== null) throw new Error("haproxy did not start");
    await Bun.sleep(25);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    count: async (column) => (await servers()).reduce((sum, row) => sum + Number(row[column]), 0),
    up: async () =>
      (await servers().catch(() => [])).filter(
        ({ pxname, status }) => pxname === "reads" && status?.startsWith("UP"),
      ).length,
    stop: async () => {
      end();
      process.off("exit", end);
      await running.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function haproxyConfiguration(port: number, statistics: number, ports: readonly number[]): string {
  const servers = (options: (name: string) => string) =>
    ports.map((one, i) => `  server midman${i} 127.0.0.1:${one} ${options(`midman${i}`)}`).join("\n");
  return `
global
  maxconn 4000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
  timeout check 5s
  timeout http-keep-alive 30s
  option forwardfor
  http-reuse always
frontend front
  bind 127.0.0.1:${port}
  http-request set-header X-Forwarded-Proto http
  use_backend reads if { method GET HEAD }
  default_backend writes
backend reads
  balance roundrobin
  option httpchk GET /readyz
  option redispatch 1
  retries 1
  retry-on conn-failure empty-response response-timeout 503
  http-response set-header X-Instance %s
${servers(() => "check inter 500ms fall 2 rise 1")}
backend writes
  balance roundrobin
  retries 0
  http-response set-header X-Instance %s
${servers((name) => `track reads/${name}`)}
listen statistics
  bind 127.0.0.1:${statistics}
  stats enable
  stats uri /
`;
}

/** The statistics as haproxy tells them: a line of names, then one each. */
function parseStatistics(csv: string): Record<string, string>[] {
  const [head = "", ...lines] = csv.replace(/^# /, "").trim().split("\n");
  const names = head.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((value, i) => [names[i] ?? "", value])));
}
