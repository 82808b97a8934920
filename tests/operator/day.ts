import type { Server } from "../support/server/midman-server.ts";
import type { Haproxied } from "./door.ts";
import type { Service } from "./service.ts";
import type { PaidTrade } from "./town.ts";

/** State that the steps share: the environment, and what earlier steps created. */
export type Day = {
  /** A clone of the tested commit. */
  tree: string;
  /** The repository, and the commit to upgrade from; undefined in a shallow clone. */
  repository: string;
  before: string | undefined;
  /** Midman's public address, by TLS. */
  site: string;
  door: Haproxied;
  /** The payment provider: the sandbox of a Midman elsewhere. */
  bank: Server;
  /** The running service, if any. */
  service?: Service;
  /** The releases below /opt/midman/releases: the tree's own, and the one of `before`. */
  release?: string;
  olderRelease?: string;
  /** The administrator, with the secret of their second factor and the step of the last code that they used. */
  admin?: { username: string; password: string; secret: string; used: number };
  paidTrade?: PaidTrade;
  /** What the steps must undo at the end. */
  ends: Array<() => Promise<void>>;
};

/** A step of the day. `note` adds a line to the report. Throws if a check fails, and `LeftOut` if this machine cannot run the rest of it. */
export type Step = { name: string; run(day: Day, note: (words: string) => void): Promise<void> };

/** Thrown to skip the rest of a step, with the reason. */
export class LeftOut extends Error {}

/** The running service; throws if there is none. */
export function runningService({ service }: Day): Service {
  if (service === undefined) throw new Error("no service runs: an earlier step failed");
  return service;
}

/** The paid trade that an earlier step made; throws if there is none. */
export function paidTradeOf({ paidTrade }: Day): PaidTrade {
  if (paidTrade === undefined) throw new Error("there is no trade: an earlier step failed");
  return paidTrade;
}

/** Stops the service with SIGTERM; throws unless it exits with 0. */
export async function stopService(day: Day): Promise<void> {
  const status = await runningService(day).end("SIGTERM");
  delete day.service;
  if (status !== 0) throw new Error(`the service ended with ${status}`);
}
