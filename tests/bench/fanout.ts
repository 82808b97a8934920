/** bench:fanout: what one delivered frame costs the server, beside bare Bun and beside Socket.IO with its Redis adapter. */
import { startRedis } from "../support/services/redis.ts";
import { startBare, startOurs, startSocketIo } from "./fanout/candidates.ts";
import { report } from "./fanout/report.ts";
import { type Candidate, type Shape, shapes } from "./fanout/shapes.ts";
import { cores, root } from "./support/midman.ts";
import { atMost, pinned, stayOn } from "./support/process.ts";
import { machine } from "./support/results.ts";

const rounds = 5;
/** So many frames are on their way at once; then their arrival is waited for. */
const atOnce = 2000;
/** Deliveries of one round. */
const deliveries = 40_000;

atMost(175);
const about = machine();
await using clients = pinned(cores.load, [process.execPath, "tests/bench/fanout/clients.ts"], { cwd: root });
await using ours = await startOurs(clients);
stayOn(cores.load); // and with it all that is started from here on, but for the servers
const redis = await startRedis();
await using oursOnRedis = await startOurs(clients, redis.url);
await using bare = await startBare(clients, ours.frame);
// Without a registry there is no Socket.IO to be had: the bench then says so, and goes on without that reference.
const socketIo = await startSocketIo(clients, ours.frame, redis.url).catch((error: Error) => error);
const candidates = [ours, oursOnRedis, bare, ...(socketIo instanceof Error ? [] : [socketIo])];
for (const candidate of candidates) for (const shape of shapes) await fanOut(candidate, shape);
for (let round = 0; round < rounds; round++) {
  for (const shape of shapes) {
    for (const candidate of candidates) candidate.figures[shape.name].push(await fanOut(candidate, shape));
  }
}
for (let round = 0; round < rounds; round++) {
  for (const shape of shapes) ours.whole[shape.name].push(await talk(shape));
}
if (!(socketIo instanceof Error)) await socketIo.end();
await redis.stop();
report({ about, ours, oursOnRedis, bare, socketIo, rounds, deliveries });

/** Server processor µs a delivery: frames published one a turn, `atOnce` deliveries at a time. */
async function fanOut(candidate: Candidate, shape: Shape): Promise<number> {
  const group = `${candidate.name} ${shape.name}`;
  const publish = atOnce / shape.size;
  const before = candidate.cpuMicros();
  for (let done = 0; done < deliveries; done += atOnce) {
    const arrived = clients.ask<{ received: number }>({ expect: atOnce, group });
    await candidate.ask({ publish, rooms: candidate.rooms[shape.name] });
    exactly(atOnce, (await arrived).received);
  }
  return (candidate.cpuMicros() - before) / deliveries;
}

/** Server processor µs of whole messages, each sent by a client over its socket: one a room, then their arrival. */
async function talk(shape: Shape): Promise<{ message: number; delivery: number }> {
  const group = `${ours.name} ${shape.name}`;
  const rooms = ours.rooms[shape.name].length;
  const turns = Math.ceil(600 / rooms);
  const before = ours.cpuMicros();
  for (let turn = 0; turn < turns; turn++) {
    await clients.ask({ say: ours.chat(shape), every: shape.size, group });
    exactly(
      rooms * shape.size,
      (await clients.ask<{ received: number }>({ expect: rooms * shape.size, group })).received,
    );
  }
  const spent = ours.cpuMicros() - before;
  return { message: spent / (rooms * turns), delivery: spent / (rooms * turns * shape.size) };
}

function exactly(expected: number, received: number): void {
  if (received !== expected) throw new Error(`${received} frames arrived where ${expected} were sent`);
}
