import { createTokenBucket } from "#db/throttle/token-bucket";

/** Sixty sockets a minute for each member: each of a room leaves two permanent log entries, each of a list reads which rooms there are. */
export const socketOpenBucket = createTokenBucket(60, 60);

/** A burst of twenty frames, then two a second, for all sockets of a member on this instance. */
export const frameBucket = createTokenBucket(20, 10);
