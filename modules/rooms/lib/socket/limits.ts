/**
 * Bun's options for every socket of the listener (`websocket` of the root Elysia instance). A client that reads too slowly is disconnected
 * once its backlog exceeds `backpressureLimit` bytes, and fetches what it missed by `seq`.
 */
export const socketOptions = {
  maxPayloadLength: 16 * 1024,
  backpressureLimit: 128 * 1024,
  closeOnBackpressureLimit: true,
  idleTimeout: 60,
  sendPings: true,
  perMessageDeflate: false,
} as const;

/** Maximum number of sockets per person and instance, over all rooms and devices; THROTTLE_FACTOR multiplies it. */
export const maxSocketsPerPerson = 30;

/** A socket is closed after this many malformed frames. */
export const maxMalformedFrames = 5;

/** A socket is closed after this many throttled frames without an accepted one in between. */
export const maxThrottledFrames = 100;

/** Frames of one socket that may wait for the database; a client that sends more is disconnected. */
export const maxQueuedFrames = 100;

/** Milliseconds between heartbeats, which send a room's last `seq` and renew leases, and lifetime of a presence lease. */
export const socketTimings = { heartbeat: 20_000, lease: 60_000 };
