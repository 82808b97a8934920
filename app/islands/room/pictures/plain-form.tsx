import { Button } from "../../../ui/forms/button.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { acceptedFiles, maxCaptionLength } from "./picture-limits.ts";
import type { PictureWords } from "./picture-words.ts";

interface PlainFormProps {
  /** The person who sends the picture. */
  me: number;
  words: PictureWords;
  clientId: string;
  caption: string;
  /** The `seq` of the message that the picture replies to. */
  replyTo: number | undefined;
  /** The error of the picture or its caption. */
  error: string | null;
}

const pictureFieldClasses =
  "w-full min-h-11 rounded-control border border-edge bg-card px-3 py-2 text-base font-normal";

/** Sends pictures without script. */
export function PlainForm({ me, words, clientId, caption, replyTo, error }: PlainFormProps) {
  const about = error === null ? {} : { "aria-invalid": true, "aria-describedby": "picture-error" };
  return (
    <PersonForm
      person={me}
      // A refused picture brings this page back: its address keeps the reply.
      {...(replyTo !== undefined && { action: `?reply=${replyTo}` })}
      encType="multipart/form-data"
      className="grid gap-3"
    >
      <input type="hidden" name="form" value="image" />
      <input type="hidden" name="clientId" value={clientId} />
      {replyTo !== undefined && <input type="hidden" name="replyTo" value={replyTo} />}
      <label className="grid gap-1 text-sm font-semibold">
        {words.file}
        <input
          type="file"
          name="image"
          accept={acceptedFiles}
          multiple
          className={pictureFieldClasses}
          // biome-ignore lint/a11y/noAutofocus: a refused picture comes back with the focus in its field
          autoFocus={error !== null}
          {...about}
        />
      </label>
      {error && (
        <p id="picture-error" role="alert" className="text-sm font-semibold text-bad">
          {error}
        </p>
      )}
      <label className="grid gap-1 text-sm font-semibold">
        {words.caption}
        <input
          name="caption"
          maxLength={maxCaptionLength}
          defaultValue={caption}
          autoComplete="off"
          className={pictureFieldClasses}
        />
      </label>
      <Button>{words.attach}</Button>
    </PersonForm>
  );
}
