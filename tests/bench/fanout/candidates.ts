import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expectStatus, makeRoomPair, type Person } from "../../support/people/registered-people.ts";
import { cores, type Midman, root, startMidman } from "../support/midman.ts";
import { nodePackage, temporaryPackages } from "../support/packages.ts";
import { type Pinned, pinned } from "../support/process.ts";
import { type Candidate, marker, type Named, type Ours, type Shape, shapes } from "./shapes.ts";

export type Door = { url: string; headers?: Record<string, string> };

/** Midman with real people in real rooms, over one bus or the other, and the frame of a real message. */
export async function startOurs(clients: Pinned, redisUrl?: string): Promise<Ours> {
  const midman = await startMidman({ program: "tests/bench/fanout/ours.ts", redisUrl });
  const name = redisUrl === undefined ? "Midman" : "Midman with Redis";
  const { seller, buyer, roomId } = await makeRoomPair(midman);
  const rooms: Named<string[]> = { "of 2": [], "of 100": [] };
  for (const shape of shapes) {
    const doors: Door[] = [];
    for (let made = 0; made < shape.rooms; made++) {
      const room = await openRoom(seller, buyer);
      rooms[shape.name].push(String(room));
      doors.push(...doorsOf(midman, shape, room, [seller, buyer]));
    }
    await clients.ask({ connect: doors, socketIo: false, group: `${name} ${shape.name}` });
  }
  const heard = midman.ask<{ frame: string }>({ overhear: String(roomId), marker });
  expectStatus(await seller.post(`/api/chat/rooms/${roomId}/messages`, { content: words }), 200, 201);
  const chat = () => JSON.stringify({ type: "chat", payload: { type: "text", content: words } });
  const figures = { "of 2": [], "of 100": [] };
  return {
    ...midman,
    name,
    rooms,
    frame: (await heard).frame,
    chat,
    figures,
    whole: { "of 2": [], "of 100": [] },
  };
}

/** Bun's own publish and subscribe. */
export async function startBare(clients: Pinned, frame: string): Promise<Candidate> {
  return await connected(clients, bareServer(), { name: "bare Bun", frame, path: "/", socketIo: false });
}

/** Socket.IO with its adapter. */
export async function startSocketIo(clients: Pinned, frame: string, redisUrl: string): Promise<Candidate> {
  const server = await socketIoServer(redisUrl);
  return await connected(clients, server, { name: "Socket.IO", frame, path: socketIoPath, socketIo: true });
}

/** The program of bare Bun; who asks it for its port may open sockets at `/`. */
export function bareServer(): Pinned {
  return pinned(cores.server, [process.execPath, "tests/bench/fanout/bare.ts"], { cwd: root });
}

/** Where sockets of Socket.IO are opened. */
export const socketIoPath = "/socket.io/?EIO=4&transport=websocket";

/** Socket.IO on a Node of its own, installed into a temporary folder. */
export async function socketIoServer(redisUrl: string): Promise<Pinned> {
  const versions = { "socket.io": "4.8.4", "@socket.io/redis-adapter": "8.3.0", redis: "6.3.1" };
  const packages = await temporaryPackages({ ...nodePackage, ...versions });
  const program = join(packages.folder, "socketio.mjs");
  copyFileSync(join(import.meta.dir, "socketio.mjs"), program);
  return pinned(cores.server, [packages.node, "--expose-gc", program], { env: { REDIS_URL: redisUrl } });
}

const words = `${marker}: the account has two rare skins, and the mail address goes with it.`;

/** One more room of the same two. */
export async function openRoom(seller: Person, buyer: Person): Promise<number> {
  const { id } = expectStatus(await seller.post("/api/chat/rooms", { name: "A game account" }), 201).body;
  const { inviteCode } = expectStatus(await seller.post(`/api/chat/rooms/${id}/invite`), 200).body;
  expectStatus(await buyer.post("/api/chat/join", { code: inviteCode }), 200);
  return id;
}

/** A room seats two, so a room of a hundred sockets is two people with fifty windows each. */
export function doorsOf(midman: Midman, shape: Pick<Shape, "size">, room: number, people: Person[]): Door[] {
  const base = midman.url.replace("http", "ws");
  return Array.from({ length: shape.size }, (_, index) => people[index % people.length]).flatMap((person) => {
    if (person === undefined) return [];
    const headers = { cookie: person.cookies(), origin: midman.url, "accept-language": "en" };
    return [{ url: `${base}/ws?roomId=${room}&userId=${person.id}`, headers }];
  });
}

async function connected(
  clients: Pinned,
  server: Pinned,
  how: { name: string; frame: string; path: string; socketIo: boolean },
): Promise<Candidate> {
  const { port } = await server.ask<{ port: number }>({ frame: how.frame });
  const base = new URL(how.path, `ws://127.0.0.1:${port}`);
  const rooms: Named<string[]> = { "of 2": [], "of 100": [] };
  for (const shape of shapes) {
    rooms[shape.name] = Array.from({ length: shape.rooms }, (_, index) => `${shape.size}-${index}`);
    const connect = rooms[shape.name].flatMap((room) => {
      base.searchParams.set("room", room);
      return Array.from({ length: shape.size }, () => ({ url: base.href }));
    });
    await clients.ask({ connect, socketIo: how.socketIo, group: `${how.name} ${shape.name}` });
  }
  return { ...server, name: how.name, rooms, figures: { "of 2": [], "of 100": [] } };
}
