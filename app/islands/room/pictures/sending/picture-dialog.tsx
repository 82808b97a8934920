import { Plus, X } from "lucide";
import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { Button } from "../../../../ui/forms/button.tsx";
import { Icon } from "../../../../ui/layout/icon.tsx";
import type { PendingImage, Quote } from "../../types.ts";
import { FileLabel } from "../message-file.tsx";
import { acceptedFiles, maxCaptionLength, maxPicturesAtOnce } from "../picture-limits.ts";
import type { PictureWords } from "../picture-words.ts";
import { type ChosenFile, useChosenFiles } from "./use-chosen-files.ts";

/** A picture that the person has decided to send. */
type ChosenPicture = Pick<PendingImage, "blob" | "width" | "height" | "caption" | "replyTo">;

export interface PictureDialogProps {
  files: File[];
  words: PictureWords;
  sendLabel: string;
  /** The message that the pictures reply to; the first one carries its quote. */
  reply: Quote | null;
  /** Shows that message, with a button that cancels the reply. */
  replyBar: ReactNode;
  /** Message shown when `send` returned false. */
  full: string;
  /** Returns false if too many messages wait already. */
  send: (picture: ChosenPicture) => boolean;
  close: () => void;
}

/**
 * Shows the chosen pictures as they will be sent, each with a button that removes it. They are sent in this order, one message each; the
 * caption and the quote go with the first.
 */
export function PictureDialog(props: PictureDialogProps) {
  const { files, words, sendLabel, full, reply, replyBar, close } = props;
  const box = useRef<HTMLDialogElement>(null);
  const title = useId();
  const chosen = useChosenFiles(files);
  const { items } = chosen;
  const good = items.filter(({ made }) => made?.ok);
  useEffect(() => {
    box.current?.showModal();
    // On a phone a focused field would open the keyboard over the pictures.
    const first = matchMedia("(pointer: fine)").matches ? 'input[name="caption"]' : "h2";
    box.current?.querySelector<HTMLElement>(first)?.focus();
  }, []);
  // The button that cancelled the reply is gone, and the focus with it.
  const hadReply = useRef(reply !== null);
  useEffect(() => {
    if (hadReply.current && reply === null) box.current?.querySelector<HTMLElement>("h2")?.focus();
    hadReply.current = reply !== null;
  }, [reply]);
  const { refused, submit, remove } = useSending(box, chosen, props);
  return (
    <dialog
      ref={box}
      onClose={close}
      aria-labelledby={title}
      className="m-auto w-[calc(100%-1.5rem)] max-w-md rounded-card border border-line bg-card p-4 text-ink backdrop:bg-black/60"
    >
      <form onSubmit={submit} className="grid gap-3">
        <h2 id={title} tabIndex={-1} className="font-bold outline-none">
          {words.attach}{" "}
          {items.length > 1 && (
            <span className="font-normal text-quiet">
              {words.count.replace("[n]", String(good.length)).replace("[all]", String(items.length))}
            </span>
          )}
        </h2>
        {replyBar}
        <ChosenFiles chosen={chosen} words={words} remove={remove} />
        {(refused || chosen.leftOut > 0) && (
          <p role="alert" className="text-sm font-semibold text-bad">
            {refused ? full : words.tooMany}
          </p>
        )}
        <label className="grid gap-1 text-sm font-semibold">
          {words.caption}
          <input
            name="caption"
            maxLength={maxCaptionLength}
            autoComplete="off"
            enterKeyHint="send"
            className="min-h-11 rounded-control border border-edge bg-card px-3 py-2 text-base font-normal"
          />
        </label>
        <div className="flex flex-wrap justify-end gap-2">
          <Button type="button" look="plain" onClick={() => box.current?.close()}>
            {words.cancel}
          </Button>
          <Button disabled={!chosen.isReady || good.length === 0}>
            {sendLabel}
            {good.length > 1 && ` (${good.length})`}
          </Button>
        </div>
      </form>
    </dialog>
  );
}

