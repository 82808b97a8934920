/** The two files of a picture. */
export type PictureSize = "full" | "small";

/** The name of a picture's file in `#db/files`. */
export function fileName(id: string, size: PictureSize): string {
  return `${id}-${size}.webp`;
}

/** Which picture a file is of, also one that a crash left half written; undefined for what is no picture's. */
export function imageOfFile(name: string): string | undefined {
  return /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(?:full|small)\.webp(?:\.[0-9a-f]+\.tmp)?$/.exec(
    name,
  )?.[1];
}

/** Where a picture is shown, in full; its small size lies below. */
export function imageAddressOf(roomId: number, id: string): string {
  return `/chat/${roomId}/images/${id}`;
}
