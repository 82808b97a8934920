import { startTransition } from "react";
import { refreshParts } from "../../enhance/in-place/parts.ts";
import {
  fetchMessagesAfter,
  fetchMessagesBefore,
  fetchSeats,
  fetchSuspension,
  postToRoom,
} from "./connection/room-api.ts";
import { type Connection, type ConnectionHandlers, connectRoom } from "./connection/room-socket.ts";
import { watchBrowser } from "./connection/watch-browser.ts";
import { stretchOf } from "./messages/message-lines.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { openOutbox } from "./outbox/outbox.ts";
import { outboxDeliveries } from "./outbox/outbox-deliveries.ts";
import { browserStore } from "./outbox/outbox-store.ts";
import { watchPresence } from "./presence/presence.ts";
import { keepPresence } from "./presence/presence-marks.ts";
import { contiguousSeq, type RoomChange, type RoomState } from "./room-state.ts";
import type { HandOverState, Message, PendingMessage, WrittenMessage } from "./types.ts";
import { isHandOverState } from "./wire-data.ts";

const typingIdleMs = 2_000;

interface RoomClientOptions {
  roomId: number;
  me: number;
  /** The text shown with an entry that is too old to be sent without asking. */
  outdated: string;
  state: () => RoomState;
  change: (change: RoomChange) => void;
}

/** Functions that bring the view up to date with the server; they may be called as often as hints come. */
interface RoomUpkeep {
  refresh: () => Promise<void>;
  catchUp: () => Promise<void>;
}

/** The live room behind the view: a socket for hints, `seq` for the truth, HTTP for what the socket cannot do. */
export function startRoom(room: RoomClientOptions) {
  const { roomId, state, change } = room;
  const take = (messages: Message[]) => {
    change({ kind: "received", messages });
    for (const { clientId } of messages) if (clientId !== null) void outbox.forget(clientId);
  };
  const sending = outboxDeliveries(room, take, (frame) => connection.send(frame));
  const outbox = openOutbox({
    store: browserStore(room.me, roomId),
    deliver: sending.deliver,
    show: (pending) => change({ kind: "waiting", pending }),
    isKnown: (clientId) => state().messages.some((message) => message.clientId === clientId),
    alone: (work) => runInOneTab(`midman-outbox-${room.me}-${roomId}`, work),
    outdated: room.outdated,
    now: Date.now,
  });
  const upkeep: RoomUpkeep = {
    refresh: oneAtATime(() => refreshRoom(room, () => void upkeep.refresh())),
    catchUp: oneAtATime(() => catchUp(room, take)),
  };
  const handlers = handlersOf(room, upkeep, take, outbox.flush, sending);
  const connection = connectRoom(roomId, room.me, {
    ...handlers,
    onOpen() {
      handlers.onOpen();
      presence.reportAgain();
    },
  });
  document.addEventListener("part-fetched", keepPresenceIn);
  const presence = watchPresence((status) => connection.send({ type: "user_status", status }));
  const stopWatching = watchBrowser({
    ...upkeep,
    outbox,
    isIdle: () => state().connected || state().suspension !== undefined,
  });
  void outbox.flush();
  return {
    /** Returns false if too many messages wait already. Calls `onStored` once the message is stored, or storing has failed. */
    send(written: WrittenMessage, onStored: () => void): boolean {
      const stored = outbox.add(written);
      void stored?.then(onStored);
      return stored !== undefined;
    },
    retry: (item: PendingMessage) => void outbox.retry(item),
    discard({ clientId }: PendingMessage) {
      change({ kind: "discarded", clientId });
      void outbox.forget(clientId);
    },
    typing: typingNotifier(connection),
    older: olderMessagesLoader(room),
    read(seq: number) {
      if (!connection.send({ type: "read", seq })) void postToRoom(room, "read", { seq }).catch(() => {});
    },
    stop() {
      document.removeEventListener("part-fetched", keepPresenceIn);
      stopWatching();
      presence.stop();
      outbox.close();
      connection.stop();
    },
  };
}

