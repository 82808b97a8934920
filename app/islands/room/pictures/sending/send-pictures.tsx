import { type ComponentType, useEffect, useState } from "react";
import type { PictureDialogProps } from "./picture-dialog.tsx";

const importDialog = () => import("./picture-dialog.tsx");

/** Loads the dialog before it is needed. A failure is shown once it is needed. */
export function preloadPictureDialog(): void {
  importDialog().catch(() => {});
}

/** The dialog that sends the chosen files, loaded on use; if it cannot be loaded, a text and a button that tries again. */
export function SendPictures(props: PictureDialogProps) {
  const { words, close } = props;
  const [Shown, setShown] = useState<ComponentType<PictureDialogProps>>();
  const [failed, setFailed] = useState(false);
  const load = () => {
    setFailed(false);
    importDialog().then(
      ({ PictureDialog }) => setShown(() => PictureDialog),
      () => setFailed(true),
    );
  };
  useEffect(load, []);
  if (Shown !== undefined) return <Shown {...props} />;
  if (!failed) return null;
  return (
    <p
      role="alert"
      className="absolute bottom-full left-2 z-20 mb-2 rounded-card border border-bad bg-bad-soft p-3 text-sm"
    >
      {words.notLoaded}
      <span className="flex gap-4">
        <button type="button" onClick={load} className={alertButtonClasses}>
          {words.again}
        </button>
        <button type="button" onClick={close} className={alertButtonClasses}>
          {words.cancel}
        </button>
      </span>
    </p>
  );
}

const alertButtonClasses = "min-h-11 cursor-pointer font-semibold underline";
