import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { waitUntil } from "../wait-until.ts";
import { startBrowserProgram } from "./browser-program.ts";
import { type DrivenBrowser, driveBrowser, driverCommands } from "./driven-browser.ts";

/** Debian's Firefox ESR. */
const firefoxPath = "/usr/bin/firefox-esr";

/** Why there is no Firefox to drive; undefined if there is one. */
export const whyNoFirefox = (): string | undefined =>
  existsSync(firefoxPath) ? undefined : `there is no ${firefoxPath} (Debian: apt-get install firefox-esr)`;

/** How Firefox is started: its port is free for the asking, and it calls nobody. */
const firefoxSettings = (theme: string) => ({
  "marionette.port": 0,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "intl.accept_languages": "en",
  "layout.css.prefers-color-scheme.content-override": theme === "dark" ? 0 : 1,
});

/** The page's part of the window, as wide as a phone: Firefox's own window is never narrower than 450 pixels. */
const fitWindow = `
  const [width, height] = arguments;
  Object.assign(gBrowser.selectedBrowser.style, { flex: "none", width: width + "px", height: height + "px" });`;

/** Starts Firefox without a screen, its page in a window of the size of a phone's, and drives it by Marionette. */
export async function startFirefox(theme: "light" | "dark" = "light"): Promise<DrivenBrowser> {
  const flags = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote"];
  const program = startBrowserProgram(
    (home) => [firefoxPath, ...flags, "--window-size", "1280,1024", "--profile", home],
    (home) => {
      const lines = Object.entries(firefoxSettings(theme)).map(
        ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
      );
      writeFileSync(join(home, "user.js"), lines.join(""));
    },
  );
  try {
    const note = join(program.home, "MarionetteActivePort");
    await waitUntil(() => {
      program.assertRunning();
      return existsSync(note) && readFileSync(note, "utf8") !== "";
    }, 120_000);
    const ask = await connectMarionette(Number(readFileSync(note, "utf8")));
    await ask("WebDriver:NewSession", {});
    await ask("Marionette:SetContext", { value: "chrome" });
    await ask("WebDriver:ExecuteScript", { script: fitWindow, args: [360, 740] });
    await ask("Marionette:SetContext", { value: "content" });
    return driveBrowser({
      send: (command, parameters) => ask(driverCommands[command].marionette, parameters),
      close: program.stop,
    });
  } catch (error) {
    await program.stop();
    throw error;
  }
}

type MarionetteAnswer = [
  kind: number,
  id: number,
  error: { error: string; message: string } | null,
  result: unknown,
];

/** Firefox's protocol: each frame is the length of a JSON text in bytes, a colon and the text; one command at a time. */
async function connectMarionette(port: number) {
  const socket = connect(port, "127.0.0.1");
  const frames = readFrames(socket);
  await frames.next();
  let last = 0;
  return async (name: string, parameters: Record<string, unknown>): Promise<unknown> => {
    const text = JSON.stringify([0, ++last, name, parameters]);
    socket.write(`${Buffer.byteLength(text)}:${text}`);
    const { value, done } = await frames.next();
    if (done) throw new Error("Firefox has ended");
    const [, , error, result] = value as MarionetteAnswer;
    if (error !== null) throw new Error(`${name}: ${error.error}: ${error.message}`);
    return isWrapped(result) ? result.value : result;
  };
}

const isWrapped = (result: unknown): result is { value: unknown } =>
  typeof result === "object" && result !== null && "value" in result;

async function* readFrames(socket: Socket): AsyncGenerator<unknown, void> {
  let rest = Buffer.alloc(0);
  for await (const chunk of socket) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    for (let colon = rest.indexOf(":"); colon > 0; colon = rest.indexOf(":")) {
      const end = colon + 1 + Number(rest.subarray(0, colon).toString());
      if (rest.length < end) break;
      yield JSON.parse(rest.subarray(colon + 1, end).toString());
      rest = rest.subarray(end);
    }
  }
}
