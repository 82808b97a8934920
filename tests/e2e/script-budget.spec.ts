import { expect, test } from "@playwright/test";
import { targets } from "../bench/phone/load.ts";
import { describeScripts, firstScriptsOf, readBuiltScripts } from "../support/pages/built-scripts.ts";

/** What a script may consist of beside the product: another package in it was imported by mistake, or must be discussed. */
const allowedPackages = new Set([".", "react", "react-dom", "scheduler", "lucide", "idb-keyval"]);

test("the scripts with which a room begins are within their budget", () => {
  const first = firstScriptsOf(["islands", "enhance"]);
  const bytes = first.reduce((sum, { brotliBytes }) => sum + brotliBytes, 0);
  const table = `the room's first scripts:\n${describeScripts(first)}\nall:\n${describeScripts(readBuiltScripts())}`;
  expect(bytes, table).toBeGreaterThan(20_000);
  expect(bytes, table).toBeLessThanOrEqual(targets.roomScript);
});

test("the first scripts of the list of rooms are within the budget of a page outside the room", () => {
  const first = firstScriptsOf(["enhance", "rooms"]);
  const bytes = first.reduce((sum, { brotliBytes }) => sum + brotliBytes, 0);
  expect(bytes, describeScripts(first)).toBeGreaterThan(1_000);
  expect(bytes, describeScripts(first)).toBeLessThanOrEqual(targets.script);
});

test("no script has a package that was not meant for browsers, nor a schema library", () => {
  const scripts = readBuiltScripts();
  expect(scripts.length).toBeGreaterThanOrEqual(4);
  const strange = scripts.flatMap(({ name, text, packages }) => [
    ...Object.keys(packages)
      .filter((found) => !allowedPackages.has(found))
      .map((found) => `${name}: ${found} (${packages[found]} bytes)`),
    ...(/\b_zod\b|ZodError/.test(text) ? [`${name}: zod`] : []),
  ]);
  expect(strange, describeScripts(scripts)).toEqual([]);
});
