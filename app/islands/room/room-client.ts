import { fetchAfter, fetchSeats, postMessage } from "./api.ts";
import { connectRoom, type Handlers } from "./connection.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { refreshPanel } from "./panel.ts";
import { type Change, contiguousSeq, type RoomState } from "./state.ts";
import type { Pending } from "./types.ts";

const typingIdle = 2_000;
/** The browser's poll, for as long as the socket is away. It reads our database, never the provider. */
const poll = 10_000;
/** How long the socket may owe an acknowledgement before the message is posted by HTTP instead. */
const ackPatience = 4_000;

interface Room {
  roomId: number;
  me: number;
  state: () => RoomState;
  change: (change: Change) => void;
}

/** What brings the view up to date with the server; each is asked as often as hints come. */
interface Upkeep {
  refresh: () => Promise<void>;
  catchUp: () => Promise<void>;
}

/** The live room behind the view: a socket for hints, `seq` for truth, HTTP for what the socket cannot do. */
export function startRoom(room: Room) {
  const { state, change } = room;
  const upkeep: Upkeep = {
    refresh: oneAtATime(() => refresh(room, () => void upkeep.refresh())),
    catchUp: oneAtATime(() => catchUp(room)),
  };
  const connection = connectRoom(room.roomId, room.me, handlersOf(room, upkeep));
  const timer = setInterval(() => {
    if (state().connected) return;
    void upkeep.catchUp();
    void upkeep.refresh();
  }, poll);
  let idle: ReturnType<typeof setTimeout> | undefined;
  // The QR's time is up: what the panel offers now is another.
  const over = () => setTimeout(() => void upkeep.refresh(), 1_000);
  document.addEventListener("countdown-over", over);

  const deliver = (item: Pending) => {
    const { clientId, content } = item;
    if (!connection.send({ type: "chat", clientId, payload: { content, type: "text" } }))
      return void post(room, item);
    setTimeout(() => {
      const waiting = state().pending.some(
        (other) => other.clientId === clientId && other.failed === undefined,
      );
      if (waiting) void post(room, item);
    }, ackPatience);
  };

  return {
    send(content: string) {
      const item = { clientId: crypto.randomUUID(), content };
      change({ kind: "queued", pending: item });
      deliver(item);
    },
    retry({ clientId, content }: Pending) {
      change({ kind: "retried", clientId });
      deliver({ clientId, content });
    },
    typing() {
      if (idle === undefined) connection.send({ type: "typing_start" });
      clearTimeout(idle);
      idle = setTimeout(() => {
        idle = undefined;
        connection.send({ type: "typing_end" });
      }, typingIdle);
    },
    stop() {
      clearInterval(timer);
      clearTimeout(idle);
      document.removeEventListener("countdown-over", over);
      connection.stop();
    },
  };
}

function handlersOf(room: Room, { refresh, catchUp }: Upkeep): Handlers {
  const { state, change } = room;
  const typists = new Map<number, ReturnType<typeof setTimeout>>();
  return {
    onOpen() {
      change({ kind: "connected", connected: true });
      void refresh();
      // First what was missed, which may hold the echo of what seemed unsent; then the rest is sent again.
      void catchUp().then(() => postAll(room));
    },
    onClose: () => change({ kind: "connected", connected: false }),
    onMessage: (message) => change({ kind: "received", messages: [message] }),
    onSeq(seq) {
      if (seq > contiguousSeq(state().messages)) void catchUp();
    },
    onRefused: (clientId, reason) => change({ kind: "failed", clientId, reason }),
    onTyping(userId, on) {
      clearTimeout(typists.get(userId));
      change({ kind: "typing", userId, on });
      if (!on) return;
      // The frame that ends it may be lost: no one types for ever.
      const end = setTimeout(() => change({ kind: "typing", userId, on: false }), typingIdle * 2);
      typists.set(userId, end);
    },
    onPresence: (userId, status) => change({ kind: "presence", userId, status }),
    onTradeChanged: () => void refresh(),
  };
}

/** The trade's panel, and who sits in the room: a confirmed payment unmasks the other side's contacts. */
async function refresh({ roomId, change }: Room, again: () => void): Promise<void> {
  const [seats] = await Promise.all([fetchSeats(roomId), refreshPanel(roomId, again)]);
  if (seats !== undefined) change({ kind: "seated", seats });
}

async function catchUp({ roomId, state, change }: Room): Promise<void> {
  const take = (messages: Parameters<Handlers["onMessage"]>[0][]) => change({ kind: "received", messages });
  // Without network the next heartbeat, poll or reconnect tries again.
  await fetchAfter(roomId, contiguousSeq(state().messages), take).catch(() => {});
}

/** One after the other, so that they arrive in the order they were written in. */
async function postAll(room: Room): Promise<void> {
  for (const item of room.state().pending) await post(room, item);
}

async function post({ roomId, change }: Room, { clientId, content }: Pending): Promise<void> {
  try {
    const sent = await postMessage(roomId, clientId, content);
    if (sent.ok) change({ kind: "received", messages: [sent.message] });
    else change({ kind: "failed", clientId, reason: sent.reason });
  } catch {
    change({ kind: "failed", clientId, reason: "" });
  }
}
