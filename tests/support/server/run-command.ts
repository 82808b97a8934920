import { join } from "node:path";
import { databaseSettings } from "./midman-server.ts";

const projectRoot = join(import.meta.dir, "..", "..", "..");

/** What a command came to. */
export type CommandResult = { code: number; out: string; err: string };

/** Runs one of our commands (`scripts/<name>.ts`) to its end, with these settings beside the path alone; of a database its owner's address gives both roles'. */
export async function runMidmanCommand(
  name: string,
  args: readonly string[],
  settings: Record<string, string>,
  input = "",
): Promise<CommandResult> {
  const child = Bun.spawn([process.execPath, `scripts/${name}.ts`, ...args], {
    cwd: projectRoot,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: "production",
      LOG_LEVEL: "warn",
      ...settings,
      ...(settings.DATABASE_URL !== undefined && databaseSettings(settings.DATABASE_URL)),
    },
    stdin: new TextEncoder().encode(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}

/** What a command that went well says beside its answer: which database it acted on, and nothing else. */
export const databaseLinesPattern =
  /^Database: .*\n(?:It holds the data of .*\n)?(?:WARNING: no instance has .*\n)?$/;
