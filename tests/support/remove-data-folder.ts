import { afterAll } from "bun:test";
import { rmSync } from "node:fs";

// A worker of `bun test --parallel` runs many files and is ended without its exit being told: each file takes its folder along.
const dataFolder = process.env.DATA_DIR ?? "";
afterAll(() => {
  if (/\/midman-data-\w+$/.test(dataFolder)) rmSync(dataFolder, { recursive: true, force: true });
});
