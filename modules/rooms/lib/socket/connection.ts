import type { ServerWebSocket } from "bun";
import { runInTransaction } from "#db/client";
import { findOverload, runSheddable, runUnshed } from "#db/client/transaction-turns";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { auditAuthorOf, type Member } from "#modules/identity";
import { sendRoomSignal } from "../core/room-signals.ts";
import { markRead } from "../messages/mark-read.ts";
import { sendMessage } from "../messages/send-message.ts";
import { noteSeen } from "../seen/last-seen.ts";
import { authorizeSocket } from "./authorize-socket.ts";
import { type ClientFrame, readFrame } from "./client-frame.ts";
import { closeCodes } from "./close-codes.ts";
import type { Hub } from "./hub.ts";
import { maxMalformedFrames, maxQueuedFrames, maxThrottledFrames } from "./limits.ts";
import { countFrameReceived, countFrameSent, countSocketClosed, countSocketOpened } from "./metrics.ts";
import { isAttending, type PresenceStatus } from "./presence.ts";
import { noteRefusedSocket } from "./refused-sockets.ts";
import { type Listener, type RoomSockets, topicsOf } from "./room-sockets.ts";
import {
  acknowledgementFrame,
  type FrameRefusal,
  heartbeatFrame,
  refusalFrame,
  userStatusFrame,
} from "./server-frame.ts";
import { trackPendingWrite } from "./socket-lifecycle.ts";
import { frameBucket, socketOpenBucket } from "./throttles.ts";

/** When a person with the maximum number of sockets should try again. */
const FULL_SECONDS = 30;

/**
 * How long (ms) a socket's first frames wait for the log entry of its connection; if the pool is still exhausted then, they are refused.
 */
const ENTRY_MS = 1_000;

/** Shared by all sockets with an empty queue, which most are most of the time. */
const noFrames: readonly ClientFrame[] = [];

/**
 * One member's socket in one room. It subscribes to nothing until its session and membership have been read, and reads both again for every
 * batch of frames: those that arrived while the previous batch was processed.
 */
export class Connection implements Listener {
  status: PresenceStatus = "online";
  entered = false;
  #socket: ServerWebSocket<unknown> | undefined;
  #room: RoomSockets | undefined;
  #queue: readonly ClientFrame[] = noFrames;
  #busy = true;
  #ended = false;
  #strikes = 0;
  /** Set while the entry for its connection is being logged; the entry for its end is logged after it. */
  #coming: Promise<void> | undefined;

  constructor(
    readonly hub: Hub,
    readonly member: Member,
    readonly roomId: number,
  ) {}

  get userId(): number {
    return this.member.userId;
  }

  get sessionId(): number {
    return this.member.sessionId;
  }

