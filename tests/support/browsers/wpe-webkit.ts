import { existsSync } from "node:fs";
import { freePort } from "../server/midman-server.ts";
import { waitUntil } from "../wait-until.ts";
import { startBrowserProgram } from "./browser-program.ts";
import { type DrivenBrowser, driveBrowser, driverCommands } from "./driven-browser.ts";

/** Debian's WPE WebKit 2.38, which is Safari 16's engine: the driver, and the browser that comes with the library. */
const driverPath = "/usr/bin/WPEWebDriver";
const browserPaths = new Bun.Glob("*/wpe-webkit-*/MiniBrowser");

const findBrowser = () => [...browserPaths.scanSync({ cwd: "/usr/lib", absolute: true })][0];

/** Why there is no WPE WebKit to drive; undefined if there is one. */
export function whyNoWpeWebkit(): string | undefined {
  if (existsSync(driverPath) && findBrowser() !== undefined) return undefined;
  return `there is no ${driverPath} or no MiniBrowser (Debian: apt-get install wpewebkit-driver libwpewebkit-1.1-0)`;
}

/** Starts WPE WebKit without a screen, and drives it by its own WebDriver. Its window is 1280 × 720 and cannot be changed. */
export async function startWpeWebkit(): Promise<DrivenBrowser> {
  const port = await freePort();
  const program = startBrowserProgram(() => [driverPath, `--port=${port}`]);
  const ask = async (method: string, path: string, parameters?: object): Promise<unknown> => {
    const body = method === "POST" ? { body: JSON.stringify(parameters ?? {}) } : {};
    const reply = await fetch(`http://127.0.0.1:${port}/${path}`, { method, keepalive: false, ...body });
    const { value } = (await reply.json()) as { value: unknown };
    if (reply.ok) return value;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`${method} ${path}: ${error}: ${message}`);
  };
  try {
    await waitUntil(async () => {
      program.assertRunning();
      return ask("GET", "status").then(
        () => true,
        () => false,
      );
    });
    const binary = { binary: findBrowser(), args: ["--automation", "--headless"] };
    const capabilities = { alwaysMatch: { "wpe:browserOptions": binary } };
    const session = (await ask("POST", "session", { capabilities })) as { sessionId: string };
    return driveBrowser({
      send: (command, { id, ...parameters }) => {
        const { method, path } = driverCommands[command];
        return ask(method, `session/${session.sessionId}/${path.replace("{id}", String(id))}`, parameters);
      },
      close: program.stop,
    });
  } catch (error) {
    await program.stop();
    throw error;
  }
}
