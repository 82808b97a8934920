import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { Button } from "../../../ui/forms/button.tsx";
import { maxCaptionLength } from "./picture-limits.ts";
import type { PictureWords } from "./picture-words.ts";
import { type ShrunkPicture, shrinkPicture } from "./shrink-picture.ts";

/** A picture that the person has decided to send. */
interface ChosenPicture {
  blob: Blob;
  width: number;
  height: number;
  caption: string;
}

export interface PictureDialogProps {
  files: File[];
  words: PictureWords;
  sendLabel: string;
  /** Message shown when `send` returned false. */
  full: string;
  /** Returns false if too many messages wait already. */
  send: (picture: ChosenPicture) => boolean;
  close: () => void;
}

/** Shows the chosen pictures one after the other, shrunk for sending, with a caption field for each. */
export function PictureDialog({ files, words, sendLabel, full, send, close }: PictureDialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [at, setAt] = useState(0);
  const [refused, setRefused] = useState(false);
  const made = useShrunkPicture(files[at]);
  useEffect(() => box.current?.showModal(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus was in the form of the previous picture
  useEffect(() => {
    // On a phone a focused field would open the keyboard over the picture.
    const first = matchMedia("(pointer: fine)").matches ? "input" : "h2";
    box.current?.querySelector<HTMLElement>(first)?.focus();
  }, [at]);
  const next = () => {
    setRefused(false);
    if (at + 1 < files.length) setAt(at + 1);
    else box.current?.close();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!made?.ok) return;
    const caption = String(new FormData(event.currentTarget).get("caption")).trim();
    const { blob, width, height } = made;
    if (send({ blob, width, height, caption })) next();
    else setRefused(true);
  };
  const error = refused ? full : made?.ok === false && words[made.why];
  return (
    <dialog
      ref={box}
      onClose={close}
      aria-labelledby={title}
      className="m-auto w-[calc(100%-1.5rem)] max-w-md rounded-card border border-line bg-card p-4 text-ink backdrop:bg-black/60"
    >
      <form key={at} onSubmit={submit} className="grid gap-3">
        <h2 id={title} tabIndex={-1} className="font-bold outline-none">
          {words.attach}{" "}
          {files.length > 1 && (
            <span className="font-normal text-quiet">
              {words.count.replace("[n]", String(at + 1)).replace("[all]", String(files.length))}
            </span>
          )}
        </h2>
        <PicturePreview made={made} name={files[at]?.name ?? ""} error={error} words={words} />
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
          {at + 1 < files.length && (
            <Button type="button" look="plain" onClick={next}>
              {words.skip}
            </Button>
          )}
          <Button disabled={!made?.ok}>{sendLabel}</Button>
        </div>
      </form>
    </dialog>
  );
}

interface PicturePreviewProps {
  made: ReturnType<typeof useShrunkPicture>;
  name: string;
  error: string | false | undefined;
  words: PictureWords;
}

/** The picture as it will be sent, or why it cannot be; the space has the same height for any picture. */
function PicturePreview({ made, name, error, words }: PicturePreviewProps) {
  return (
    <div className="flex h-[300px] max-h-[45dvh] items-center justify-center overflow-hidden rounded-control bg-sunk">
      {made === undefined && <p role="status">{words.preparing}</p>}
      {made?.ok && <img src={made.address} alt={name} className="max-h-full max-w-full object-contain" />}
      {error && (
        <p role="alert" className="p-3 text-center font-semibold text-bad wrap-anywhere">
          {name}
          <br />
          {error}
        </p>
      )}
    </div>
  );
}

/** The shrunk picture with an object URL to show it; undefined while it is being made. */
function useShrunkPicture(file: File | undefined) {
  const [made, setMade] = useState<(ShrunkPicture & { address?: string }) | undefined>();
  useEffect(() => {
    let address: string | undefined;
    let gone = false;
    setMade(undefined);
    if (file === undefined) return;
    void shrinkPicture(file).then((shrunk) => {
      if (gone) return;
      if (shrunk.ok) address = URL.createObjectURL(shrunk.blob);
      setMade({ ...shrunk, ...(address !== undefined && { address }) });
    });
    return () => {
      gone = true;
      if (address !== undefined) URL.revokeObjectURL(address);
    };
  }, [file]);
  return made;
}
