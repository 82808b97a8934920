import { existsSync } from "node:fs";
import sharp from "sharp";
import { freePort } from "../server/midman-server.ts";
import { waitUntil } from "../wait-until.ts";
import { startBrowserProgram } from "./browser-program.ts";
import { type DrivenBrowser, type DriverLink, driveBrowser, driverCommands } from "./driven-browser.ts";
import { phoneFrame } from "./phone-frame.ts";

/** Debian's WPE WebKit 2.38, which is Safari 16's engine: the driver, and the browser that comes with the library. */
const driverPath = "/usr/bin/WPEWebDriver";
const browserPaths = new Bun.Glob("*/wpe-webkit-*/MiniBrowser");

const findBrowser = () => [...browserPaths.scanSync({ cwd: "/usr/lib", absolute: true })][0];

/** Why there is no WPE WebKit to drive; undefined if there is one. */
export function whyNoWpeWebkit(): string | undefined {
  if (existsSync(driverPath) && findBrowser() !== undefined) return undefined;
  return `there is no ${driverPath} or no MiniBrowser (Debian: apt-get install wpewebkit-driver libwpewebkit-1.1-0)`;
}

/**
 * Starts WPE WebKit without a screen, and drives it by its own WebDriver. Its window has one size, so the pages are in a frame of a phone's
 * size: the site must be behind `startPhoneFrame`.
 */
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
    const send: Send = (command, parameters) => {
      const { method, path } = driverCommands[command];
      const place = path.replace("{id}", String(parameters.id));
      return ask(method, `session/${session.sessionId}/${place}`, parameters);
    };
    return driveBrowser({ send: sendToFrame(send), close: program.stop });
  } catch (error) {
    await program.stop();
    throw error;
  }
}

type Send = DriverLink["send"];

/** What a command means inside the frame, where it differs: opening, the address, and the picture. */
function sendToFrame(send: Send): Send {
  let isFramed = false;
  const run = (script: string, ...args: unknown[]) => send("run", { script, args });
  const open = async (url: string) => {
    if (!isFramed) {
      await send("open", { url: new URL(phoneFrame.path, url).href });
      await send("frame", { id: 0 });
      isFramed = true;
    }
    await run("window.isLeft = true; location.href = arguments[0];", url);
    const isThere = "return window.isLeft === undefined && document.readyState === 'complete'";
    await waitUntil(async () => (await run(isThere).catch(() => false)) === true);
  };
  const picture = async () => {
    const window = Buffer.from(String(await send("picture", {})), "base64");
    const { width, height } = phoneFrame;
    const phone = await sharp(window).extract({ left: 0, top: 0, width, height }).png().toBuffer();
    return phone.toString("base64");
  };
  return async (command, parameters) => {
    if (command === "open") return open(String(parameters.url));
    if (command === "address") return run("return location.href");
    if (command === "picture") return picture();
    return send(command, parameters);
  };
}
