import type { Pinned } from "../support/process.ts";

/** How many sockets sit in a room, and how many such rooms there are. */
export type Shape = { name: "of 2" | "of 100"; size: number; rooms: number };
export type Named<T> = Record<Shape["name"], T>;

export const shapes: readonly Shape[] = [
  { name: "of 2", size: 2, rooms: 100 },
  { name: "of 100", size: 100, rooms: 4 },
];

/** One of the servers that are compared, with all clients connected. `figures`: µs a delivery, one a round. */
export type Candidate = Pinned & { name: string; rooms: Named<string[]>; figures: Named<number[]> };

export type Ours = Candidate & {
  /** The frame of a real message, as its readers get it. */
  frame: string;
  /** What the first client of each room says, once. */
  chat(shape: Shape): string;
  whole: Named<Array<{ message: number; delivery: number }>>;
};

/** The text by which clients know a frame that is counted. */
export const marker = "bench-fanout";
