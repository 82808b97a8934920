import { onRoomSignal, sendRoomSignal } from "../core/room-signals.ts";

/** How long the instances have to answer who is there (milliseconds). */
const ANSWER_MS = 300;

/**
 * Whether somebody looks at a room just now, on whichever instance: all are asked, as a new socket asks them. No answer is no:
 * at worst somebody is told of what they are about to read.
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
