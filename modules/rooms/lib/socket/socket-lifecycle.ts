import { log } from "#db/log";
import { onSessionsEnded } from "#modules/identity";
import { collectOwnData } from "../privacy/collect-own-data.ts";
import "../privacy/erase-quiet-rooms.ts";
import "../unread/search-unread.ts";
import { Hub } from "./hub.ts";
import { socketTimings } from "./limits.ts";
import { measureSockets } from "./metrics.ts";
import type { Publisher } from "./room-sockets.ts";

const hubsByServer = new Map<Publisher, Hub>();
const pendingWrites = new Set<Promise<void>>();
let stopListening: (() => void) | undefined;
let stopCollecting: (() => void) | undefined;
let beatTimer: ReturnType<typeof setTimeout> | undefined;

/** The hub of a listening server. */
export function hubOf(server: Publisher): Hub {
  const hub = hubsByServer.get(server) ?? new Hub(server);
  hubsByServer.set(server, hub);
  return hub;
}

/** The hubs of this process. */
export const openHubs = (): Hub[] => [...hubsByServer.values()];

/** Starts the heartbeat, subscribes to ended sessions, and registers the module's part of people's data. Once per process. */
export async function startRooms(): Promise<void> {
  stopListening ??= onSessionsEnded((ended) => {
    for (const hub of hubsByServer.values()) hub.cut(ended);
  });
  stopCollecting ??= collectOwnData();
  measureSockets(() => {
    const all = [...hubsByServer.values()];
    const sum = (of: (hub: Hub) => number) => all.reduce((total, hub) => total + of(hub), 0);
    return { sockets: sum(({ size }) => size), rooms: sum(({ rooms }) => rooms) };
  });
  if (beatTimer === undefined) nextBeat();
}

/** Closes every socket with 1012, so that its client reconnects to another instance or after the restart. */
export function closeSockets(): void {
  for (const hub of hubsByServer.values()) hub.close();
}

/** Stops what `startRooms` started, after the closed sockets are gone (at most a second) and their pending writes are done. */
export async function stopRooms(): Promise<void> {
  clearTimeout(beatTimer);
  beatTimer = undefined;
  stopListening?.();
  stopListening = undefined;
  stopCollecting?.();
  stopCollecting = undefined;
  const open = () => [...hubsByServer.values()].some((hub) => hub.closed && hub.size > 0);
  for (let wait = 0; wait < 100 && open(); wait++) await Bun.sleep(10);
  while (pendingWrites.size > 0) await Promise.all(pendingWrites);
  hubsByServer.clear();
}

/** Makes the stop wait for work that no request waits for. Logs a failure: a failing socket must not end more than itself. */
export function trackPendingWrite(work: Promise<void>): void {
  const done: Promise<void> = work
    .catch((error) => log().error({ err: error }, "rooms: a socket failed"))
    .finally(() => pendingWrites.delete(done));
  pendingWrites.add(done);
}

/** Each heartbeat starts after the previous one has ended, so that a slow database does not get overlapping queries. */
function nextBeat(): void {
  beatTimer = setTimeout(async () => {
    await Promise.all([...hubsByServer.values()].map((hub) => hub.beat())).catch((error) =>
      log().error({ err: error }, "rooms: the heartbeat failed"),
    );
    if (beatTimer !== undefined) nextBeat();
  }, socketTimings.heartbeat);
}
