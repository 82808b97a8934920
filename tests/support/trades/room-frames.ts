import { subscribeToHints } from "#db/bus";

/** Hears the frames that a room is told in all languages alike, as its readers get them, until the function it answers is called. */
export function hearFrames(roomId: number, heard: (frame: string) => void): () => void {
  return subscribeToHints(`room:${roomId}`, (signal) => {
    const [frame] = /(?<=^\d+ ).*/s.exec(signal) ?? [];
    if (frame !== undefined) heard(frame);
  });
}
