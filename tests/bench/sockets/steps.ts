/** So many sockets are open when the memory is read; the first reading only warms up. */
export const steps = [2000, 4000, 6000, 9000, 12_000] as const;

/** A candidate, and its bytes a socket, one a round. */
export type Weighed = { name: string; bytes: number[] };
