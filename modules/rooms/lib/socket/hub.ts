import { config } from "#config";
import { currentTime } from "#db/clock";
import { type EndedSession, findLiveSessions } from "#modules/identity";
import { minuteOf, noteSeen } from "../seen/last-seen.ts";
import { authorizeSockets, lastSeqs } from "./authorize-socket.ts";
import { closeCodes } from "./close-codes.ts";
import { maxSocketsPerPerson } from "./limits.ts";
import { type ListListener, RoomWatches } from "./list/room-watches.ts";
import { isAttending, type PresenceChange } from "./presence.ts";
import { type Listener, type Publisher, RoomSockets } from "./room-sockets.ts";
import { heartbeatFrame } from "./server-frame.ts";

/** All sockets of one listening server. */
export class Hub {
  readonly #instance = crypto.randomUUID();
  readonly #rooms = new Map<number, RoomSockets>();
  readonly #lists = new Set<ListListener>();
  /** The rooms that the open lists show. */
  readonly lists = new RoomWatches();
  /** Number of sockets of each person. */
  readonly #each = new Map<number, number>();
  /** The last minute for which it was recorded who attends, in ms since 1970. */
  #seenMinute = 0;
  /** Set when the server stops: no new sockets are accepted. */
  closed = false;

  constructor(readonly server: Publisher) {}

  /** Whether a person may have another socket. */
  hasPlaceFor(userId: number): boolean {
    return (this.#each.get(userId) ?? 0) < maxSocketsPerPerson * config().THROTTLE_FACTOR;
  }

  /** Adds a socket to its room; from here on, revocations close it. */
  enter(listener: Listener): RoomSockets {
    const { roomId } = listener;
    this.#remember(listener.userId);
    const room = this.#rooms.get(roomId) ?? new RoomSockets(roomId, this.#instance, this.server);
    this.#rooms.set(roomId, room);
    room.listeners.add(listener);
    return room;
  }

  /** Removes a socket. The last one of a room also ends the room's bus subscription. */
  leave(room: RoomSockets, listener: Listener): void {
    if (!room.listeners.delete(listener)) return;
    this.#forget(listener.userId);
    room.tellPresence(listener.userId);
    if (room.listeners.size > 0) return;
    this.#rooms.delete(room.roomId);
    room.stop();
  }

  /** Adds the socket of a list of rooms; from here on, revocations close it. */
  enterList(listener: ListListener): void {
    this.#remember(listener.userId);
    this.#lists.add(listener);
  }

  /** Removes the socket of a list. */
  leaveList(listener: ListListener): void {
    if (!this.#lists.delete(listener)) return;
    this.#forget(listener.userId);
    this.lists.forget(listener);
  }

  /** The people present in a room, as far as this instance knows: those of rooms that have a socket here, or are in an open list. */
  present(roomId: number): PresenceChange[] {
    return this.#rooms.get(roomId)?.present() ?? this.lists.present(roomId);
  }

  /** Closes the sockets of ended sessions. */
  cut({ userId, sessionId }: EndedSession): void {
    for (const listener of this.#everyone()) {
      if (listener.userId === userId && listener.sessionId === sessionId) listener.end(closeCodes.noSession);
    }
  }

  /**
   * One heartbeat: sends each room its last `seq`, renews presence, and checks again whether everyone may still listen, to make up for
   * signals that the bus lost.
   */
  async beat(): Promise<void> {
    const listeners = this.#listeners();
    const at = currentTime();
    for (const room of this.#rooms.values()) room.renew(at);
    this.lists.expire(at);
    const [over, seqs] = await Promise.all([
      authorizeSockets(listeners, at),
      lastSeqs([...this.#rooms.keys()]),
      this.#endDeadLists(at),
      this.#noteAttending(listeners, at),
    ]);
    for (const [listener, code] of over) listener.end(code);
    for (const [roomId, seq] of seqs) this.#rooms.get(roomId)?.say(heartbeatFrame(seq, at));
  }

  /** Closes every socket: the server stops, and another takes over. */
  close(): void {
    this.closed = true;
    for (const listener of this.#everyone()) listener.end(closeCodes.restart);
  }

  /** Number of rooms with a socket. */
  get rooms(): number {
    return this.#rooms.size;
  }

  /** Number of sockets. */
  get size(): number {
    return this.#everyone().length;
  }

  /** Records once a minute who attends, so that it is known even after an instance has died. */
  async #noteAttending(listeners: Listener[], at: Date): Promise<void> {
    const minute = minuteOf(at).getTime();
    if (minute === this.#seenMinute) return;
    this.#seenMinute = minute;
    await noteSeen(
      listeners.filter(({ entered, status }) => entered && isAttending(status)),
      at,
    );
  }

  async #endDeadLists(at: Date): Promise<void> {
    const lists = [...this.#lists];
    if (lists.length === 0) return;
    const live = await findLiveSessions(
      lists.map(({ sessionId }) => sessionId),
      at,
    );
    for (const list of lists) if (!live.has(list.sessionId)) list.end(closeCodes.noSession);
  }

  #remember(userId: number): void {
    this.#each.set(userId, (this.#each.get(userId) ?? 0) + 1);
  }

  #forget(userId: number): void {
    const left = (this.#each.get(userId) ?? 0) - 1;
    if (left > 0) this.#each.set(userId, left);
    else this.#each.delete(userId);
  }

  #everyone(): (Listener | ListListener)[] {
    return [...this.#listeners(), ...this.#lists];
  }

  #listeners(): Listener[] {
    return [...this.#rooms.values()].flatMap(({ listeners }) => [...listeners]);
  }
}
