import type { Executor } from "#db/client";

/**
 * Reads what a higher module stores about a person, as plain JSON. Returns only the person's own data, nothing by which someone else could
 * be reached or paid (phone number, email, bank account).
 */
export type DataCollector = (exec: Executor, userId: number) => Promise<unknown>;

const dataCollectors = new Map<string, DataCollector>();

/** Registers a part of every person's data under a name, at start. Returns a function that removes it (tests). */
export function registerDataCollector(name: string, collect: DataCollector): () => void {
  dataCollectors.set(name, collect);
  return () => void dataCollectors.delete(name);
}

/** Every registered part of a person's data, by name. */
export async function collectModuleData(exec: Executor, userId: number): Promise<Record<string, unknown>> {
  const parts: Record<string, unknown> = {};
  for (const [name, collect] of dataCollectors) parts[name] = await collect(exec, userId);
  return parts;
}
