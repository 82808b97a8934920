import { closeCodes } from "#constants/rooms";

export interface Connection {
  /** Returns true if the frame was sent. */
  send(frame: object): boolean;
  /** Closes the connection permanently. */
  stop(): void;
}

export interface SocketHandlers {
  onOpen(): void;
  /** The connection was lost or closed, whether or not another is opened. */
  onClose(): void;
  onFrame(data: string): void;
  /** The server closed the socket with a 44xx code, after which no other is opened. */
  onDenied(code: number): void;
}

/** After a restart another instance takes over. Reconnecting is possible at once, but every socket was closed at the same moment. */
const restartDelay = { least: 500, most: 5_000 };

const firstDelay = 3_000;
const longestDelay = 30_000;

/**
 * A socket at `/ws?<query>` that is opened again when it is lost: after 3 s with jitter, growing to 30 s, and never after a 44xx code
 * (refused) or a normal close. After a planned restart it reconnects sooner, at a random moment, since all sockets were closed at once.
 * After "too many" it waits the longest delay. When the browser reports that the network is lost, the socket is dropped at once, because it
 * would linger for minutes, and another is opened when the network is back.
 */
export function openReconnectingSocket(query: string, handlers: SocketHandlers): Connection {
  let socket: WebSocket | undefined;
  let delay = firstDelay;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new AbortController();

  const open = () => {
    clearTimeout(timer);
    const address = new URL(`/ws?${query}`, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(address);
    socket.onopen = () => {
      delay = firstDelay;
      handlers.onOpen();
    };
    socket.onmessage = ({ data }) => handlers.onFrame(String(data));
    socket.onclose = ({ code }) => {
      handlers.onClose();
      if (code === 1000) return;
      if (code === closeCodes.flood) delay = longestDelay;
      else if (code >= 4400 && code < 4500) {
        ended.abort();
        return handlers.onDenied(code);
      }
      if (code === closeCodes.restart) {
        timer = setTimeout(open, randomBetween(restartDelay));
        return;
      }
      timer = setTimeout(open, delay * (0.75 + Math.random() / 2));
      delay = Math.min(delay * 1.6, longestDelay);
    };
  };
  /** Closes the socket without reconnecting. */
  const drop = () => {
    clearTimeout(timer);
    if (socket === undefined) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close(1000);
    socket = undefined;
  };
  const on = (type: string, hear: () => void) => addEventListener(type, hear, { signal: ended.signal });
  on("offline", () => {
    drop();
    handlers.onClose();
  });
  on("online", () => {
    drop();
    delay = firstDelay;
    open();
  });
  open();
  return {
    send(frame) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(frame));
      return true;
    },
    stop() {
      ended.abort();
      drop();
    },
  };
}

function randomBetween({ least, most }: { least: number; most: number }): number {
  return least + Math.random() * (most - least);
}
