import type { Results } from "./results.ts";

export function writeReport(_results: Results): void {}
