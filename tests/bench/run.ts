/**
 * `bun run bench`: every bench, one after the other, each ended where it takes too long; then the table of all targets at the head of
 * results.md. `--table` only writes the table, from the figures that are there; names (`sockets money`) run those alone.
 */
import { join } from "node:path";
import { largeSizes } from "../../scripts/seed/large/fill-large.ts";
import { databaseOf, small } from "./backoffice/database.ts";
import { writeTargets } from "./targets.ts";

/** Minutes that each may take at most. */
const benches = {
  ssr: 10,
  fanout: 5,
  phone: 40,
  room: 12,
  hand: 10,
  backoffice: 70,
  growth: 70,
  sockets: 16,
  soak: 38,
  messages: 10,
  money: 16,
  scale: 10,
} as const;

const asked = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}.`);
  process.exit(1);
}
const isAsked = (name: string) =>
  !process.argv.includes("--table") && (asked.length === 0 || asked.includes(name));

/** Filling the databases of these takes longer than measuring on them: where both are run, they share them. */
const growing = ["backoffice", "growth"];
const shares = growing.every(isAsked);
await using few = shares ? await databaseOf(undefined, small) : undefined;
await using many = shares ? await databaseOf(undefined, largeSizes) : undefined;
const filled = shares ? ["--small", few?.url ?? "", "--large", many?.url ?? ""] : [];

const failed: string[] = [];
for (const [name, minutes] of Object.entries(benches)) {
  if (!isAsked(name)) continue;
  console.log(`\n# bench:${name}, at most ${minutes} minutes\n`);
  const run = Bun.spawn([process.execPath, `${name}.ts`, ...(growing.includes(name) ? filled : [])], {
    cwd: import.meta.dir,
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
    timeout: minutes * 60_000,
    killSignal: "SIGTERM", // upon which it ends all that it started
  });
  if ((await run.exited) !== 0) failed.push(`bench:${name}`);
}
writeTargets(join(import.meta.dir, "results.md"), failed);
if (failed.length > 0)
  console.error(`Not run to its end: ${failed.join(", ")}. Their figures are those of the run before.`);
process.exitCode = failed.length === 0 ? 0 : 1;
