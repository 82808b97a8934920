import type { ServerWebSocket } from "bun";
import { currentTime } from "#db/clock";
import { isSessionLive, type Member } from "#modules/identity";
import { onRoomAdded } from "../../core/member-signals.ts";
import { closeCodes } from "../close-codes.ts";
import type { Hub } from "../hub.ts";
import { maxMalformedFrames } from "../limits.ts";
import { countFrameReceived, countFrameSent, countSocketClosed, countSocketOpened } from "../metrics.ts";
import { noteRefusedSocket } from "../refused-sockets.ts";
import { trackPendingWrite } from "../socket-lifecycle.ts";
import { socketOpenBucket } from "../throttles.ts";
import type { ListListener } from "./room-watches.ts";
import { readWatchedRoomIds } from "./watched-rooms.ts";

/** The only frame: it says that the list is to be fetched again, and nothing of what changed. */
const changedFrame = JSON.stringify({ type: "rooms_changed" });

/** A list is told at most so often (ms), however much is written in its rooms. */
const changeIntervalMs = 1_000;

/**
 * The socket of a member's list of rooms. It listens only after its session has been read, and the hub closes it when that session ends. It
 * leaves no entries in the audit log, since it shows nobody's messages: fetching the list asks again who is reading.
 */
export class ListConnection implements ListListener {
  #socket: ServerWebSocket<unknown> | undefined;
  #strikes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isChanged = false;
  #stopHearing: (() => void) | undefined;
  #listening = Promise.resolve();

  constructor(
    readonly hub: Hub,
    readonly member: Member,
    /** The room of the page, which has a socket of its own. */
    readonly exceptRoomId?: number,
  ) {}

  get userId(): number {
    return this.member.userId;
  }

  get sessionId(): number {
    return this.member.sessionId;
  }

  /** Called by Bun after the upgrade. The hub registers the socket before it is checked, so that no revocation is missed in between. */
  open(socket: ServerWebSocket<unknown>): void {
    this.#socket = socket;
    countSocketOpened();
    if (socketOpenBucket.take(this.userId, currentTime()) > 0 || !this.hub.hasPlaceFor(this.userId)) {
      noteRefusedSocket(closeCodes.flood, this.member);
      this.end(closeCodes.flood);
      return;
    }
    this.hub.enterList(this);
    if (this.hub.closed) {
      this.end(closeCodes.restart);
      return;
    }
    this.#stopHearing = onRoomAdded(this.userId, () => this.#begin());
    this.#begin();
  }

  /** Called by Bun for each frame: the list has nothing to say. */
  message(): void {
    countFrameReceived();
    this.#strikes += 1;
    if (this.#strikes >= maxMalformedFrames) this.end(closeCodes.malformed);
  }

  /** Called by Bun when the socket has closed, whichever side closed it. */
  close(_socket: ServerWebSocket<unknown>, code: number): void {
    this.#socket = undefined;
    clearTimeout(this.#timer);
    this.#stopHearing?.();
    countSocketClosed(code);
    this.hub.leaveList(this);
  }

  end(code: number): void {
    this.#socket?.close(code);
  }

  /** Tells the page, at once if it has been quiet, otherwise when the interval is over. */
  change(): void {
    if (this.#timer !== undefined) {
      this.#isChanged = true;
      return;
    }
    this.#isChanged = false;
    countFrameSent();
    this.#socket?.send(changedFrame);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isChanged) this.change();
    }, changeIntervalMs);
  }

  /** One reading after the other: an older one that ended last would take back a room that has been added since. */
  #begin(): void {
    this.#listening = this.#listening.then(() =>
      this.#listen().catch((error) => {
        this.end(closeCodes.failure);
        throw error;
      }),
    );
    trackPendingWrite(this.#listening);
  }

  /** Reads which rooms there are, and has the page fetch the list: it may have changed since the page was made. */
  async #listen(): Promise<void> {
    const [isLive, roomIds] = await Promise.all([
      isSessionLive(this.sessionId, currentTime()),
      readWatchedRoomIds(this.userId, this.exceptRoomId),
    ]);
    if (this.#socket === undefined) return;
    if (!isLive) {
      noteRefusedSocket(closeCodes.noSession, this.member);
      this.end(closeCodes.noSession);
      return;
    }
    this.hub.lists.watch(this, roomIds);
    this.change();
  }
}
