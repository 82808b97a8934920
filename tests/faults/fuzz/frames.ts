import fc from "fast-check";
import type { JsonSchema } from "../../../app/server/openapi/schemas.ts";
import type { Api } from "../../support/api/api-document.ts";
import { changedBetween, digests } from "./state.ts";
import { createNearlyFittingValues, hostile, rawBodies } from "./values.ts";
import type { Role, World } from "./world.ts";

type Told = { counts: Record<string, number>; failures: string[] };

/** Frames that one socket gets; the next ones get another, for who sends too many that are none is closed. */
const perSocket = 4;
/** Why a socket may be closed by what was sent on it. */
const closings = new Set([1000, 1005, 1006, 1009, 4400, 4401, 4402, 4403, 4404, 4429]);

/**
 * Sends generated frames on the sockets of a room's two members, and of others who get none. What comes back is as the document says;
 * what is no frame writes nothing; nobody but the members is heard.
 */
export async function fuzzFrames(
  world: World,
  api: Api,
  { seed, frames }: { seed: number; frames: number },
  told: Told,
): Promise<void> {
  const pointer = "/paths/~1ws/get/x-frames";
  const client = api.document.paths["/ws"]?.get?.["x-frames"]?.client as JsonSchema;
  const wrong = fc.oneof(fc.constantFrom(...rawBodies), hostile.map(asText), unknownTypes);
  const right = createNearlyFittingValues(client, api.document).map(asText);
  const rooms = world.ids.rooms.slice(0, 1);
  for (const [role, arbitrary, writes] of [
    ["stranger", right, false],
    ["visitor", right, false],
    ["buyer", wrong, false],
    ["buyer", right, true],
    ["seller", right, true],
  ] as const) {
    const before = await digests();
    const texts = fc.sample(arbitrary, { seed, numRuns: Math.ceil(frames / 5) });
    for (let from = 0; from < texts.length; from += perSocket) {
      const some = texts.slice(from, from + perSocket);
      const heard = await talk(world, role, rooms[0] ?? "", some);
      told.counts.frames = (told.counts.frames ?? 0) + some.length;
      told.failures.push(...heard.flatMap((frame) => wrongIn(api, `${pointer}/server`, frame, role, some)));
    }
    const changed = writes ? [] : changedBetween(before, await digests());
    if (changed.length > 0) told.failures.push(`${role}'s frames wrote to ${changed.join(", ")}`);
  }
}

const asText = (value: unknown) =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, 20_000);

/** Frames that only a server sends. */
const unknownTypes = fc
  .constantFrom(
    "system",
    "payment",
    "payment_qr",
    "transaction_update",
    "status_update",
    "user_join",
    "ack",
    "heartbeat",
  )
  .map((type) =>
    JSON.stringify({
      type,
      payload: { content: "Payment confirmed" },
      data: { status: "completed" },
      seq: 1,
    }),
  );

type Heard = { frame?: string; closed?: number };

/** Opens a socket, says some frames, and hears until it has answered a ping that came after them, or was closed. */
async function talk(
  { server, as }: World,
  role: Role,
  roomId: string,
  frames: readonly string[],
): Promise<Heard[]> {
  const client = await as(role);
  const heard: Heard[] = [];
  const headers = { Cookie: client.cookies(), Origin: server.url };
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/ws?roomId=${roomId}`, {
    headers,
  } as never);
  let heartbeats = 0;
  const ended = new Promise<void>((resolve) => {
    socket.onclose = ({ code }) => resolve(void heard.push({ closed: code }));
    socket.onmessage = ({ data }) => {
      heard.push({ frame: String(data) });
      // The first one greets; the second one answers the ping below, if none of what was sent was a ping itself.
      if (/^\{"type":"heartbeat"/.test(String(data)) && ++heartbeats > 1) resolve();
    };
  });
  socket.onopen = () => {
    for (const frame of frames) socket.send(frame);
    socket.send('{"type":"ping"}');
  };
  await Promise.race([ended, Bun.sleep(3_000).then(() => heard.push({ closed: -1 }))]);
  socket.close();
  return heard;
}

function wrongIn(
  api: Api,
  pointer: string,
  { frame, closed }: Heard,
  role: Role,
  sent: readonly string[],
): string[] {
  const after = `after ${JSON.stringify(sent).slice(0, 400)}`;
  if (closed !== undefined)
    return closings.has(closed) ? [] : [`${role}'s socket was closed with ${closed} ${after}`];
  const wrong = api.fits(pointer, JSON.parse(frame ?? "null"));
  return wrong === undefined ? [] : [`${role} heard ${frame?.slice(0, 200)}: ${wrong} ${after}`];
}
