/**
 * What test files of the planted tree import in place of `bun:test`. In a process that keeps its tests (`warm.ts`) they are collected,
 * to be run as often as there are mutants; in any other this is `bun:test` itself.
 */
import * as own from "bun:test";

export { expect, jest, mock, setSystemTime, spyOn } from "bun:test";

type Work = () => unknown;
type Hooks = { beforeAll: Work[]; beforeEach: Work[]; afterEach: Work[]; afterAll: Work[] };
type Block = Hooks & { name: string; outer: Block | null; begun: boolean };
type Rows = ReadonlyArray<unknown>;

/** A test as its file told it, with the blocks it stands in, outermost first. */
export type Collected = { name: string; run: Work; blocks: Block[] };

const collecting = process.env.MUTATION_WARM !== undefined;
const fileBlock = blockOf("", null);
let block = fileBlock;

/** The tests of the files imported so far. */
export const collected: Collected[] = [];

function blockOf(name: string, outer: Block | null): Block {
  return { name, outer, begun: false, beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] };
}

function collectBlock(name: string, fill: Work): void {
  const outer = block;
  block = blockOf(name, outer);
  fill();
  block = outer;
}

function collectTest(name: string, run: Work): void {
  const blocks: Block[] = [];
  for (let one: Block | null = block; one !== null; one = one.outer) blocks.unshift(one);
  collected.push({ name: [...blocks.slice(1), { name }].map((one) => one.name).join(" > "), run, blocks });
}

const each = (rows: Rows) => (name: string, run: (...values: unknown[]) => unknown) => {
  for (const [at, row] of rows.entries()) {
    collectTest(`${name} #${at}`, () => (Array.isArray(row) ? run(...row) : run(row)));
  }
};

const hook = (kind: keyof Hooks) => (work: Work) => void block[kind].push(work);

export const describe = collecting ? collectBlock : own.describe;
export const test = collecting ? Object.assign(collectTest, { each }) : own.test;
export const beforeAll = collecting ? hook("beforeAll") : own.beforeAll;
export const beforeEach = collecting ? hook("beforeEach") : own.beforeEach;
export const afterEach = collecting ? hook("afterEach") : own.afterEach;
export const afterAll = collecting ? hook("afterAll") : own.afterAll;
export const setDefaultTimeout = collecting ? () => {} : own.setDefaultTimeout;

/** Runs a test with its hooks, those of its blocks the first time only. Throws what it failed of. */
export async function runCollected({ run, blocks }: Collected): Promise<void> {
  for (const one of blocks) {
    if (one.begun) continue;
    one.begun = true;
    for (const work of one.beforeAll) await work();
  }
  const inward = [...blocks].reverse();
  try {
    for (const work of blocks.flatMap((one) => one.beforeEach)) await work();
    await run();
  } finally {
    for (const work of inward.flatMap((one) => one.afterEach)) await work();
  }
}

/** Runs what is to be done after all tests, innermost blocks first. */
export async function endCollected(): Promise<void> {
  const begun = new Set(collected.flatMap(({ blocks }) => [...blocks].reverse()).filter((one) => one.begun));
  const inward = [...begun].sort((a, b) => depth(b) - depth(a));
  for (const work of inward.flatMap((one) => one.afterAll)) await work();
}

function depth({ outer }: Block): number {
  return outer === null ? 0 : 1 + depth(outer);
}
