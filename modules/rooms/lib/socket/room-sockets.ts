import { currentTime } from "#db/clock";
import { type Language, supportedLanguages } from "#locales";
import { onRoomSignal, type RoomSignal, roomTopic, sendRoomSignal } from "../core/room-signals.ts";
import type { SocketSeat } from "./authorize-socket.ts";
import { closeCodes } from "./close-codes.ts";
import { socketTimings } from "./limits.ts";
import { countFrameSent, observeFanoutLag } from "./metrics.ts";
import { mostPresent, Presence, type PresenceChange, type PresenceStatus } from "./presence.ts";
import { userStatusFrame } from "./server-frame.ts";

/** A socket as its room sees it; until its session and membership have been read, `entered` is false and no one is notified of it. */
export type Listener = SocketSeat & {
  readonly status: PresenceStatus;
  readonly entered: boolean;
  end(code: number): void;
};

/** The part of a listening server that passes a frame to all sockets of a topic. */
export type Publisher = { publish(topic: string, frame: string): unknown };

/** A socket's topics: one for frames that are the same for everyone, one for those in its language. */
export function topicsOf(roomId: number, language: Language): [string, string] {
  return [roomTopic(roomId), `${roomTopic(roomId)}:${language}`];
}

/** One server's sockets in one room. Subscribes to the bus from construction until `stop`. */
export class RoomSockets {
  readonly listeners = new Set<Listener>();
  readonly #presence = new Presence();
  readonly stop: () => void;

  constructor(
    readonly roomId: number,
    readonly instance: string,
    readonly server: Publisher,
  ) {
    this.stop = onRoomSignal(roomId, (message) => this.#hear(message));
    sendRoomSignal(roomId, { kind: "who" });
  }

  /** The people present now, for a socket that has just joined. */
  present(): PresenceChange[] {
    return this.#presence.all();
  }

  /** Sends a frame to every socket here. */
  say(frame: string): void {
    countFrameSent();
    this.server.publish(roomTopic(this.roomId), frame);
  }

  /** Publishes a person's presence on this instance to every instance. */
  tellPresence(userId: number): void {
    const here = this.#entered().filter((listener) => listener.userId === userId);
    const status = mostPresent(here.map((listener) => listener.status));
    sendRoomSignal(this.roomId, { kind: "presence", userId, instance: this.instance, status });
  }

  /** Renews the leases of people here, and removes those that other instances no longer renew. */
  renew(at: Date): void {
    this.#tellAll();
    for (const change of this.#presence.expire(at.getTime())) this.say(userStatusFrame(change, at));
  }

  #hear(message: RoomSignal): void {
    if (message.kind === "frame" || message.kind === "frames")
      observeFanoutLag(message.at, currentTime().getTime());
    if (message.kind === "frame") this.say(message.frame);
    else if (message.kind === "frames") this.#sayInEach(message.frames);
    else if (message.kind === "presence") this.#note(message.userId, message.instance, message.status);
    else if (message.kind === "who") this.#tellAll();
    else this.#cut(message.userId);
  }

  #sayInEach(frames: Record<Language, string>): void {
    for (const language of supportedLanguages) {
      countFrameSent();
      this.server.publish(topicsOf(this.roomId, language)[1], frames[language]);
    }
  }

  #tellAll(): void {
    for (const userId of new Set(this.#entered().map((listener) => listener.userId)))
      this.tellPresence(userId);
  }

  #entered(): Listener[] {
    return [...this.listeners].filter((listener) => listener.entered);
  }

  #cut(userId: number | undefined): void {
    for (const listener of this.listeners) {
      if (userId === undefined || listener.userId === userId) listener.end(closeCodes.notAMember);
    }
  }

  #note(userId: number, instance: string, status: PresenceStatus): void {
    const at = currentTime();
    const change = this.#presence.note(userId, instance, status, at.getTime() + socketTimings.lease);
    if (change !== undefined) this.say(userStatusFrame(change, at));
  }
}
