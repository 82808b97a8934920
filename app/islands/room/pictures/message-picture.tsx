import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { MessageBody } from "../messages/message-body.tsx";
import type { Message, PendingImage, RoomStrings } from "../types.ts";
import { FileLabel, MessageFile } from "./message-file.tsx";
import { fitWithin, maxDisplayHeight, pdfType } from "./picture-limits.ts";
import { cancelUpload, subscribeToUploads, uploadProgressOf } from "./sending/upload-picture.ts";
import { openOnPress } from "./viewer/open-viewer.ts";

interface MessageContentProps {
  message: Message;
  name: string;
  strings: RoomStrings;
  /** The time and the state, which follow the last line. */
  children: ReactNode;
}

/** A member's message: text, or a picture or a file with its caption. */
export function MessageContent({ message, name, strings, children }: MessageContentProps) {
  const { image, file, content } = message;
  if (image === undefined || file !== undefined) {
    return (
      <>
        {file ? (
          <MessageFile file={file} strings={strings} />
        ) : (
          <MessageBody text={content} words={strings.body} />
        )}
        {children}
      </>
    );
  }
  const alt = image.caption || strings.picture.from.replace("[name]", name);
  return (
    <>
      <Picture {...image} alt={alt} strings={strings} />
      {image.caption ? (
        <div className={captionClasses}>
          <MessageBody text={image.caption} words={strings.body} />
          {children}
        </div>
      ) : (
        children
      )}
    </>
  );
}

/** A caption makes no bubble wider than its picture: it wraps there, or at a few words where the picture is narrower. */
const captionClasses = "w-0 min-w-[max(100%,10rem)]";

const pictureClasses = "my-1 block h-auto max-w-full rounded-control bg-sunk";

/** Reserves its space before it loads, so that nothing moves. A press opens it in full size, without script as its own page. */
function Picture(props: NonNullable<Message["image"]> & { alt: string; strings: RoomStrings }) {
  const { small, full, alt, strings } = props;
  const shown = useRef<HTMLImageElement>(null);
  const [tries, setTries] = useState(0);
  const [broken, setBroken] = useState(false);
  // The image may have failed before the script ran.
  useEffect(() => setBroken(shown.current?.complete === true && shown.current.naturalWidth === 0), []);
  if (broken) {
    const again = () => {
      setTries(tries + 1);
      setBroken(false);
    };
    return (
      <span className="grid gap-1 py-2 text-sm">
        {strings.picture.broken}
        <button type="button" onClick={again} className="min-h-11 cursor-pointer font-semibold underline">
          {strings.picture.again}
        </button>
      </span>
    );
  }
  return (
    <a
      href={full}
      target="_blank"
      rel="noopener"
      data-picture={props.caption}
      data-width={props.width}
      data-height={props.height}
      className="block w-fit max-w-full"
      onClick={(event) => openOnPress(event, strings.picture)}
    >
      <img
        ref={shown}
        src={tries === 0 ? small : `${small}?again=${tries}`}
        alt={alt}
        {...displaySizeOf(props)}
        loading="lazy"
        decoding="async"
        className={pictureClasses}
        onError={() => setBroken(true)}
      />
    </a>
  );
}

interface PendingPictureProps {
  item: PendingImage;
  strings: RoomStrings;
  discard: (item: PendingImage) => void;
}

/** A picture that is being sent, with its upload progress. */
export function PendingPicture({ item, strings, discard }: PendingPictureProps) {
  const share = useSyncExternalStore(subscribeToUploads, () => uploadProgressOf(item.clientId));
  const cancel = () => {
    discard(item);
    cancelUpload(item.clientId);
  };
  return (
    <>
      {item.width > 0 && <UploadPreview {...item} />}
      {item.blob.type === pdfType && <FileLabel name="PDF" bytes={item.blob.size} words={strings.picture} />}
      {item.caption && <div className={captionClasses}>{item.caption}</div>}
      {item.failed === undefined && (
        <span className="flex items-center gap-3 text-sm">
          <progress
            value={share ?? 0}
            aria-label={strings.picture.sending}
            className="h-2 min-w-0 grow accent-current"
          />
          <button type="button" onClick={cancel} className="min-h-11 cursor-pointer font-semibold underline">
            {strings.picture.cancel}
          </button>
        </span>
      )}
    </>
  );
}

function UploadPreview({ blob, caption, width, height }: PendingImage) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return <img src={address} alt={caption} {...displaySizeOf({ width, height })} className={pictureClasses} />;
}

function displaySizeOf({ width, height }: { width: number; height: number }) {
  return fitWithin(width, height, { width: Number.POSITIVE_INFINITY, height: maxDisplayHeight });
}
