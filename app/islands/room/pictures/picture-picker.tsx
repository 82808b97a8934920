import { Camera, ImagePlus, Images } from "lucide";
import { useEffect, useRef, useState } from "react";
import { buttonClasses } from "../../../ui/forms/button.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { ReplyBar } from "../actions/message-quote.tsx";
import type { Quote, RoomProps, WrittenMessage } from "../types.ts";
import { acceptedFiles } from "./picture-limits.ts";
import type { PictureWords } from "./picture-words.ts";
import { PlainForm } from "./plain-form.tsx";
import { preloadPictureDialog, SendPictures } from "./sending/send-pictures.tsx";
import { usePictureDrop } from "./use-picture-drop.ts";

type PicturePickerProps = Pick<RoomProps, "roomId" | "me" | "seats" | "strings" | "upload" | "reply"> & {
  /** Returns false if too many messages wait already. */
  send: (picture: WrittenMessage, onStored: () => void) => boolean;
  setReply: (quote: Quote | null) => void;
  /** Whether sending is disabled: no picture can be chosen, pasted or dropped. */
  isClosed: boolean;
};

/** The button that sends pictures, with its menu and dialog; pictures may also be pasted or dropped onto the conversation. */
export function PicturePicker({ upload, send, isClosed, reply, setReply, ...setting }: PicturePickerProps) {
  const { strings } = setting;
  const words = strings.picture;
  const menu = useRef<HTMLDetailsElement>(null);
  const [live, setLive] = useState(false);
  const [files, setFiles] = useState<File[]>([]);
  const take = (more: File[]) => isClosed || setFiles((waiting) => [...waiting, ...more]);
  const over = usePictureDrop(menu, take);
  // A person who opened the form before hydration can finish it: the dialog replaces it only once the form is closed.
  const enableIfClosed = () => menu.current?.open === false && setLive(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: run once, after hydration
  useEffect(() => void enableIfClosed(), []);
  const chosen = (files: FileList | null) => {
    if (menu.current) menu.current.open = false;
    take([...(files ?? [])]);
  };
  return (
    <>
      {isClosed ? (
        <DisabledPicker label={words.attach} />
      ) : (
        <details
          ref={menu}
          data-menu
          open={upload.error !== null}
          onToggle={enableIfClosed}
          // While the person looks for a picture, the dialog that shows it is loaded.
          onPointerEnter={preloadPictureDialog}
          onFocus={preloadPictureDialog}
          className="relative shrink-0"
        >
          {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button already */}
          <summary
            title={words.attach}
            aria-label={words.attach}
            className={`cursor-pointer hover:bg-brand-soft ${roundButtonClasses}`}
            onClick={(event) => {
              // With a mouse there is no camera choice, so the file chooser opens directly.
              if (!live || !matchMedia("(pointer: fine)").matches) return;
              event.preventDefault();
              event.currentTarget.parentElement?.querySelector("input")?.click();
            }}
          >
            <Icon of={ImagePlus} />
          </summary>
          <div className="absolute bottom-full left-0 z-20 mb-2 grid w-72 max-w-[80vw] gap-2 rounded-card border border-line bg-card p-3 shadow-lift">
            {live ? (
              <PictureChoices words={words} chosen={chosen} />
            ) : (
              <PlainForm me={setting.me} words={words} {...upload} replyTo={reply?.seq} />
            )}
          </div>
        </details>
      )}
      {over && !isClosed && <DropTarget label={words.drop} />}
      {files.length > 0 && !isClosed && (
        <ChosenPictures {...{ ...setting, files, send, reply, setReply }} close={() => setFiles([])} />
      )}
    </>
  );
}

type ChosenPicturesProps = Omit<PicturePickerProps, "upload" | "isClosed"> & {
  files: File[];
  close: () => void;
};

/** The dialog that sends what was chosen, as the reply that the composer shows. */
function ChosenPictures({ files, send, reply, setReply, close, ...setting }: ChosenPicturesProps) {
  const { strings } = setting;
  return (
    <SendPictures
      files={files}
      words={strings.picture}
      sendLabel={strings.send}
      full={strings.outboxFull}
      reply={reply}
      replyBar={reply && <ReplyBar quote={reply} {...setting} cancel={() => setReply(null)} />}
      send={(picture) => {
        const isTaken = send({ kind: "image", ...picture }, () => {});
        if (isTaken && picture.replyTo) setReply(null);
        return isTaken;
      }}
      close={close}
    />
  );
}

const roundButtonClasses =
  "grid size-[min(2.75rem,14vw)] shrink-0 place-items-center rounded-full text-brand";

/** Covers the conversation while files are dragged over it. */
function DropTarget({ label }: { label: string }) {
  return (
    <p className="pointer-events-none absolute inset-0 z-20 grid place-items-center rounded-card border-2 border-brand border-dashed bg-brand-soft text-lg font-bold text-brand opacity-95">
      {label}
    </p>
  );
}

/** The button while sending is disabled. */
function DisabledPicker({ label }: { label: string }) {
  return (
    <button
      type="button"
      disabled
      title={label}
      aria-label={label}
      className={`disabled:cursor-not-allowed disabled:opacity-50 ${roundButtonClasses}`}
    >
      <Icon of={ImagePlus} />
    </button>
  );
}

/** Offers the camera separately on touch screens only: the picture chooser of some phones has none. */
function PictureChoices({
  words,
  chosen,
}: {
  words: PictureWords;
  chosen: (files: FileList | null) => void;
}) {
  const field = (label: string, icon: typeof Images, look: string, camera?: "environment") => (
    <label className={`${buttonClasses("plain")} focus-within:outline-3 focus-within:outline-khadag ${look}`}>
      <Icon of={icon} />
      {label}
      <input
        type="file"
        accept={acceptedFiles}
        multiple={camera === undefined}
        capture={camera}
        className="sr-only"
        onChange={({ currentTarget }) => {
          chosen(currentTarget.files);
          // Allows the same picture to be chosen again.
          currentTarget.value = "";
        }}
      />
    </label>
  );
  return (
    <>
      {field(words.choose, Images, "")}
      {field(words.photo, Camera, "not-pointer-coarse:hidden", "environment")}
    </>
  );
}
