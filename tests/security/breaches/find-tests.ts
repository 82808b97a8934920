import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const securityTests = join(import.meta.dir, "..");

/** The tests that are named after a requirement's number, each with its file. */
export function findRequirementTests(): Array<{ number: string; file: string }> {
  const files = readdirSync(securityTests).filter((name) => /^v\d\d.*\.test\.ts$/.test(name));
  return files.flatMap((file) =>
    [...readFileSync(join(securityTests, file), "utf8").matchAll(/^\s*test\(\s*["'`](\d+\.\d+\.\d+) /gm)].map(
      ([, number = ""]) => ({ number, file }),
    ),
  );
}
