import { connect, type Socket } from "node:net";
import { parentPort } from "node:worker_threads";
import {
  hostileForms,
  hostileJson,
  hostileParts,
  oddJson,
  partsForCalls,
} from "../../support/hostile/hostile-bodies.ts";

/** Ten who mean harm, in a thread of their own, so that what they cost themselves is not what others wait for. */

export type Attack = {
  url: string;
  port: number;
  /** Where each of them comes from. */
  addresses: string[];
  /** One of them is a member: the cookies, the user and the room. */
  member: { cookies: string; userId: number; roomId: number };
};

const bodies = Object.values({
  ...hostileJson,
  ...oddJson,
  ...hostileForms,
  ...hostileParts,
  ...partsForCalls,
});
const doors = [
  "/api/auth/login",
  "/api/auth/register",
  "/api/auth/forgot-password",
  "/",
  "/chat",
  "/admin/login",
];
/** How many requests of a kind each has under way, how many connections open, and how many sockets the member has. */
const each = { bodies: 2, guesses: 8, slow: 30, sockets: 5 };
/**
 * Milliseconds from one request to the next of the same kind. Each guesses 80 times a second, near what an address may ask for good, and
 * brings 4 bodies: together some 200 megabits a second, more than reaches a small server.
 */
const paceMs = { bodies: 500, guesses: 100 };

const counts: Record<string, number> = {};
const count = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1;
};
const slow = new Set<Socket>();
let over = false;

async function onAndOn(ms: number, work: (turn: number) => Promise<unknown>): Promise<void> {
  for (let turn = 0; !over; turn++) {
    const pause = Bun.sleep(ms);
    await work(turn).catch(() => count("cut off"));
    await pause;
  }
}

async function sendBody({ url }: Attack, ip: string, turn: number): Promise<void> {
  const body = bodies[turn % bodies.length];
  if (body === undefined) return;
  const reply = await fetch(`${url}${doors[turn % doors.length]}`, {
    method: "POST",
    redirect: "manual",
    headers: { "Content-Type": body.type, "X-Forwarded-For": ip },
    body: body.body,
  });
  await reply.text();
  count(`bodies, ${reply.status}`);
}

async function guess({ url }: Attack, ip: string, turn: number): Promise<void> {
  const reply = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Forwarded-For": ip },
    body: JSON.stringify({ username: `nobody${turn}`, password: "a wrong one" }),
  });
  await reply.text();
  count(`guesses, ${reply.status}`);
}

/** A connection that gives a byte a second: of its body, or of its headers. */
function trickle({ port }: Attack, ip: string, inBody: boolean): void {
  const head = `POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Forwarded-For: ${ip}\r\n`;
  const rest = "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n";
  const socket = connect(port, "127.0.0.1", () => socket.write(inBody ? `${head}${rest}` : head));
  slow.add(socket);
  const timer = setInterval(() => socket.write("x"), 1_000);
  socket.on("error", () => {});
  socket.on("data", () => {});
  socket.on("close", () => {
    clearInterval(timer);
    slow.delete(socket);
    if (over) return;
    count("slow connections ended");
    trickle({ port } as Attack, ip, inBody);
  });
}

const frames = [
  ...Object.values(hostileJson).map(({ body }) => body.slice(0, 16_000)),
  `{"type":"chat","payload":${"[".repeat(7_000)}${"]".repeat(7_000)}}`,
  "x".repeat(16_000),
];

/** A member's socket, opened again each time that it is closed for what is said on it. */
function flood({ url, member }: Attack): Promise<unknown> {
  const address = `${url.replace("http", "ws")}/ws?roomId=${member.roomId}&userId=${member.userId}`;
  const Socket = WebSocket as unknown as new (url: string, options: object) => WebSocket;
  const socket = new Socket(address, { headers: { cookie: member.cookies, origin: url } });
  return new Promise<void>((resolve) => {
    socket.onopen = async () => {
      for (let n = 0; socket.readyState === WebSocket.OPEN && !over; n++) {
        socket.send(frames[n % frames.length] ?? "");
        count("frames");
        await Bun.sleep(1);
      }
    };
    socket.onclose = () => resolve();
  });
}

let attacks: Promise<unknown>[] = [];

function begin(attack: Attack): void {
  over = false;
  attacks = attack.addresses.flatMap((ip, who) => {
    for (let n = 0; n < each.slow; n++) trickle(attack, ip, n % 2 === 0);
    return [
      ...Array.from({ length: each.bodies }, (_, n) =>
        onAndOn(paceMs.bodies, (turn) => sendBody(attack, ip, turn * each.bodies + n + who)),
      ),
      ...Array.from({ length: each.guesses }, (_, n) =>
        onAndOn(paceMs.guesses, (turn) => guess(attack, ip, turn * each.guesses + n)),
      ),
    ];
  });
  for (let n = 0; n < each.sockets; n++) attacks.push(onAndOn(100, () => flood(attack)));
}

async function end(): Promise<void> {
  counts["slow connections open at the end"] = slow.size;
  over = true;
  for (const socket of slow) socket.destroy();
  await Promise.race([Promise.all(attacks), Bun.sleep(5_000)]);
  parentPort?.postMessage(counts);
}

parentPort?.on("message", (said: Attack | "end") => {
  if (said === "end") void end();
  else begin(said);
});
