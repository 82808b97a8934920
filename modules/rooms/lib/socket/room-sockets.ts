import { currentTime } from "#db/clock";
import { type Language, supportedLanguages } from "#locales";
import { onRoomSignal, type RoomSignal, roomTopic, sendRoomSignal } from "../core/room-signals.ts";
import type { SocketSeat } from "./authorize-socket.ts";
import { closeCodes, socketTimings } from "./limits.ts";
import { countFrameSent, observeFanoutLag } from "./metrics.ts";
import { mostPresent, Presence, type PresenceChange, type PresenceStatus } from "./presence.ts";
import { userStatusFrame } from "./server-frame.ts";

/** One socket, as its room sees it; until its session and seat were read it has not `entered`, and nobody hears of it. */
export type Listener = SocketSeat & {
  readonly status: PresenceStatus;
  readonly entered: boolean;
  end(code: number): void;
};

/** Where a listening server passes a frame on to all sockets of a topic. */
export type Publisher = { publish(topic: string, frame: string): unknown };

/** The topics of a socket: what is the same for everyone, and what is said in its language. */
export function topicsOf(roomId: number, language: Language): [string, string] {
  return [roomTopic(roomId), `${roomTopic(roomId)}:${language}`];
}

/** The sockets that one server has in one room. It listens on the bus for as long as there is one. */
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

  /** Who is here now, for a socket that has just come. */
  present(): PresenceChange[] {
    return this.#presence.all();
  }

  /** Passes a frame to every socket here. */
  say(frame: string): void {
    countFrameSent();
    this.server.publish(roomTopic(this.roomId), frame);
  }

  /** Tells every instance how present a person is here. */
  tellPresence(userId: number): void {
    const here = this.#entered().filter((listener) => listener.userId === userId);
    const status = mostPresent(here.map((listener) => listener.status));
    sendRoomSignal(this.roomId, { kind: "presence", userId, instance: this.instance, status });
  }

  /** Renews the leases of the people here, and ends those of instances that renew theirs no more. */
  renew(at: Date): void {
    this.#tellAll();
    for (const change of this.#presence.expire(at.getTime())) this.say(userStatusFrame(change, at));
  }

  #hear(message: RoomSignal): void {
    if (message.kind === "frame" || message.kind === "frames")
      observeFanoutLag(message.at, currentTime().getTime());
    if (message.kind === "frame") this.say(message.frame);
    else if (message.kind === "frames") this.#sayInEach(message.frames);
    else if (message.kind === "presence")
      this.#note(message.userId, message.instance, message.status as PresenceStatus);
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
