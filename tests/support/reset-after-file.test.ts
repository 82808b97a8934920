import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "./server/midman-server.ts";

const folder = mkdtempSync(join(tmpdir(), "midman-two-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

const clock = join(repositoryRoot, "db/clock.ts");
const config = join(repositoryRoot, "config.ts");

const leavesEverything = `
import { spyOn, test } from "bun:test";
import { overrideConfig } from "${config}";
import { setClock } from "${clock}";
test("leaves everything changed", () => {
  spyOn(globalThis, "fetch").mockImplementation((() => {}) as never);
  process.env.LEFT_BEHIND = "1";
  overrideConfig({ THROTTLE_FACTOR: 0.05 });
  setClock(() => new Date(0));
});`;
const findsNothing = `
import { expect, test } from "bun:test";
import { config } from "${config}";
import { currentTime } from "${clock}";
const settings = config();
test("finds nothing changed", () => {
  expect("mock" in fetch).toBe(false);
  expect(process.env.LEFT_BEHIND).toBeUndefined();
  expect(settings.THROTTLE_FACTOR).not.toBe(0.05);
  expect(currentTime().getFullYear()).toBeGreaterThan(2000);
});`;

test("in a single process too, a file finds nothing of the one before it", () => {
  writeFileSync(join(folder, "a.test.ts"), leavesEverything);
  writeFileSync(join(folder, "b.test.ts"), findsNothing);
  const { exitCode, stderr } = Bun.spawnSync(
    [
      process.execPath,
      "test",
      "--parallel=1",
      "--no-isolate",
      join(folder, "a.test.ts"),
      join(folder, "b.test.ts"),
    ],
    { cwd: repositoryRoot, env: { ...process.env, DATA_DIR: undefined }, stdout: "pipe", stderr: "pipe" },
  );
  expect(stderr.toString()).toContain("2 pass");
  expect(exitCode).toBe(0);
});