  /**
   * Called by Bun after the upgrade. A person with too many sockets, or who opens them too fast, is refused before the room, the database
   * or the log is involved. The hub registers every other socket before it is checked, so that no revocation is missed in between.
   */
  open(socket: ServerWebSocket<unknown>): void {
    this.#socket = socket;
    countSocketOpened();
    const wait = socketOpenBucket.take(this.userId, currentTime());
    if (wait > 0 || !this.hub.hasPlaceFor(this.userId)) {
      this.#turnAway(wait);
      return;
    }
    this.#room = this.hub.enter(this);
    if (this.hub.closed) this.end(closeCodes.restart);
    else trackPendingWrite(this.#orEnd(this.#begin()));
  }

  /** Called by Bun for each frame. */
  message(_socket: ServerWebSocket<unknown>, data: string | Buffer): void {
    countFrameReceived();
    if (this.#ended) return;
    const read = readFrame(typeof data === "string" ? data : "");
    if (!read.ok)
      this.#strike({ code: "FRAME_INVALID" }, read.clientId, maxMalformedFrames, closeCodes.malformed);
    else this.#accept(read.frame);
  }

  /** Called by Bun when the socket has closed, whichever side closed it. */
  close(_socket: ServerWebSocket<unknown>, code: number): void {
    this.#socket = undefined;
    countSocketClosed(code);
    if (this.#room !== undefined) this.hub.leave(this.#room, this);
    if (!this.entered) return;
    this.#noteSeen();
    trackPendingWrite(this.#gone(code, currentTime()));
  }

  /** Closes the socket, and ignores frames that still arrive. */
  end(code: number): void {
    this.#ended = true;
    this.#queue = noFrames;
    this.#socket?.close(code);
  }

  #turnAway(wait: number): void {
    this.#refuse({ code: "THROTTLED", retryAfterSeconds: wait || FULL_SECONDS }, undefined);
    noteRefusedSocket(closeCodes.flood, this.member, this.roomId);
    this.end(closeCodes.flood);
  }

  #accept(frame: ClientFrame): void {
    const wait = frameBucket.take(this.userId, currentTime());
    const clientId = clientIdOf(frame);
    if (wait > 0) {
      this.#strike(
        { code: "THROTTLED", retryAfterSeconds: wait },
        clientId,
        maxThrottledFrames,
        closeCodes.flood,
      );
    } else if (this.#queue.length >= maxQueuedFrames) {
      this.end(closeCodes.flood);
    } else {
      this.#queue = [...this.#queue, frame];
      if (!this.#busy) trackPendingWrite(this.#orEnd(this.#drain()));
    }
  }

  /** Refuses a frame, and closes a socket that sends too many of them. */
  #strike(refusal: FrameRefusal, clientId: string | undefined, allowed: number, code: number): void {
    this.#strikes += 1;
    this.#refuse(refusal, clientId);
    if (this.#strikes >= allowed) this.end(code);
  }

  async #begin(): Promise<void> {
    const at = currentTime();
    const seat = await this.#authorize(at);
    if (seat === undefined || this.#ended || this.#socket === undefined) return;
    for (const topic of topicsOf(this.roomId, this.member.language)) this.#socket.subscribe(topic);
    this.entered = true;
    this.#say(heartbeatFrame(seat.lastSeq, at));
    for (const change of this.#room?.present() ?? []) this.#say(userStatusFrame(change, at));
    this.#room?.tellPresence(this.userId);
    const coming = this.#audit("websocket_connect", {}).finally(() => {
      this.#coming = undefined;
    });
    this.#coming = coming;
    trackPendingWrite(this.#orEnd(coming));
    await Promise.race([coming.catch(() => {}), Bun.sleep(ENTRY_MS)]);
    await this.#drain();
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    while (this.#queue.length > 0) {
      const frames = this.#queue;
      this.#queue = noFrames;
      await this.#batch(frames);
    }
    this.#busy = false;
  }

  /** A socket whose work failed cannot know what it missed: it is closed, and its client reconnects. */
  async #orEnd(work: Promise<void>): Promise<void> {
    await work.catch((error) => {
      this.end(closeCodes.failure);
      throw error;
    });
  }

  async #batch(frames: readonly ClientFrame[]): Promise<void> {
    const seat = await this.#authorize(currentTime(), frames);
    if (seat === undefined) return;
    let overload: FrameRefusal | undefined;
    for (const frame of frames) {
      if (this.#ended) return;
      // Later messages are refused too: otherwise they would be stored before the refused one.
      if (overload !== undefined && frame.type === "chat") this.#refuse(overload, frame.clientId);
      else overload = (await this.#takeUnlessOverloaded(frame, seat.lastSeq)) ?? overload;
    }
    this.#strikes = 0;
  }

  /** Refuses a frame for which the pool has no connection in time, and returns that refusal. */
  async #takeUnlessOverloaded(frame: ClientFrame, lastSeq: number): Promise<FrameRefusal | undefined> {
    try {
      // Only these frames write. The others may set timers, which must not inherit the permission to be shed.
      const writes = frame.type === "chat" || frame.type === "read";
      if (writes) await runSheddable("others", () => this.#take(frame, lastSeq));
      else await this.#take(frame, lastSeq);
    } catch (error) {
      const overload = findOverload(error);
      if (overload === undefined) throw error;
      const { code, retryAfterSeconds } = overload;
      this.#refuse({ code, retryAfterSeconds }, clientIdOf(frame));
      return { code, retryAfterSeconds };
    }
  }

  /** Undefined if the socket is no longer authorised: its frames are refused and it is closed. */
  async #authorize(
    at: Date,
    frames: readonly ClientFrame[] = noFrames,
  ): Promise<{ lastSeq: number } | undefined> {
    const seat = await authorizeSocket(this, at);
    if (seat.ok) return seat;
    for (const frame of frames)
      this.#refuse({ code: refusalCodes[seat.code] ?? "NOT_AUTHORIZED" }, clientIdOf(frame));
    noteRefusedSocket(seat.code, this.member, this.roomId);
    this.end(seat.code);
    return undefined;
  }

  async #take(frame: ClientFrame, lastSeq: number): Promise<void> {
    if (frame.type === "ping") this.#say(heartbeatFrame(lastSeq, currentTime()));
    else if (frame.type === "chat") await this.#chat(frame);
    else if (frame.type === "read") await this.#read(frame.seq);
    else if (frame.type === "user_status") {
      if (!isAttending(frame.status)) this.#noteSeen();
      this.status = frame.status;
      this.#room?.tellPresence(this.userId);
    } else {
      const typing = JSON.stringify({ type: frame.type, userId: this.userId });
      sendRoomSignal(this.roomId, { kind: "frame", frame: typing });
    }
  }

  async #chat(frame: ClientFrame & { type: "chat" }): Promise<void> {
    const input = { ...frame.payload, ...(frame.clientId !== undefined && { clientId: frame.clientId }) };
    const sent = await sendMessage(this.member, this.roomId, input);
    if (sent.ok) this.#say(acknowledgementFrame(sent.message));
    else this.#refuse(sent, frame.clientId);
  }

  async #read(seq: number): Promise<void> {
    const marked = await markRead(this.member, this.roomId, seq);
    if (!marked.ok) this.#refuse(marked, undefined);
  }

  #refuse(refusal: FrameRefusal, clientId: string | undefined): void {
    this.#say(refusalFrame(refusal, clientId, this.member.language));
  }

  #say(frame: string): void {
    countFrameSent();
    this.#socket?.send(frame);
  }

  /** Somebody who has attended looks elsewhere, or goes: from now on the others see when they were last here. */
  #noteSeen(): void {
    if (isAttending(this.status)) trackPendingWrite(noteSeen([this], currentTime()));
  }

  async #gone(code: number, at: Date): Promise<void> {
    await this.#coming?.catch(() => {}); // `#begin` handles its failure, not this
    await this.#audit("websocket_disconnect", { code }, at);
  }

  async #audit(
    action: "websocket_connect" | "websocket_disconnect",
    data: Record<string, unknown>,
    at = currentTime(),
  ): Promise<void> {
    const entry = { by: auditAuthorOf(this.member), action, at, roomId: this.roomId, data };
    await runUnshed(() => runInTransaction((tx) => recordAuditEntry(tx, entry)));
  }
}

const refusalCodes: Record<number, string> = {
  [closeCodes.noSession]: "AUTH_REQUIRED",
  [closeCodes.notAMember]: "CHAT_ROOM_NOT_FOUND",
};

function clientIdOf(frame: ClientFrame): string | undefined {
  return frame.type === "chat" ? frame.clientId : undefined;
}
