import { type Client, createHttpClient } from "../../support/server/http-client.ts";
import { type Faults, type Line, View } from "./listener.ts";

/** Who speaks where, and by which doors the instances are reached. */
export type Seat = {
  roomId: number;
  userId: number;
  cookies: string;
  doors: readonly string[];
  says: Iterable<string>;
  /** Milliseconds that the socket may owe an acknowledgement before the message is posted instead. */
  patience: number;
  next: () => number;
  /** Told of each answer to a message sent by the socket, and after how many milliseconds it came. */
  answered?: (outcome: Outcome, ms: number) => void;
};

type Frame = Partial<Line> & { type: string; code?: string; payload?: Line; retryAfterSeconds?: number };
type Outcome = "acknowledged" | "later";

/** A socket that is about to be ended refuses what it still holds: that is no word about the message. */
const passing = new Set(["THROTTLED", "AUTH_REQUIRED", "NOT_AUTHORIZED", "UNAVAILABLE", "OVERLOADED"]);

// Bun's client takes headers, which the browser's does not.
const Socket = WebSocket as unknown as new (
  url: string,
  options: { headers: Record<string, string> },
) => WebSocket;

/**
 * One member at one room, as a browser is: listens on a socket and by `?after=`, says what it has to say one after the other,
 * by the socket or else by HTTP, and says it again under the same client id until it is acknowledged.
 */
export class Member {
  readonly faults: Faults = [];
  readonly view: View;
  /** The `seq` that each message was acknowledged with. */
  readonly acknowledged = new Map<string, number>();
  readonly said: Array<{ clientId: string; content: string }> = [];
  counts = { tries: 0, posted: 0, sockets: 0, refusedBySocket: 0, refusedByHttp: 0 };
  #socket: WebSocket | undefined;
  #pause = 200;
  #door = 0;
  #stopped = false;
  /** When to come again, as the last refusal said it; 0 where it did not. */
  #comeAgainMs = 0;
  readonly #awaited = new Map<string, (outcome: Outcome | undefined) => void>();

  constructor(readonly seat: Seat) {
    const name = `user ${seat.userId} in room ${seat.roomId}`;
    this.#door = seat.userId;
    this.view = new View(
      name,
      seat.roomId,
      () => this.#browser(),
      this.faults,
      (line) => this.#echoed(line),
    );
  }

  /** Opens the socket, and opens it again whenever it is gone, at one instance or the other in turn. */
  listen(): void {
    if (this.#stopped) return;
    const { roomId, userId, cookies } = this.seat;
    const door = this.#nextDoor().replace("http", "ws");
    const socket = new Socket(`${door}ws?roomId=${roomId}&userId=${userId}`, {
      headers: { cookie: cookies },
    });
    this.#socket = socket;
    this.counts.sockets += 1;
    socket.onopen = () => {
      this.#pause = 200;
    };
    socket.onmessage = ({ data }) => this.#heard(JSON.parse(String(data)) as Frame);
    socket.onerror = () => {};
    socket.onclose = ({ code }) => {
      if (code >= 4400 && code < 4500)
        this.faults.push(`${this.view.name}: the socket was closed with ${code}`);
      for (const settle of [...this.#awaited.values()]) settle(undefined);
      setTimeout(() => this.listen(), this.#pause * (0.75 + this.seat.next() / 2));
      this.#pause = Math.min(this.#pause * 1.6, 3_000);
    };
  }

  /** Says everything it has to say, each when it is its `turn`. `told` is called once for each that is acknowledged. */
  async speak(turn: () => Promise<void>, told: () => void): Promise<void> {
    for (const content of this.seat.says) {
      await turn();
      const message = { clientId: crypto.randomUUID(), content };
      this.said.push(message);
      for (let pause = 100; !this.#stopped && !this.acknowledged.has(message.clientId); ) {
        this.counts.tries += 1;
        const outcome = (await this.#bySocket(message)) ?? (await this.#byPost(message));
        if (outcome === "acknowledged") break;
        await Bun.sleep(Math.max(this.#comeAgainMs, pause * (0.75 + this.seat.next() / 2)));
        this.#comeAgainMs = 0;
        pause = Math.min(pause * 2, 2_000);
      }
      if (this.#stopped) return;
      told();
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#socket?.close(1000);
  }

  #nextDoor(): string {
    const { doors } = this.seat;
    return doors[this.#door++ % doors.length] ?? "";
  }

  /** A browser at the next instance, which gives up after ten seconds. */
  #browser(): Client {
    return createHttpClient(this.#nextDoor().replace(/\/$/, ""), { Cookie: this.seat.cookies }, 10_000);
  }

  #heard(frame: Frame): void {
    const { type, clientId } = frame;
    if (frame.payload !== undefined && typeof frame.payload.seq === "number") this.view.take(frame.payload);
    if (type === "ack" && clientId) this.#answered(clientId, frame.seq ?? 0);
    if (type === "refused" && clientId) {
      if (frame.code === "OVERLOADED") this.#refusedFor("refusedBySocket", frame.retryAfterSeconds ?? 0);
      if (!passing.has(frame.code ?? "")) this.faults.push(`${this.view.name}: refused, ${frame.code}`);
      this.#awaited.get(clientId)?.("later");
    }
    if (typeof frame.seq === "number") void this.view.hear(frame.seq);
  }

  #refusedFor(where: "refusedBySocket" | "refusedByHttp", seconds: number): void {
    this.counts[where] += 1;
    this.#comeAgainMs = seconds * 1_000;
    if (!(seconds > 0)) this.faults.push(`${this.view.name}: refused without a time to come again`);
  }

  #echoed({ clientId, senderId, seq }: Line): void {
    if (clientId !== null && senderId === this.seat.userId) this.#answered(clientId, seq);
  }

  #answered(clientId: string, seq: number): void {
    const before = this.acknowledged.get(clientId);
    if (before !== undefined && before !== seq)
      this.faults.push(`${this.view.name}: ${clientId} was acknowledged as ${before} and as ${seq}`);
    this.acknowledged.set(clientId, seq);
    this.#awaited.get(clientId)?.("acknowledged");
  }

  /** Undefined when the socket is away, goes, or owes its answer for too long. */
  #bySocket({ clientId, content }: { clientId: string; content: string }): Promise<Outcome | undefined> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.resolve(undefined);
    const began = performance.now();
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(undefined), this.seat.patience);
      const settle = (outcome: Outcome | undefined) => {
        clearTimeout(timer);
        if (outcome !== undefined) this.seat.answered?.(outcome, performance.now() - began);
        this.#awaited.delete(clientId);
        resolve(outcome);
      };
      this.#awaited.set(clientId, settle);
      socket.send(JSON.stringify({ type: "chat", clientId, payload: { content, type: "text" } }));
    });
  }

  async #byPost(message: { clientId: string; content: string }): Promise<Outcome> {
    this.counts.posted += 1;
    const path = `/api/chat/rooms/${this.seat.roomId}/messages`;
    const reply = await this.#browser()
      .post(path, { ...message, type: "text" })
      .catch(() => undefined);
    if (reply?.status === 503)
      this.#refusedFor("refusedByHttp", Math.min(5, Number(reply.headers.get("retry-after") ?? 0)));
    if (reply === undefined || reply.status === 503) return "later";
    if (reply.status !== 201) {
      this.faults.push(`${this.view.name}: posting answered ${reply.status} ${reply.text.slice(0, 100)}`);
      return "later";
    }
    const line = reply.body as unknown as Line;
    if (Number.isInteger(line?.seq)) this.view.take(line);
    return Number.isInteger(line?.seq) ? "acknowledged" : "later";
  }
}
