import { rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { copyOfTree, type Mutant } from "./tree.ts";

/**
 * The mutants that the types refuse: no such change could be built, so no test need notice it. Each is laid beside its file under a
 * name that nobody imports, so that none shows in another, with an untouched copy of every file to prove the way sound; throws when
 * one of these is refused.
 */
export async function refusedByTypes(mutants: readonly Mutant[]): Promise<Set<Mutant>> {
  if (mutants.length === 0) return new Set();
  const { folder } = await copyOfTree();
  const byPath = new Map<string, Mutant | null>();
  for (const [file, list] of Map.groupBy(mutants, ({ file }) => file)) {
    const text = await Bun.file(join(folder, file)).text();
    const lay = (name: string, content: string, mutant: Mutant | null) => {
      const path = join(dirname(file), `${basename(file, ".ts")}.${name}.ts`);
      writeFileSync(join(folder, path), content);
      byPath.set(path, mutant);
    };
    lay("untouched", text, null);
    for (const mutant of list) lay(`mutant-${mutant.id}`, changed(text, mutant), mutant);
  }
  const failing = await filesWithErrors(folder, [...byPath.keys()]);
  rmSync(folder, { recursive: true });
  const refused = failing.map((path) => byPath.get(path));
  if (refused.includes(null)) throw new Error(`an untouched file has errors: ${failing.join(", ")}`);
  return new Set(refused.filter((mutant) => mutant != null));
}

function changed(text: string, { at, replacement }: Mutant): string {
  return text.slice(0, at.from) + replacement + text.slice(at.to);
}

/** Those of the files that the compiler finds errors in. */
async function filesWithErrors(folder: string, files: readonly string[]): Promise<string[]> {
  const settings = join(folder, "tsconfig.mutants.json");
  // Unused names are lint's to find: a change that leaves one behind is a change still.
  const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true };
  writeFileSync(
    settings,
    JSON.stringify({ extends: "./tsconfig.json", compilerOptions, include: [], files }),
  );
  const compiler = Bun.spawn(["bunx", "--bun", "tsc", "--noEmit", "--pretty", "false", "-p", settings], {
    cwd: folder,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const said = await new Response(compiler.stdout).text();
  await compiler.exited;
  return [...new Set([...said.matchAll(/^(\S+\.ts)\(\d+,\d+\): error/gm)].map(([, path = ""]) => path))];
}
