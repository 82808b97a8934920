import { openClient } from "../../db/client.ts";
import { makeRoomPair, type Person } from "../support/people/registered-people.ts";
import type { Midman } from "./support/midman.ts";
import { median } from "./support/results.ts";

/** A room with so many messages, and who looks at it. */
export interface LongRoom {
  count: number;
  path: string;
  cookie: string;
  /** Of the other person in the room. */
  otherCookie: string;
}

/** What one room's page cost: its bytes over the wire, and processor time of the server in µs, one figure a round. */
export interface Cost {
  bytes: number;
  cpuMicros: number[];
}

/** A room of two with so many messages, written straight into the database: nobody types 20,000. */
export async function roomOf(server: Midman, count: number): Promise<LongRoom> {
  const { seller, buyer, roomId } = await makeRoomPair(server);
  const sql = openClient(server.databaseUrl, { max: 1 });
  try {
    await sql.begin(async (tx) => {
      await tx`UPDATE rooms.rooms SET created_at = now() - interval '10 days' WHERE id = ${roomId}`; // before its messages
      const [row] = await tx<Array<{ last_seq: string }>>`
        SELECT last_seq FROM rooms.counters WHERE room_id = ${roomId} FOR UPDATE`;
      const from = Number(row?.last_seq);
      await tx`
        INSERT INTO rooms.messages (room_id, seq, sender_id, client_id, type, content, created_at)
        SELECT ${roomId}, ${from} + n, CASE WHEN n / 3 % 2 = 0 THEN ${seller.id}::int ELSE ${buyer.id}::int END,
          gen_random_uuid(), 'text',
          'Message ' || n || ': the account has two rare skins, and the mail address goes with it.',
          now() - interval '10 days' * (${count} - n) / ${count}
        FROM generate_series(1, ${count - from}) AS n`;
      await tx`UPDATE rooms.counters SET last_seq = ${count} WHERE room_id = ${roomId}`;
      await tx`UPDATE rooms.members SET read_seq = ${count} WHERE room_id = ${roomId}`;
    });
    await sql`ANALYZE rooms.messages`;
  } finally {
    await sql.end();
  }
  return { count, path: `/chat/${roomId}`, cookie: cookieOf(seller), otherCookie: cookieOf(buyer) };
}

const cookieOf = (person: Person) => person.cookies();

/** The rooms' pages in turn, so many times a round. */
export async function costsOf(
  server: Midman,
  rooms: LongRoom[],
  { rounds, pages }: { rounds: number; pages: number },
): Promise<Cost[]> {
  const costs = rooms.map(() => ({ bytes: 0, cpuMicros: [] as number[] }));
  for (let round = -1; round < rounds; round++) {
    for (const [at, room] of rooms.entries()) {
      const before = server.cpuMicros();
      let bytes = 0;
      for (let page = 0; page < pages; page++) bytes = await bytesOf(server, room);
      const cost = costs[at];
      // The first round only warms up.
      if (cost === undefined || round < 0) continue;
      cost.bytes = bytes;
      cost.cpuMicros.push((server.cpuMicros() - before) / pages);
    }
  }
  return costs;
}

/** What comes over the wire, as a browser asks for it. */
async function bytesOf(server: Midman, { path, cookie }: LongRoom): Promise<number> {
  const headers = {
    cookie,
    "accept-language": "en",
    "accept-encoding": "br",
    "sec-fetch-site": "same-origin",
  };
  const reply = await fetch(`${server.url}${path}`, { headers, redirect: "manual", decompress: false });
  const body = await reply.arrayBuffer();
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}`);
  return body.byteLength;
}

/** The larger room's cost by the smaller one's. */
export function ratios([small, large]: Cost[]): { bytes: number; cpu: number } {
  return {
    bytes: (large?.bytes ?? Number.NaN) / (small?.bytes ?? Number.NaN),
    cpu: median(large?.cpuMicros ?? []) / median(small?.cpuMicros ?? []),
  };
}
