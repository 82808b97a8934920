import { onRoomSignal, sendRoomSignal } from "../core/room-signals.ts";

/** How long (ms) instances have to report who is present. */
const ANSWER_MS = 300;

/**
 * Whether a person is looking at a room now, on any instance: asks all of them, as a new socket does. No reply means no: at worst someone
 * is notified of what they are about to read.
 */
export async function isReaderInRoom(roomId: number, userId: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stop = onRoomSignal(roomId, (message) => {
    if (message.kind === "presence" && message.userId === userId && message.status === "online")
      resolve(true);
  });
  const timer = setTimeout(() => resolve(false), ANSWER_MS);
  sendRoomSignal(roomId, { kind: "who" });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stop();
  }
}
