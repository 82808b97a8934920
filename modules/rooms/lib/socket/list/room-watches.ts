import { currentTime } from "#db/clock";
import { onRoomSignal, type RoomSignal, sendRoomSignal } from "../../core/room-signals.ts";
import { socketTimings } from "../limits.ts";
import { Presence, type PresenceChange } from "../presence.ts";

/** A list of rooms that is open somewhere, as the rooms that it shows see it. */
export type ListListener = {
  readonly userId: number;
  readonly sessionId: number;
  /** Something changed in one of its rooms. */
  change(): void;
  end(code: number): void;
};

/** One room that lists of this server show. Subscribes to the bus from construction until `stop`. */
class RoomWatch {
  readonly listeners = new Set<ListListener>();
  readonly presence = new Presence();
  readonly stop: () => void;

  constructor(
    readonly roomId: number,
    readonly lose: (listener: ListListener) => void,
  ) {
    this.stop = onRoomSignal(roomId, (signal) => this.#hear(signal));
    sendRoomSignal(roomId, { kind: "who" });
  }

  expire(at: Date): void {
    for (const { userId } of this.presence.expire(at.getTime())) this.#tellAllBut(userId);
  }

  #hear(signal: RoomSignal): void {
    if (signal.kind === "frames") this.#tellAllBut(undefined);
    else if (signal.kind === "frame") this.#hearFrame(signal.frame);
    else if (signal.kind === "presence") {
      const { userId, instance, status } = signal;
      const until = currentTime().getTime() + socketTimings.lease;
      if (this.presence.note(userId, instance, status, until) !== undefined) this.#tellAllBut(userId);
    } else if (signal.kind === "cut") this.#cut(signal.userId);
  }

  /**
   * Ignores typing frames and other members' read marks, which no list shows. Frames are encoded once for all sockets with `type` first
   * (`server-frame.ts`), so their beginnings tell them apart without parsing each.
   */
  #hearFrame(frame: string): void {
    if (frame.startsWith('{"type":"typing')) return;
    const reader = /^\{"type":"read","userId":(\d+),/.exec(frame)?.[1];
    for (const listener of this.listeners)
      if (reader === undefined || listener.userId === Number(reader)) listener.change();
  }

  #tellAllBut(userId: number | undefined): void {
    for (const listener of this.listeners) if (listener.userId !== userId) listener.change();
  }

  /** The member was removed, or the room deleted: unsubscribes their lists. */
  #cut(userId: number | undefined): void {
    for (const listener of [...this.listeners]) {
      if (userId !== undefined && listener.userId !== userId) continue;
      this.lose(listener);
      listener.change();
    }
  }
}

/** The rooms that the open lists of one server show, each listened to once however many lists show it. */
export class RoomWatches {
  readonly #rooms = new Map<number, RoomWatch>();

  /** Replaces the set of rooms that a list is subscribed to. */
  watch(listener: ListListener, roomIds: readonly number[]): void {
    const wanted = new Set(roomIds);
    for (const room of [...this.#rooms.values()]) if (!wanted.has(room.roomId)) this.#lose(room, listener);
    for (const roomId of wanted) {
      const room = this.#rooms.get(roomId) ?? this.#open(roomId);
      room.listeners.add(listener);
    }
  }

  /** Forgets a list. The last one of a room also ends the room's bus subscription. */
  forget(listener: ListListener): void {
    for (const room of [...this.#rooms.values()]) this.#lose(room, listener);
  }

  /** Removes people whom no instance reports any more. */
  expire(at: Date): void {
    for (const room of this.#rooms.values()) room.expire(at);
  }

  /** The people present in a room, if a list shows it. */
  present(roomId: number): PresenceChange[] {
    return this.#rooms.get(roomId)?.presence.all() ?? [];
  }

  #open(roomId: number): RoomWatch {
    const room: RoomWatch = new RoomWatch(roomId, (listener) => this.#lose(room, listener));
    this.#rooms.set(roomId, room);
    return room;
  }

  #lose(room: RoomWatch, listener: ListListener): void {
    if (!room.listeners.delete(listener) || room.listeners.size > 0) return;
    this.#rooms.delete(room.roomId);
    room.stop();
  }
}
