import { closeCodes } from "#constants/rooms";
import { readStored, writeStored } from "../../../enhance/browser/browser-storage.ts";
import type { DeliveryOutcome } from "../outbox/outbox.ts";
import type { Message, Presence } from "../types.ts";
import { type Frame, isFrame, isMessage, parseJson } from "../wire-data.ts";
import { changesTrade } from "./panel-frames.ts";
import { type Connection, openReconnectingSocket } from "./reconnecting-socket.ts";

export type { Connection };

export interface ConnectionHandlers {
  onOpen(): void;
  onClose(): void;
  /** The server refused the connection, and the page has nothing else to show. */
  onRefused(): void;
  /** The session ended. Resolves to true if the room shows the reason, so that the page is not reloaded and the draft stays. */
  onSignedOut(): Promise<boolean>;
  onMessage(message: Message): void;
  /** The server has stored everything up to `seq`: messages that are not here were missed. */
  onSeq(seq: number): void;
  /**
   * The server has stored the message of this client id, or refused it for a reason. Throttling and overload count as `later`, not as a
   * refusal.
   */
  onAnswer(clientId: string, outcome: DeliveryOutcome): void;
  onRead(userId: number, seq: number): void;
  onTyping(userId: number, on: boolean): void;
  onPresence(userId: number, status: Presence): void;
  /** The trade, its parties or their roles changed: the panel must be fetched again. */
  onTradeChanged(): void;
}

const { noSession, consentRequired, notTheUser, notAMember } = closeCodes;
const accessDeniedCodes: ReadonlySet<number> = new Set([noSession, consentRequired, notTheUser, notAMember]);

/**
 * The room's socket (`openReconnectingSocket`), which passes on each frame. After "too many" the page polls meanwhile. The socket does not
 * recover missed messages: `seq` and the poll do.
 */
export function connectRoom(roomId: number, me: number, handlers: ConnectionHandlers): Connection {
  /** Reloads the page once: the server's response fits a person who was signed out or is no longer a member. */
  const reloadOnce = () => (mayReload() ? location.replace(location.pathname) : handlers.onRefused());
  return openReconnectingSocket(`roomId=${roomId}&userId=${me}`, {
    onOpen: () => handlers.onOpen(),
    onClose: () => handlers.onClose(),
    onFrame(data) {
      const frame = parseJson(data, isFrame);
      if (frame !== undefined) dispatchFrame(frame, handlers);
    },
    onDenied(code) {
      if (code === noSession) void handlers.onSignedOut().then((isSaid) => isSaid || reloadOnce());
      else if (accessDeniedCodes.has(code)) reloadOnce();
      else handlers.onRefused();
    },
  });
}

const reloadStorageKey = "room-asked";

/** Limits reloads to one a minute: a page whose socket is refused again after the reload would otherwise reload forever. */
function mayReload(): boolean {
  if (Date.now() - Number(readStored("sessionStorage", reloadStorageKey)) < 60_000) return false;
  return writeStored("sessionStorage", reloadStorageKey, String(Date.now()));
}

const messageFrames = new Set(["chat", "image", "payment"]);

function dispatchFrame(frame: Frame, handlers: ConnectionHandlers): void {
  const message = messageFrames.has(frame.type) && isMessage(frame.payload) ? frame.payload : undefined;
  if (message !== undefined) handlers.onMessage(message);
  if (frame.clientId && (frame.type === "ack" || frame.type === "refused"))
    handlers.onAnswer(frame.clientId, outcomeOfFrame(frame));
  if (frame.type === "read" && frame.userId) handlers.onRead(frame.userId, frame.seq ?? 0);
  if (frame.type === "typing_start" && frame.userId) handlers.onTyping(frame.userId, true);
  if (frame.type === "typing_end" && frame.userId) handlers.onTyping(frame.userId, false);
  if (frame.type === "user_status" && frame.userId)
    handlers.onPresence(frame.userId, frame.status ?? "offline");
  if (changesTrade(frame.type)) handlers.onTradeChanged();
  // The message itself has just been passed on; earlier ones may be missing.
  if (typeof frame.seq === "number") handlers.onSeq(message === undefined ? frame.seq : frame.seq - 1);
}

/**
 * Refusals that are not the message's fault: a socket that is about to be closed refuses its remaining frames, and an overloaded server
 * refuses any frame.
 */
const temporaryRefusals = new Set(["THROTTLED", "OVERLOADED", "AUTH_REQUIRED", "NOT_AUTHORIZED"]);

function outcomeOfFrame({ type, code = "", message = "", retryAfterSeconds }: Frame): DeliveryOutcome {
  if (type === "ack") return { kind: "sent" };
  return temporaryRefusals.has(code)
    ? { kind: "later", seconds: retryAfterSeconds }
    : { kind: "refused", reason: message };
}
