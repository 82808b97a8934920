import { counter, durations, readAtScrape, tally } from "#db/metrics";
import { closing } from "./limits.ts";

const reasons = new Map<number, string>([
  [1000, "done"],
  [1005, "done"],
  [1001, "page left"],
  [1006, "lost"],
  ...Object.entries(closing).map(([reason, code]): [number, string] => [code, reason]),
]);

const opened = counter({ name: "sockets_opened_total", help: "Sockets that were opened" });
const closed = counter({
  name: "sockets_closed_total",
  help: "Sockets that were closed, by reason; lost are those of the network and of who read too slowly",
  labels: ["reason"],
});
const frames = {
  name: "frames_total",
  help: "Frames of sockets: in, each; out, each publish to a room and each answer to one socket",
  labels: ["way"],
};
const lag = durations({
  name: "fanout_lag_seconds",
  help: "From the commit of what is told to its frame being passed to a room's sockets here",
});

/** A socket has been opened. */
export const socketOpened = () => opened.inc();
/** A socket is gone; codes of clients' own invention count together. */
export const socketClosed = (code: number) => closed.inc({ reason: reasons.get(code) ?? "other" });
/** A frame was heard, or said. */
export const frameHeard = tally(frames, { way: "in" });
export const frameSaid = tally(frames, { way: "out" });
/** A room's frame, told at that moment (milliseconds), was passed on at this one. */
export const frameTold = (told: number | undefined, at: number) => {
  if (told !== undefined) lag.observe(Math.max(0, at - told) / 1_000);
};

/** Shows how many sockets there are, and in how many rooms. */
export function measureSockets(count: () => { sockets: number; rooms: number }): void {
  readAtScrape({ name: "sockets", help: "Sockets open", keepSeconds: 0 }, async () => [
    { value: count().sockets },
  ]);
  readAtScrape({ name: "rooms_open", help: "Rooms with a socket open", keepSeconds: 0 }, async () => [
    { value: count().rooms },
  ]);
}
