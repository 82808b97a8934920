/** bench:sockets: what an open socket on which nobody says anything takes of memory, beside bare Bun and Socket.IO. */
import { makeRoomPair, type Person } from "../support/people/registered-people.ts";
import { startRedis } from "../support/services/redis.ts";
import {
  bareServer,
  type Door,
  doorsOf,
  openRoom,
  socketIoPath,
  socketIoServer,
} from "./fanout/candidates.ts";
import { report } from "./sockets/report.ts";
import { steps, type Weighed } from "./sockets/steps.ts";
import { cores, type Midman, root, startMidman } from "./support/midman.ts";
import { atMost, type Pinned, pinned } from "./support/process.ts";
import { machine } from "./support/results.ts";

/** A room of Midman seats two people, here with five windows each. */
const roomOf = 10;
/** Each in a process of its own, so often. */
const rounds = 3;

atMost(900);
const about = machine();
const redis = await startRedis();
const weighed: Weighed[] = [
  { name: "Midman", bytes: [] },
  { name: "bare Bun", bytes: [] },
  { name: "Socket.IO", bytes: [] },
];
let missing: Error | undefined;
for (let round = 0; round < rounds; round++) {
  weighed[0]?.bytes.push(await ours());
  weighed[1]?.bytes.push(await bare());
  if (missing !== undefined) continue;
  try {
    weighed[2]?.bytes.push(await socketIo());
  } catch (error) {
    missing = error as Error; // without a registry there is no Socket.IO to be had
  }
}
await redis.stop();
report({ about, weighed, rounds, missing });
process.exit();

async function ours(): Promise<number> {
  await using midman = await startMidman({ program: "tests/bench/fanout/ours.ts" });
  const { seller, buyer } = await makeRoomPair(midman);
  return await slope(midman, (count) => members(midman, [seller, buyer], count), false);
}

async function bare(): Promise<number> {
  await using server = bareServer();
  const { port } = await server.ask<{ port: number }>({ frame: "{}" });
  return await slope(server, (count) => strangers(`ws://127.0.0.1:${port}/`, count), false);
}

async function socketIo(): Promise<number> {
  await using server = await socketIoServer(redis.url);
  const { port } = await server.ask<{ port: number }>({ frame: "{}" });
  return await slope(server, (count) => strangers(`ws://127.0.0.1:${port}${socketIoPath}`, count), true);
}

/** Rooms of two people with all their windows. */
async function members(midman: Midman, [seller, buyer]: [Person, Person], count: number): Promise<Door[]> {
  const doors: Door[] = [];
  while (doors.length < count) {
    const room = await openRoom(seller, buyer);
    doors.push(...doorsOf(midman, { size: roomOf }, room, [seller, buyer]));
  }
  return doors;
}

async function strangers(base: string, count: number): Promise<Door[]> {
  const url = new URL(base);
  return Array.from({ length: count }, (_, at) => {
    url.searchParams.set("room", String(Math.floor(at / roomOf)));
    return { url: url.href };
  });
}

/** Bytes a socket: the line through the memory at each step, once all is quiet and nothing is left to give back. */
async function slope(
  server: Pinned,
  doors: (count: number) => Promise<Door[]>,
  isSocketIo: boolean,
): Promise<number> {
  await using clients = pinned(cores.load, [process.execPath, "tests/bench/fanout/clients.ts"], {
    cwd: root,
  });
  const points: Array<[sockets: number, bytes: number]> = [];
  let open = 0;
  for (const step of steps) {
    await clients.ask({ connect: await doors(step - open), socketIo: isSocketIo, group: "all" });
    open = step;
    for (let time = 0; time < 3; time++) {
      await Bun.sleep(1000);
      await server.ask({ settle: true });
    }
    points.push([open, server.memory()]);
  }
  return leastSquares(points.slice(1)); // the first step warms everything up
}

function leastSquares(points: Array<[number, number]>): number {
  const mean = (of: (point: [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean(([each]) => each), mean(([, each]) => each)];
  const over = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return over / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}
