import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyOfTree } from "../../mutation/tree.ts";
import { type Breach, editsOf, occurrences } from "./breach.ts";
import type { Fate } from "./results.ts";

/** A copy of the tree, built, in which breaches are made one at a time. */
export type Scratch = {
  /** Runs the tests of a file that a pattern names, with nothing broken; throws if one fails. */
  baseline(testFile: string): Promise<void>;
  /** Makes the breach, runs the test of its requirement, and takes the breach back. */
  tryBreach(breach: Breach, testFile: string): Promise<{ fate: Fate; by: string }>;
  remove(): void;
};

/** Copies and builds the tree; whoever asked for it removes it. */
export async function makeScratch(): Promise<Scratch> {
  const { folder } = await copyOfTree();
  await build(folder);
  const built = new Set<string>(JSON.parse(readFileSync(join(folder, "build", "inputs.json"), "utf8")));
  const keep = mkdtempSync(join(tmpdir(), "midman-build-"));
  await Bun.$`cp -a ${join(folder, "build")}/. ${keep}`.quiet();
  const restoreBuild = async () => {
    rmSync(join(folder, "build"), { recursive: true, force: true });
    await Bun.$`cp -a ${keep} ${join(folder, "build")}`.quiet();
  };

  async function tryBreach(breach: Breach, testFile: string) {
    const edits = editsOf(breach);
    const before = new Map(edits.map(({ file }) => [file, readFileSync(join(folder, file))]));
    const isBuilt = edits.some(({ file }) => built.has(file) || file === "scripts/build.ts");
    try {
      for (const edit of edits) {
        if (occurrences(edit, folder) !== 1)
          return { fate: "unclear" as const, by: `not found: ${edit.find}` };
        const path = join(folder, edit.file);
        writeFileSync(
          path,
          readFileSync(path, "utf8").replace(edit.find, () => edit.replace),
        );
      }
      if (isBuilt && !(await build(folder, true)))
        return { fate: "unclear" as const, by: "the build failed" };
      return await run(folder, testFile, breach.requirement);
    } finally {
      for (const [file, bytes] of before) writeFileSync(join(folder, file), bytes);
      if (isBuilt) await restoreBuild();
    }
  }

  return {
    async baseline(testFile) {
      const { code, said } = await bunTest(folder, testFile, []);
      if (code !== 0) throw new Error(`${testFile} fails with nothing broken:\n${said}`);
    },
    tryBreach,
    remove() {
      for (const place of [folder, keep]) rmSync(place, { recursive: true, force: true });
    },
  };
}

async function build(folder: string, mayFail = false): Promise<boolean> {
  const done = await Bun.$`${process.execPath} scripts/build.ts`.cwd(folder).quiet().nothrow();
  if (done.exitCode === 0 && existsSync(join(folder, "build", "inputs.json"))) return true;
  if (mayFail) return false;
  throw new Error(`the build failed:\n${done.stderr.toString()}`);
}

async function bunTest(folder: string, testFile: string, more: string[]) {
  const child = Bun.spawn(
    [process.execPath, "test", `./tests/security/${testFile}`, "--timeout", "60000", ...more],
    {
      cwd: folder,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: 300_000,
      killSignal: "SIGKILL",
    },
  );
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, said: Bun.stripANSI(`${out}\n${err}`) };
}

async function run(
  folder: string,
  testFile: string,
  requirement: string,
): Promise<{ fate: Fate; by: string }> {
  const pattern = `(^| )${requirement.replaceAll(".", "\\.")} `;
  const { code, said } = await bunTest(folder, testFile, ["-t", pattern]);
  if (code === 0) return { fate: "lived", by: "" };
  const failed = said
    .split("\n")
    .some((line) => line.startsWith("(fail)") && line.includes(` ${requirement} `));
  return { fate: failed ? "noticed" : "unclear", by: failed ? reasonIn(said) : said.slice(-2_000) };
}

/** The first error and, where values were compared, what differed; ports, times and ids left out. */
function reasonIn(said: string): string {
  const from = said.indexOf("error: ");
  const lines = said.slice(from).split("\n").slice(0, 40);
  const differing = lines.filter(
    (line) => /^[-+] +\S/.test(line) && !/^[-+] (?:Expected|Received) +[-+]/.test(line),
  );
  const told = lines.filter((line) => /^(?:Expected|Received)\b/.test(line.trim()));
  const whole = [lines[0] ?? "", ...(differing.length > 0 ? differing : told)].slice(0, 3).join(" | ");
  const plain = whole
    .replaceAll(/\s+/g, " ")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1")
    .replaceAll(/\/tmp\/[\w./-]+/g, "…");
  return plain.length > 200 ? `${plain.slice(0, 197)}…` : plain;
}
