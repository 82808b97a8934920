import { Camera, ImagePlus, Images } from "lucide";
import { type ComponentType, useEffect, useRef, useState } from "react";
import { buttonClasses } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import type { RoomProps, Written } from "../types.ts";
import type { DialogProps } from "./dialog.tsx";
import { useDrop } from "./drop.ts";
import { mostAtOnce } from "./limits.ts";
import { PlainForm } from "./plain-form.tsx";
import type { PictureWords } from "./words.ts";

type AttachProps = Pick<RoomProps, "strings" | "upload"> & {
  /** False when too much waits already. */
  send: (picture: Written, safe: () => void) => boolean;
};

/**
 * The button that sends pictures, with what it opens; they may be pasted or dropped onto the conversation as well. What shows
 * and shrinks them is fetched when the first one is chosen.
 */
export function Attach({ strings, upload, send }: AttachProps) {
  const words = strings.picture;
  const menu = useRef<HTMLDetailsElement>(null);
  const [live, setLive] = useState(false);
  const { dialog, take, failed } = useDialog();
  const over = useDrop(menu, take);
  // Who has begun to fill in the form before the script came finishes it.
  useEffect(() => setLive(!menu.current?.open), []);
  const chosen = (files: FileList | null) => {
    if (menu.current) menu.current.open = false;
    take([...(files ?? [])]);
  };
  return (
    <>
      <details ref={menu} data-menu open={upload.error !== null} className="relative shrink-0">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button already */}
        <summary
          title={words.attach}
          aria-label={words.attach}
          className="grid size-11 cursor-pointer place-items-center rounded-full text-brand hover:bg-brand-soft"
          onClick={(event) => {
            // With a mouse there is no camera to choose: one press less.
            if (!live || !matchMedia("(pointer: fine)").matches) return;
            event.preventDefault();
            event.currentTarget.parentElement?.querySelector("input")?.click();
          }}
        >
          <Icon of={ImagePlus} />
        </summary>
        <div className="absolute bottom-full left-0 z-20 mb-2 grid w-72 max-w-[80vw] gap-2 rounded-card border border-line bg-card p-3 shadow-lift">
          {live ? <Choices words={words} chosen={chosen} /> : <PlainForm words={words} {...upload} />}
        </div>
      </details>
      {failed && (
        <p role="alert" className="text-sm font-semibold text-bad">
          {words.unready}
        </p>
      )}
      {over && (
        <p className="pointer-events-none absolute inset-0 z-20 grid place-items-center rounded-card border-2 border-brand border-dashed bg-brand-soft text-lg font-bold text-brand opacity-95">
          {words.drop}
        </p>
      )}
      {dialog && (
        <dialog.Dialog
          {...dialog}
          words={words}
          sendLabel={strings.send}
          full={strings.outboxFull}
          send={(picture) => send({ kind: "image", ...picture }, () => {})}
        />
      )}
    </>
  );
}

/** A camera of its own only where a thumb chooses: a phone's chooser of pictures may have none. */
function Choices({ words, chosen }: { words: PictureWords; chosen: (files: FileList | null) => void }) {
  const field = (label: string, icon: typeof Images, look: string, camera?: "environment") => (
    <label
      className={`${buttonClasses("plain")} has-focus-visible:outline-3 has-focus-visible:outline-khadag ${look}`}
    >
      <Icon of={icon} />
      {label}
      <input
        type="file"
        accept="image/*"
        multiple={camera === undefined}
        capture={camera}
        className="sr-only"
        onChange={({ currentTarget }) => {
          chosen(currentTarget.files);
          // The same picture may be chosen again.
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

/** The dialog with the pictures that were chosen, once it has been fetched. */
function useDialog() {
  const [files, setFiles] = useState<File[]>([]);
  const [Dialog, setDialog] = useState<ComponentType<DialogProps>>();
  const [failed, setFailed] = useState(false);
  const take = (chosen: File[]) => {
    if (chosen.length === 0) return;
    setFailed(false);
    setFiles((waiting) => [...waiting, ...chosen].slice(0, mostAtOnce));
    import("./dialog.tsx").then(
      (fetched) => setDialog(() => fetched.PictureDialog),
      () => setFailed(true),
    );
  };
  const close = () => setFiles([]);
  return { take, failed, dialog: Dialog && files.length > 0 ? { Dialog, files, close } : undefined };
}
