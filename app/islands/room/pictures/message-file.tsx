import { FileText } from "lucide";
import { Icon } from "../../../ui/layout/icon.tsx";
import { MessageBody } from "../messages/message-body.tsx";
import type { Message, RoomStrings } from "../types.ts";
import type { PictureWords } from "./picture-words.ts";

/** A file of a message: its name, which Midman made, and its size. A press downloads it; it is never shown in the page. */
export function MessageFile({ file, strings }: { file: NonNullable<Message["file"]>; strings: RoomStrings }) {
  const { name, bytes, url, caption } = file;
  return (
    <>
      <a
        href={url}
        download
        className="my-1 flex min-h-11 max-w-full items-center underline underline-offset-4"
      >
        <FileLabel name={name} bytes={bytes} words={strings.picture} />
      </a>
      {caption && <MessageBody text={caption} words={strings.body} />}
    </>
  );
}

/** A file's icon, name and size. */
export function FileLabel({ name, bytes, words }: { name: string; bytes: number; words: PictureWords }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Icon of={FileText} className="size-6 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        <span className="font-semibold">{name}</span>{" "}
        <span className="text-sm">{fileSize(bytes, words)}</span>
      </span>
    </span>
  );
}

const kilobyte = 1024;

function fileSize(bytes: number, { kilobytes, megabytes }: PictureWords): string {
  return bytes < kilobyte * kilobyte
    ? kilobytes.replace("[n]", String(Math.ceil(bytes / kilobyte)))
    : megabytes.replace("[n]", (bytes / kilobyte / kilobyte).toFixed(1));
}
