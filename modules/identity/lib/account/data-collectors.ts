import type { Executor } from "#db/client";

/**
 * Reads what a higher module keeps about a person, as plain JSON. Only what is the person's own: nothing by which
 * somebody else could be reached or paid (telephone, e-mail, bank account).
 */
export type DataCollector = (exec: Executor, userId: number) => Promise<unknown>;

const dataCollectors = new Map<string, DataCollector>();

/** Adds a part to everybody's data under its name, at start. Returns what takes it away again (tests). */
export function registerDataCollector(name: string, collect: DataCollector): () => void {
  dataCollectors.set(name, collect);
  return () => void dataCollectors.delete(name);
}

/** Every registered part of a person's data, by its name. */
export async function collectModuleData(exec: Executor, userId: number): Promise<Record<string, unknown>> {
  const parts: Record<string, unknown> = {};
  for (const [name, collect] of dataCollectors) parts[name] = await collect(exec, userId);
  return parts;
}
