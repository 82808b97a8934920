/**
 * `bun run security:break [--only <numbers>] [--again] [--sound]`: breaks the rule of each requirement in a copy of the tree, one
 * breach at a time, and runs the requirement's test, which must fail. What was tried before and has not changed since is left
 * out, so that a run can be stopped and taken up again. First each test file runs with nothing broken, unless `--sound` says that
 * the tests are known to pass. Writes `results.json` after each breach, and `results.md` at the end.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { digestOf, keyOf } from "./breach.ts";
import { findRequirementTests, securityTests } from "./find-tests.ts";
import { breaches } from "./list.ts";
import { writeReport } from "./report.ts";
import { readResults, writeResults } from "./results.ts";
import { makeScratch } from "./scratch.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    again: { type: "boolean", default: false },
    sound: { type: "boolean", default: false },
  },
});
const parts = values.only.split(",");
const wanted = ({ requirement }: { requirement: string }) =>
  parts.some(
    (part) =>
      requirement === part || requirement.startsWith(part.endsWith(".") || part === "" ? part : `${part}.`),
  );

const fileOf = new Map(findRequirementTests().map(({ number, file }) => [number, file]));
const results = readResults();
/** The first breach of each requirement comes first, so that a run that is stopped has seen as many requirements as it could. */
const rank = (breach: (typeof breaches)[number]) =>
  breaches.filter(({ requirement }) => requirement === breach.requirement).indexOf(breach);
const plans = [...breaches.filter(wanted)]
  .sort((a, b) => rank(a) - rank(b))
  .flatMap((breach) => {
    const file = fileOf.get(breach.requirement);
    if (file === undefined) throw new Error(`no test is named ${breach.requirement}`);
    const digest = digestOf(breach, join(securityTests, file));
    const before = results[keyOf(breach)];
    const known = before?.digest === digest && before.fate === "noticed" && !values.again;
    return known ? [] : [{ breach, file, digest }];
  });

if (plans.length > 0) {
  const scratch = await makeScratch();
  process.on("exit", () => scratch.remove());
  process.on("SIGINT", () => process.exit(130));
  process.on("SIGTERM", () => process.exit(143));
  const sound = new Set<string>();
  for (const [at, { breach, file, digest }] of plans.entries()) {
    if (!values.sound && !sound.has(file)) await scratch.baseline(file);
    sound.add(file);
    const result = await scratch.tryBreach(breach, file);
    results[keyOf(breach)] = { digest, ...result };
    writeResults(results, breaches);
    console.log(`${at + 1}/${plans.length} ${result.fate} ${keyOf(breach)}: ${result.by}`);
  }
}
writeReport(results, breaches);
const open = breaches.filter((breach) => results[keyOf(breach)]?.fate !== "noticed");
for (const breach of open) console.log(`not noticed: ${keyOf(breach)}`);
process.exit(open.length === 0 ? 0 : 1);
