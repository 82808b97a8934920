/** One socket of a room, as its client sees it. */
export type RoomSocket = {
  /** Every frame heard so far, as it came. */
  heard: string[];
  /** The code it was closed with. */
  closed: Promise<number>;
  say(frame: object): void;
  end(): void;
};

/** Opens a socket with those cookies; `url` is the instance's. Resolves once it has heard something or is closed. */
export async function openRoomSocket(
  cookie: string,
  url: string,
  roomId: number,
  userId: number,
): Promise<RoomSocket> {
  const Socket = WebSocket as unknown as new (url: string, options: object) => WebSocket;
  const address = `${url.replace("http", "ws")}/ws?roomId=${roomId}&userId=${userId}`;
  const socket = new Socket(address, { headers: { cookie, origin: url } });
  const heard: string[] = [];
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => resolve(code);
  });
  await Promise.race([
    closed,
    new Promise<void>((resolve) => {
      socket.onmessage = ({ data }) => {
        heard.push(String(data));
        resolve();
      };
    }),
  ]);
  return { heard, closed, say: (frame) => socket.send(JSON.stringify(frame)), end: () => socket.close() };
}
