import {
  type Connection,
  type ConnectionHandlers,
  connectRoom,
} from "../../../app/islands/room/connection/room-socket.ts";
import { type Client, createHttpClient } from "../../support/server/http-client.ts";
import { type Faults, type Line, View } from "../messages/listener.ts";

// Bun's client takes headers, which the browser's does not.
const Real = WebSocket as unknown as new (
  url: URL,
  options: { headers: Record<string, string> },
) => WebSocket;

const cookies = new Map<string, string>();

/** Gives the room's own script what a browser would: where the page is, and sockets that carry its cookies. */
export function beBrowser(url: string): () => void {
  const former = { WebSocket: globalThis.WebSocket, location: globalThis.location };
  const Socket = class {
    static OPEN = 1;
    constructor(address: URL) {
      const cookie = cookies.get(address.searchParams.get("userId") ?? "") ?? "";
      // biome-ignore lint/correctness/noConstructorReturn: it stands in for the browser's, whose instance the script has
      return new Real(address, { headers: { cookie } });
    }
  };
  Object.assign(globalThis, { WebSocket: Socket, location: new URL(url) });
  return () => Object.assign(globalThis, former);
}

/**
 * A member's phone in a room: the room's own script keeps the socket, `seq` and `?after=` what is seen. What it says goes by the
 * socket, and by HTTP under the same client id where the socket is away or owes its answer.
 */
export class Phone {
  readonly faults: Faults = [];
  readonly view: View;
  readonly acknowledged = new Map<string, number>();
  readonly said: Array<{ clientId: string; content: string }> = [];
  /** How long the socket was away each time it came back, in milliseconds. */
  readonly away: number[] = [];
  readonly #connection: Connection;
  readonly #browser: Client;
  readonly #awaited = new Map<string, () => void>();
  #lost: number | undefined;

  constructor(
    readonly seat: { roomId: number; userId: number },
    who: Client,
    url: string,
  ) {
    const { roomId, userId } = seat;
    cookies.set(String(userId), who.cookies());
    this.#browser = createHttpClient(url, { Cookie: who.cookies() }, 15_000);
    this.view = new View(
      `user ${userId} in room ${roomId}`,
      roomId,
      () => this.#browser,
      this.faults,
      (line) => this.#echoed(line),
    );
    this.#connection = connectRoom(roomId, userId, this.#handlers());
  }

  get isOpen(): boolean {
    return this.#lost === undefined;
  }

  /** Says something, and waits until it is acknowledged. */
  async say(content: string): Promise<void> {
    const clientId = crypto.randomUUID();
    this.said.push({ clientId, content });
    const payload = { content, type: "text" };
    if (this.#connection.send({ type: "chat", clientId, payload })) await this.#answer(clientId);
    while (!this.acknowledged.has(clientId)) {
      const path = `/api/chat/rooms/${this.seat.roomId}/messages`;
      const reply = await this.#browser.post(path, { ...payload, clientId }).catch((error: Error) => error);
      if (!(reply instanceof Error) && reply.status === 201) this.view.take(reply.body as unknown as Line);
      else {
        const what = reply instanceof Error ? reply.message : `${reply.status} ${reply.text.slice(0, 80)}`;
        this.faults.push(`${this.view.name}: its message by HTTP failed: ${what}`);
        await Bun.sleep(500);
      }
    }
  }

  stop(): void {
    this.#connection.stop();
  }

  /** Until it is acknowledged, the socket is gone, or four seconds are over (as the room's script has it). */
  #answer(clientId: string): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(), 4_000);
      const settle = () => {
        clearTimeout(timer);
        this.#awaited.delete(clientId);
        resolve();
      };
      this.#awaited.set(clientId, settle);
    });
  }

  #echoed({ clientId, senderId, seq }: Line): void {
    if (clientId === null || senderId !== this.seat.userId) return;
    this.acknowledged.set(clientId, seq);
    this.#awaited.get(clientId)?.();
  }

  #handlers(): ConnectionHandlers {
    const nothing = () => {};
    this.#lost = performance.now();
    let first = true;
    return {
      onOpen: () => {
        if (!first && this.#lost !== undefined) this.away.push(performance.now() - this.#lost);
        first = false;
        this.#lost = undefined;
      },
      onClose: () => {
        this.#lost ??= performance.now();
        for (const settle of [...this.#awaited.values()]) settle();
      },
      onRefused: () => this.faults.push(`${this.view.name}: its socket was refused for good`),
      onSignedOut: async () => false,
      onMessage: (message) => this.view.take(message as unknown as Line),
      onSeq: (seq) => void this.view.hear(seq),
      onAnswer: (clientId, outcome) => {
        if (outcome.kind === "refused") this.faults.push(`${this.view.name}: refused, ${outcome.reason}`);
        this.#awaited.get(clientId)?.();
      },
      onRead: nothing,
      onTyping: nothing,
      onPresence: nothing,
      onTradeChanged: nothing,
    };
  }
}
