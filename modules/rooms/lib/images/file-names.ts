import { formatDay } from "#format";

/** The two files of a picture. */
export type PictureSize = "full" | "small";

/** The name of a picture's file in `#db/files`. */
export function fileName(id: string, size: PictureSize): string {
  return `${id}-${size}.webp`;
}

/** The picture id of a file, also of one that a crash left half written; undefined if it is not a picture's file. */
export function imageOfFile(name: string): string | undefined {
  return /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(?:full|small)\.webp(?:\.[0-9a-f]+\.tmp)?$/.exec(
    name,
  )?.[1];
}

/** The name of a downloaded copy of a picture: the day it was sent, and its number in the conversation. */
export function downloadName({ at, seq }: { at: Date; seq: number }): string {
  return `midman-${formatDay(at)}-${seq}.webp`;
}

/** The address of a picture in full size; its small size is at `/small` below it. */
export function imageAddressOf(roomId: number, id: string): string {
  return `/chat/${roomId}/images/${id}`;
}