/** What the dialog's buttons do. `refused`: the outbox had no place for some of the files, which stay in the dialog. */
function useSending(
  box: RefObject<HTMLDialogElement | null>,
  chosen: ReturnType<typeof useChosenFiles>,
  { send, reply }: PictureDialogProps,
) {
  const [refused, setRefused] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sendable = chosen.items.filter(({ made }) => made?.ok);
    if (!chosen.isReady || sendable.length === 0) return;
    let caption = String(new FormData(event.currentTarget).get("caption")).trim();
    let replyTo = reply;
    const sent: number[] = [];
    for (const { key, made } of sendable) {
      if (!made?.ok) break;
      const { blob, width, height } = made;
      if (!send({ blob, width, height, caption, ...(replyTo && { replyTo }) })) break;
      caption = "";
      replyTo = null;
      sent.push(key);
    }
    if (sent.length === sendable.length) return box.current?.close();
    chosen.remove(...sent);
    setRefused(true);
  };
  const remove = (key: number) => {
    if (chosen.items.length === 1) return box.current?.close();
    chosen.remove(key);
    box.current?.querySelector<HTMLElement>("h2")?.focus();
  };
  return { refused, submit, remove };
}

interface ChosenFilesProps {
  chosen: ReturnType<typeof useChosenFiles>;
  words: PictureWords;
  remove: (key: number) => void;
}

/** The files beside each other, a single one large; and a button that adds more. */
function ChosenFiles({ chosen, words, remove }: ChosenFilesProps) {
  const { items } = chosen;
  const isSingle = items.length === 1;
  return (
    <ul className={`grid max-h-[45vh] gap-2 overflow-y-auto ${isSingle ? "grid-cols-1" : "grid-cols-3"}`}>
      {items.map((item) => (
        <ChosenTile
          key={item.key}
          item={item}
          words={words}
          isSingle={isSingle}
          remove={() => remove(item.key)}
        />
      ))}
      {items.length < maxPicturesAtOnce && (
        <li className={isSingle ? "h-11" : "h-28"}>
          <label className="flex h-full cursor-pointer items-center justify-center gap-1 rounded-control border border-dashed border-edge font-semibold text-brand hover:bg-brand-soft focus-within:outline-3 focus-within:outline-khadag">
            <Icon of={Plus} />
            <span className={isSingle ? "" : "sr-only"}>{words.addMore}</span>
            <input
              type="file"
              accept={acceptedFiles}
              multiple
              className="sr-only"
              onChange={({ currentTarget }) => {
                chosen.add([...(currentTarget.files ?? [])]);
                currentTarget.value = "";
              }}
            />
          </label>
        </li>
      )}
    </ul>
  );
}

interface ChosenTileProps {
  item: ChosenFile;
  words: PictureWords;
  isSingle: boolean;
  remove: () => void;
}

/** A file as it will be sent, or why it cannot be. */
function ChosenTile({ item: { file, made }, words, isSingle, remove }: ChosenTileProps) {
  // Words need the whole width; they are a row of their own, beside the button that removes it.
  const isPicture = made === undefined || (made.ok && made.address !== undefined);
  return (
    <li
      className={`relative flex items-center overflow-hidden rounded-control bg-sunk ${isPicture ? `justify-center ${isSingle ? "h-64" : "h-28"}` : "col-span-full min-h-11 pr-11"}`}
    >
      {made === undefined && <p role="status">{words.preparing}</p>}
      {made?.ok && made.address !== undefined && (
        <img src={made.address} alt={file.name} className="max-h-full max-w-full object-contain" />
      )}
      {made?.ok && made.address === undefined && (
        <p className="p-2">
          <FileLabel name={file.name} bytes={made.blob.size} words={words} />
        </p>
      )}
      {made?.ok === false && (
        <p role="alert" className="p-2 text-sm font-semibold text-bad wrap-anywhere">
          {file.name}
          <br />
          {words[made.why]}
        </p>
      )}
      <button
        type="button"
        onClick={remove}
        aria-label={words.remove.replace("[name]", file.name)}
        title={words.remove.replace("[name]", file.name)}
        className="absolute top-0 right-0 grid size-11 cursor-pointer place-items-center"
      >
        <span className="grid size-7 place-items-center rounded-full bg-black/60 text-white">
          <Icon of={X} className="size-4" />
        </span>
      </button>
    </li>
  );
}
