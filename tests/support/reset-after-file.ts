import { afterAll, mock, setSystemTime } from "bun:test";
import { rmSync } from "node:fs";
import { resetConfig } from "../../config.ts";

// After each file the environment, the settings, the clock and mocked functions are as they were before it. Files run isolated from each other:
// with `--no-isolate`, timers and connections that one file leaves behind still fail others.
const initialEnvironment = { ...process.env };
const dataFolder = process.env.DATA_DIR ?? "";

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in initialEnvironment)) delete process.env[name];
  Object.assign(process.env, initialEnvironment);
  resetConfig();
  setSystemTime();
  mock.restore();
  // The process may be ended without its exit handlers, so each file removes the folder; the next one makes it again.
  if (/\/midman-data-\w+$/.test(dataFolder)) rmSync(dataFolder, { recursive: true, force: true });
});
