import { formatDay } from "#format";

/** The two files of a picture; a PDF has one, in full. */
export type PictureSize = "full" | "small";

export const pictureMime = "image/webp";
export const pdfMime = "application/pdf";

/** A file as its row in `rooms.images` describes it. */
type StoredKind = { id: string; mime: string };

/** The name in `#db/files` of a picture's file, or of a PDF. */
export function fileName({ id, mime }: StoredKind, size: PictureSize): string {
  return mime === pdfMime ? `${id}-file.pdf` : `${id}-${size}.webp`;
}

/** The names of all files of a picture or PDF. */
export function fileNamesOf(row: StoredKind): string[] {
  return row.mime === pdfMime ? [fileName(row, "full")] : [fileName(row, "full"), fileName(row, "small")];
}

/** The names of all files that a picture or PDF of this id may have. */
export function possibleFileNames(id: string): string[] {
  return [pictureMime, pdfMime].flatMap((mime) => fileNamesOf({ id, mime }));
}

/** The id of a picture's or PDF's file, also of one that a crash left half written; undefined for other files. */
export function imageOfFile(name: string): string | undefined {
  return /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(?:(?:full|small)\.webp|file\.pdf)(?:\.[0-9a-f]+\.tmp)?$/.exec(
    name,
  )?.[1];
}

/**
 * The name of a downloaded picture or PDF: the day it was sent, and its number in the conversation. Midman makes it, because a name that a
 * member chose could say anything; it calls no PDF a receipt, which a reader could take for Midman's own.
 */
export function downloadName({ at, seq, mime }: { at: Date; seq: number; mime: string }): string {
  return mime === pdfMime ? `file-${formatDay(at)}-${seq}.pdf` : `midman-${formatDay(at)}-${seq}.webp`;
}

/** The address of a picture in full size; its small size is at `/small` below it. */
export function imageAddressOf(roomId: number, id: string): string {
  return `/chat/${roomId}/images/${id}`;
}

/** The address of a PDF, which also says its size: the message's digest covers its address, and so both. */
export function pdfAddressOf(roomId: number, id: string, bytes: number): string {
  return `${imageAddressOf(roomId, id)}?pdf=${bytes}`;
}

/** The size of the PDF at a message's address, in bytes; undefined for a picture. */
export function pdfBytesOf(address: string): number | undefined {
  const bytes = /\?pdf=(\d{1,8})$/.exec(address)?.[1];
  return bytes === undefined ? undefined : Number(bytes);
}
