/**
 * Midman for bench:fanout and bench:sockets: the whole server, which on request tells its bus of a message as often as asked. What it tells is a
 * real message's signal, overheard on the bus and encoded anew each time; everything after that is the server's own doing.
 */
import { publish, subscribe } from "#db/bus";
import { settled } from "../sockets/settled.ts";
import { everyTurn, type Publish } from "./turns.ts";

type Signal = { kind: "frame"; frame: string };
type Asked = { overhear: string; marker: string } | { settle: true } | Publish;

let signal: Signal | undefined;
let frame: unknown;

await import("../../../app/server.ts");

process.on("message", async (asked: Asked) => {
  if ("overhear" in asked) return overhear(asked.overhear, asked.marker);
  if ("settle" in asked) return process.send?.(settled());
  await everyTurn(asked.publish, (turn) => {
    const text = JSON.stringify({ ...signal, frame: JSON.stringify(frame) });
    publish(`room:${asked.rooms[turn % asked.rooms.length]}`, text);
  });
  process.send?.({});
});
process.on("disconnect", () => process.exit());

/** Answers the frame of the next message of that room with the marker in it. */
function overhear(room: string, marker: string): void {
  const stop = subscribe(`room:${room}`, (text) => {
    const heard = JSON.parse(text) as Signal;
    if (heard.kind !== "frame" || !heard.frame.includes(marker)) return;
    signal = heard;
    frame = JSON.parse(heard.frame);
    stop();
    process.send?.({ frame: heard.frame });
  });
}