function handlersOf(
  { state, change }: RoomClientOptions,
  { refresh, catchUp }: RoomUpkeep,
  take: (messages: Message[]) => void,
  flush: () => Promise<void>,
  sending: ReturnType<typeof outboxDeliveries>,
): ConnectionHandlers {
  const typists = new Map<number, ReturnType<typeof setTimeout>>();
  return {
    onOpen() {
      change({ kind: "connected", connected: true });
      void refresh();
      // Missed messages first, which may contain the echo of an entry that seems unsent; the remaining entries are sent afterwards.
      void catchUp().then(flush);
    },
    onClose() {
      change({ kind: "connected", connected: false });
      sending.resolveAllAttempts();
    },
    onRefused: () => change({ kind: "refused" }),
    async onSignedOut() {
      const suspension = await fetchSuspension();
      if (suspension !== undefined) change({ kind: "suspended", suspension });
      return suspension !== undefined;
    },
    onMessage: (message) => take([message]),
    onSeq(seq) {
      if (seq > contiguousSeq(state().messages)) void catchUp();
    },
    onAnswer: sending.resolveAttempt,
    onTyping(userId, on) {
      clearTimeout(typists.get(userId));
      change({ kind: "typing", userId, on });
      if (!on) return;
      // The frame that ends typing may be lost, so typing times out.
      const end = setTimeout(() => change({ kind: "typing", userId, on: false }), typingIdleMs * 2);
      typists.set(userId, end);
    },
    onRead: (userId, seq) => change({ kind: "read", userId, seq }),
    onPresence: (userId, status) => change({ kind: "presence", userId, status }),
    onTradeChanged: () => void refresh(),
  };
}

/** Prevents two tabs from sending the same entries. In a browser without locks they only send duplicates, which the server recognises. */
async function runInOneTab(name: string, work: () => Promise<void>): Promise<void> {
  await (navigator.locks?.request(name, work) ?? work());
}

/** Reports once when the person begins to type, and once after a pause. */
function typingNotifier(connection: Connection): () => void {
  let idle: ReturnType<typeof setTimeout> | undefined;
  return () => {
    if (idle === undefined) connection.send({ type: "typing_start" });
    clearTimeout(idle);
    idle = setTimeout(() => {
      idle = undefined;
      connection.send({ type: "typing_end" });
    }, typingIdleMs);
  };
}

/** The server does not know who is present. */
function keepPresenceIn(event: Event): void {
  if (event instanceof CustomEvent) keepPresence(event.detail.shown, event.detail.fresh);
}

/** Whether goods may be handed over now, and which notices still ask for something, as the trade's panel says. */
function tradeStateIn(page: ParentNode): { handOver: HandOverState; askingCodes: string } | undefined {
  const { handOver, askingCodes = "" } = page.querySelector<HTMLElement>("[data-hand-over]")?.dataset ?? {};
  return isHandOverState(handOver) ? { handOver, askingCodes } : undefined;
}

/** Refreshes the trade's panel and the room's members. */
async function refreshRoom({ roomId, change }: RoomClientOptions, again: () => void): Promise<void> {
  const [seats, page] = await Promise.all([fetchSeats(roomId), refreshParts(`/chat/${roomId}/panel`, again)]);
  const tradeState = page && tradeStateIn(page);
  if (tradeState !== undefined) change({ kind: "moved", ...tradeState });
  if (seats !== undefined) change({ kind: "seated", seats });
}

/** Fetches missed messages. After a network failure the next heartbeat, poll or reconnect tries again. */
async function catchUp(
  { roomId, state }: RoomClientOptions,
  take: (messages: Message[]) => void,
): Promise<void> {
  const whole = await fetchMessagesAfter(roomId, contiguousSeq(state().messages), take).catch(() => true);
  // A person who missed too much starts over with the latest messages, unless the address asks for older ones: then the next heartbeat
  // continues.
  if (!whole && !location.search) location.replace(location.pathname);
}

/**
 * Loads the messages before the first one shown, one stretch per call. What was fetched beyond a stretch is kept for the next call. After a
 * failure the next scroll tries again.
 */
function olderMessagesLoader({ roomId, state, change }: RoomClientOptions): () => Promise<void> {
  let fetched: Message[] = [];
  return async () => {
    const first = state().messages[0]?.seq;
    if (first === undefined) return;
    if (fetched.at(-1)?.seq !== first - 1) {
      const before = await fetchMessagesBefore(roomId, first).catch(() => undefined);
      // The reader may have gone back to the end meanwhile, which drops the messages above.
      if (before === undefined || state().messages[0]?.seq !== first) return;
      fetched = before;
    }
    const last = fetched.at(-1)?.seq ?? 0;
    const from = fetched.findIndex(({ seq }) => stretchOf(seq) === stretchOf(last));
    const messages = fetched.splice(Math.max(0, from));
    // Rendered in small steps, so that scrolling never waits for it.
    startTransition(() => change({ kind: "older", messages, hasOlder: (messages[0]?.seq ?? 1) > 1 }));
  };
}
