// Loaded before a test file of the instrumented tree: at the end it writes which mutants the file met.
import { afterAll } from "bun:test";
import { writeFileSync } from "node:fs";

type Namespace = { mutantCoverage?: { static: Record<string, number> } };

const report = process.env.MUTATION_COVERAGE;
if (report !== undefined) {
  afterAll(() => {
    const { mutantCoverage } = (globalThis as { __stryker__?: Namespace }).__stryker__ ?? {};
    writeFileSync(report, JSON.stringify(Object.keys(mutantCoverage?.static ?? {})));
  });
}
