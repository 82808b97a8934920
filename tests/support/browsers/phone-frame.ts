import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntil } from "../wait-until.ts";

/** The size of the frame's window: a phone's width, and the height of the window around it. */
export const phoneFrame = { width: 360, height: 720, path: "/phone-frame" } as const;

/**
 * Starts a proxy at `port` before a server at `target`, whose pages can be shown in a frame of a phone's size, at `phoneFrame.path`. For a
 * browser whose window has one size. Nothing else of an answer is changed.
 */
export async function startPhoneFrame(port: number, target: number): Promise<{ stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "midman-frame-"));
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, configuration(port, target));
  const binary = Bun.which("haproxy") ?? "/usr/sbin/haproxy";
  const running = Bun.spawn([binary, "-db", "-q", "-f", file], {
    ...{ cwd: folder, stdin: "ignore", stdout: "ignore", stderr: "ignore" },
  });
  const end = () => running.kill("SIGTERM");
  process.on("exit", end);
  await waitUntil(() =>
    fetch(`http://127.0.0.1:${port}${phoneFrame.path}`).then(
      (reply) => reply.ok,
      () => false,
    ),
  );
  return {
    stop: async () => {
      end();
      process.off("exit", end);
      await running.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const configuration = (port: number, target: number) => `
defaults
  mode http
  timeout connect 5s
  timeout client 120s
  timeout server 120s
  timeout tunnel 1h
frontend phone
  bind 127.0.0.1:${port}
  http-request return status 200 content-type text/html string '${framePage}' if { path ${phoneFrame.path} }
  http-response del-header X-Frame-Options
  http-response replace-header Content-Security-Policy "(.*)frame-ancestors 'none'(.*)" "\\1frame-ancestors 'self'\\2"
  default_backend midman
backend midman
  server midman 127.0.0.1:${target}
`;

const framePage =
  `<!doctype html><title>Phone</title><style>body{margin:0}iframe{border:0;display:block;` +
  `width:${phoneFrame.width}px;height:${phoneFrame.height}px}</style><iframe></iframe>`;
