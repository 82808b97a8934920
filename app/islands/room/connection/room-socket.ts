import type { DeliveryOutcome } from "../outbox/outbox.ts";
import type { Message, Presence } from "../types.ts";

export interface ConnectionHandlers {
  onOpen(): void;
  onClose(): void;
  /** The server said no, and the page itself has nothing else to say. */
  onRefused(): void;
  /** The session ended. Resolves to true if the room shows the reason, so that the page is not reloaded and the draft stays. */
  onSignedOut(): Promise<boolean>;
  onMessage(message: Message): void;
  /** The server has stored everything up to `seq`: whatever is not here was missed. */
  onSeq(seq: number): void;
  /** The server has stored the message of this client id, or refuses it for a reason; too many at once, of this member or of all, is no reason. */
  onAnswer(clientId: string, outcome: DeliveryOutcome): void;
  onRead(userId: number, seq: number): void;
  onTyping(userId: number, on: boolean): void;
  onPresence(userId: number, status: Presence): void;
  /** The trade, its people or their roles changed: the panel is to be fetched again. */
  onTradeChanged(): void;
}

export interface Connection {
  /** True when the frame went out. */
  send(frame: object): boolean;
  /** Ends it for good. */
  stop(): void;
}

interface Frame {
  type: string;
  seq?: number;
  payload?: unknown;
  data?: unknown;
  clientId?: string;
  message?: string;
  code?: string;
  retryAfterSeconds?: number;
  userId?: number;
  status?: Presence;
}

const noSessionCode = 4401;
/** No session; somebody else's session; no member of the room (design §4). */
const accessDeniedCodes = new Set([noSessionCode, 4403, 4404]);

/** Too many sockets, or too much said on one: no place now, which is not a no for good. */
const tooManyCode = 4429;

/** The server goes and another takes over: one to come back to at once, were not everybody else told the same. */
const restartCode = 1012;
const restartDelay = { least: 500, most: 5_000 };

const firstDelay = 3_000;
const longestDelay = 30_000;

/**
 * The room's socket: reconnects after 3 s with jitter, growing to 30 s, and never after a 44xx (the server said no)
 * or a normal end. After a restart that was planned it is back sooner, at a moment of its own, since all sockets were
 * closed at once. Of too many it keeps the longest pause, and the page polls meanwhile. Where the browser tells that the network went, a socket that would linger for minutes is let go at once,
 * and another opened when it is back. What was missed is not its business: `seq` and the poll repair that.
 */
export function connectRoom(roomId: number, me: number, handlers: ConnectionHandlers): Connection {
  let socket: WebSocket | undefined;
  let delay = firstDelay;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new AbortController();

  /** Reloads the page once, since the server has the right answer for a person who was signed out or is no member any more. */
  const reloadOnce = () => (mayReload() ? location.replace(location.pathname) : handlers.onRefused());
  const open = () => {
    clearTimeout(timer);
    const address = new URL(`/ws?roomId=${roomId}&userId=${me}`, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(address);
    socket.onopen = () => {
      delay = firstDelay;
      handlers.onOpen();
    };
    socket.onmessage = ({ data }) => dispatchFrame(JSON.parse(String(data)) as Frame, handlers);
    socket.onclose = ({ code }) => {
      handlers.onClose();
      if (code === noSessionCode) return void handlers.onSignedOut().then((isSaid) => isSaid || reloadOnce());
      if (accessDeniedCodes.has(code)) return reloadOnce();
      if (code === 1000) return;
      if (code === tooManyCode) delay = longestDelay;
      else if (code >= 4400 && code < 4500) return handlers.onRefused();
      if (code === restartCode) {
        timer = setTimeout(open, randomBetween(restartDelay));
        return;
      }
      timer = setTimeout(open, delay * (0.75 + Math.random() / 2));
      delay = Math.min(delay * 1.6, longestDelay);
    };
  };
  /** Lets the socket go, and tries no other. */
  const drop = () => {
    clearTimeout(timer);
    if (socket === undefined) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close(1000);
    socket = undefined;
  };
  const on = (type: string, hear: () => void) => addEventListener(type, hear, { signal: ended.signal });
  on("offline", () => {
    drop();
    handlers.onClose();
  });
  on("online", () => {
    drop();
    delay = firstDelay;
    open();
  });
  open();
  return {
    send(frame) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(frame));
      return true;
    },
    stop() {
      ended.abort();
      drop();
    },
  };
}

function randomBetween({ least, most }: { least: number; most: number }): number {
  return least + Math.random() * (most - least);
}

const reloadStorageKey = "room-asked";

/** A page that comes back, and whose socket is refused again, would be loaded for ever: it is asked once a minute. */
function mayReload(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(reloadStorageKey)) < 60_000) return false;
    sessionStorage.setItem(reloadStorageKey, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}

const messageFrames = new Set(["chat", "image", "payment"]);

const panelFrames = new Set([
  "transaction_update",
  "transaction_confirmation",
  "info_exchange",
  "payment",
  "user_role_update",
  "user_join",
  "user_leave",
]);

function dispatchFrame(frame: Frame, handlers: ConnectionHandlers): void {
  const message = messageFrames.has(frame.type) ? (frame.payload as Message | undefined) : undefined;
  if (message !== undefined) handlers.onMessage(message);
  if (frame.clientId && (frame.type === "ack" || frame.type === "refused"))
    handlers.onAnswer(frame.clientId, outcomeOfFrame(frame));
  if (frame.type === "read" && frame.userId) handlers.onRead(frame.userId, frame.seq ?? 0);
  if (frame.type === "typing_start" && frame.userId) handlers.onTyping(frame.userId, true);
  if (frame.type === "typing_end" && frame.userId) handlers.onTyping(frame.userId, false);
  if (frame.type === "user_status" && frame.userId)
    handlers.onPresence(frame.userId, frame.status ?? "offline");
  if (panelFrames.has(frame.type)) handlers.onTradeChanged();
  // The message itself has just been handed on; what came before it may be missing.
  if (typeof frame.seq === "number") handlers.onSeq(message === undefined ? frame.seq : frame.seq - 1);
}

/**
 * A socket that is about to be ended refuses what it still holds, and a server that has too much to do whatever comes: that is not
 * the message's fault.
 */
const temporaryRefusals = new Set(["THROTTLED", "OVERLOADED", "AUTH_REQUIRED", "NOT_AUTHORIZED"]);

function outcomeOfFrame({ type, code = "", message = "", retryAfterSeconds }: Frame): DeliveryOutcome {
  if (type === "ack") return { kind: "sent" };
  return temporaryRefusals.has(code)
    ? { kind: "later", seconds: retryAfterSeconds }
    : { kind: "refused", reason: message };
}
