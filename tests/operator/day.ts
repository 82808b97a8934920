import type { Server } from "../support/server.ts";
import type { Haproxied } from "./door.ts";
import type { Service } from "./service.ts";
import type { Kept } from "./town.ts";

/** What the steps of a day share: the machine's surroundings, and what earlier steps left. */
export type Day = {
  /** A clone of the commit that is tried, as an operator has it. */
  tree: string;
  /** The repository, and the commit of it that is upgraded from; undefined where the history is not there. */
  repository: string;
  before: string | undefined;
  /** Midman's public address, by TLS. */
  site: string;
  door: Haproxied;
  /** The payment provider: the sandbox of a Midman elsewhere. */
  bank: Server;
  /** The service that runs; undefined while none does. */
  service?: Service;
  /** The releases below /opt/midman/releases: the tree's own, and the one of `before`. */
  release?: string;
  olderRelease?: string;
  /** The administrator, with the secret of their second factor and the step of the last code that they used. */
  admin?: { username: string; password: string; secret: string; used: number };
  kept?: Kept;
  /** What the steps must undo at the end. */
  ends: Array<() => Promise<void>>;
};

/** A step: `note` tells what was seen. It throws where something was not as it should be, and `LeftOut` where this machine does not let it go on. */
export type Step = { name: string; run(day: Day, note: (words: string) => void): Promise<void> };

/** Why a step, or the rest of it, was left out. */
export class LeftOut extends Error {}

/** The service that runs; throws where none does. */
export function running({ service }: Day): Service {
  if (service === undefined) throw new Error("no service runs: an earlier step failed");
  return service;
}

/** The trade of the morning; throws where there is none. */
export function morning({ kept }: Day): Kept {
  if (kept === undefined) throw new Error("there is no trade: an earlier step failed");
  return kept;
}

/** Ends the service in order; it must end with 0. */
export async function stop(day: Day): Promise<void> {
  const status = await running(day).end("SIGTERM");
  delete day.service;
  if (status !== 0) throw new Error(`the service ended with ${status}`);
}
