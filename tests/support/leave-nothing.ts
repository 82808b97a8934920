import { afterAll } from "bun:test";
import { rmSync } from "node:fs";

// A worker of `bun test --parallel` runs many files and is ended without its exit being told: each file takes its folder along.
const folder = process.env.DATA_DIR ?? "";
afterAll(() => {
  if (/\/midman-data-\w+$/.test(folder)) rmSync(folder, { recursive: true, force: true });
});
