import { now } from "#db/clock";
import { type Language, languages } from "#locales";
import { onSignal, type RoomSignal, roomTopic, signal } from "../core/room-signals.ts";
import type { Seated } from "./authorize-socket.ts";
import { closing, timings } from "./limits.ts";
import { frameSaid, frameTold } from "./metrics.ts";
import { type Change, mostPresent, Presence, type PresenceStatus } from "./presence.ts";
import { userStatus } from "./server-frame.ts";

/** One socket, as its room sees it; until its session and seat were read it has not `entered`, and nobody hears of it. */
export type Listener = Seated & {
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
    this.stop = onSignal(roomId, (message) => this.#hear(message));
    signal(roomId, { kind: "who" });
  }

  /** Who is here now, for a socket that has just come. */
  present(): Change[] {
    return this.#presence.all();
  }

  /** Passes a frame to every socket here. */
  say(frame: string): void {
    frameSaid();
    this.server.publish(roomTopic(this.roomId), frame);
  }

  /** Tells every instance how present a person is here. */
  tellPresence(userId: number): void {
    const here = this.#entered().filter((listener) => listener.userId === userId);
    const status = mostPresent(here.map((listener) => listener.status));
    signal(this.roomId, { kind: "presence", userId, instance: this.instance, status });
  }

  /** Renews the leases of the people here, and ends those of instances that renew theirs no more. */
  renew(at: Date): void {
    this.#tellAll();
    for (const change of this.#presence.expire(at.getTime())) this.say(userStatus(change, at));
  }

  #hear(message: RoomSignal): void {
    if (message.kind === "frame" || message.kind === "frames") frameTold(message.at, now().getTime());
    if (message.kind === "frame") this.say(message.frame);
    else if (message.kind === "frames") this.#sayInEach(message.frames);
    else if (message.kind === "presence")
      this.#note(message.userId, message.instance, message.status as PresenceStatus);
    else if (message.kind === "who") this.#tellAll();
    else this.#cut(message.userId);
  }

  #sayInEach(frames: Record<Language, string>): void {
    for (const language of languages) {
      frameSaid();
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
      if (userId === undefined || listener.userId === userId) listener.end(closing.notAMember);
    }
  }

  #note(userId: number, instance: string, status: PresenceStatus): void {
    const at = now();
    const change = this.#presence.note(userId, instance, status, at.getTime() + timings.lease);
    if (change !== undefined) this.say(userStatus(change, at));
  }
}
