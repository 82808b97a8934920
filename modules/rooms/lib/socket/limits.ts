/**
 * Bun's own options for every socket of the listener (`websocket` of the root Elysia instance). Whoever reads too slowly
 * is closed once this much waits for them, and fetches what they missed by `seq`.
 */
export const socketOptions = {
  maxPayloadLength: 16 * 1024,
  backpressureLimit: 128 * 1024,
  closeOnBackpressureLimit: true,
  idleTimeout: 60,
  sendPings: true,
  perMessageDeflate: false,
} as const;

/** Sockets of one person on one instance at once, of all rooms and devices; THROTTLE_FACTOR multiplies it. */
export const maxSocketsPerPerson = 30;

/** Why a socket is closed. Clients reconnect after any but 44xx (design §4); who was too many comes back much later. */
export const closeCodes = {
  malformed: 4400,
  noSession: 4401,
  notTheUser: 4403,
  notAMember: 4404,
  flood: 4429,
  failure: 1011,
  restart: 1012,
} as const;

/** After so many frames that are no frames a socket is closed. */
export const maxMalformedFrames = 5;

/** So many frames sent on though refused as too many, none between them heard, are a flood. */
export const maxThrottledFrames = 100;

/** Frames that may wait for the database on one socket; a client that sends on regardless is closed. */
export const maxQueuedFrames = 100;

/** Milliseconds: how often a room's last `seq` is told and leases are renewed, and how long a presence lives unrenewed. */
export const socketTimings = { heartbeat: 20_000, lease: 60_000 };
