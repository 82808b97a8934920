/**
 * Midman for bench:fanout and bench:sockets: the whole server, which on request tells its bus of a message as often as asked. What it tells is a
 * real message's signal, overheard on the bus, its frame encoded anew each time; everything after that is the server's own doing.
 */
import { publishHint, subscribeToHints } from "#db/bus";
import { settled } from "../sockets/settled.ts";
import { everyTurn, type Publish } from "./turns.ts";

type Asked = { overhear: string; marker: string } | { settle: true } | Publish;

/** What stands before the frame in a signal. */
let head = "";
let frame: unknown;

await import("../../../app/server.ts");

process.on("message", async (asked: Asked) => {
  if ("overhear" in asked) return overhear(asked.overhear, asked.marker);
  if ("settle" in asked) return process.send?.(settled());
  await everyTurn(asked.publish, (turn) => {
    publishHint(`room:${asked.rooms[turn % asked.rooms.length]}`, head + JSON.stringify(frame));
  });
  process.send?.({});
});
process.on("disconnect", () => process.exit());

/** Answers the frame of the next message of that room with the marker in it. */
function overhear(room: string, marker: string): void {
  const stop = subscribeToHints(`room:${room}`, (text) => {
    if (!text.includes(marker)) return;
    const begins = text.indexOf("{");
    const encoded = text.slice(begins);
    head = text.slice(0, begins);
    frame = JSON.parse(encoded);
    stop();
    process.send?.({ frame: encoded });
  });
}
