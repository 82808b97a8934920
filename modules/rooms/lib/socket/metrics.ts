import { createCounter, createDurationHistogram, createTally, registerScrapedGauge } from "#db/metrics";
import { closeCodes } from "./close-codes.ts";

const closeReasons = new Map<number, string>([
  [1000, "done"],
  [1005, "done"],
  [1001, "page left"],
  [1006, "lost"],
  ...Object.entries(closeCodes).map(([reason, code]): [number, string] => [code, reason]),
]);

const openedCounter = createCounter({ name: "sockets_opened_total", help: "Sockets opened" });
const closedCounter = createCounter({
  name: "sockets_closed_total",
  help: "Sockets closed, by reason; lost means a network failure or a client that read too slowly",
  labels: ["reason"],
});
const framesMetric = {
  name: "frames_total",
  help: "Socket frames. In: each frame. Out: each publish to a room and each reply to one socket",
  labels: ["way"],
};
const fanoutLag = createDurationHistogram({
  name: "fanout_lag_seconds",
  help: "Time from an event's commit until its frame is passed to a room's sockets on this instance",
});

/** Counts an opened socket. */
export const countSocketOpened = () => openedCounter.inc();
/** Counts a closed socket; unknown codes from clients count together. */
export const countSocketClosed = (code: number) =>
  closedCounter.inc({ reason: closeReasons.get(code) ?? "other" });
/** Counts a received frame, or a sent one. */
export const countFrameReceived = createTally(framesMetric, { way: "in" });
export const countFrameSent = createTally(framesMetric, { way: "out" });
/** Records the delay between the time a room's frame was sent (`told`, ms) and the time it was passed on here (`at`). */
export const observeFanoutLag = (told: number | undefined, at: number) => {
  if (told !== undefined) fanoutLag.observe(Math.max(0, at - told) / 1_000);
};

/** Registers gauges for the number of sockets and of rooms with sockets. */
export function measureSockets(count: () => { sockets: number; rooms: number }): void {
  registerScrapedGauge({ name: "sockets", help: "Sockets open", keepSeconds: 0 }, async () => [
    { value: count().sockets },
  ]);
  registerScrapedGauge({ name: "rooms_open", help: "Rooms with a socket open", keepSeconds: 0 }, async () => [
    { value: count().rooms },
  ]);
}
