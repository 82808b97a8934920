import { nodeVersion } from "../support/packages.ts";
import { median, range, table, verdict, writeSection } from "../support/results.ts";
import { type Candidate, type Ours, type Shape, shapes } from "./shapes.ts";

/** Writes the section of bench:fanout and shows it. Ratios are medians over the rounds, each against the same round. */
export function report(found: {
  about: string;
  ours: Ours;
  oursOnRedis: Ours;
  bare: Candidate;
  socketIo: Candidate | Error;
  rounds: number;
  deliveries: number;
}): void {
  const { ours, oursOnRedis, bare, socketIo } = found;
  const candidates = [ours, oursOnRedis, bare, ...(socketIo instanceof Error ? [] : [socketIo])];
  const verdicts = shapes.flatMap(({ name }) => [
    verdict(`rooms ${name}: Midman ÷ bare Bun`, ratio(ours, bare, name), { atMost: 1.5 }),
    ...(socketIo instanceof Error
      ? []
      : [
          verdict(`rooms ${name}: Socket.IO ÷ Midman with Redis`, ratio(socketIo, oursOnRedis, name), {
            atLeast: 1.5,
          }),
        ]),
  ]);
  const text = [
    `${found.about} ${socketIo instanceof Error ? "" : `Socket.IO 4.8.4 with @socket.io/redis-adapter 8.3.0 on Node ${nodeVersion}.`}`,
    method(ours, found),
    socketIo instanceof Error
      ? `**The reference Socket.IO is missing**: ${socketIo.message.split("\n")[0]}`
      : "",
    table(["server CPU-µs a delivery", ...shapes.map(({ name }) => `rooms ${name}`)], candidates.map(row)),
    table(["ratio", "measured", "target", ""], verdicts),
    whole(ours),
  ];
  const section = text.filter((part) => part !== "").join("\n\n");
  writeSection("bench:fanout", section);
  console.log(section);
}

function method(ours: Ours, { rounds, deliveries }: { rounds: number; deliveries: number }): string {
  const rooms = shapes.map(({ size, rooms }) => `${rooms} rooms of ${size} sockets`).join(" and ");
  return `${rooms}, all connected; real WebSocket clients in a process of their own on core 1, with Redis; the servers on core 0, one at work at a time.
${rounds} rounds of ${deliveries} deliveries, the candidates in turn: median, and in brackets the lowest and highest round. The server tells the
rooms of a message of ${ours.frame.length} bytes, one a turn of its event loop. In Midman's figure: encoding frame and signal, the bus (within the process, or
through Redis), decoding, publishing to the sockets, and whatever else the running server does meanwhile; not the receiving,
checking and storing of the message. Bare Bun publishes the same bytes ready made. Socket.IO emits the same object.
A room of Midman seats two people: a room of 100 is two people with fifty windows each.`;
}

function row({ name, figures }: Candidate): string[] {
  return [
    name,
    ...shapes.map((shape) => `${median(figures[shape.name]).toFixed(1)} (${range(figures[shape.name])})`),
  ];
}

/** Of two candidates' costs. */
function ratio(above: Candidate, below: Candidate, name: Shape["name"]): number {
  return median(
    above.figures[name].map((figure, round) => figure / (below.figures[name][round] ?? Number.NaN)),
  );
}

function whole({ whole: figures }: Ours): string {
  const rows = shapes.map(({ name }) => [
    `rooms ${name}`,
    median(figures[name].map(({ message }) => message)).toFixed(0),
    median(figures[name].map(({ delivery }) => delivery)).toFixed(1),
  ]);
  return `For comparison with no reference, whole messages of Midman without Redis: received on a socket, session and seat read, stored and logged in one
transaction, acknowledged, and delivered. Postgres' own time is not in it.

${table(["whole messages", "server CPU-µs a message", "a delivery"], rows)}`;
}
