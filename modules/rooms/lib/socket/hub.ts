import { config } from "#config";
import { currentTime } from "#db/clock";
import type { EndedSession } from "#modules/identity";
import { authorizeSockets, lastSeqs } from "./authorize-socket.ts";
import { closeCodes, maxSocketsPerPerson } from "./limits.ts";
import { type Listener, type Publisher, RoomSockets } from "./room-sockets.ts";
import { heartbeatFrame } from "./server-frame.ts";

/** All sockets of one listening server. */
export class Hub {
  readonly #instance = crypto.randomUUID();
  readonly #rooms = new Map<number, RoomSockets>();
  /** How many sockets each person has. */
  readonly #each = new Map<number, number>();
  /** Set when the server is ending: no socket is taken any more. */
  closed = false;

  constructor(readonly server: Publisher) {}

  /** Whether a person may have one more. */
  hasPlaceFor(userId: number): boolean {
    return (this.#each.get(userId) ?? 0) < maxSocketsPerPerson * config().THROTTLE_FACTOR;
  }

  /** Takes a socket into its room; from here on it is cut when it should be. */
  enter(listener: Listener): RoomSockets {
    const { roomId, userId } = listener;
    this.#each.set(userId, (this.#each.get(userId) ?? 0) + 1);
    const room = this.#rooms.get(roomId) ?? new RoomSockets(roomId, this.#instance, this.server);
    this.#rooms.set(roomId, room);
    room.listeners.add(listener);
    return room;
  }

  /** Lets a socket go. The last one out of a room ends its place on the bus. */
  leave(room: RoomSockets, listener: Listener): void {
    if (!room.listeners.delete(listener)) return;
    this.#forget(listener.userId);
    room.tellPresence(listener.userId);
    if (room.listeners.size > 0) return;
    this.#rooms.delete(room.roomId);
    room.stop();
  }

  /** Cuts the sockets of sessions that are over. */
  cut({ userId, sessionId }: EndedSession): void {
    for (const listener of this.#listeners()) {
      const theirs =
        listener.userId === userId && (sessionId === undefined || listener.sessionId === sessionId);
      if (theirs) listener.end(closeCodes.noSession);
    }
  }

  /**
   * One beat: tells each room its last `seq`, renews presence, and looks again whether everyone may still listen, so that
   * what the bus lost is made good.
   */
  async beat(): Promise<void> {
    const listeners = this.#listeners();
    const at = currentTime();
    for (const room of this.#rooms.values()) room.renew(at);
    const [over, seqs] = await Promise.all([
      authorizeSockets(listeners, at),
      lastSeqs([...this.#rooms.keys()]),
    ]);
    for (const [listener, code] of over) listener.end(code);
    for (const [roomId, seq] of seqs) this.#rooms.get(roomId)?.say(heartbeatFrame(seq, at));
  }

  /** Ends every socket: the server goes, and another takes over. */
  close(): void {
    this.closed = true;
    for (const listener of this.#listeners()) listener.end(closeCodes.restart);
  }

  /** How many rooms have a socket. */
  get rooms(): number {
    return this.#rooms.size;
  }

  /** How many sockets there are. */
  get size(): number {
    return this.#listeners().length;
  }

  #forget(userId: number): void {
    const left = (this.#each.get(userId) ?? 0) - 1;
    if (left > 0) this.#each.set(userId, left);
    else this.#each.delete(userId);
  }

  #listeners(): Listener[] {
    return [...this.#rooms.values()].flatMap(({ listeners }) => [...listeners]);
  }
}
