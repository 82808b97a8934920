import { type Server, type ServerOptions, startServer } from "../../support/server/midman-server.ts";

/** What an instance is told: the time it is now (ms), to look at every deadline. */
export type Told = { id: number; clock?: number; sweep?: boolean };
type Answer = { id: number; failed?: string };

/** An instance that does what it is told; `tell` waits until it is done, and throws what it threw. */
export type Steered = Omit<Server, "tell"> & { tell(what: Omit<Told, "id">): Promise<void> };

/** Starts an instance whose clock and sweeps are steered over the channel between a process and its child. */
export async function startSteered(options: ServerOptions, now: number): Promise<Steered> {
  const waiting = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  let asked = 0;
  const server = await startServer({
    ...options,
    program: "tests/faults/simulator/instance.ts",
    environment: { ...options.environment, SIMULATED_NOW: String(now) },
    hear(message) {
      const { id, failed } = message as Answer;
      const one = waiting.get(id);
      waiting.delete(id);
      if (failed === undefined) one?.resolve();
      else one?.reject(new Error(failed));
    },
  });
  const tell = (what: Omit<Told, "id">) =>
    new Promise<void>((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, { resolve, reject });
      server.tell({ ...what, id });
    });
  return { ...server, tell };
}
